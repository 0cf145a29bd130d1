//! Whether anybody stands behind a socket, found out without waiting.

use std::path::Path;

use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType};

/// What a try to connect came to.
#[derive(Debug)]
pub(crate) enum Probe {
    /// Nobody listens.
    Refuses,
    /// Somebody does, this process where the system says so.
    Answers(Option<i32>),
    /// It cannot be told.
    Unclear(Errno),
}

/// Tries to connect.
pub(crate) fn probe(path: &Path) -> Probe {
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let connected =
        rustix::net::socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None).and_then(|socket| {
            rustix::net::connect(&socket, &SocketAddrUnix::new(path)?)?;
            Ok(socket)
        });
    match connected {
        Ok(socket) => Probe::Answers(owner(&socket)),
        Err(Errno::CONNREFUSED) => Probe::Refuses,
        // Its queue is full: somebody is there, but busy.
        Err(Errno::AGAIN) => Probe::Answers(None),
        Err(error) => Probe::Unclear(error),
    }
}

/// The process that listens.
#[cfg(target_os = "linux")]
fn owner(socket: &rustix::fd::OwnedFd) -> Option<i32> {
    rustix::net::sockopt::socket_peercred(socket).ok().map(|peer| peer.pid.as_raw_nonzero().get())
}

#[cfg(not(target_os = "linux"))]
fn owner(_socket: &rustix::fd::OwnedFd) -> Option<i32> {
    None
}
