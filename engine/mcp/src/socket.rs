//! The socket's birth and death: private before anybody can connect, never over a file that is not ours, never two
//! owners.

mod probe;

use std::fs::File;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, Mode, OFlags};
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType};

use probe::{Probe, probe};

/// Longest path of a socket, bytes; the system's own limit.
const MOST_PATH: usize = 107;

/// Clients that may wait to be let in; the system may allow fewer.
const BACKLOG: i32 = 1024;

/// Why a socket could not be opened, in words for whoever asked for it: what, where, and what to do.
#[derive(Debug)]
pub struct ListenError(pub String);

impl std::fmt::Display for ListenError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ListenError {}

/// The name of a socket that is being served, and the lock that makes it ours. Dropping it takes the name away.
#[derive(Debug)]
pub(crate) struct OwnedSocket {
    path: PathBuf,
    /// Device and inode of what was born there.
    born: (u64, u64),
    _lock: OwnedFd,
}

impl Drop for OwnedSocket {
    fn drop(&mut self) {
        // The lock file stays: removing it would let two owners lock two files of one name.
        let is_ours = std::fs::symlink_metadata(&self.path)
            .is_ok_and(|metadata| (metadata.dev(), metadata.ino()) == self.born);
        if is_ours {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Opens a socket that only this user can reach.
pub(crate) fn bind(path: &Path) -> Result<(OwnedSocket, UnixListener), ListenError> {
    open(path).map_err(|why| ListenError(format!("the socket {} cannot be opened: {why}", path.display())))
}

fn open(path: &Path) -> Result<(OwnedSocket, UnixListener), String> {
    let length = path.as_os_str().len();
    if length > MOST_PATH {
        return Err(format!("its path has {length} bytes and {MOST_PATH} are possible; use a shorter one"));
    }
    if path.file_name().is_none() {
        return Err("it has no file name".to_owned());
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    private_folder(folder)?;
    let lock = lock(path)?;
    clear_the_place(path)?;
    let listener = give_birth(path).map_err(|error| error.to_string())?;
    let metadata = std::fs::symlink_metadata(path).map_err(|error| error.to_string())?;
    let born = (metadata.dev(), metadata.ino());
    Ok((OwnedSocket { path: path.to_path_buf(), born, _lock: lock }, listener))
}

/// Makes the folder, or checks that it is ours and that nobody else can write to it.
fn private_folder(folder: &Path) -> Result<(), String> {
    if !folder.exists() {
        std::fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)
            .map_err(|error| format!("its folder cannot be made: {error}"))?;
    }
    let metadata = std::fs::metadata(folder).map_err(|error| format!("its folder: {error}"))?;
    if !metadata.is_dir() {
        return Err(format!("{} is no folder", folder.display()));
    }
    if metadata.uid() != rustix::process::getuid().as_raw() {
        return Err(format!("its folder {} belongs to somebody else; use one of your own", folder.display()));
    }
    if metadata.mode() & 0o022 != 0 {
        return Err(format!(
            "others can write to its folder {}; use one that only you can write to, or `chmod go-w` it",
            folder.display()
        ));
    }
    Ok(())
}

/// Takes the lock beside the socket, which the kernel lets go of with the process, however it ends.
fn lock(path: &Path) -> Result<OwnedFd, String> {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    let name = PathBuf::from(name);
    let flags = OFlags::CREATE | OFlags::RDWR | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let lock = rustix::fs::open(&name, flags, Mode::RUSR | Mode::WUSR)
        .map_err(|error| format!("its lock {}: {error}", name.display()))?;
    let file = File::from(lock);
    let metadata = file.metadata().map_err(|error| error.to_string())?;
    if !metadata.is_file() || metadata.uid() != rustix::process::getuid().as_raw() {
        return Err(format!("its lock {} is no file of ours; it is left alone", name.display()));
    }
    match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(file.into()),
        Err(rustix::io::Errno::WOULDBLOCK) => {
            let who = match probe(path) {
                Probe::Answers(Some(pid)) => format!(" (pid {pid})"),
                _ => String::new(),
            };
            Err(format!(
                "another engine serves this socket{who}; give another path, or end that engine first"
            ))
        }
        Err(error) => Err(format!("its lock {} cannot be taken: {error}", name.display())),
    }
}

/// With the lock held, a socket of ours that refuses connections is left over from an engine that died: it goes.
/// Anything else stays.
fn clear_the_place(path: &Path) -> Result<(), String> {
    let metadata = match std::fs::symlink_metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error.to_string()),
        Ok(metadata) => metadata,
    };
    if !metadata.file_type().is_socket() || metadata.uid() != rustix::process::getuid().as_raw() {
        return Err(
            "a file of that name is no socket of ours; it is left alone: give another path".to_owned()
        );
    }
    match probe(path) {
        Probe::Refuses => std::fs::remove_file(path).map_err(|error| error.to_string()),
        Probe::Answers(pid) => {
            let who = pid.map(|pid| format!(" (pid {pid})")).unwrap_or_default();
            Err(format!("something answers there already{who}; give another path"))
        }
        Probe::Unclear(error) => Err(format!(
            "whether something answers there cannot be told ({error}); remove it, or give another path"
        )),
    }
}

/// Binds without ever being open to others: the mode is set while nobody can connect, for a socket that does not
/// listen yet refuses everybody, and binding fails where a file has appeared meanwhile.
fn give_birth(path: &Path) -> std::io::Result<UnixListener> {
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let socket = rustix::net::socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)?;
    // On Linux the name in the folder is born with the mode of the socket itself.
    let _ = rustix::fs::fchmod(&socket, Mode::RUSR | Mode::WUSR);
    rustix::net::bind(&socket, &SocketAddrUnix::new(path)?)?;
    let listening =
        rustix::fs::chmod(path, Mode::RUSR | Mode::WUSR).and_then(|()| rustix::net::listen(&socket, BACKLOG));
    if let Err(error) = listening {
        let _ = std::fs::remove_file(path);
        return Err(error.into());
    }
    Ok(UnixListener::from(socket))
}

#[cfg(test)]
mod tests;
