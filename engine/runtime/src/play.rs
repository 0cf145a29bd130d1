//! Steps: exactly so many ticks with inputs at their offsets, run between frames, answered when they have run.

use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use base::Problem;
use sim::expression::Evaluator;
use sim::{Expression, InputEvent};

use crate::clock::Mode;
use crate::engine::Engine;

/// Ticks that one order may run.
pub const MOST_TICKS: u64 = 36_000;

/// An input at an offset of a step.
#[derive(Debug, Clone)]
pub struct StepInput {
    /// Ticks from the start of the step.
    pub at: u64,
    /// What.
    pub event: InputEvent,
}

/// How a step ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepEnd {
    /// Every tick ran.
    Ticks,
    /// The condition came true.
    Until,
    /// The timeline ended under it.
    Cut,
    /// Somebody paused the game.
    Paused,
}

/// What a step came to.
#[derive(Debug, Clone)]
pub struct StepReport {
    /// Ticks that ran.
    pub ticks_run: u64,
    /// Why it ended.
    pub ended: StepEnd,
    /// The condition's own trouble, if it had any.
    pub fault: Option<Problem>,
}

/// Whoever waits for a step. When it is dropped the step runs no further tick: a call that was given up must not go on
/// moving time.
#[derive(Debug)]
pub struct StepTicket {
    number: u64,
    _alive: Arc<()>,
}

/// A step that is running.
pub struct StepOrder {
    number: u64,
    alive: Weak<()>,
    remaining: u64,
    run: u64,
    inputs: Vec<StepInput>,
    until: Option<(Expression, Evaluator)>,
    done: Option<(StepEnd, Option<Problem>)>,
}

impl StepOrder {
    pub(crate) fn cut_off(&mut self) {
        self.done.get_or_insert((StepEnd::Cut, None));
    }
}

impl Engine {
    /// Stops time: the game's own, and that of steps under way.
    pub fn pause(&mut self) {
        self.clock.mode = Mode::Paused;
        for step in &mut self.steps {
            step.done.get_or_insert((StepEnd::Paused, None));
        }
    }

    /// Orders a step and pauses the game. The ticket is for [`Self::take_step`].
    pub fn order_step(
        &mut self,
        ticks: u64,
        inputs: Vec<StepInput>,
        until: Option<Expression>,
    ) -> StepTicket {
        self.clock.mode = Mode::Paused;
        self.next_step += 1;
        let until = until.map(|expression| (expression, Evaluator::new(self.world())));
        let number = self.next_step;
        let alive = Arc::new(());
        self.steps.push(StepOrder {
            number,
            alive: Arc::downgrade(&alive),
            remaining: ticks.min(MOST_TICKS),
            run: 0,
            inputs,
            until,
            done: None,
        });
        StepTicket { number, _alive: alive }
    }

    /// Whether some step has ticks left to run, or is over and its answer was not taken yet: no time to sleep.
    pub fn has_steps(&self) -> bool {
        self.steps.iter().any(|step| step.alive.strong_count() > 0)
    }

    /// What an ordered step came to, once it has.
    pub fn take_step(&mut self, ticket: &StepTicket) -> Option<StepReport> {
        let position =
            self.steps.iter().position(|step| step.number == ticket.number && step.done.is_some())?;
        let step = self.steps.remove(position);
        let (ended, fault) = step.done?;
        Some(StepReport { ticks_run: step.run, ended, fault })
    }

    /// Runs ordered steps, in order, for at most so long.
    pub(crate) fn run_steps(&mut self, limit: Duration) {
        let started = Instant::now();
        self.steps.retain(|step| step.alive.strong_count() > 0);
        while let Some(position) = self.steps.iter().position(|step| step.done.is_none()) {
            let Some(mut step) = (position < self.steps.len()).then(|| self.steps.remove(position)) else {
                return;
            };
            while step.done.is_none() && started.elapsed() < limit {
                if step.remaining == 0 {
                    step.done = Some((StepEnd::Ticks, None));
                    break;
                }
                let due: Vec<InputEvent> = step
                    .inputs
                    .iter()
                    .filter(|input| input.at == step.run)
                    .map(|input| input.event.clone())
                    .collect();
                let epoch = self.epoch();
                self.tick(&due);
                step.run += 1;
                step.remaining -= 1;
                if self.epoch() != epoch {
                    step.done = Some((StepEnd::Cut, None));
                } else if let Some((expression, evaluator)) = &mut step.until {
                    match evaluator.test(expression, None, self.world_mut()) {
                        Ok(true) => step.done = Some((StepEnd::Until, None)),
                        Ok(false) => {}
                        Err(problem) => step.done = Some((StepEnd::Until, Some(problem))),
                    }
                }
            }
            self.steps.insert(position, step);
            if started.elapsed() >= limit {
                return;
            }
        }
    }
}
