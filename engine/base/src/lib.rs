//! Words that every crate of the engine shares: who acts, what went wrong, how things are numbered, and the
//! messages that cross from the protocol threads to the engine's thread and back.
//!
//! Nothing here knows the engine, a protocol or the language; it stays a handful of named files.

pub mod actor;
pub mod catalogue;
pub mod ids;
pub mod link;
pub mod problem;
pub mod schema;
pub mod suggest;

pub use actor::Actor;
pub use ids::{CallId, ConnectionId, EntityId, Epoch, Revision, Tick};
pub use problem::{Place, Problem, Severity};
