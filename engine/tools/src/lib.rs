//! What agents may do: one door, a registry, the built-in tools. Every call takes the same path, whoever makes it.

pub mod args;
pub mod builtin;
mod context;
mod door;
mod registry;
mod tool;

pub use context::Context;
pub use door::Tools;
pub use registry::{catalogue, reference};
pub use tool::{Answer, Builtin, BuiltinEntry, Effect, Output, Pending};

/// What the server tells a client that connects: the loop that an agent works in.
pub const INSTRUCTIONS: &str = "\
Skywalker: a running game (or a headless engine) that you inspect and drive through tools.
The loop: look (scene_overview, scene_query, entity_get, log_read), act (entity_update and its kin, input_action), \
let time pass (play_step runs exact ticks and answers after them), look again, and undo what was wrong (history_undo).
- An entity is named by id, or by a name that only one entity bears.
- Edits are undo steps of yours; time that ran stays run. play_restart starts the scene over.
- play_step pauses the game and leaves it paused: play_resume lets it run on.
- Units: metres, seconds, degrees; y is up, -z is forward.
- Errors say what was expected and the nearest valid name: read them and call again.";
