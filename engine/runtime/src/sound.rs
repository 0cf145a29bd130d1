//! What the world's voices sound like: the audio crate follows them once a frame.

use std::collections::BTreeMap;

use audio::{Audio, AudioFrame, Listener, VoiceState};
use base::{Problem, Tick};
use project::Assets;
use sim::VoicePlace;

use crate::clock::Mode;
use crate::engine::Engine;
use crate::log::Level;

/// Opens the sound and decodes every clip. Lengths come from here in any case, device or not: how long a sound plays is
/// part of the world.
pub(crate) fn open(assets: &Assets, with_device: bool) -> (Audio, BTreeMap<String, f32>, Vec<Problem>) {
    let output = if with_device { audio::Output::Device } else { audio::Output::Silent };
    let (mut audio, problem) = Audio::new(output);
    let mut problems: Vec<Problem> = problem.into_iter().collect();
    let mut lengths = BTreeMap::new();
    for (name, bytes) in assets.sounds() {
        match audio.load(name, bytes.clone()) {
            Ok(info) => {
                lengths.insert(name.clone(), info.seconds);
            }
            Err(error) => problems.push(error.problem(name)),
        }
    }
    (audio, lengths, problems)
}

impl Engine {
    /// Lets the sound follow the world as it is now.
    pub(crate) fn sound(&mut self) {
        let playing = self.clock.mode == Mode::Play;
        self.audio.pause(!playing);
        let world = &self.world;
        let camera = world.scene().columns.camera.iter().find(|(_, camera)| camera.active).map(|(id, _)| id);
        let ears = camera.and_then(|id| world.poses().get(id)).copied().unwrap_or_default();
        let voices: Vec<VoiceState<'_>> = world
            .sounds()
            .voices
            .iter()
            .map(|voice| VoiceState {
                id: voice.id,
                clip: &voice.clip,
                bus: &voice.bus,
                gain: voice.volume,
                pitch: voice.pitch,
                looped: voice.looped,
                position: match voice.place {
                    VoicePlace::Everywhere => None,
                    VoicePlace::At(at) => Some(at.into()),
                    VoicePlace::Entity(id) => {
                        Some(world.poses().get(id).map(|pose| pose.position).unwrap_or_default())
                    }
                },
                min_distance: voice.min_distance,
                max_distance: voice.max_distance,
                started_tick: voice.started,
            })
            .collect();
        let mut gains: BTreeMap<&str, f32> =
            self.project.settings.audio.buses.iter().map(|(bus, gain)| (bus.as_str(), *gain)).collect();
        for (bus, gain) in &world.sounds().buses {
            *gains.entry(bus).or_insert(1.0) *= gain;
        }
        let buses: Vec<(&str, f32)> = gains.into_iter().collect();
        let frame = AudioFrame {
            listener: Listener { position: ears.position, rotation: ears.rotation },
            voices: &voices,
            buses: &buses,
            tick: world.tick_number().0,
            ticks_per_second: world.content().rate,
        };
        self.audio.sync(&frame);
        for problem in self.audio.take_problems() {
            self.log.add(Tick(frame.tick), Level::Warning, "audio", &problem.to_string());
        }
    }

    /// What is heard at present: each voice with its gain at the listener.
    pub fn heard(&self) -> &[audio::VoiceLevel] {
        self.audio.levels()
    }
}
