//! `skywalker lsp`: the language server for editors, over standard input and output.

use clap::Args;

use crate::End;

/// Serves an editor that speaks the Language Server Protocol
///
/// It answers on standard input and output with what is wrong with Wander scripts, what names mean, what can be written
/// and how things are renamed and formatted. Editors start it themselves: docs/EDITORS.md has their configuration.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Standard input and output, which it uses anyway: some editors ask for it by this name
    #[arg(long)]
    stdio: bool,
}

pub(crate) fn run(_options: &Options) -> End {
    let language = ::lsp::Language { environment: sim::script_environment(), kind_of: sim::kind_of };
    let (connection, threads) = lsp_server::Connection::stdio();
    let end = ::lsp::serve(&connection, language);
    // The thread that writes ends when nothing can be sent any more.
    drop(connection);
    if let Err(error) = threads.join() {
        eprintln!("the editor's messages cannot be read: {error}");
        return End::Failed;
    }
    match end {
        ::lsp::End::Asked => End::Good,
        ::lsp::End::Left => End::Failed,
    }
}
