//! The command itself against a server of a few lines: what it prints, and how it ends.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may panic, also outside of functions that are marked as tests"
)]

mod call;
mod fake;
mod mcp_attach;
