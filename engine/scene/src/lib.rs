//! The document: entities with components, tags and vars, the edits that change them, the history of those edits,
//! and the files they are kept in. Knows no physics, no scripts, no pixels.

pub mod color;
pub mod column;
pub mod components;
mod difference;
pub mod digest;
pub mod edit;
pub mod entity;
pub mod environment;
pub mod file;
pub mod history;
pub mod hud;
pub mod poses;
mod scene;
pub mod var;

pub use color::Color;
pub use column::Column;
pub use components::{ComponentKind, ComponentSet, ComponentValue};
pub use difference::difference;
pub use edit::Edit;
pub use entity::{Entity, EntityData};
pub use environment::Environment;
pub use history::{Group, History};
pub use hud::{Hud, HudItem};
pub use poses::{Pose, Poses};
pub use scene::Scene;
pub use var::Var;
