//! Programs that try to hang, crash or fill the machine: each under `tests/cases/wander/hostile` ends as its `-->` line
//! says, within the default budgets, and the same way twice.
//!
//! - The first line, a comment, says what the program tries.
//! - `--> CODE` is the code that ends it, `x` for any digit; `--> ok` where nothing may be found wrong with it. Every
//!   fault of a run with several ticks has that code, and one of the errors that are found in a source.
//! - `--! entity 2`, `--! tool {"a": 1}` and `--! ticks 10` are those of the conformance cases. The file
//!   `hostile/lib/<name>.wander` is the module `lib/<name>`.
//! - `⟪300|text⟫` is the text that often, `№` in it the number of the turn, and `␀` the character NUL, so that large
//!   and odd sources stay small and readable.
//!
//! `todo/` holds what the implementation does not withstand yet; it is not run. `HOSTILE=todo/name` runs one program
//! alone and tells what came of it; some of `todo/` need a limit of time and memory around them.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may panic")]

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::EntityId;
use wander::{
    Acts, Answer, CallContext, Environment, Heap, Host, HostFunction, HostHandler, Kind, Loader, Machine,
    Outcome, Value, boundary,
};

#[path = "support/wishes.rs"]
mod wishes;

use wishes::Wishes;

/// Bytes of the machine's stack: what a thread of the engine has.
const STACK: usize = 2 << 20;

/// Bytes of a world's values at most, one allocation on top of the limit included.
const MOST_BYTES: usize = 2 * (64 << 20);

/// Programs that there are at least.
const FEWEST: usize = 50;

/// Ticks a second.
const RATE: f64 = 60.0;

#[test]
fn every_hostile_program_ends_as_it_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/wander/hostile");
    let (paths, alone) = match std::env::var("HOSTILE") {
        Ok(name) => (vec![root.join(format!("{name}.wander"))], true),
        Err(_) => (programs(&root), false),
    };
    let mut wrong = String::new();
    let mut times: Vec<(Duration, String)> = Vec::new();
    let mut report = String::new();
    for path in &paths {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let case = Arc::new(Case::read(&root, path));
        let start = Instant::now();
        let first = case.run_on_a_thread();
        times.push((start.elapsed(), name.clone()));
        if alone {
            report.push_str(&format!("{first:?}\n"));
        }
        let result = first.and_then(|first| {
            case.check(&first)?;
            let second = case.run_on_a_thread()?;
            if first == second { Ok(()) } else { Err(format!("first {first:?}\nthen {second:?}")) }
        });
        if let Err(what) = result {
            wrong.push_str(&format!("=== {name}\n{what}\n"));
        }
    }
    times.sort();
    report.push_str(&format!("{} hostile programs, the slowest:\n", paths.len()));
    for (time, name) in times.iter().rev().take(3) {
        report.push_str(&format!("  {name} {} ms\n", time.as_millis()));
    }
    // Not `println`, which shows nothing where all is well.
    std::io::stderr().write_all(report.as_bytes()).unwrap();
    assert!(wrong.is_empty(), "programs did not end as they say\n\n{wrong}");
    assert!(alone || paths.len() >= FEWEST, "only {} programs in {}", paths.len(), root.display());
}

/// The programs of a folder, in order; those of the folders in it are other things.
fn programs(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> = entries
        .filter(|path| path.extension().is_some_and(|extension| extension == "wander") && path.is_file())
        .collect();
    found.sort();
    found
}

/// A program and what its comments ask for.
struct Case {
    name: String,
    source: String,
    wishes: Wishes,
    expected: String,
    folder: PathBuf,
}

/// What came of a program.
#[derive(Debug, PartialEq)]
struct Run {
    /// Codes of the errors found in the source, in order.
    findings: Vec<String>,
    /// Faults, one line each.
    faults: Vec<String>,
    output: Vec<String>,
    instructions: u64,
    /// Most bytes of values that were seen in use.
    bytes: usize,
}

impl Case {
    fn read(root: &Path, path: &Path) -> Self {
        let text = std::fs::read_to_string(path).unwrap();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        assert!(text.starts_with("-- "), "{name} does not say what it tries");
        let mut case = Self {
            wishes: Wishes::of(&name, &text),
            name,
            expected: String::new(),
            folder: root.to_owned(),
            source: expand(&text),
        };
        for line in text.lines() {
            if let Some((_, code)) = line.split_once("--> ") {
                assert!(case.expected.is_empty(), "{} expects two things", case.name);
                code.trim().clone_into(&mut case.expected);
            }
        }
        assert!(!case.expected.is_empty(), "{} does not say how it ends", case.name);
        case
    }

    fn check(&self, run: &Run) -> Result<(), String> {
        if run.bytes > MOST_BYTES {
            return Err(format!("{} bytes of values were in use", run.bytes));
        }
        let fits = |code: &str| {
            code.len() == self.expected.len()
                && code.chars().zip(self.expected.chars()).all(|(own, wanted)| own == wanted || wanted == 'x')
        };
        // A source may have many errors, of which one is meant; a fault ends the program.
        let faults = run.faults.iter().map(|line| line.split(' ').next().unwrap_or_default());
        let mut codes: BTreeSet<&str> = faults.collect();
        let is_met = match (run.findings.is_empty(), self.expected.as_str()) {
            (true, "ok") => codes.is_empty(),
            (true, _) => !codes.is_empty() && codes.iter().all(|code| fits(code)),
            (false, _) => run.findings.iter().any(|code| fits(code)),
        };
        codes.extend(run.findings.iter().map(String::as_str));
        if is_met {
            return Ok(());
        }
        let shown: Vec<&str> = run.findings.iter().chain(&run.faults).take(5).map(String::as_str).collect();
        Err(format!("wanted {}, found {codes:?}\n{}", self.expected, shown.join("\n")))
    }

