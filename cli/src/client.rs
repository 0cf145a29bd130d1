//! A small client of the socket: one request after the other.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// A connection that has said who it is.
pub(crate) struct Client {
    stream: UnixStream,
    lines: BufReader<UnixStream>,
    next: u64,
}

/// The socket that is meant where none is named.
pub(crate) fn default_socket() -> PathBuf {
    let home = std::env::var_os("HOME").map_or_else(|| PathBuf::from("."), PathBuf::from);
    home.join(".skywalker/editor.sock")
}

/// Connects; the message says what is wrong and what to do.
pub(crate) fn connect(path: &Path) -> Result<UnixStream, String> {
    UnixStream::connect(path).map_err(|error| {
        format!(
            "nobody answers at {0}: {error}\nstart a game with `skywalker-player PROJECT --agent-socket {0}`, or name its socket",
            path.display()
        )
    })
}

impl Client {
    /// Connects and introduces itself.
    pub(crate) fn new(path: &Path, name: &str) -> Result<Self, String> {
        let stream = connect(path)?;
        let lines = BufReader::new(stream.try_clone().map_err(broken)?);
        let mut client = Self { stream, lines, next: 0 };
        let info = json!({"name": name, "version": env!("CARGO_PKG_VERSION")});
        client
            .ask(
                "initialize",
                &json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info}),
            )?
            .map_err(|message| format!("the engine does not want us: {message}"))?;
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(client)
    }

    fn send(&mut self, message: &Value) -> Result<(), String> {
        self.stream.write_all(format!("{message}\n").as_bytes()).map_err(broken)
    }

    /// Asks and waits for the answer: the result, or the message of the error. The outer error is a connection that
    /// is no use any more.
    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> Result<Result<Value, String>, String> {
        self.next += 1;
        let id = self.next;
        // An engine that turns us away may have closed already; what it said is still there to be read.
        let sent = self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let mut line = String::new();
            if self.lines.read_line(&mut line).map_err(broken)? == 0 {
                sent?;
                return Err("the engine closed the connection before it answered".to_owned());
            }
            let mut message: Value =
                serde_json::from_str(&line).map_err(|error| format!("the answer is no JSON: {error}"))?;
            let error = message.pointer("/error/message").and_then(Value::as_str).map(str::to_owned);
            match (message.get("id"), error) {
                // Something is wrong with the connection as a whole.
                (Some(Value::Null), Some(error)) => return Err(error),
                (Some(found), error) if found.as_u64() == Some(id) => {
                    let result = message.get_mut("result").map(Value::take);
                    return match (error, result) {
                        (Some(error), _) => Ok(Err(error)),
                        (None, Some(result)) => Ok(Ok(result)),
                        (None, None) => Err("the answer has neither a result nor an error".to_owned()),
                    };
                }
                // Notices, and what the engine may ask.
                _ => {}
            }
        }
    }
}

fn broken(error: std::io::Error) -> String {
    format!("the connection broke: {error}")
}
