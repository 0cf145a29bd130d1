//! The language as programs see it: values, tasks, errors, limits, determinism.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may panic")]

#[path = "language_suite/determinism.rs"]
mod determinism;
#[path = "language_suite/language.rs"]
mod language;
#[path = "language_suite/limits.rs"]
mod limits;
#[path = "language_suite/messages.rs"]
mod messages;
#[path = "language_suite/reload.rs"]
mod reload;
#[path = "language_suite/tasks.rs"]
mod tasks;
#[path = "language_suite/world.rs"]
mod world;
