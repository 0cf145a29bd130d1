//! Cues in, sound out. The engine says each frame which sounds logically play and since when; this crate makes
//! what is heard equal that list, on a sound card, into a buffer, or nowhere.
//!
//! Nothing here knows a scene or a simulation, and nothing outside knows kira.

mod audio;
mod clip;
mod error;
mod frame;
mod limiter;
mod mix;
mod output;
mod space;

pub use audio::{Audio, MOST_VOICES, VoiceLevel};
pub use clip::{Clip, ClipInfo, decode};
pub use error::AudioError;
pub use frame::{AudioFrame, Listener, VoiceState, samples_in_tick};
pub use mix::MOST_BUSES;
pub use output::Output;
