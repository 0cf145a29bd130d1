//! `skywalker mcp --attach`: bytes through, both ways, until either side closes.

use std::io::{Read, Write};
use std::net::Shutdown;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;

use crate::terminal::complain;
use crate::{End, client};

/// Bytes carried at once.
const CHUNK: usize = 64 * 1024;

/// Connects an MCP client on standard input and output to a running engine
///
/// Bytes pass as they are, both ways, until either side closes. Put this into the configuration of an agent.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The engine's socket; `~/.skywalker/editor.sock` where none is named
    #[arg(long, value_name = "SOCKET", num_args = 0..=1, required = true)]
    attach: Option<Option<PathBuf>>,
}

pub(crate) fn run(options: &Options) -> End {
    let path = options.attach.clone().flatten().unwrap_or_else(client::default_socket);
    let connected = client::connect(&path)
        .and_then(|down| Ok((down.try_clone().map_err(|error| error.to_string())?, down)));
    let (mut up, mut down) = match connected {
        Ok(both) => both,
        Err(message) => {
            complain(&message);
            return End::NoConnection;
        }
    };
    let client_ended = Arc::new(AtomicBool::new(false));
    let ended = client_ended.clone();
    let sender = std::thread::Builder::new().name("stdin".to_owned()).spawn(move || {
        pump(&mut std::io::stdin(), &mut up);
        ended.store(true, Ordering::Release);
        // The engine may still answer what was asked.
        let _ = up.shutdown(Shutdown::Write);
    });
    if let Err(error) = sender {
        complain(&format!("standard input cannot be read: {error}"));
        return End::Failed;
    }
    let client_reads = pump(&mut down, &mut std::io::stdout());
    if client_reads && !client_ended.load(Ordering::Acquire) {
        complain("the engine closed the connection");
        return End::NoConnection;
    }
    // The thread may still wait for standard input; it ends with the process.
    End::Good
}

/// Carries bytes until there are no more, or until nobody takes them, which is false.
fn pump(from: &mut impl Read, to: &mut impl Write) -> bool {
    let mut buffer = vec![0; CHUNK];
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return true,
            Ok(count) => {
                let bytes = buffer.get(..count).unwrap_or_default();
                if to.write_all(bytes).and_then(|()| to.flush()).is_err() {
                    return false;
                }
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return true,
        }
    }
}
