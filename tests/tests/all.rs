//! Tests that concern the whole project: its order, its sample game, its tools on that game.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::expect_used,
    reason = "a test may panic"
)]

#[path = "all/game.rs"]
mod game;
#[path = "all/tidy.rs"]
mod tidy;
#[path = "all/tools.rs"]
mod tools;
#[path = "all/watching.rs"]
mod watching;
