//! Time and input.

mod input_action;
mod pause;
mod restart;
mod resume;
mod status;
mod step;

use crate::tool::{BuiltinEntry, entry};

/// The group's tools.
pub const TOOLS: &[BuiltinEntry] = &[
    entry::<status::PlayStatus>("play"),
    entry::<pause::PlayPause>("play"),
    entry::<resume::PlayResume>("play"),
    entry::<restart::PlayRestart>("play"),
    entry::<step::PlayStep>("play"),
    entry::<input_action::InputAction>("play"),
];
