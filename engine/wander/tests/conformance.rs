//! The language's conformance cases: every program under `tests/cases/wander` does what its `-->` lines say.
//! How a case is written stands in the README there; the little world that cases run in stands here.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may panic")]

use std::collections::BTreeMap;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::EntityId;
use wander::{
    Acts, Answer, CallContext, Environment, Fault, Heap, Host, HostFunction, HostHandler, HostProperty, Kind,
    Loader, Machine, Outcome, Value, boundary, host_record,
};

#[path = "support/mends.rs"]
mod mends;
#[path = "support/renaming.rs"]
mod renaming;
#[path = "support/templates.rs"]
mod templates;
#[path = "support/wishes.rs"]
mod wishes;

use serde_json::Value as Json;
use wishes::Wishes;

/// Ticks a second.
const RATE: f64 = 60.0;

#[test]
fn every_case_does_what_it_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/wander");
    let todo = std::env::var_os("CONFORMANCE_TODO").is_some();
    let texts = match (todo, std::env::var_os("UPDATE_EXPECT")) {
        (true, _) => Texts::Ignore,
        (false, Some(_)) => Texts::Rewrite,
        (false, None) => Texts::Compare,
    };
    let folder = if todo { root.join("todo") } else { root.clone() };
    let (good, bad) = (programs(&folder.join("ok")), programs(&folder.join("fail")));
    let mut wrong: Vec<(PathBuf, String)> = Vec::new();
    for path in &good {
        if let Err(difference) = check_ok(&root, path) {
            wrong.push((path.clone(), difference));
        }
    }
    for path in &bad {
        if let Err(difference) = check_fail(&root, path, texts) {
            wrong.push((path.clone(), difference));
        }
    }
    let name = |path: &Path| path.strip_prefix(&root).unwrap_or(path).display().to_string();
    let mut report = format!("{} ok, {} fail, {} wrong", good.len(), bad.len(), wrong.len());
    if !todo {
        report.push_str(&format!(", {} wait in todo", programs(&root.join("todo")).len()));
    }
    report.push('\n');
    if todo {
        // Cases that wait for the implementation are all wrong; one that is not any more should move out.
        for path in good.iter().chain(&bad).filter(|path| wrong.iter().all(|(other, _)| other != *path)) {
            report.push_str(&format!("{} is met\n", name(path)));
        }
    }
    // Not `println`, which shows nothing where all is well.
    std::io::stderr().write_all(report.as_bytes()).unwrap();
    assert!(todo || !good.is_empty() && !bad.is_empty(), "{} has no cases", root.display());
    let differences: Vec<String> =
        wrong.iter().map(|(path, text)| format!("=== {}\n{text}", name(path))).collect();
    assert!(wrong.is_empty(), "{} cases are wrong\n\n{}", wrong.len(), differences.join("\n"));
}

