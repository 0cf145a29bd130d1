//! From real time to fixed ticks. Pacing decides *when* ticks run, never what they do.

use std::time::{Duration, Instant};

use serde::Serialize;

/// Whether the game runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// The scene is being edited; nothing runs.
    Edit,
    /// Ticks follow real time.
    Play,
    /// Ticks run only when stepped.
    Paused,
}

/// Ticks run in one frame at most when the machine is slow; the rest of the time is dropped, not caught up with.
const MOST_TICKS: u32 = 4;

/// Ticks run in one frame at most at unbounded speed; the frame's time limit ends it earlier.
const MOST_TICKS_UNBOUNDED: u32 = 10_000;

/// Real time to ticks.
#[derive(Debug)]
pub struct Clock {
    /// Whether the game runs.
    pub mode: Mode,
    /// Factor on real time; infinite runs as fast as the machine allows.
    pub speed: f64,
    step: Duration,
    last: Option<Instant>,
    owed: Duration,
}

impl Clock {
    /// A clock of so many ticks a second.
    pub fn new(rate: u32, mode: Mode, speed: f64) -> Self {
        Self { mode, speed, step: Duration::from_secs(1) / rate.max(1), last: None, owed: Duration::ZERO }
    }

    /// The length of a tick at speed 1.
    pub fn step(&self) -> Duration {
        self.step
    }

    /// How many ticks are due.
    pub fn due(&mut self, now: Instant) -> u32 {
        let passed = self.last.map_or(Duration::ZERO, |last| now.saturating_duration_since(last));
        self.last = Some(now);
        if self.mode != Mode::Play {
            self.owed = Duration::ZERO;
            return 0;
        }
        if self.speed.is_infinite() {
            return MOST_TICKS_UNBOUNDED;
        }
        // A long pause of the process (a debugger, a suspended machine) is not played after.
        self.owed += passed.min(Duration::from_millis(250)).mul_f64(self.speed.max(0.0));
        let due = (self.owed.as_nanos() / self.step.as_nanos().max(1)) as u32;
        let most = MOST_TICKS.max((self.speed * f64::from(MOST_TICKS)) as u32);
        if due > most {
            self.owed = Duration::ZERO;
            return most;
        }
        self.owed -= self.step * due;
        due
    }

    /// How far between the last tick and the next one the picture is, 0 to 1.
    pub fn fraction(&self) -> f32 {
        if self.mode != Mode::Play || self.speed.is_infinite() {
            return 1.0;
        }
        (self.owed.as_secs_f64() / self.step.as_secs_f64()).clamp(0.0, 1.0) as f32
    }

    /// When the next tick is due; `None` where none is until something changes.
    pub fn next(&self) -> Option<Instant> {
        if self.mode != Mode::Play || self.speed <= 0.0 {
            return None;
        }
        let last = self.last?;
        if self.speed.is_infinite() {
            return Some(last);
        }
        Some(last + self.step.saturating_sub(self.owed).div_f64(self.speed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_is_sixty_ticks_however_it_is_cut() {
        let start = Instant::now();
        let mut clock = Clock::new(60, Mode::Play, 1.0);
        clock.due(start);
        let ticks: u32 = (1..=144).map(|frame| clock.due(start + Duration::from_secs(1) * frame / 144)).sum();
        assert!((59..=60).contains(&ticks), "{ticks}");
    }

    #[test]
    fn a_paused_game_owes_nothing_when_it_goes_on_and_a_slow_one_does_not_spiral() {
        let start = Instant::now();
        let mut clock = Clock::new(60, Mode::Paused, 1.0);
        clock.due(start);
        assert_eq!((clock.due(start + Duration::from_secs(5)), clock.next()), (0, None));
        clock.mode = Mode::Play;
        assert!(clock.due(start + Duration::from_secs(10)) <= MOST_TICKS);
        assert!(clock.due(start + Duration::from_secs(10) + clock.step()) <= 1);
    }
}
