//! The order of a frame, and how long its parts take.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::engine::Engine;

/// How agents and people come in. Implemented above; called at the start of each frame and whenever the loop is woken.
pub trait Door {
    /// Serves what waits, for at most so long. True where more waits.
    fn serve(&mut self, engine: &mut Engine, limit: Duration) -> bool;
}

/// Samples kept.
const SAMPLES: usize = 600;

/// Times of the last frames or ticks.
#[derive(Debug, Default)]
pub struct Times {
    last: VecDeque<f32>,
}

impl Times {
    /// Adds one.
    pub fn add(&mut self, time: Duration) {
        self.last.push_back(time.as_secs_f32() * 1000.0);
        if self.last.len() > SAMPLES {
            self.last.pop_front();
        }
    }

    /// Milliseconds: how many samples, their median, their 99th percentile.
    pub fn summary(&self) -> TimeSummary {
        let mut sorted: Vec<f32> = self.last.iter().copied().collect();
        sorted.sort_by(f32::total_cmp);
        let at = |part: f32| {
            let index = ((sorted.len() as f32 * part) as usize).min(sorted.len().saturating_sub(1));
            sorted.get(index).copied().unwrap_or_default()
        };
        TimeSummary { count: sorted.len(), p50_ms: at(0.5), p99_ms: at(0.99) }
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.last.clear();
    }
}

/// A summary of times.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct TimeSummary {
    /// How many.
    pub count: usize,
    /// The median.
    pub p50_ms: f32,
    /// The 99th percentile.
    pub p99_ms: f32,
}

/// How long things took.
#[derive(Debug, Default)]
pub struct FrameNumbers {
    /// From frame to frame.
    pub frames: Times,
    /// One tick each.
    pub ticks: Times,
    last: Option<Instant>,
}

impl FrameNumbers {
    /// A frame begins.
    pub fn begin(&mut self, now: Instant) {
        if let Some(last) = self.last.replace(now) {
            self.frames.add(now.saturating_duration_since(last));
        }
    }
}

/// Time that steps may take of one frame, so that calls and pictures go on meanwhile.
const STEP_LIMIT: Duration = Duration::from_millis(8);

impl Engine {
    /// The engine's part of a frame: the ticks that are due, then ordered steps. True where ticks ran.
    pub fn advance(&mut self, now: Instant) -> bool {
        self.numbers.begin(now);
        let due = self.clock.due(now);
        let started = Instant::now();
        for _ in 0..due {
            self.tick(&[]);
            // At unbounded speed the frame's time is the limit.
            if self.clock.speed.is_infinite() && started.elapsed() > STEP_LIMIT {
                break;
            }
        }
        let stepping = self.has_steps();
        if stepping {
            self.run_steps(STEP_LIMIT);
        }
        self.sound();
        due > 0 || stepping
    }
}
