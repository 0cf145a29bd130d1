//! Seeing the game.

mod capture;

use crate::tool::{BuiltinEntry, entry};

/// The group's tools.
pub const TOOLS: &[BuiltinEntry] = &[entry::<capture::Capture>("observe")];