/// Names are nothing to a program: where every use of each is known, it prints the same with others.
#[test]
fn every_case_does_the_same_when_its_names_are_others() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/wander");
    let mut wrong = Vec::new();
    let mut count = 0;
    for path in programs(&root.join("ok")) {
        let mut case = Case::read(&path);
        // They look for names of their own in messages and traces.
        if case.path.ends_with("/error_message_uses_wander_words.wander")
            || case.path.ends_with("/error_trace.wander")
        {
            continue;
        }
        let renamed = renaming::rename_all(&case.source, case.wishes.kind).and_then(|(text, names)| {
            count += names;
            case.source = text;
            let run = case.run_safely(&root)?;
            if !run.findings.is_empty() {
                return Err(run.findings.join("\n\n"));
            }
            difference(&case.expected.join("\n"), &run.output.join("\n"))
        });
        if let Err(difference) = renamed {
            wrong.push(format!("=== {}\n{difference}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{} cases are wrong\n\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 800, "only {count} names were tried");
}

/// What to do with the texts beside the programs that fail.
#[derive(Clone, Copy, PartialEq)]
enum Texts {
    Compare,
    Rewrite,
    /// Cases that wait have none: what the implementation says is not what it should.
    Ignore,
}

/// Every program of a folder and the folders in it, in order.
fn programs(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(programs(&path));
        } else if path.extension().is_some_and(|extension| extension == "wander" || extension == "template") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// A program prints its `-->` lines, in order, and nothing is found wrong with it.
fn check_ok(root: &Path, path: &Path) -> Result<(), String> {
    let case = Case::read(path);
    let run = case.run_safely(root)?;
    if !run.findings.is_empty() {
        return Err(run.findings.join("\n\n"));
    }
    difference(&case.expected.join("\n"), &run.output.join("\n"))
}

/// The findings or faults of a program are, in order, those of its `-->` lines, and all of them as text are
/// what the file beside it holds.
fn check_fail(root: &Path, path: &Path, texts: Texts) -> Result<(), String> {
    let case = Case::read(path);
    let run = case.run_safely(root)?;
    let found = [run.findings, run.faults].concat();
    let mut text = found.join("\n\n");
    text.push('\n');
    let beside = path.with_extension("txt");
    if texts == Texts::Rewrite {
        std::fs::write(&beside, &text).unwrap();
    }
    let fits = |wanted: &str, found: &str| {
        let (code, part) = wanted.split_once(' ').unwrap_or((wanted, ""));
        let own = found.split(' ').next().unwrap_or_default();
        // `E1xx` is any code of the family.
        code.len() == own.len()
            && code.chars().zip(own.chars()).all(|(a, b)| a == b || a == 'x')
            && part.split(" … ").all(|part| found.contains(part))
    };
    // A last line `…` allows more findings than those that matter, before, between or behind them.
    let (wanted, is_open) = match case.expected.split_last() {
        Some((last, wanted)) if last == "…" => (wanted, true),
        _ => (case.expected.as_slice(), false),
    };
    let mut rest = found.iter();
    let all_fit = wanted.iter().all(|wanted| rest.any(|found| fits(wanted, found)));
    let is_all = is_open || wanted.len() == found.len();
    if wanted.is_empty() || !all_fit || !is_all {
        return Err(format!("wanted {:?}, found\n{text}", case.expected));
    }
    if texts == Texts::Ignore {
        return Ok(());
    }
    difference(&std::fs::read_to_string(&beside).unwrap_or_default(), &text)
}

/// Nothing, or the lines in which two texts differ.
fn difference(wanted: &str, found: &str) -> Result<(), String> {
    if wanted == found {
        return Ok(());
    }
    let (old, new): (Vec<&str>, Vec<&str>) = (wanted.lines().collect(), found.lines().collect());
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let most = old.len().min(new.len()) - same;
    let tail = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    let mut text = format!("from line {}:\n", same + 1);
    for (sign, lines) in [("-", &old), ("+", &new)] {
        for line in &lines[same..lines.len() - tail] {
            text.push_str(&format!("{sign} {line}\n"));
        }
    }
    Err(text)
}

/// A case: the program, what its comments ask for, what they promise.
struct Case {
    path: String,
    source: String,
    wishes: Wishes,
    expected: Vec<String>,
    is_template: bool,
}

/// What came of a case.
#[derive(Default)]
struct Run {
    findings: Vec<String>,
    output: Vec<String>,
    faults: Vec<String>,
}

impl Case {
    fn read(path: &Path) -> Self {
        let source = std::fs::read_to_string(path).unwrap();
        let section = path.parent().and_then(Path::file_name).unwrap().to_string_lossy();
        let mut case = Self {
            path: format!("{section}/{}", path.file_name().unwrap().to_string_lossy()),
            wishes: Wishes::of(&path.display().to_string(), &source),
            expected: Vec::new(),
            is_template: path.extension().is_some_and(|extension| extension == "template"),
            source,
        };
        for line in case.source.lines() {
            if let Some((_, text)) = line.split_once("-->") {
                case.expected.push(text.strip_prefix(' ').unwrap_or(text).to_owned());
            }
        }
        case
    }

    /// One case that panics must not hide the others.
    fn run_safely(&self, root: &Path) -> Result<Run, String> {
        catch_unwind(AssertUnwindSafe(|| self.run(root))).map_err(|_| "the case panicked".to_owned())
    }

    fn run(&self, root: &Path) -> Run {
        if self.is_template {
            return self.run_templates();
        }
        // A module runs when something uses it.
        const USER: &str = "user.wander";
        let own = self.path.trim_end_matches(".wander");
        let user = format!("use \"{own}\"\nfn run(args)\nend\n");
        let read = |name: &str| match name {
            _ if name == own => Some((self.path.clone(), self.source.clone())),
            _ => {
                let text = std::fs::read_to_string(root.join(format!("{name}.wander"))).ok()?;
                Some((format!("{name}.wander"), text))
            }
        };
        let environment = Arc::new(environment());
        let mut loader = Loader::new(&environment, &read);
        let program = if self.wishes.kind == Kind::Module {
            loader.compile(Kind::Tool, USER, &user)
        } else {
            loader.compile(self.wishes.kind, &self.path, &self.source)
        };
        // A case is all of its project.
        loader.check_events();
        let mut run = Run::default();
        for file in loader.findings.iter().filter(|file| file.path != USER) {
            run.findings
                .extend(file.diagnostics.iter().map(|finding| finding.render(&file.path, &file.source)));
        }
        let Some(program) = program else { return run };

        let mut world = World::default();
        let mut machine = Machine::new(environment, 7, RATE);
        if self.wishes.kind == Kind::Entity {
            for number in 1..=self.wishes.entities {
                machine.attach(&program, id(number), &[], &mut world);
            }
        } else {
            let arguments = boundary::from_json(&mut machine.heap, &self.wishes.arguments);
            let mut fuel = wander::machine::DEFAULT_INSTRUCTIONS as i64;
            let result = machine
                .run_function(&program, "run", &[arguments], &mut world, &mut fuel)
                .and_then(|value| machine.result_to_json(value, wander::machine::MOST_OUTPUT));
            match result {
                Ok(json) if self.wishes.kind == Kind::Tool => world.output.push(json.to_string()),
                Ok(_) => {}
                Err(fault) => world.fault(&fault),
            }
        }
        world.take_faults(&mut machine);
        for tick in 0..self.wishes.ticks {
            world.tick = tick;
            if tick == 0 {
                machine.handle_all("start", &[], &mut world);
            }
            machine.deliver(&mut world);
            machine.resume(tick, &mut world);
            for name in ["fixed_update", "update"] {
                machine.handle_all(name, &[Value::Number(1.0 / RATE)], &mut world);
            }
            world.take_faults(&mut machine);
            for gone in world.destroyed.drain(..) {
                machine.detach(gone);
            }
        }
        run.output = world.output;
        run.faults = world.faults;
        run
    }
}

/// An entity that a script can meet.
struct Thing {
    name: String,
    tag: &'static str,
    position: [f32; 3],
    variables: BTreeMap<String, Json>,
}

/// The world of a case: Ann, a player, at the origin; Bob and Cid, enemies, at (3, 0, 0) and (0, 4, 0). Bob
/// alone has a variable, `hp`, which is 2.
struct World {
    things: BTreeMap<EntityId, Thing>,
    names: BTreeMap<EntityId, String>,
    destroyed: Vec<EntityId>,
    output: Vec<String>,
    faults: Vec<String>,
    tick: u64,
}

impl Default for World {
    fn default() -> Self {
        let mut things = BTreeMap::new();
        for (number, name, tag, position) in [
            (1, "Ann", "player", [0.0; 3]),
            (2, "Bob", "enemy", [3.0, 0.0, 0.0]),
            (3, "Cid", "enemy", [0.0, 4.0, 0.0]),
        ] {
            let variables = if number == 2 { [("hp".to_owned(), 2.into())].into() } else { BTreeMap::new() };
            things.insert(id(number), Thing { name: name.to_owned(), tag, position, variables });
        }
        let names = things.iter().map(|(id, thing)| (*id, thing.name.clone())).collect();
        Self { things, names, destroyed: Vec::new(), output: Vec::new(), faults: Vec::new(), tick: 0 }
    }
}

fn id(number: u32) -> EntityId {
    EntityId::new(number).unwrap()
}

const fn function(area: &'static str, name: &'static str, most: u8, acts: Acts) -> HostFunction {
    HostFunction {
        area,
        name,
        arity: (if most == 0 { 0 } else { 1 }, most),
        acts,
        property: most == 0,
        doc: "",
    }
}

const FUNCTIONS: [HostFunction; 11] = [
    function("", "print", 8, Acts::Changes),
    function("", "log", 8, Acts::Changes),
    function("", "warn", 8, Acts::Changes),
    function("", "emit", 2, Acts::Changes),
    function("", "send", 3, Acts::Changes),
    function("", "find", 1, Acts::Reads),
    function("", "find_all", 1, Acts::Reads),
    function("", "destroy", 1, Acts::Changes),
    function("time", "now", 0, Acts::Reads),
    function("time", "dt", 0, Acts::Reads),
    function("time", "frame", 0, Acts::Reads),
];

const PROPERTIES: [(&str, bool); 6] =
    [("id", false), ("name", true), ("pos", true), ("alive", false), ("vars", false), ("tag", false)];

fn environment() -> Environment {
    const HANDLERS: [(&str, &[&str]); 6] = [
        ("start", &[]),
        ("update", &["dt"]),
        ("fixed_update", &["dt"]),
        ("stop", &[]),
        ("collide", &["other", "hit"]),
        ("enter", &["other"]),
    ];
    Environment {
        functions: FUNCTIONS.to_vec(),
        methods: vec![function("", "has_tag", 1, Acts::Reads)],
        properties: PROPERTIES.map(|(name, writable)| HostProperty { name, writable, doc: "" }).to_vec(),
        handlers: HANDLERS.map(|(name, params)| HostHandler { name, params, doc: "" }).to_vec(),
    }
}

impl World {
    fn fault(&mut self, fault: &Fault) {
        self.output.push(format!("fault {}", fault.code));
        self.faults.push(fault.line());
    }

    fn take_faults(&mut self, machine: &mut Machine) {
        for report in machine.take_reports() {
            self.fault(&report.fault);
        }
    }

    /// A value as `print` writes it: as JSON unless it is a text, a number, nil, or nothing that JSON has.
    fn shown(&self, heap: &Heap, value: Value) -> String {
        match (value, heap.get_text(value)) {
            (_, Some(text)) => text.to_owned(),
            (Value::Nil, _) => "nil".to_owned(),
            (Value::Number(number), _) => wander::number::text(number),
            (Value::Entity(entity), _) => self.entity_name(entity),
            (Value::Range(_), _) => "range".to_owned(),
            _ => boundary::to_json(heap, value)
                .map_or_else(|_| value.type_name().to_owned(), |json| json.to_string()),
        }
    }
}

fn wrong(what: &str, value: Value) -> Box<Fault> {
    Fault::new("E310", format!("{what}, got {}", value.type_name()))
}

impl Host for World {
    fn is_alive(&self, entity: EntityId) -> bool {
        self.things.contains_key(&entity)
    }

    fn get(&mut self, heap: &mut Heap, entity: EntityId, property: u16) -> Outcome<Value> {
        let thing = &self.things[&entity];
        Ok(match PROPERTIES[usize::from(property)].0 {
            "id" => Value::Number(f64::from(entity.get())),
            "name" => heap.text(&thing.name),
            "pos" => Value::Vec3(thing.position),
            "vars" => {
                let variables: Vec<(&str, Value)> = thing
                    .variables
                    .iter()
                    .map(|(name, json)| (name.as_str(), boundary::from_json(heap, json)))
                    .chain([(host_record::VARS_OF, Value::Entity(entity))])
                    .collect();
                heap.record(variables)
            }
            "tag" => heap.text(thing.tag),
            _ => Value::Bool(true),
        })
    }

    fn set(&mut self, heap: &mut Heap, entity: EntityId, property: u16, value: &Value) -> Outcome<()> {
        let thing = self.things.get_mut(&entity).unwrap();
        let value = *value;
        match (PROPERTIES[usize::from(property)].0, value, heap.get_text(value)) {
            ("pos", Value::Vec3(position), _) => thing.position = position,
            ("pos", ..) => return Err(wrong("`pos` needs a vector", value)),
            (_, _, Some(name)) => thing.name = name.to_owned(),
            _ => return Err(wrong("`name` needs a string", value)),
        }
        Ok(())
    }

    fn get_variable(&mut self, heap: &mut Heap, entity: EntityId, name: &str) -> Outcome<Option<Value>> {
        let found = self.things[&entity].variables.get(name);
        Ok(found.map(|json| boundary::from_json(heap, json)))
    }

    fn set_variable(&mut self, heap: &mut Heap, entity: EntityId, name: &str, value: Value) -> Outcome<bool> {
        let variables = &mut self.things.get_mut(&entity).unwrap().variables;
        let (name, is_new) = match name.strip_prefix(host_record::NEW) {
            Some(name) => (name, true),
            None => (name, false),
        };
        if !is_new && !variables.contains_key(name) {
            return Ok(false);
        }
        variables.insert(name.to_owned(), boundary::to_json(heap, value)?);
        Ok(true)
    }

    fn knows_variable(&self, name: &str) -> bool {
        self.things.values().any(|thing| thing.variables.contains_key(name))
    }

    fn call(&mut self, context: &mut CallContext<'_>, function: u16, arguments: &[Value]) -> Outcome<Answer> {
        let argument = |index: usize| arguments.get(index).copied().unwrap_or_default();
        let text = |heap: &Heap, index| heap.get_text(argument(index)).unwrap_or_default().to_owned();
        let name = FUNCTIONS.get(usize::from(function)).map_or("has_tag", |known| known.name);
        Ok(Answer::Value(match name {
            "print" | "log" | "warn" => {
                let texts: Vec<String> =
                    arguments.iter().map(|value| self.shown(context.heap, *value)).collect();
                self.output.extend(texts.join(" ").split('\n').map(str::to_owned));
                Value::Nil
            }
            "emit" => {
                context.send(None, &text(context.heap, 0), vec![argument(1)]);
                Value::Nil
            }
            "find" => {
                let name = text(context.heap, 0);
                let found = self.things.iter().find(|(_, thing)| thing.name == name);
                found.map_or(Value::Nil, |(id, _)| Value::Entity(*id))
            }
            "find_all" => {
                let tag = text(context.heap, 0);
                let found = self.things.iter().filter(|(_, thing)| thing.tag == tag);
                let found = found.map(|(id, _)| Value::Entity(*id)).collect();
                context.heap.list(found)
            }
            "now" => Value::Number(self.tick as f64 / RATE),
            "dt" => Value::Number(1.0 / RATE),
            "frame" => Value::Number(self.tick as f64),
            name => {
                let Value::Entity(entity) = argument(0) else {
                    return Err(wrong(&format!("`{name}` needs an entity"), argument(0)));
                };
                match name {
                    "send" => {
                        context.send(Some(entity), &text(context.heap, 1), vec![argument(2)]);
                        Value::Nil
                    }
                    "destroy" => {
                        self.things.remove(&entity);
                        self.destroyed.push(entity);
                        Value::Nil
                    }
                    _ => Value::Bool(self.things[&entity].tag == text(context.heap, 1)),
                }
            }
        }))
    }

    fn entity_name(&self, entity: EntityId) -> String {
        self.names.get(&entity).cloned().unwrap_or_else(|| format!("entity {entity}"))
    }
}
