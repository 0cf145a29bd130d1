//! Makes what is heard equal to the list of what plays.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base::Problem;
use kira::Panning;
use kira::sound::static_sound::{StaticSoundHandle, StaticSoundSettings};

use crate::mix::{Manager, Mix, decibels, glide};
use crate::output::{self, DeviceManager};
use crate::space::{self, Placed};
use crate::{AudioError, AudioFrame, Clip, ClipInfo, Output, VoiceState, clip};

/// Sounds heard at once at most; of more the loudest are. Past this nobody tells them apart.
pub const MOST_VOICES: usize = 64;

/// A sound that is found this late, seconds, still starts at its beginning: its attack matters more than its place in
/// time, and frames are drawn after the ticks they show.
const LATE_START: f64 = 0.1;

/// Time that goes on by more than this many seconds between two frames has jumped.
const JUMP: f64 = 0.5;

/// Names of missing sounds that are reported at most: scripts may make them up without end.
const MOST_REPORTED: usize = 64;

/// What is heard of one voice.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VoiceLevel {
    /// The voice.
    pub id: u64,
    /// Linear gain with distance, bus and master volume in it.
    pub gain: f32,
    /// -1 left, 1 right.
    pub pan: f32,
    /// Metres from the listener; none for a sound that is everywhere.
    pub distance: Option<f32>,
    /// Whether it still sounds: it has a clip, has not ended, and is among the loudest.
    pub sounding: bool,
}

/// Everything that sounds.
pub struct Audio {
    mix: Mix,
    clips: BTreeMap<String, Clip>,
    voices: BTreeMap<u64, Voice>,
    levels: Vec<VoiceLevel>,
    master: f32,
    last_tick: Option<u64>,
    problems: Vec<Problem>,
    /// What `problems` already told of: names of clips, and of the device.
    reported: BTreeSet<String>,
}

/// A voice that was started.
struct Voice {
    clip: String,
    bus: String,
    started_tick: u64,
    looped: bool,
    /// None when it ended by itself, or goes nowhere.
    handle: Option<StaticSoundHandle>,
    sent: Sent,
}

/// What kira was told last, so that it is told only what changes.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Sent {
    gain: f32,
    pan: f32,
    pitch: f32,
}

impl Audio {
    /// Opens an output. Without a sound card the game goes on in silence, and the problem, a warning, says so once.
    pub fn new(output: Output) -> (Self, Option<Problem>) {
        Self::with_device(output, output::open_device)
    }

    fn with_device(
        output: Output,
        open: impl FnOnce() -> Result<DeviceManager, String>,
    ) -> (Self, Option<Problem>) {
        let (manager, problem) = match output {
            Output::Silent => (Manager::Silent, None),
            Output::Buffer { sample_rate } => {
                let manager = output::open_buffer(sample_rate.max(1)).map(Box::new);
                (manager.map_or(Manager::Silent, Manager::Buffer), None)
            }
            Output::Device => match open() {
                Ok(manager) => (Manager::Device(Box::new(manager)), None),
                Err(reason) => (Manager::Silent, Some(no_device(&reason))),
            },
        };
        let audio = Self {
            mix: Mix::new(manager),
            clips: BTreeMap::new(),
            voices: BTreeMap::new(),
            levels: Vec::new(),
            master: 1.0,
            last_tick: None,
            problems: Vec::new(),
            reported: BTreeSet::new(),
        };
        (audio, problem)
    }

    /// Whether nothing can be heard: the output is silent, or there is no sound card.
    pub fn is_silent(&self) -> bool {
        self.mix.is_silent()
    }

    /// Decodes a sound file and keeps it under a name. One of the same name that plays goes on with the old samples.
    pub fn load(&mut self, name: &str, bytes: Arc<[u8]>) -> Result<ClipInfo, AudioError> {
        let clip = clip::decode(bytes)?;
        let info = clip.info;
        self.insert(name, clip);
        Ok(info)
    }

    /// Keeps a sound under a name that a worker decoded.
    pub fn insert(&mut self, name: &str, clip: Clip) {
        self.reported.remove(name);
        self.clips.insert(name.to_owned(), clip);
    }

    /// What is known of a loaded sound.
    pub fn clip(&self, name: &str) -> Option<ClipInfo> {
        self.clips.get(name).map(|clip| clip.info)
    }

