//! One client on standard input and output, or on any two pipes. Two threads carry bytes between the pipes and a
//! private pair of sockets, so that a session is the same wherever it comes from.

use std::fs::File;
use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::thread::JoinHandle;
use std::time::Duration;

use base::link::{DoorKind, EngineHandle};
use rustix::event::{PollFd, PollFlags, poll};

use crate::limits::Limits;
use crate::server::{House, Server, ServerInfo, cannot_start, runtime};
use crate::socket::ListenError;

/// Bytes carried at once.
const CHUNK: usize = 64 * 1024;

/// How long a reader that has stopped reading is waited for at the end.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// Serves one client on standard input and output, until it closes them. Nothing else of the process may write to
/// standard output. [`Server::is_finished`] says when the client is gone.
pub fn serve_stdio(engine: EngineHandle, door: DoorKind, info: ServerInfo) -> Result<Server, ListenError> {
    let own = |fd: std::io::Result<OwnedFd>| fd.map_err(|error| cannot_start(&error));
    let input = own(std::io::stdin().as_fd().try_clone_to_owned())?;
    let output = own(std::io::stdout().as_fd().try_clone_to_owned())?;
    serve_pipes(input, output, engine, door, info)
}

/// Serves one client that writes to `input` and reads from `output`.
pub fn serve_pipes(
    input: OwnedFd,
    output: OwnedFd,
    engine: EngineHandle,
    door: DoorKind,
    info: ServerInfo,
) -> Result<Server, ListenError> {
    let (inner, outer) = UnixStream::pair().map_err(|error| cannot_start(&error))?;
    let (up, down) = (outer.try_clone().map_err(|error| cannot_start(&error))?, outer);
    inner.set_nonblocking(true).map_err(|error| cannot_start(&error))?;
    let runtime = runtime()?;
    let inner = {
        let _inside = runtime.enter();
        tokio::net::UnixStream::from_std(inner).map_err(|error| cannot_start(&error))?
    };
    let house = House::new(engine.clone(), door, info, Limits::default());
    let carry_in = thread("mcp-in", move || carry_in(File::from(input), up))?;
    let carry_out = thread("mcp-out", move || carry_out(down, File::from(output)))?;
    Server::start(engine, runtime, move |stopped| async move {
        house.client(inner, stopped).await;
        // With the inner end gone both threads come to their end, unless nobody reads the output.
        let _ = tokio::time::timeout(LAST_WORDS, async {
            while !(carry_in.is_finished() && carry_out.is_finished()) {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        })
        .await;
    })
}

fn thread(name: &str, work: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, ListenError> {
    std::thread::Builder::new().name(name.to_owned()).spawn(work).map_err(|error| cannot_start(&error))
}

/// Carries what the client writes, until it is through or the session has ended.
fn carry_in(mut input: File, mut session: UnixStream) {
    let mut buffer = vec![0; CHUNK];
    loop {
        let mut watched = [PollFd::new(&input, PollFlags::IN), PollFd::new(&session, PollFlags::empty())];
        match poll(&mut watched, None) {
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => continue,
            Err(_) => return,
        }
        let [from_client, from_session] = watched.map(|fd| fd.revents());
        if from_session.intersects(PollFlags::HUP | PollFlags::ERR) {
            return;
        }
        if from_client.is_empty() {
            continue;
        }
        match input.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => {
                if session.write_all(buffer.get(..count).unwrap_or_default()).is_err() {
                    return;
                }
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    // The session answers what it was asked and ends.
    let _ = session.shutdown(Shutdown::Write);
}

/// Carries the answers.
fn carry_out(mut session: UnixStream, mut output: File) {
    let mut buffer = vec![0; CHUNK];
    loop {
        match session.read(&mut buffer) {
            Ok(0) => return,
            Ok(count) => {
                if output.write_all(buffer.get(..count).unwrap_or_default()).is_err() {
                    break;
                }
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    // Nobody reads any more: the session need not go on.
    let _ = session.shutdown(Shutdown::Both);
}
