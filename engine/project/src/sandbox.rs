//! The one way to a project's files: nothing outside the project's folder can be reached, by no path.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use base::Problem;
use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, OpenOptions};

/// Largest file that is read, bytes.
const MOST_BYTES: u64 = 256 << 20;

/// Files of a project at most; past that the rest is not listed.
const MOST_FILES: usize = 50_000;

/// Folders inside folders at most.
const MOST_DEPTH: usize = 32;

/// A project's folder. Links, `..`, absolute paths and special files lead nowhere: the operating system resolves every
/// path below an open directory.
#[derive(Debug)]
pub struct Sandbox {
    dir: Dir,
    root: PathBuf,
}

impl Sandbox {
    /// Opens a folder.
    pub fn open(root: &Path) -> Result<Self, Problem> {
        let dir = Dir::open_ambient_dir(root, ambient_authority()).map_err(|error| {
            Problem::new("no_project", format!("{} cannot be opened as a folder: {error}", root.display()))
                .hint("name the folder that holds `game.json`")
        })?;
        let root = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
        Ok(Self { dir, root })
    }

    /// Where the folder is, for messages and for finding the engine that runs it.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Whether a plain file is there.
    pub fn is_file(&self, path: &str) -> bool {
        check_path(path).is_ok() && self.dir.metadata(path).is_ok_and(|metadata| metadata.is_file())
    }

    /// A file's bytes.
    pub fn read(&self, path: &str) -> Result<Vec<u8>, Problem> {
        check_path(path)?;
        self.read_bytes(path).map_err(|reason| {
            Problem::new("cannot_read", format!("`{path}` cannot be read: {reason}")).file(path)
        })
    }

    fn read_bytes(&self, path: &str) -> Result<Vec<u8>, String> {
        let look = |metadata: std::io::Result<cap_std::fs::Metadata>| {
            let metadata = metadata.map_err(|error| explain(&error))?;
            match (metadata.is_file(), metadata.len()) {
                (true, length) if length <= MOST_BYTES => Ok(length),
                (true, length) => Err(format!("it has {length} bytes, at most {MOST_BYTES} are read")),
                (false, _) => Err("it is no plain file".to_owned()),
            }
        };
        // Opening a device may do something, so the file is looked at before; it may be another one by then, so the
        // open file is looked at again.
        look(self.dir.metadata(path))?;
        let file = self.open_file(path).map_err(|error| explain(&error))?;
        let length = look(file.metadata())?;
        let mut bytes = Vec::with_capacity(length as usize);
        // It may still grow: never more than what is allowed.
        file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(|error| explain(&error))?;
        if bytes.len() as u64 > MOST_BYTES {
            return Err(format!("it has more than {MOST_BYTES} bytes"));
        }
        Ok(bytes)
    }

    /// Opens for reading without ever waiting: opening a pipe would wait for whoever writes to it.
    fn open_file(&self, path: &str) -> std::io::Result<File> {
        let mut options = OpenOptions::new();
        options.read(true);
        #[cfg(unix)]
        {
            use cap_std::fs::OpenOptionsExt;
            options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
        }
        self.dir.open_with(path, &options)
    }

    /// A file's text, without the mark that some editors put at its start.
    pub fn read_text(&self, path: &str) -> Result<String, Problem> {
        let text = String::from_utf8(self.read(path)?)
            .map_err(|_| Problem::new("not_text", format!("`{path}` is no UTF-8 text")).file(path))?;
        match text.strip_prefix('\u{feff}') {
            Some(rest) => Ok(rest.to_owned()),
            None => Ok(text),
        }
    }

    /// Writes a file so that a reader, or a crash at any moment, finds either the old one or the new one, whole.
    /// Folders on its way are made; a link in its place is replaced, what it leads to is left alone.
    pub fn write(&self, path: &str, bytes: &[u8]) -> Result<(), Problem> {
        check_path(path)?;
        self.write_bytes(path, bytes).map_err(|error| {
            Problem::new("cannot_write", format!("`{path}` cannot be written: {}", explain(&error)))
                .file(path)
                .hint("what was there before is unchanged")
        })
    }

