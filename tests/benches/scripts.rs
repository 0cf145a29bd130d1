//! Wander beside Lua 5.4, program by program, in one process and in processor time.
//!
//! `cargo run --release -p tests --bin scripts` prints the table; `-- --guard` says nothing and fails where a ratio is
//! far from what it should be, which tells of a change for the worse on any machine.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a bench may panic")]

use std::sync::Arc;

use mlua::Lua;
use rustix::time::{ClockId, clock_gettime};
use wander::machine::NoHost;
use wander::{Environment, Kind, Loader, Machine, Value};

/// A program in both languages, and how many times Lua's time it may take at most before something is wrong: about
/// three times what it takes, for builds that are optimised less and machines that differ.
type Program = (&'static str, &'static str, &'static str, f64);

macro_rules! programs {
    ($($name:literal: $most:literal),*) => {
        &[$(($name, include_str!(concat!("scripts/", $name, ".lua")),
             include_str!(concat!("scripts/", $name, ".wander")), $most)),*]
    };
}

const PROGRAMS: &[Program] = programs!(
    "fib": 3.0, "numbers": 3.5, "sieve": 3.5, "records": 3.0, "lists": 2.5, "alloc": 2.5, "closures": 3.0, "strings": 3.0
);

/// Runs of each; the quickest counts.
const ROUNDS: usize = 7;

/// Processor time of this process in milliseconds.
fn now() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}

struct Pair {
    lua: Lua,
    machine: Machine,
    main: wander::machine::Function,
}

impl Pair {
    fn new(lua_text: &str, wander_text: &str) -> Self {
        let lua = Lua::new();
        lua.load(lua_text).exec().unwrap();
        let environment = Arc::new(Environment::default());
        let read = |_: &str| None;
        let mut loader = Loader::new(&environment, &read);
        let program = loader.compile(Kind::Module, "bench.wander", wander_text);
        let Some(program) = program else { panic!("{:?}", loader.findings) };
        let mut machine = Machine::new(environment, 1, 60.0);
        let mut fuel = i64::MAX / 2;
        let main = machine.function(&program, "main", &mut NoHost, &mut fuel).unwrap();
        Self { lua, machine, main }
    }

    /// Result and milliseconds of Lua.
    fn lua(&self) -> (f64, f64) {
        let main: mlua::Function = self.lua.globals().get("main").unwrap();
        let started = now();
        let result: f64 = main.call(()).unwrap();
        (result, now() - started)
    }

    /// Result and milliseconds of Wander.
    fn wander(&mut self) -> (f64, f64) {
        let mut fuel = i64::MAX / 2;
        let started = now();
        let result = self.machine.call(self.main, &[], &mut NoHost, &mut fuel).unwrap();
        let time = now() - started;
        match result {
            Value::Number(number) => (number, time),
            other => panic!("{other:?}"),
        }
    }
}

