//! Pages about the language: what they say is what the engine has and does.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may panic")]

mod guide;
mod library;
mod world;

#[path = "../../../wander/tests/support/pages.rs"]
mod pages;
