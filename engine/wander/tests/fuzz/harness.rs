//! Looking for faults with programs nobody wrote: what seeded tests and fuzzers share.

pub mod choices;
mod expressions;
mod game;
mod generate;
mod oracle;
mod print;
mod runner;
pub mod soup;
mod statements;
pub mod targets;
mod tree;