    fn run_on_a_thread(self: &Arc<Self>) -> Result<Run, String> {
        let case = Arc::clone(self);
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || case.run()).unwrap();
        thread.join().map_err(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            format!("it panicked: {}", text.or(panic.downcast_ref::<&str>().copied()).unwrap_or_default())
        })
    }

    fn run(&self) -> Run {
        // A module runs when something uses it.
        const USER: &str = "user.wander";
        let user = format!("use \"{}\" as hostile\nfn run(args)\nend\n", self.name);
        let read = |name: &str| {
            if name == self.name {
                return Some((format!("{name}.wander"), self.source.clone()));
            }
            let text = std::fs::read_to_string(self.folder.join(format!("{name}.wander"))).ok()?;
            Some((format!("{name}.wander"), expand(&text)))
        };
        let environment = Arc::new(environment());
        let mut loader = Loader::new(&environment, &read);
        let program = if self.wishes.kind == Kind::Module {
            loader.compile(Kind::Tool, USER, &user)
        } else {
            loader.compile(self.wishes.kind, &format!("{}.wander", self.name), &self.source)
        };
        let findings = loader.findings.iter().filter(|file| file.path != USER);
        let findings: Vec<String> = findings
            .flat_map(|file| &file.diagnostics)
            .filter(|finding| finding.is_error())
            .map(|finding| finding.code.to_owned())
            .collect();
        let mut world = World { entities: self.wishes.entities, ..World::default() };
        let mut machine = Machine::new(environment, 7, RATE);
        if let Some(program) = program {
            self.play(&program, &mut machine, &mut world);
        }
        Run {
            findings,
            faults: world.faults,
            output: world.output,
            instructions: machine.used(),
            bytes: world.bytes.max(machine.heap.bytes()),
        }
    }

    fn play(&self, program: &Arc<wander::Program>, machine: &mut Machine, world: &mut World) {
        if self.wishes.kind == Kind::Entity {
            for number in 1..=self.wishes.entities {
                machine.attach(program, EntityId::new(number).unwrap(), &[], world);
            }
        } else {
            let arguments = boundary::from_json(&mut machine.heap, &self.wishes.arguments);
            let mut fuel = machine.instructions as i64;
            let result = machine.run_function(program, "run", &[arguments], world, &mut fuel);
            match result.and_then(|value| machine.result_to_json(value, boundary::MOST_BYTES)) {
                Ok(json) => world.output.push(json.to_string()),
                Err(fault) => world.faults.push(fault.line()),
            }
        }
        world.look_at(machine);
        for tick in 0..self.wishes.ticks {
            if tick == 0 {
                machine.handle_all("start", &[], world);
            }
            machine.deliver(world);
            machine.resume(tick, world);
            for name in ["fixed_update", "update"] {
                machine.handle_all(name, &[Value::Number(1.0 / RATE)], world);
            }
            world.look_at(machine);
        }
    }
}

/// A source with what stands for much or odd text replaced by it.
fn expand(text: &str) -> String {
    let mut whole = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('⟪') {
        let (inside, behind) = after.split_once('⟫').unwrap();
        let (count, what) = inside.split_once('|').unwrap();
        whole.push_str(before);
        for turn in 0..count.parse::<u32>().unwrap() {
            whole.push_str(&what.replace('№', &turn.to_string()));
        }
        rest = behind;
    }
    whole.push_str(rest);
    whole.replace('␀', "\0")
}

/// As much of a world as programs need to do harm: so many entities without properties.
#[derive(Default)]
struct World {
    entities: u32,
    output: Vec<String>,
    faults: Vec<String>,
    bytes: usize,
}

impl World {
    fn look_at(&mut self, machine: &mut Machine) {
        self.faults.extend(machine.take_reports().iter().map(|report| report.fault.line()));
        self.bytes = self.bytes.max(machine.heap.bytes());
    }
}

const fn function(name: &'static str, arity: (u8, u8)) -> HostFunction {
    HostFunction { area: "", name, arity, acts: Acts::Changes, property: false, doc: "" }
}

fn environment() -> Environment {
    let handlers: [(&str, &[&str]); 3] = [("start", &[]), ("update", &["dt"]), ("fixed_update", &["dt"])];
    Environment {
        functions: vec![
            function("print", (1, 8)),
            function("emit", (1, 2)),
            function("send", (2, 3)),
            function("find_all", (1, 1)),
        ],
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
        self.bytes = self.bytes.max(context.heap.bytes());
        let name = |value| context.heap.get_text(value).unwrap_or_default().to_owned();
        let mut answer = Value::Nil;
        match function {
            0 => {
                let mut line: String = context.heap.get_text(argument(0)).unwrap_or("…").to_owned();
                line.truncate(line.floor_char_boundary(100));
                self.output.push(line);
            }
            1 => {
                let name = name(argument(0));
                answer = context.send(None, &name, vec![argument(1)]).into();
            }
            2 => {
                let Value::Entity(entity) = argument(0) else { return Ok(Answer::Value(Value::Nil)) };
                let name = name(argument(1));
                answer = context.send(Some(entity), &name, vec![argument(2)]).into();
            }
            _ => {
                let all = (1..=self.entities).filter_map(EntityId::new).map(Value::Entity).collect();
                answer = context.heap.list(all);
            }
        }
        Ok(Answer::Value(answer))
    }

    fn entity_name(&self, entity: EntityId) -> String {
        format!("entity {entity}")
    }
}
