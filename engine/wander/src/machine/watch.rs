//! The wall clock over a call that somebody waits for: a tool's, never the simulation's. A safety net that changes no
//! result: a call ends as it would without, or not at all.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::Machine;
use crate::fault::{Fault, Outcome};

/// Instructions between two looks at the clock.
pub(super) const INTERVAL: i64 = 4_096;

/// A clock and how long a call may run by it.
#[derive(Clone)]
pub struct Watch {
    /// How long the call has run.
    elapsed: Arc<dyn Fn() -> Duration + Send + Sync>,
    most: Duration,
    /// The fuel that was left at the last look.
    last: i64,
}

impl Watch {
    /// A watch that ends runs once `elapsed` gives more than `most`.
    pub fn new(most: Duration, elapsed: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Self { elapsed: Arc::new(elapsed), most, last: i64::MIN }
    }

    /// What may be used until the next look.
    pub(super) fn slice(&mut self, fuel: i64) -> i64 {
        // More than before: another run began.
        if fuel > self.last {
            self.last = fuel;
        }
        fuel.min(INTERVAL - (self.last - fuel)).max(0)
    }

    /// Looks at the clock where it is time for it.
    pub(super) fn look(&mut self, fuel: i64) -> Outcome<()> {
        if self.last - fuel < INTERVAL {
            return Ok(());
        }
        self.last = fuel;
        let elapsed = (self.elapsed)();
        if elapsed <= self.most {
            return Ok(());
        }
        let (ran, most) = (elapsed.as_millis(), self.most.as_millis());
        Err(Fault::new("E503", format!("the call ran for {ran} ms, and {most} ms is the most"))
            .hint("do less in one call, or declare a longer `timeout_ms`"))
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Watch({:?})", self.most)
    }
}

impl Machine {
    /// Holds what runs from now on against a clock, or against none. What fails so has the code E503.
    pub fn watch(&mut self, watch: Option<Watch>) {
        self.watch = watch;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::environment::{Environment, Kind};
    use crate::front::Loader;
    use crate::machine::NoHost;

    /// Runs a program by a clock that goes on by a millisecond each time it is looked at.
    fn run(source: &str, most: u64) -> (Outcome<f64>, u64, i64) {
        let environment = Arc::new(Environment::default());
        let mut loader = Loader::new(&environment, &|_| None);
        let program = loader.compile(Kind::Tool, "tools/slow.wander", source).unwrap();
        let mut machine = Machine::new(Arc::clone(&environment), 1, 60.0);
        let looks = Arc::new(AtomicU64::new(0));
        let clock = Arc::clone(&looks);
        let elapsed = move || Duration::from_millis(clock.fetch_add(1, Ordering::Relaxed) + 1);
        machine.watch(Some(Watch::new(Duration::from_millis(most), elapsed)));
        let mut fuel = 1_000_000;
        let result = machine.run_function(&program, "run", &[crate::Value::Nil], &mut NoHost, &mut fuel);
        let number = result.map(|value| if let crate::Value::Number(number) = value { number } else { -1.0 });
        (number, looks.load(Ordering::Relaxed), fuel)
    }

    const LOOP: &str = "fn run(args)\n  let n = 0\n  while n < 20000\n    n += 1\n  end\n  return n\nend";

    #[test]
    fn a_run_that_takes_too_long_is_ended_and_says_how_long_it_ran() {
        let (result, looks, _) = run(LOOP, 3);
        let fault = result.unwrap_err();
        assert_eq!((fault.code.as_str(), looks), ("E503", 4));
        assert_eq!(fault.message, "the call ran for 4 ms, and 3 ms is the most");
        assert_eq!(fault.trace[0].function, "run");
    }

    #[test]
    fn no_try_holds_it() {
        let source = format!(
            "fn slow()\n{}\nend\nfn run(args)\n  try\n    slow()\n  catch e\n    return 1\n  end\n  return 2\nend",
            "  while true\n  end"
        );
        assert_eq!(run(&source, 3).0.unwrap_err().code, "E503");
    }

    #[test]
    fn the_clock_is_looked_at_every_4096_instructions_and_costs_none() {
        let (result, looks, left) = run(LOOP, u64::MAX);
        assert_eq!(result.unwrap(), 20_000.0);
        let used = 1_000_000 - left;
        assert!((used / INTERVAL - 2..=used / INTERVAL).contains(&(looks as i64)), "{looks} looks in {used}");
        let environment = Arc::new(Environment::default());
        let mut loader = Loader::new(&environment, &|_| None);
        let program = loader.compile(Kind::Tool, "tools/slow.wander", LOOP).unwrap();
        let mut machine = Machine::new(Arc::clone(&environment), 1, 60.0);
        let mut fuel = 1_000_000;
        machine.run_function(&program, "run", &[crate::Value::Nil], &mut NoHost, &mut fuel).unwrap();
        assert_eq!(fuel, left, "as much fuel as without a clock");
    }

    #[test]
    fn calls_and_natives_are_held_against_it_too() {
        let calls = "fn f(n)\n  return n\nend\nfn run(args)\n  for i in 0..20000\n    f(text(i))\n  end\nend";
        assert_eq!(run(calls, 3).0.unwrap_err().code, "E503");
        let recursive = "fn f(n)\n  if n > 0 then f(n - 1) end\n  if n > 0 then f(n - 1) end\nend\nfn run(args)\n  f(30)\nend";
        assert_eq!(run(recursive, 3).0.unwrap_err().code, "E503");
    }
}