    fn write_bytes(&self, path: &str, bytes: &[u8]) -> std::io::Result<()> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let folder = match path.rsplit_once('/') {
            Some((folder, _)) => {
                self.dir.create_dir_all(folder)?;
                self.dir.open_dir(folder)?
            }
            None => self.dir.try_clone()?,
        };
        let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let temporary = format!(".{}.{}.{number}.tmp", &name.get(..40).unwrap_or(name), std::process::id());
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        let written = folder.open_with(&temporary, &options).and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_all()?;
            folder.rename(&temporary, &folder, name)
        });
        if let Err(error) = written {
            // What is left of it is of no use; the first error is the one that counts.
            let _ = folder.remove_file(&temporary);
            return Err(error);
        }
        // The new name lasts only once its folder is on the disk too.
        #[cfg(unix)]
        folder.open(".")?.sync_all()?;
        Ok(())
    }

    /// All plain files below a folder, as paths from the project's root, in order. A folder that is not there is empty.
    pub fn list(&self, folder: &str) -> Vec<String> {
        let mut found = Vec::new();
        let mut pending = vec![folder.to_owned()];
        while let Some(folder) = pending.pop() {
            let Ok(entries) = self.dir.read_dir(&folder) else { continue };
            for entry in entries.flatten() {
                let Ok(name) = entry.file_name().into_string() else { continue };
                let Ok(kind) = entry.file_type() else { continue };
                let path = format!("{folder}/{name}");
                if name.starts_with('.') || check_path(&path).is_err() {
                    continue;
                }
                if kind.is_dir() && path.matches('/').count() < MOST_DEPTH {
                    pending.push(path);
                } else if kind.is_file() {
                    found.push(path);
                }
                if found.len() >= MOST_FILES {
                    tracing::warn!("{folder} holds more than {MOST_FILES} files: the rest is left out");
                    found.sort();
                    return found;
                }
            }
        }
        found.sort();
        found
    }
}

/// A path inside a project: names with `/` between them. The operating system would refuse what leads out as well;
/// this says why, and refuses what means different things on different systems.
fn check_path(path: &str) -> Result<(), Problem> {
    let refused = |reason: &str| {
        Err(Problem::new(
            "bad_path",
            format!("`{}` is no path inside the project: {reason}", path.escape_debug()),
        )
        .hint("write it from the project's folder, with `/`, such as `scripts/hero.wander`"))
    };
    if path.is_empty() {
        return refused("it is empty");
    }
    if path.starts_with('/') || path.contains(":/") || path.contains('\\') {
        return refused("it must be relative and written with `/`");
    }
    if path.chars().any(char::is_control) {
        return refused("it has a control character");
    }
    match path.split('/').find(|name| matches!(*name, "" | "." | "..")) {
        Some("..") => refused("`..` leads out of a folder"),
        Some(_) => refused("it has a step that goes nowhere"),
        None => Ok(()),
    }
}

/// The path of a file that another one refers to: `assets/models/a.gltf` and `../textures/b.png` give
/// `assets/textures/b.png`. What leads out of `assets/` is refused.
pub(crate) fn join(from: &str, relative: &str) -> Result<String, Problem> {
    let mut steps: Vec<&str> = from.split('/').collect();
    steps.pop();
    for step in relative.split('/') {
        match step {
            "." => {}
            ".." if steps.len() > 1 => {
                steps.pop();
            }
            ".." => {
                return Err(
                    Problem::new("bad_path", format!("`{relative}` leads out of `assets/`")).file(from)
                );
            }
            _ => steps.push(step),
        }
    }
    Ok(steps.join("/"))
}