fn main() {
    let guard = std::env::args().any(|argument| argument == "--guard");
    let mut wrong = Vec::new();
    if !guard {
        println!("| program | Lua 5.4 ms | Wander ms | ratio |\n|---|---|---|---|");
    }
    for (name, lua_text, wander_text, most) in PROGRAMS {
        let mut pair = Pair::new(lua_text, wander_text);
        let (mut lua_best, mut wander_best) = (f64::MAX, f64::MAX);
        for _ in 0..ROUNDS {
            let (expected, lua_time) = pair.lua();
            let (found, wander_time) = pair.wander();
            assert!((expected - found).abs() < 1e-6, "{name}: Lua gives {expected}, Wander {found}");
            lua_best = lua_best.min(lua_time);
            wander_best = wander_best.min(wander_time);
        }
        let ratio = wander_best / lua_best;
        if !guard {
            println!("| {name} | {lua_best:.2} | {wander_best:.2} | {ratio:.2} |");
        }
        if ratio > *most {
            wrong.push(format!("{name} takes {ratio:.2} times what Lua 5.4 takes; {most} is the most"));
        }
    }
    if !guard {
        println!("\n| | |\n|---|---|");
        for (what, value, unit) in [
            ("1,000 lines to bytecode", source_to_bytecode(), "ms"),
            ("1,000 changed lines taken over by 100 running scripts", reload(), "ms"),
            ("a call from Rust", call_from_rust(), "ns"),
            ("a tick without tasks", tick(0), "ns"),
            ("a tick with 10,000 sleeping tasks", tick(100), "ns"),
        ] {
            println!("| {what} | {value:.2} {unit} |");
        }
    }
    assert!(!guard || wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A script of 1,000 lines: functions of ten lines each, and `start` with a hundred tasks that sleep.
fn thousand_lines(version: u32) -> String {
    let mut text = format!(
        "let state = {version}\non start()\n  for i in 0..100\n    spawn(fn() => wait(1000 + i))\n  end\nend\n"
    );
    for number in 0..99 {
        text += &format!(
            "fn step{number}(list, by)\n  let total = {version}\n  for i, item in list\n    if item.weight > by then\n      \
             total += item.weight * {number} + i\n    else\n      total -= by\n    end\n  end\n  return total\nend\n"
        );
    }
    text
}

fn compile(text: &str, environment: &Arc<Environment>) -> Arc<wander::Program> {
    let read = |_: &str| None;
    let mut loader = Loader::new(environment, &read);
    let program = loader.compile(Kind::Entity, "scripts/long.wander", text);
    let Some(program) = program else { panic!("{:?}", loader.findings) };
    program
}

/// The quickest of some runs, in milliseconds each.
fn quickest(mut run: impl FnMut()) -> f64 {
    (0..20).fold(f64::MAX, |best, _| {
        let started = now();
        run();
        best.min(now() - started)
    })
}

fn source_to_bytecode() -> f64 {
    let environment = Arc::new(Environment::default());
    let text = thousand_lines(1);
    let lines = text.lines().count() as f64;
    quickest(|| drop(std::hint::black_box(compile(&text, &environment)))) * 1_000.0 / lines
}

/// A machine in which `count` entities run the long script, each with a hundred sleeping tasks.
fn busy(count: u32, text: &str) -> (Machine, Anything, Arc<Environment>) {
    let environment = Arc::new(Environment {
        handlers: vec![wander::HostHandler { name: "start", params: &[], doc: "" }],
        ..Environment::default()
    });
    let mut machine = Machine::new(environment.clone(), 1, 60.0);
    let program = compile(text, &environment);
    for number in 1..=count {
        let Some(id) = base::EntityId::new(number) else { continue };
        machine.attach(&program, id, &[], &mut Anything);
        machine.handle(id, "start", &[], &mut Anything);
    }
    machine.resume(1, &mut Anything);
    (machine, Anything, environment)
}

fn reload() -> f64 {
    let (machine, mut host, environment) = busy(100, &thousand_lines(1));
    let text = thousand_lines(2);
    (0..5).fold(f64::MAX, |best, _| {
        let mut machine = machine.clone();
        let started = now();
        let program = compile(&text, &environment);
        std::hint::black_box(machine.reload(&program, &mut host));
        best.min(now() - started)
    })
}

fn call_from_rust() -> f64 {
    const CALLS: u32 = 100_000;
    let environment = Arc::new(Environment::default());
    let read = |_: &str| None;
    let mut loader = Loader::new(&environment, &read);
    let Some(program) = loader.compile(Kind::Module, "call.wander", "fn nothing(x) => x\n") else {
        return f64::NAN;
    };
    let mut machine = Machine::new(environment.clone(), 1, 60.0);
    let mut fuel = i64::MAX / 2;
    let nothing = machine.function(&program, "nothing", &mut NoHost, &mut fuel).unwrap();
    let time = quickest(|| {
        for _ in 0..CALLS {
            drop(std::hint::black_box(machine.call(nothing, &[Value::Number(1.0)], &mut NoHost, &mut fuel)));
        }
    });
    time * 1e6 / f64::from(CALLS)
}

fn tick(entities: u32) -> f64 {
    const TICKS: u32 = 1_000;
    let (mut machine, mut host, _) = busy(entities, &thousand_lines(1));
    assert_eq!(machine.task_count(), entities as usize * 100);
    let mut number = 1;
    let time = quickest(|| {
        for _ in 0..TICKS {
            number += 1;
            machine.resume(number, &mut host);
        }
    });
    time * 1e6 / f64::from(TICKS)
}

/// A world in which every entity is alive and has nothing.
struct Anything;

impl wander::Host for Anything {
    fn is_alive(&self, _: base::EntityId) -> bool {
        true
    }
    fn get(&mut self, _: &mut wander::Heap, _: base::EntityId, _: u16) -> wander::Outcome<Value> {
        Ok(Value::Nil)
    }
    fn set(&mut self, _: &mut wander::Heap, _: base::EntityId, _: u16, _: &Value) -> wander::Outcome<()> {
        Ok(())
    }
    fn get_variable(
        &mut self,
        _: &mut wander::Heap,
        _: base::EntityId,
        _: &str,
    ) -> wander::Outcome<Option<Value>> {
        Ok(None)
    }
    fn set_variable(
        &mut self,
        _: &mut wander::Heap,
        _: base::EntityId,
        _: &str,
        _: Value,
    ) -> wander::Outcome<bool> {
        Ok(false)
    }
    fn knows_variable(&self, _: &str) -> bool {
        false
    }
    fn call(
        &mut self,
        _: &mut wander::CallContext<'_>,
        _: u16,
        _: &[Value],
    ) -> wander::Outcome<wander::Answer> {
        Ok(wander::Answer::Value(Value::Nil))
    }
    fn entity_name(&self, entity: base::EntityId) -> String {
        entity.to_string()
    }
}
