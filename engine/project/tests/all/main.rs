//! What the crate promises, tried from outside: broken projects, hostile models, models made elsewhere, printed
//! schemas.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may panic"
)]

mod broken;
mod models;
mod reference;
mod samples;
