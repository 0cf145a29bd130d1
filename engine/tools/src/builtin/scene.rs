//! Looking at the scene.

mod overview;
mod query;

use crate::tool::{BuiltinEntry, entry};

/// The group's tools.
pub const TOOLS: &[BuiltinEntry] =
    &[entry::<overview::SceneOverview>("scene"), entry::<query::SceneQuery>("scene")];
