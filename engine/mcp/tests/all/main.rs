//! The protocol against an engine of a few lines: what clients send, good and bad, and what they get.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may panic, also outside of functions that are marked as tests"
)]

mod calls;
mod client;
mod crowds;
mod endings;
mod fake;
mod hostile;
mod stdio;
mod wire;
