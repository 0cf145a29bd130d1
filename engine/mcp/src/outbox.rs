//! What a client has not taken yet: one queue of bytes a connection, filled by its session alone.

use std::io;

use serde_json::Value;
use tokio::net::UnixStream;

/// Up to here the queue keeps its memory when it is empty.
const KEEP: usize = 256 * 1024;

/// Bytes on their way to a client.
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    bytes: Vec<u8>,
    /// Of them, how many are gone.
    sent: usize,
}

impl Outbox {
    /// Adds a message as a line.
    pub(crate) fn message(&mut self, message: &Value) {
        // A value with text keys cannot fail to be written to memory.
        if serde_json::to_writer(&mut self.bytes, message).is_ok() {
            self.bytes.push(b'\n');
        }
    }

    /// How many bytes wait.
    pub(crate) fn waiting(&self) -> usize {
        self.bytes.len() - self.sent
    }

    /// Whether nothing waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.waiting() == 0
    }

    /// Gives the client as much as it takes now.
    pub(crate) fn write(&mut self, stream: &UnixStream) -> io::Result<()> {
        while let Some(rest) = self.bytes.get(self.sent..).filter(|rest| !rest.is_empty()) {
            match stream.try_write(rest) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(count) => self.sent += count,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) => return Err(error),
            }
        }
        if self.is_empty() {
            self.bytes.clear();
            self.sent = 0;
            if self.bytes.capacity() > KEEP {
                self.bytes.shrink_to(KEEP);
            }
        } else if self.sent > KEEP {
            self.bytes.drain(..self.sent);
            self.sent = 0;
        }
        Ok(())
    }
}
