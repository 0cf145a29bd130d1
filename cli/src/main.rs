//! `skywalker`: the engine from a terminal. One file a verb.

mod call;
mod check;
mod client;
mod fmt;
mod lsp;
mod mcp;
#[cfg(test)]
mod reference;
mod terminal;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The Skywalker engine from a terminal.
#[derive(Debug, Parser)]
#[command(
    name = "skywalker",
    version,
    about,
    after_help = "Exit codes: 0 ok, 1 the tool or the project has errors, 2 wrong use, 3 no connection.\n\
                  Results go to standard output, everything else to standard error."
)]
struct Options {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    Call(call::Options),
    Mcp(mcp::Options),
    /// Reports everything that is wrong with a project.
    Check {
        /// The folder of the game: the one that holds `game.json`.
        project: std::path::PathBuf,
    },
    Fmt(fmt::Options),
    Lsp(lsp::Options),
}

/// How a verb ends, and so the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// All is well.
    Good = 0,
    /// The tool failed, or the project has errors.
    Failed = 1,
    /// Wrong use.
    Usage = 2,
    /// Nobody answers.
    NoConnection = 3,
}

fn main() -> ExitCode {
    let end = match Options::parse().verb {
        Verb::Call(options) => call::run(&options),
        Verb::Mcp(options) => mcp::run(&options),
        Verb::Check { project } => {
            let compile = |project: &project::Project| runtime::compile_scripts(project);
            return check::run(&project, &compile, &mut std::io::stdout().lock())
                .unwrap_or(ExitCode::FAILURE);
        }
        Verb::Fmt(options) => fmt::run(&options),
        Verb::Lsp(options) => lsp::run(&options),
    };
    ExitCode::from(end as u8)
}