    /// Makes what is heard equal to this: starts what is new at its place, stops what is gone, moves what moved. A
    /// sound that ended by itself stays silent while it is listed. When time jumps, everything starts anew at its
    /// place.
    pub fn sync(&mut self, frame: &AudioFrame<'_>) {
        let rate = f64::from(frame.ticks_per_second.max(1));
        let jumped = self
            .last_tick
            .is_some_and(|last| frame.tick < last || frame.tick.saturating_sub(last) as f64 / rate > JUMP);
        self.last_tick = Some(frame.tick);
        for (name, gain) in frame.buses {
            self.mix.set_bus(name, *gain);
        }
        let placed: Vec<Placed> =
            frame.voices.iter().map(|voice| space::place(&frame.listener, voice)).collect();
        let chosen = self.choose(frame, &placed);
        self.retire(frame, &chosen, jumped);
        self.levels.clear();
        for ((voice, placed), chosen) in frame.voices.iter().zip(&placed).zip(&chosen) {
            let sounding = *chosen && self.follow(frame, voice, placed);
            let bus = frame.buses.iter().find(|(name, _)| *name == voice.bus).map_or(1.0, |(_, gain)| *gain);
            self.levels.push(VoiceLevel {
                id: voice.id,
                gain: gain(voice, placed) * bus.max(0.0) * self.master,
                pan: placed.pan,
                distance: placed.distance,
                sounding,
            });
        }
        if let Some(problem) = self.mix.device_problem() {
            self.report("", problem);
        }
    }

    /// Holds all sound where it is, or lets it go on.
    pub fn pause(&mut self, paused: bool) {
        self.mix.pause(paused);
    }

    /// The volume of everything, linear.
    pub fn set_master_volume(&mut self, gain: f32) {
        self.master = gain.max(0.0);
        self.mix.set_master(self.master);
    }

    /// The next sample frames of the mix, left and right in turn; empty unless the output is a buffer.
    pub fn render(&mut self, frames: usize) -> Vec<f32> {
        self.mix.render(frames)
    }

    /// What is heard of each voice of the last frame, in its order.
    pub fn levels(&self) -> &[VoiceLevel] {
        &self.levels
    }

    /// What went wrong since the last call, each once: sounds that were never loaded, a sound card that was lost.
    pub fn take_problems(&mut self) -> Vec<Problem> {
        std::mem::take(&mut self.problems)
    }

    /// Which voices may sound: all, or the loudest. Equals keep their order.
    fn choose(&self, frame: &AudioFrame<'_>, placed: &[Placed]) -> Vec<bool> {
        let mut chosen = vec![true; frame.voices.len()];
        if frame.voices.len() <= MOST_VOICES {
            return chosen;
        }
        let mut loudest: Vec<(f32, usize)> = frame
            .voices
            .iter()
            .zip(placed)
            .enumerate()
            .map(|(index, (voice, placed))| {
                let ended = self.clip(voice.clip).is_none_or(|info| is_over(frame, voice, info));
                (if ended { -1.0 } else { gain(voice, placed) }, index)
            })
            .collect();
        loudest.sort_by(|(left, _), (right, _)| right.total_cmp(left));
        for (_, index) in loudest.into_iter().skip(MOST_VOICES) {
            if let Some(chosen) = chosen.get_mut(index) {
                *chosen = false;
            }
        }
        chosen
    }

    /// Stops what is not to sound any more.
    fn retire(&mut self, frame: &AudioFrame<'_>, chosen: &[bool], jumped: bool) {
        let listed: BTreeMap<u64, &VoiceState<'_>> = frame
            .voices
            .iter()
            .zip(chosen)
            .filter_map(|(voice, chosen)| chosen.then_some((voice.id, voice)))
            .collect();
        let clips = &self.clips;
        self.voices.retain(|id, voice| {
            let stays = listed.get(id).is_some_and(|state| voice.is(state));
            if stays && !jumped {
                return true;
            }
            // A sound that time took off the list is at its last samples: cutting them would be heard.
            let over = !voice.looped
                && clips.get(&voice.clip).is_some_and(|clip| {
                    let elapsed = elapsed(frame, voice.started_tick) + LATE_START;
                    elapsed >= f64::from(clip.info.seconds / pitch(voice.sent.pitch))
                });
            if let Some(handle) = voice.handle.as_mut().filter(|_| jumped || !over) {
                handle.stop(glide());
            }
            false
        });
    }

