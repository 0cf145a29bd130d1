//! What was edited, and taking it back.

mod list;
mod undo;

use crate::tool::{BuiltinEntry, entry};

/// The group's tools.
pub const TOOLS: &[BuiltinEntry] =
    &[entry::<list::HistoryList>("history"), entry::<undo::HistoryUndo>("history")];
