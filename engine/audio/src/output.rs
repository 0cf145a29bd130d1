//! Where the mix goes: a sound card, a buffer that somebody pulls from, or nowhere.

use kira::backend::cpal::{CpalBackend, CpalBackendSettings};
use kira::backend::{Backend, Renderer};
use kira::track::MainTrackBuilder;
use kira::{AudioManager, AudioManagerSettings, Capacities};

use crate::limiter::Limiter;

/// Where the mix goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Output {
    /// The default sound card; without one nowhere.
    Device,
    /// Nowhere. What would be heard is still known.
    Silent,
    /// Into memory, as fast as `Audio::render` is called: for tests and for machines without a sound card.
    Buffer {
        /// Sample frames a second.
        sample_rate: u32,
    },
}

/// The mix of a sound card, which another thread pulls.
pub(crate) type DeviceManager = AudioManager<CpalBackend>;

/// The mix that this thread pulls.
pub(crate) type BufferManager = AudioManager<BufferBackend>;

/// Opens the default sound card, or says why not.
pub(crate) fn open_device() -> Result<DeviceManager, String> {
    if cfg!(target_os = "linux") && !alsa_has_something_to_open() {
        return Err("this machine has no sound card".to_owned());
    }
    DeviceManager::new(settings(CpalBackendSettings::default())).map_err(|error| error.to_string())
}

/// A mix to pull from.
pub(crate) fn open_buffer(sample_rate: u32) -> Option<BufferManager> {
    BufferManager::new(settings(sample_rate)).ok()
}

fn settings<B: Backend>(backend_settings: B::Settings) -> AudioManagerSettings<B> {
    AudioManagerSettings {
        capacities: Capacities::default(),
        main_track_builder: MainTrackBuilder::new().with_effect(Limiter),
        internal_buffer_size: 128,
        backend_settings,
    }
}

/// libasound, asked for a sound card that is not there, writes a page of complaints to stderr before it says no. So
/// it is only asked where there is a playback device, or a sound server that stands in for one.
fn alsa_has_something_to_open() -> bool {
    let playback_device = || {
        let devices = std::fs::read_dir("/dev/snd").into_iter().flatten().flatten();
        devices.into_iter().any(|device| is_playback_device(&device.file_name().to_string_lossy()))
    };
    let sound_server = || {
        let runtime = std::env::var_os("XDG_RUNTIME_DIR").map(std::path::PathBuf::from);
        std::env::var_os("PULSE_SERVER").is_some()
            || runtime.is_some_and(|folder| {
                ["pulse/native", "pipewire-0"].iter().any(|socket| folder.join(socket).exists())
            })
    };
    playback_device() || sound_server()
}

/// Card, device, and `p` for playback: `pcmC0D3p`.
fn is_playback_device(name: &str) -> bool {
    name.starts_with("pcmC") && name.ends_with('p')
}

/// Holds kira's renderer until somebody pulls.
pub(crate) struct BufferBackend {
    renderer: Option<Renderer>,
}

impl BufferBackend {
    /// The next samples, left and right in turn.
    pub(crate) fn render(&mut self, frames: usize) -> Vec<f32> {
        let mut samples = vec![0.0; frames.saturating_mul(2)];
        if let Some(renderer) = &mut self.renderer {
            renderer.on_start_processing();
            renderer.process(&mut samples, 2);
        }
        samples
    }
}

impl Backend for BufferBackend {
    type Settings = u32;
    type Error = std::convert::Infallible;

    fn setup(sample_rate: u32, _internal_buffer_size: usize) -> Result<(Self, u32), Self::Error> {
        Ok((Self { renderer: None }, sample_rate))
    }

    fn start(&mut self, renderer: Renderer) -> Result<(), Self::Error> {
        self.renderer = Some(renderer);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_playback_devices_count_as_a_sound_card() {
        assert!(is_playback_device("pcmC0D0p") && is_playback_device("pcmC1D3p"));
        let others = ["pcmC0D0c", "controlC0", "seq", "timer", "by-path"];
        assert!(others.iter().all(|name| !is_playback_device(name)));
    }
}