    /// Starts or updates one voice. Whether it sounds.
    fn follow(&mut self, frame: &AudioFrame<'_>, state: &VoiceState<'_>, placed: &Placed) -> bool {
        let wanted = Sent { gain: gain(state, placed), pan: placed.pan, pitch: pitch(state.pitch) };
        if let Some(voice) = self.voices.get_mut(&state.id) {
            voice.update(wanted);
            return self.clips.get(state.clip).is_some_and(|clip| !is_over(frame, state, clip.info));
        }
        let Some(clip) = self.clips.get(state.clip) else {
            self.report_missing(state.clip);
            return false;
        };
        let over = is_over(frame, state, clip.info);
        let mut handle = None;
        if !over && !self.mix.is_silent() {
            let source = if state.position.is_some() { &clip.mono } else { &clip.stereo };
            let sound = source.with_settings(settings(frame, state, clip.info, wanted));
            handle = self.mix.play(state.bus, sound);
            if handle.is_none() {
                // No room: those that fade out will make some until the next frame.
                return false;
            }
        }
        self.voices.insert(
            state.id,
            Voice {
                clip: state.clip.to_owned(),
                bus: state.bus.to_owned(),
                started_tick: state.started_tick,
                looped: state.looped,
                handle,
                sent: wanted,
            },
        );
        !over
    }

    fn report_missing(&mut self, name: &str) {
        if self.reported.contains(name) {
            return;
        }
        let near = base::suggest::nearest(name, self.clips.keys().map(String::as_str));
        let message = format!("the sound `{name}` was asked for and never loaded");
        self.report(name, Problem::new("unknown_sound", message).warning().near(near));
    }

    /// Says each thing once.
    fn report(&mut self, key: &str, problem: Problem) {
        if self.reported.len() < MOST_REPORTED && self.reported.insert(key.to_owned()) {
            tracing::warn!(target: "audio", "{problem}");
            self.problems.push(problem);
        }
    }
}

impl Voice {
    /// Whether this is still the same sound.
    fn is(&self, state: &VoiceState<'_>) -> bool {
        self.clip == state.clip
            && self.bus == state.bus
            && self.started_tick == state.started_tick
            && self.looped == state.looped
    }

    fn update(&mut self, wanted: Sent) {
        if let Some(handle) = &mut self.handle {
            if wanted.gain != self.sent.gain {
                handle.set_volume(decibels(wanted.gain), glide());
            }
            if wanted.pan != self.sent.pan {
                handle.set_panning(Panning(wanted.pan), glide());
            }
            if wanted.pitch != self.sent.pitch {
                handle.set_playback_rate(f64::from(wanted.pitch), glide());
            }
        }
        self.sent = wanted;
    }
}

/// How a sound starts: at once and as it is when it is new, at its place and faded in when it has been playing.
fn settings(
    frame: &AudioFrame<'_>,
    state: &VoiceState<'_>,
    info: ClipInfo,
    wanted: Sent,
) -> StaticSoundSettings {
    let settings = StaticSoundSettings::new()
        .volume(decibels(wanted.gain))
        .panning(Panning(wanted.pan))
        .playback_rate(f64::from(wanted.pitch))
        .loop_region(state.looped.then(|| (0.0..).into()));
    let elapsed = elapsed(frame, state.started_tick);
    if elapsed <= LATE_START {
        return settings;
    }
    let position = elapsed * f64::from(wanted.pitch);
    let position = if state.looped { position % f64::from(info.seconds) } else { position };
    settings.start_position(position).fade_in_tween(glide())
}

/// Seconds since a tick.
fn elapsed(frame: &AudioFrame<'_>, started_tick: u64) -> f64 {
    frame.tick.saturating_sub(started_tick) as f64 / f64::from(frame.ticks_per_second.max(1))
}

/// Whether a sound that does not loop has come to its end.
fn is_over(frame: &AudioFrame<'_>, state: &VoiceState<'_>, info: ClipInfo) -> bool {
    !state.looped && elapsed(frame, state.started_tick) >= f64::from(info.seconds / pitch(state.pitch))
}

/// Gain with distance, without bus and master.
fn gain(state: &VoiceState<'_>, placed: &Placed) -> f32 {
    // `max` turns NaN into 0.
    state.gain.max(0.0) * placed.gain
}

/// A pitch that neither stops nor races; broken ones are 1.
fn pitch(pitch: f32) -> f32 {
    if pitch.is_finite() { pitch.clamp(0.01, 16.0) } else { 1.0 }
}

fn no_device(reason: &str) -> Problem {
    Problem::new("no_sound_device", format!("there is no sound: {reason}"))
        .warning()
        .hint("the game plays on in silence; for sound connect a device, or start a sound server, and start it again")
}

#[cfg(test)]
pub(crate) mod tests;
