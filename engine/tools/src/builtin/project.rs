//! The project, the log, and what components there are.

mod component_list;
mod info;
mod log_read;

use crate::tool::{BuiltinEntry, entry};

/// The group's tools.
pub const TOOLS: &[BuiltinEntry] = &[
    entry::<info::ProjectInfo>("project"),
    entry::<component_list::ComponentList>("project"),
    entry::<log_read::LogRead>("observe"),
];
