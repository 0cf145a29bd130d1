//! Runs sources on the machine: as a tool that is called once, or as the script of entities for some ticks.

use std::sync::Arc;

use base::EntityId;
use serde_json::Value as Json;
use wander::{
    Acts, Answer, CallContext, Environment, Heap, Host, HostFunction, HostHandler, Kind, Loader, Machine,
    Outcome, Program, Value, boundary,
};
use xxhash_rust::xxh3::Xxh3;

/// Ticks a second.
const RATE: f64 = 60.0;

/// Ways of running that must make no difference.
#[derive(Debug, Clone, Copy)]
pub struct Way {
    /// Whether the machine's quick half takes part.
    pub is_quick: bool,
    /// Whether values that nothing refers to are freed at every opportunity.
    pub collects_always: bool,
    pub instructions: u64,
}

pub const USUAL: Way = Way { is_quick: true, collects_always: false, instructions: 1_000_000 };

/// What came of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// The result as JSON, or the code of the error.
    pub result: Result<Json, String>,
    pub output: Vec<String>,
    /// Instructions that were paid.
    pub used: u64,
    /// Bytes of values at the end.
    pub bytes: usize,
}

/// Compiles a text that uses no modules; the codes of its errors where it has some.
pub fn compile(kind: Kind, source: &str, environment: &Environment) -> Result<Arc<Program>, Vec<String>> {
    let read = |_: &str| None;
    let mut loader = Loader::new(environment, &read);
    let program = loader.compile(kind, "fuzz.wander", source);
    let errors =
        loader.findings.iter().flat_map(|file| &file.diagnostics).filter(|finding| finding.is_error());
    let errors: Vec<String> = errors.map(|finding| format!("{} {}", finding.code, finding.message)).collect();
    match program {
        Some(program) if errors.is_empty() => Ok(program),
        _ => Err(errors),
    }
}

/// Calls `run` of a tool with nil.
pub fn call(source: &str, way: Way) -> Result<Run, Vec<String>> {
    call_with(source, way, &Json::Null)
}

pub fn call_with(source: &str, way: Way, arguments: &Json) -> Result<Run, Vec<String>> {
    let environment = environment();
    let program = compile(Kind::Tool, source, &environment)?;
    let mut world = World { entities: 0, output: Vec::new() };
    let mut machine = machine(way);
    let arguments = boundary::from_json(&mut machine.heap, arguments);
    let mut fuel = way.instructions as i64;
    let result = machine.run_function(&program, "run", &[arguments], &mut world, &mut fuel);
    let result = result.and_then(|value| boundary::to_json(&machine.heap, value));
    Ok(Run {
        result: result.map_err(|fault| fault.code),
        output: world.output,
        used: machine.used(),
        bytes: machine.heap.bytes(),
    })
}

thread_local! {
    /// A machine that has run nothing. Making one compiles a part of the library, which takes longer than most cases.
    static FRESH: Machine = Machine::new(Arc::new(environment()), 7, RATE);
}

fn machine(way: Way) -> Machine {
    let mut machine = FRESH.with(Clone::clone);
    machine.instructions = way.instructions;
    if !way.is_quick {
        machine.leave_out_quick_half();
    }
    if way.collects_always {
        machine.heap.collect_always();
    }
    machine
}

/// A world with scripts that goes on tick by tick, and can be cloned at any.
#[derive(Clone)]
pub struct Game {
    machine: Machine,
    world: World,
    tick: u64,
}

impl Game {
    /// Two entities with the same script.
    pub fn new(source: &str, way: Way) -> Result<Self, Vec<String>> {
        let environment = environment();
        let program = compile(Kind::Entity, source, &environment)?;
        let mut world = World { entities: 2, output: Vec::new() };
        let mut machine = machine(way);
        for number in 1..=world.entities {
            machine.attach(&program, EntityId::new(number).unwrap(), &[], &mut world);
        }
        Ok(Self { machine, world, tick: 0 })
    }

    /// One tick; what can be seen of the world after it.
    pub fn step(&mut self) -> (u64, Vec<String>) {
        let (machine, world) = (&mut self.machine, &mut self.world);
        if self.tick == 0 {
            machine.handle_all("start", &[], world);
        }
        machine.deliver(world);
        machine.resume(self.tick, world);
        machine.handle_all("update", &[Value::Number(1.0 / RATE)], world);
        self.tick += 1;
        let reports = machine.take_reports();
        world.output.extend(reports.iter().map(|report| report.fault.line()));
        let mut hash = Xxh3::new();
        machine.hash_into(&mut hash);
        (hash.digest(), std::mem::take(&mut world.output))
    }
}

/// Entities without properties, and a log.
#[derive(Clone)]
struct World {
    entities: u32,
    output: Vec<String>,
}

const fn function(name: &'static str, arity: (u8, u8)) -> HostFunction {
    HostFunction { area: "", name, arity, acts: Acts::Changes, property: false, doc: "" }
}

pub fn environment() -> Environment {
    let handlers: [(&str, &[&str]); 2] = [("start", &[]), ("update", &["dt"])];
    Environment {
        functions: vec![function("print", (1, 1)), function("emit", (1, 2))],
        methods: Vec::new(),
        properties: Vec::new(),
        handlers: handlers.map(|(name, params)| HostHandler { name, params, doc: "" }).to_vec(),
    }
}

impl Host for World {
    fn is_alive(&self, entity: EntityId) -> bool {
        entity.get() <= self.entities
    }

    fn get(&mut self, _: &mut Heap, _: EntityId, _: u16) -> Outcome<Value> {
        Ok(Value::Nil)
    }

    fn set(&mut self, _: &mut Heap, _: EntityId, _: u16, _: &Value) -> Outcome<()> {
        Ok(())
    }

    fn get_variable(&mut self, _: &mut Heap, _: EntityId, _: &str) -> Outcome<Option<Value>> {
        Ok(None)
    }

    fn set_variable(&mut self, _: &mut Heap, _: EntityId, _: &str, _: Value) -> Outcome<bool> {
        Ok(false)
    }

    fn knows_variable(&self, _: &str) -> bool {
        false
    }

    fn call(&mut self, context: &mut CallContext<'_>, function: u16, arguments: &[Value]) -> Outcome<Answer> {
        let argument = |index: usize| arguments.get(index).copied().unwrap_or_default();
        let text = context.heap.get_text(argument(0)).unwrap_or("no text").to_owned();
        if function == 0 {
            self.output.push(text);
            return Ok(Answer::Value(Value::Nil));
        }
        Ok(Answer::Value(context.send(None, &text, vec![argument(1)]).into()))
    }

    fn entity_name(&self, entity: EntityId) -> String {
        format!("entity {entity}")
    }
}
