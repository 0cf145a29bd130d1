//! Reading and editing entities.

mod create;
mod delete;
mod get;
mod parts;
mod update;

use crate::tool::{BuiltinEntry, entry};

/// The group's tools.
pub const TOOLS: &[BuiltinEntry] = &[
    entry::<get::EntityGet>("entity"),
    entry::<create::EntityCreate>("entity"),
    entry::<update::EntityUpdate>("entity"),
    entry::<delete::EntityDelete>("entity"),
];
