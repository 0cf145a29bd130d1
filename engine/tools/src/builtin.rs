//! The built-in tools, one file each; a line here and one in its group lists a tool.

pub mod entity;
pub mod history;
pub mod observe;
pub mod play;
pub mod project;
pub mod scene;
pub mod script;

use crate::tool::BuiltinEntry;

/// All of them, by group.
pub const GROUPS: &[&[BuiltinEntry]] = &[
    scene::TOOLS,
    entity::TOOLS,
    play::TOOLS,
    history::TOOLS,
    observe::TOOLS,
    project::TOOLS,
    script::TOOLS,
];
