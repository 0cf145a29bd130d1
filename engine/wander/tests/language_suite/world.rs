//! A small world for scripts to live in: entities with a position, tags and variables.

use std::collections::BTreeMap;
use std::sync::Arc;

use base::EntityId;
use wander::{
    Acts, Answer, CallContext, Environment, Fault, Heap, Host, HostFunction, HostHandler, HostProperty, Kind,
    Loader, Machine, Outcome, Program, Value,
};

#[derive(Debug, Clone, Default)]
pub struct Thing {
    pub name: String,
    pub tag: String,
    pub pos: [f32; 3],
    pub vars: BTreeMap<String, f64>,
}

#[derive(Debug, Clone, Default)]
pub struct World {
    pub things: BTreeMap<u32, Thing>,
    pub said: Vec<String>,
}

pub fn id(number: u32) -> EntityId {
    EntityId::new(number).unwrap()
}

const fn function(name: &'static str, arity: (u8, u8)) -> HostFunction {
    HostFunction { area: "", name, arity, acts: Acts::Reads, property: false, doc: "" }
}

pub fn environment() -> Arc<Environment> {
    Arc::new(Environment {
        functions: vec![
            function("print", (1, 1)),
            function("find_all", (1, 1)),
            HostFunction {
                area: "time",
                name: "dt",
                arity: (0, 0),
                acts: Acts::Reads,
                property: true,
                doc: "",
            },
            function("emit", (2, 2)),
        ],
        methods: vec![function("has_tag", (1, 1))],
        properties: ["id", "name", "pos", "alive"]
            .map(|name| HostProperty { name, writable: name == "pos", doc: "" })
            .to_vec(),
        handlers: vec![
            HostHandler { name: "start", params: &[], doc: "" },
            HostHandler { name: "update", params: &["dt"], doc: "" },
        ],
    })
}

impl Host for World {
    fn is_alive(&self, entity: EntityId) -> bool {
        self.things.contains_key(&entity.get())
    }

    fn get(&mut self, heap: &mut Heap, entity: EntityId, property: u16) -> Outcome<Value> {
        let thing = &self.things[&entity.get()];
        Ok(match property {
            0 => Value::Number(f64::from(entity.get())),
            1 => heap.text(&thing.name),
            2 => Value::Vec3(thing.pos),
            _ => Value::Bool(true),
        })
    }

    fn set(&mut self, _: &mut Heap, entity: EntityId, _: u16, value: &Value) -> Outcome<()> {
        let &Value::Vec3(pos) = value else {
            return Err(Fault::new("E310", format!("`pos` needs a vector, got {}", value.type_name())));
        };
        self.things.get_mut(&entity.get()).unwrap().pos = pos;
        Ok(())
    }

    fn get_variable(&mut self, _: &mut Heap, entity: EntityId, name: &str) -> Outcome<Option<Value>> {
        Ok(self.things[&entity.get()].vars.get(name).map(|number| Value::Number(*number)))
    }

    fn set_variable(&mut self, _: &mut Heap, entity: EntityId, name: &str, value: Value) -> Outcome<bool> {
        let vars = &mut self.things.get_mut(&entity.get()).unwrap().vars;
        match value {
            Value::Number(number) if vars.contains_key(name) => {
                vars.insert(name.to_owned(), number);
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn knows_variable(&self, name: &str) -> bool {
        self.things.values().any(|thing| thing.vars.contains_key(name))
    }

    fn call(&mut self, context: &mut CallContext<'_>, function: u16, arguments: &[Value]) -> Outcome<Answer> {
        Ok(Answer::Value(match function {
            0 => {
                let text = match context.heap.get_text(arguments[0]) {
                    Some(text) => text.to_owned(),
                    None => wander::boundary::to_json(context.heap, arguments[0])?.to_string(),
                };
                self.said.push(text);
                Value::Nil
            }
            1 => {
                let tag = context.heap.get_text(arguments[0]).unwrap_or_default().to_owned();
                let found = self
                    .things
                    .iter()
                    .filter(|(_, thing)| thing.tag == tag)
                    .map(|(n, _)| Value::Entity(id(*n)))
                    .collect();
                context.heap.list(found)
            }
            2 => Value::Number(1.0 / 60.0),
            3 => {
                let name = context.heap.get_text(arguments[0]).unwrap_or_default().to_owned();
                Value::Bool(context.send(None, &name, vec![arguments[1]]))
            }
            _ => match arguments[0] {
                Value::Entity(entity) => {
                    let tag = context.heap.get_text(arguments[1]).unwrap_or_default();
                    Value::Bool(self.things[&entity.get()].tag == tag)
                }
                _ => Value::Nil,
            },
        }))
    }

    fn entity_name(&self, entity: EntityId) -> String {
        self.things.get(&entity.get()).map_or_else(|| format!("entity {entity}"), |thing| thing.name.clone())
    }
}

/// Compiles a program of its own, or gives its findings as text.
pub fn compile(kind: Kind, source: &str) -> Result<Arc<Program>, String> {
    let environment = environment();
    let read = |path: &str| match path {
        "lib/walk" => Some((
            "lib/walk.wander".to_owned(),
            "const PACE = 2\nfn step(p, d) => p + d * PACE\nfn _own() => 1\n".to_owned(),
        )),
        "lib/ring" => Some(("lib/ring.wander".to_owned(), "use \"lib/ring\"\nfn f() => 1\n".to_owned())),
        _ => None,
    };
    let mut loader = Loader::new(&environment, &read);
    let program = loader.compile(kind, "scripts/test.wander", source);
    let text: Vec<String> = loader
        .findings
        .iter()
        .filter(|file| !file.diagnostics.is_empty())
        .map(|file| file.render())
        .collect();
    program.ok_or_else(|| text.join("\n\n"))
}

/// Runs `fn run(args)` of a tool script.
pub fn run_with(
    source: &str,
    args: &serde_json::Value,
    world: &mut World,
) -> Result<serde_json::Value, String> {
    let program = compile(Kind::Tool, source)?;
    let mut machine = Machine::new(environment(), 7, 60.0);
    let args = wander::boundary::from_json(&mut machine.heap, args);
    let mut fuel = 1_000_000;
    let value =
        machine.run_function(&program, "run", &[args], world, &mut fuel).map_err(|fault| fault.line())?;
    machine.result_to_json(value, wander::machine::MOST_OUTPUT).map_err(|fault| fault.line())
}

/// Runs the body of a tool and gives its result as JSON text, or the error's line.
pub fn run(body: &str) -> String {
    let mut world = World::default();
    match run_with(&format!("fn run(args)\n{body}\nend"), &serde_json::Value::Null, &mut world) {
        Ok(value) => value.to_string(),
        Err(error) => error,
    }
}
