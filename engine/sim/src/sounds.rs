//! Which sounds logically play since when. What is heard is presentation's business.

use std::collections::BTreeMap;

use base::EntityId;
use glam::Vec3;
use serde::Serialize;

/// Voices at once at most; the oldest one-shot makes room.
const MOST_VOICES: usize = 64;

/// Where a voice comes from.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub enum VoicePlace {
    /// Everywhere.
    Everywhere,
    /// An entity, wherever it is.
    Entity(EntityId),
    /// A place, metres.
    At([f32; 3]),
}

/// A sound that plays.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Voice {
    /// Ascending, never reused.
    pub id: u64,
    /// The file below `assets/`.
    pub clip: String,
    /// The bus it is mixed into.
    pub bus: String,
    /// Linear gain.
    pub volume: f32,
    /// Factor on speed and pitch.
    pub pitch: f32,
    /// Whether it starts over at its end.
    pub looped: bool,
    /// Where it comes from.
    pub place: VoicePlace,
    /// Metres within which it is at full volume.
    pub min_distance: f32,
    /// Metres beyond which it is silent.
    pub max_distance: f32,
    /// When it began.
    pub started: u64,
}

/// All voices of a world.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Sounds {
    /// In order of start.
    pub voices: Vec<Voice>,
    /// Gains set by scripts, by bus.
    pub buses: BTreeMap<String, f32>,
    next: u64,
}

impl Sounds {
    pub(crate) fn play(&mut self, mut voice: Voice) -> u64 {
        self.next += 1;
        voice.id = self.next;
        if self.voices.len() >= MOST_VOICES {
            let oldest = self.voices.iter().position(|voice| !voice.looped).unwrap_or(0);
            self.voices.remove(oldest);
        }
        self.voices.push(voice);
        self.next
    }

    pub(crate) fn stop(&mut self, id: u64) {
        self.voices.retain(|voice| voice.id != id);
    }

    pub(crate) fn stop_entity(&mut self, entity: EntityId) {
        self.voices.retain(|voice| !(voice.looped && voice.place == VoicePlace::Entity(entity)));
    }

    /// An entity goes: its loops end, its other sounds go on where it was.
    pub(crate) fn leave(&mut self, entity: EntityId, last: Option<Vec3>) {
        self.stop_entity(entity);
        for voice in &mut self.voices {
            if voice.place == VoicePlace::Entity(entity) {
                voice.place = last.map_or(VoicePlace::Everywhere, |at| VoicePlace::At(at.to_array()));
            }
        }
    }

    /// Takes away what has ended. A sound of unknown length ends after ten seconds.
    pub(crate) fn expire(&mut self, tick: u64, rate: u32, lengths: &BTreeMap<String, f32>) {
        self.voices.retain(|voice| {
            let seconds = lengths.get(&voice.clip).copied().unwrap_or(10.0) / voice.pitch.max(0.01);
            voice.looped || ((tick - voice.started) as f32) < seconds * rate as f32
        });
    }
}
