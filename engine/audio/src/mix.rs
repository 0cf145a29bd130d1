//! kira's side: the buses as mixer tracks, and starting sounds on them. Without an output every call does nothing.

use std::collections::BTreeMap;
use std::time::Duration;

use base::Problem;
use kira::sound::static_sound::{StaticSoundData, StaticSoundHandle};
use kira::track::{TrackBuilder, TrackHandle};
use kira::{Decibels, Tween};

use crate::MOST_VOICES;
use crate::output::{BufferManager, DeviceManager};

/// Buses at once at most. Each costs a little of every sample, and a game needs about five.
pub const MOST_BUSES: usize = 32;

/// Changes glide this long, about a tick: shorter clicks, longer lags behind.
const GLIDE: Duration = Duration::from_millis(15);

/// How changes glide.
pub(crate) fn glide() -> Tween {
    Tween { duration: GLIDE, ..Tween::default() }
}

/// kira counts in decibels; 0 is exactly 1, and -60 exactly silent.
pub(crate) fn decibels(gain: f32) -> Decibels {
    // The comparison is false for NaN too.
    if gain > 0.001 { Decibels(20.0 * gain.log10()) } else { Decibels::SILENCE }
}

/// Where the mix goes.
pub(crate) enum Manager {
    /// A sound card.
    Device(Box<DeviceManager>),
    /// Whoever pulls.
    Buffer(Box<BufferManager>),
    /// Nowhere.
    Silent,
}

struct Bus {
    track: TrackHandle,
    gain: f32,
}

/// The buses and what they flow into.
pub(crate) struct Mix {
    manager: Manager,
    buses: BTreeMap<String, Bus>,
    paused: bool,
}

impl Mix {
    pub(crate) fn new(manager: Manager) -> Self {
        Self { manager, buses: BTreeMap::new(), paused: false }
    }

    pub(crate) fn is_silent(&self) -> bool {
        matches!(self.manager, Manager::Silent)
    }

    /// Starts a sound on a bus, which is made at full volume where it is new. None when there is no room, or no output.
    pub(crate) fn play(&mut self, bus: &str, sound: StaticSoundData) -> Option<StaticSoundHandle> {
        if !self.buses.contains_key(bus) {
            self.add_bus(bus, 1.0);
        }
        match (self.buses.get_mut(bus), &mut self.manager) {
            (Some(bus), _) => bus.track.play(sound).ok(),
            (None, Manager::Device(manager)) => manager.play(sound).ok(),
            (None, Manager::Buffer(manager)) => manager.play(sound).ok(),
            (None, Manager::Silent) => None,
        }
    }

    /// Gives a bus its volume, linear.
    pub(crate) fn set_bus(&mut self, name: &str, gain: f32) {
        match self.buses.get_mut(name) {
            Some(bus) if bus.gain == gain => {}
            Some(bus) => {
                bus.gain = gain;
                bus.track.set_volume(decibels(gain), glide());
            }
            None => self.add_bus(name, gain),
        }
    }

    fn add_bus(&mut self, name: &str, gain: f32) {
        if self.buses.len() >= MOST_BUSES {
            return;
        }
        // Twice the voices: those that fade out still take their place.
        let builder = TrackBuilder::new().sound_capacity(2 * MOST_VOICES).volume(decibels(gain));
        let track = match &mut self.manager {
            Manager::Device(manager) => manager.add_sub_track(builder),
            Manager::Buffer(manager) => manager.add_sub_track(builder),
            Manager::Silent => return,
        };
        if let Ok(mut track) = track {
            if self.paused {
                track.pause(glide());
            }
            self.buses.insert(name.to_owned(), Bus { track, gain });
        }
    }

    /// Gives everything its volume, linear.
    pub(crate) fn set_master(&mut self, gain: f32) {
        match &mut self.manager {
            Manager::Device(manager) => manager.main_track().set_volume(decibels(gain), glide()),
            Manager::Buffer(manager) => manager.main_track().set_volume(decibels(gain), glide()),
            Manager::Silent => {}
        }
    }

    /// Holds every bus where it is, or lets it go on.
    pub(crate) fn pause(&mut self, paused: bool) {
        if self.paused == paused {
            return;
        }
        self.paused = paused;
        for bus in self.buses.values_mut() {
            if paused {
                bus.track.pause(glide());
            } else {
                bus.track.resume(glide());
            }
        }
    }

    /// The next samples, left and right in turn; none where nobody is to pull.
    pub(crate) fn render(&mut self, frames: usize) -> Vec<f32> {
        match &mut self.manager {
            Manager::Buffer(manager) => manager.backend_mut().render(frames),
            Manager::Device(_) | Manager::Silent => Vec::new(),
        }
    }

    /// What went wrong with the sound card since the last call.
    pub(crate) fn device_problem(&mut self) -> Option<Problem> {
        let Manager::Device(manager) = &mut self.manager else { return None };
        let error = manager.backend_mut().pop_error()?;
        Some(
            Problem::new("sound_device_lost", format!("the sound device failed: {error}"))
                .warning()
                .hint("the game plays on; sound returns with the device or the next start"),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_become_decibels_and_broken_ones_silence() {
        assert_eq!(decibels(1.0), Decibels::IDENTITY);
        assert_eq!((decibels(0.0), decibels(-1.0)), (Decibels::SILENCE, Decibels::SILENCE));
        assert_eq!(decibels(f32::NAN), Decibels::SILENCE);
        assert!((decibels(0.5).as_amplitude() - 0.5).abs() < 1e-6);
    }
}
