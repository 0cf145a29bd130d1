//! The one way to a project's files: nothing outside the project's folder can be reached, by no path.

use std::io::Read;
use std::path::{Path, PathBuf};

use base::Problem;
use cap_std::ambient_authority;
use cap_std::fs::Dir;

/// Largest file that is read, bytes.
const MOST_BYTES: u64 = 256 << 20;

/// Files of a project at most; past that the rest is not listed.
const MOST_FILES: usize = 50_000;

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
        self.dir.metadata(path).is_ok_and(|metadata| metadata.is_file())
    }

    /// A file's bytes.
    pub fn read(&self, path: &str) -> Result<Vec<u8>, Problem> {
        let failed = |reason: String| {
            Problem::new("cannot_read", format!("`{path}` cannot be read: {reason}")).file(path)
        };
        let metadata = self.dir.metadata(path).map_err(|error| failed(error.to_string()))?;
        // Opening a pipe would wait for whoever writes to it.
        if !metadata.is_file() {
            return Err(failed("it is no plain file".to_owned()));
        }
        if metadata.len() > MOST_BYTES {
            return Err(failed(format!("it has {} bytes, at most {MOST_BYTES} are read", metadata.len())));
        }
        let file = self.dir.open(path).map_err(|error| failed(error.to_string()))?;
        let mut bytes = Vec::with_capacity(metadata.len() as usize);
        // The file may have grown since: never more than what is allowed.
        file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(|error| failed(error.to_string()))?;
        if bytes.len() as u64 > MOST_BYTES {
            return Err(failed(format!("it has more than {MOST_BYTES} bytes")));
        }
        Ok(bytes)
    }

    /// A file's text.
    pub fn read_text(&self, path: &str) -> Result<String, Problem> {
        String::from_utf8(self.read(path)?)
            .map_err(|_| Problem::new("not_text", format!("`{path}` is no UTF-8 text")).file(path))
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
                if name.starts_with('.') || found.len() >= MOST_FILES {
                    continue;
                }
                if kind.is_dir() {
                    pending.push(path);
                } else if kind.is_file() {
                    found.push(path);
                }
            }
        }
        found.sort();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_leads_out_of_the_folder() {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("game");
        std::fs::create_dir(&root).unwrap();
        std::fs::write(outer.path().join("secret"), "x").unwrap();
        std::fs::write(root.join("inside"), "y").unwrap();
        std::os::unix::fs::symlink("../secret", root.join("link")).unwrap();
        let sandbox = Sandbox::open(&root).unwrap();
        assert_eq!(sandbox.read("inside").unwrap(), b"y");
        let absolute = outer.path().join("secret");
        for path in ["../secret", "link", "./../secret", absolute.to_str().unwrap(), "missing", "."] {
            assert!(sandbox.read(path).is_err(), "{path}");
        }
    }
}
