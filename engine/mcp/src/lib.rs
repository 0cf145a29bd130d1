//! How agents ask: JSON-RPC lines over a private Unix socket or standard input and output, protocol versions,
//! sessions. It knows no engine: calls go out and outcomes come back through `base::link`.
//!
//! From the bottom up: `framing` finds lines, `guard` reads them safely, `message` takes them apart, `session` knows
//! what a client may ask and has asked, `connection` moves bytes, `server` and `stdio` let clients in, `socket` is the
//! birth and death of the socket.

mod connection;
mod framing;
mod guard;
mod limits;
mod message;
mod notices;
mod outbox;
mod outcome;
mod server;
mod session;
mod socket;
mod stdio;
mod version;

pub use limits::Limits;
pub use server::{Server, ServerInfo, listen, listen_with};
pub use socket::ListenError;
pub use stdio::{serve_pipes, serve_stdio};
pub use version::VERSIONS;
