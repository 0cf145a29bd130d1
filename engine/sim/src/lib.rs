//! The world as a value: everything that a fixed tick reads or writes, cloned, hashed, and the same when run twice.
//! No clock, no thread order and no hash order in here; presentation reads it and never writes.

mod animation;
mod content;
pub mod expression;
pub mod input;
mod physics;
mod scripts;
mod sounds;
mod world;

pub use content::{
    Content, ContentBuilder, compile as compile_scripts, compile_with as compile_scripts_with, kind_of,
};
pub use expression::Expression;
pub use input::{InputEvent, InputMap, InputState, Receipt};
pub use scripts::environment as script_environment;
pub use scripts::reference as script_reference;
pub use sounds::{Voice, VoicePlace};
pub use wander::machine::Watch;
pub use wander::{Program, Template};
pub use world::{LogKind, LogLine, ScriptChange, TickReport, World};
