//! What should sound at one moment, as the engine hands it over.

use glam::{Quat, Vec3};

/// The ears.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Listener {
    /// Metres.
    pub position: Vec3,
    /// Unit quaternion; unturned ears look along -z and have +x at their right.
    pub rotation: Quat,
}

impl Default for Listener {
    fn default() -> Self {
        Self { position: Vec3::ZERO, rotation: Quat::IDENTITY }
    }
}

/// One sound that logically plays.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VoiceState<'a> {
    /// Stable while the sound plays, and never two at once.
    pub id: u64,
    /// The name it was loaded under.
    pub clip: &'a str,
    /// The bus it is mixed into; one that was never named is at full volume.
    pub bus: &'a str,
    /// Linear gain.
    pub gain: f32,
    /// Factor on speed and pitch.
    pub pitch: f32,
    /// Whether it starts over at its end.
    pub looped: bool,
    /// Where it comes from, metres; everywhere when there is none.
    pub position: Option<Vec3>,
    /// Metres within which it is at full volume.
    pub min_distance: f32,
    /// Metres beyond which it is silent.
    pub max_distance: f32,
    /// The tick in which it began.
    pub started_tick: u64,
}

/// Everything that should sound now.
#[derive(Debug, Clone, Copy)]
pub struct AudioFrame<'a> {
    /// The ears.
    pub listener: Listener,
    /// The sounds, in any order.
    pub voices: &'a [VoiceState<'a>],
    /// Linear gains of buses by name.
    pub buses: &'a [(&'a str, f32)],
    /// The tick that this is the state of.
    pub tick: u64,
    /// Ticks in a second.
    pub ticks_per_second: u32,
}

/// How many sample frames a tick lasts, so that ticks of any length add up to exactly `sample_rate` a second.
pub fn samples_in_tick(tick: u64, ticks_per_second: u32, sample_rate: u32) -> usize {
    let until = |tick: u64| u128::from(tick) * u128::from(sample_rate) / u128::from(ticks_per_second.max(1));
    usize::try_from(until(tick.saturating_add(1)) - until(tick)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_add_up_to_the_sample_rate() {
        assert_eq!(samples_in_tick(7, 60, 48_000), 800);
        let second: usize = (100..150).map(|tick| samples_in_tick(tick, 50, 44_101)).sum();
        assert_eq!(second, 44_101);
    }
}
