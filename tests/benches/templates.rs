//! What a template costs: filling in `{{a.b.c}}`, and making it ready the first time, beside a call of the same
//! expression from Rust, in one process and in processor time.
//!
//! `cargo run --release -p tests --bin templates` prints the table; `-- --guard` says nothing and fails where a ratio
//! is far from what it should be.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a bench may panic")]

use std::sync::Arc;

use rustix::time::{ClockId, clock_gettime};
use serde_json::json;
use wander::machine::NoHost;
use wander::{Environment, Expression, Machine, Template, Value, boundary};

/// Times that each thing is done in a row.
const TIMES: u32 = 20_000;

/// Rows of each; the quickest counts.
const ROUNDS: usize = 7;

/// How many calls each may cost before something is wrong: about three times what it costs.
const MOST_FILL: f64 = 1.6;
const MOST_FIRST: f64 = 40.0;

/// Processor nanoseconds of one of `TIMES` turns of what it does.
fn nanoseconds(mut turns: impl FnMut()) -> f64 {
    let now = || {
        let time = clock_gettime(ClockId::ProcessCPUTime);
        time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
    };
    let rounds = (0..ROUNDS).map(|_| {
        let started = now();
        turns();
        (now() - started) / f64::from(TIMES)
    });
    rounds.fold(f64::MAX, f64::min)
}

fn main() {
    let guard = std::env::args().any(|argument| argument == "--guard");
    let environment = Arc::new(Environment::default());
    let mut machine = Machine::new(Arc::clone(&environment), 1, 60.0);
    let a = boundary::from_json(&mut machine.heap, &json!({"b": {"c": 3}}));
    let text = json!("{{a.b.c}}");

    let expression = Expression::new("a.b.c", &["a"], &environment).unwrap();
    let mut fuel = i64::MAX / 2;
    let function = machine.function(expression.program(), "expression", &mut NoHost, &mut fuel).unwrap();
    let call = nanoseconds(|| {
        for _ in 0..TIMES {
            let found = machine.call(function, &[a], &mut NoHost, &mut fuel).unwrap();
            assert!(matches!(found, Value::Number(3.0)));
        }
    });

    let template = Template::new(&text, &["a"], &environment).unwrap();
    let fill = nanoseconds(|| {
        for _ in 0..TIMES {
            assert!(template.fill(&[a], &mut machine, &mut NoHost, &mut fuel).unwrap() == 3);
        }
    });

    let first = nanoseconds(|| {
        for _ in 0..TIMES {
            let template = Template::new(&text, &["a"], &environment).unwrap();
            assert!(template.fill(&[a], &mut machine, &mut NoHost, &mut fuel).unwrap() == 3);
        }
    });

    if !guard {
        println!("| `{{{{a.b.c}}}}` | ns | ratio to a call |\n|---|---|---|");
        for (name, time) in [("a call of `a.b.c`", call), ("filling in", fill), ("the first time", first)] {
            println!("| {name} | {time:.0} | {:.2} |", time / call);
        }
        return;
    }
    assert!(fill / call <= MOST_FILL, "filling in takes {:.2} calls; {MOST_FILL} is the most", fill / call);
    assert!(
        first / call <= MOST_FIRST,
        "the first time takes {:.0} calls; {MOST_FIRST} is the most",
        first / call
    );
}