/// What went wrong, in words that do not depend on the system where it can be.
fn explain(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        std::io::ErrorKind::PermissionDenied => {
            "it may not be opened, or it leads out of the project".to_owned()
        }
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_leads_out_of_the_folder() {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("game");
        std::fs::create_dir_all(root.join("folder")).unwrap();
        std::fs::write(outer.path().join("secret"), "x").unwrap();
        std::fs::write(root.join("inside"), "y").unwrap();
        std::os::unix::fs::symlink("../secret", root.join("link")).unwrap();
        std::os::unix::fs::symlink("..", root.join("up")).unwrap();
        std::os::unix::fs::symlink(outer.path(), root.join("absolute")).unwrap();
        let sandbox = Sandbox::open(&root).unwrap();
        assert_eq!(sandbox.read("inside").unwrap(), b"y");
        let absolute = outer.path().join("secret");
        for path in [
            "../secret",
            "link",
            "up/secret",
            "absolute/secret",
            "./../secret",
            "folder/../../secret",
            absolute.to_str().unwrap(),
            "..\\secret",
            "C:/secret",
            "missing",
            "folder",
            ".",
            "",
            "folder//inside",
            "inside\0",
        ] {
            assert!(sandbox.read(path).is_err(), "{path}");
            assert!(!sandbox.is_file(path), "{path}");
        }
        for path in ["up/new", "absolute/new", "../new", "folder/../../new"] {
            assert!(sandbox.write(path, b"z").is_err(), "{path}");
        }
        assert!(!outer.path().join("new").exists());
    }

    #[test]
    fn a_pipe_is_refused_at_once_and_not_listed() {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir(root.path().join("assets")).unwrap();
        let pipe = root.path().join("assets/pipe.png");
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
        let sandbox = Sandbox::open(root.path()).unwrap();
        assert!(sandbox.read("assets/pipe.png").unwrap_err().message.contains("no plain file"));
        // Even where it takes a file's place after that was looked at, opening it does not wait.
        assert!(!sandbox.open_file("assets/pipe.png").unwrap().metadata().unwrap().is_file());
        assert_eq!(sandbox.list("assets"), Vec::<String>::new());
    }

    #[test]
    fn a_written_file_replaces_a_link_and_leaves_nothing_else_behind() {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("game");
        std::fs::create_dir_all(root.join("scenes")).unwrap();
        std::fs::write(outer.path().join("secret"), "old").unwrap();
        std::os::unix::fs::symlink("../../secret", root.join("scenes/a")).unwrap();
        let sandbox = Sandbox::open(&root).unwrap();
        sandbox.write("scenes/a", b"new").unwrap();
        sandbox.write("made/on/the/way", b"deep").unwrap();
        sandbox.write("scenes/a", b"newer").unwrap();
        assert_eq!(std::fs::read(outer.path().join("secret")).unwrap(), b"old");
        assert_eq!(sandbox.read("scenes/a").unwrap(), b"newer");
        assert_eq!(sandbox.read("made/on/the/way").unwrap(), b"deep");
        assert!(sandbox.write("made/on", b"x").is_err(), "a folder is not replaced by a file");
        let left: Vec<_> = std::fs::read_dir(root.join("made")).unwrap().flatten().collect();
        assert_eq!(left.len(), 1, "no temporary file stays: {left:?}");
    }

    #[test]
    fn what_a_model_refers_to_stays_among_the_assets() {
        let path = |relative: &str| join("assets/models/a.gltf", relative).map_err(|problem| problem.code);
        assert_eq!(path("b.bin"), Ok("assets/models/b.bin".to_owned()));
        assert_eq!(path("Textures/b.png"), Ok("assets/models/Textures/b.png".to_owned()));
        assert_eq!(path("./../textures/b.png"), Ok("assets/textures/b.png".to_owned()));
        assert_eq!(path("../../game.json"), Err("bad_path".to_owned()));
        assert_eq!(path("../../../etc/passwd"), Err("bad_path".to_owned()));
    }
}
