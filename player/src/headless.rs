//! The loop without a window: ticks at their time, calls at once.

use std::time::{Duration, Instant};

use base::link::EngineHandle;
use crossbeam::channel::Receiver;
use runtime::{Door, Engine, Mode};
use tools::Tools;

use crate::lines;
use crate::stop::Stop;

/// Time that calls may take of a frame while the game plays.
const CALL_LIMIT: Duration = Duration::from_millis(2);

/// How long the loop sleeps at most with nothing to do.
const IDLE: Duration = Duration::from_secs(1);

/// Runs until so many ticks have run, or until it is asked to stop.
pub fn run(
    engine: &mut Engine,
    tools: &mut Tools,
    handle: &EngineHandle,
    wakes: &Receiver<()>,
    stop: &Stop,
    ticks: Option<u64>,
) {
    loop {
        engine.follow_files();
        let more = tools.serve(engine, CALL_LIMIT);
        let now = Instant::now();
        let due = engine.clock.next().is_none_or(|next| next <= now);
        if due || engine.has_steps() {
            engine.advance(now);
        }
        lines::pass_on(engine, handle);
        if stop.is_set() || ticks.is_some_and(|ticks| engine.world().tick_number().0 >= ticks) {
            return;
        }
        if more || engine.has_steps() {
            continue;
        }
        let until = match engine.clock.next() {
            Some(next) if engine.clock.mode == Mode::Play => next,
            _ => Instant::now() + IDLE,
        };
        // Woken at once by a call; both ways out lead to another turn.
        let _ = wakes.recv_deadline(until);
    }
}
