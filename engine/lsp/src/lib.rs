//! A language server for Wander: what editors show and change about scripts. It speaks the Language Server Protocol over
//! whatever [`lsp_server::Connection`] it is given, and knows no game: what scripts may use is told by the caller.

mod before;
mod features;
mod findings;
mod known;
mod meaning;
mod requests;
mod server;
mod text;
mod uri;
mod values;
mod workspace;

pub use server::{End, serve};
pub use workspace::Language;
