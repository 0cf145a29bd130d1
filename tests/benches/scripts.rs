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
    "fib": 4.0, "numbers": 4.0, "sieve": 4.0, "records": 4.0, "lists": 2.5, "alloc": 2.5, "closures": 4.0, "strings": 3.0
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
    assert!(!guard || wrong.is_empty(), "{}", wrong.join("\n"));
}
