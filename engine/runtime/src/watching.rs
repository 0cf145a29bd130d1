//! Scripts that change on the disk by another hand: a thread looks at the project's files and says when they have
//! changed and settled; the engine takes them over between frames.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime};

use crossbeam::channel::{RecvTimeoutError, Sender, bounded};

use crate::engine::Engine;

/// Time between two looks. What is the same in two looks has settled: an editor that writes in pieces, or writes
/// another file and renames it, is done by then.
pub const WATCH_INTERVAL: Duration = Duration::from_millis(100);

/// Folders inside folders that are looked at.
const MOST_DEPTH: usize = 16;

/// Entries that one look goes through at most, so that a folder that is no game's does not keep a core busy.
const MOST_ENTRIES: usize = 20_000;

/// What tells a file from what it was before.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    inode: u64,
}

type Stamps = BTreeMap<PathBuf, Stamp>;

/// The thread. Dropping it ends and joins it.
pub(crate) struct FileWatch {
    changed: Arc<AtomicBool>,
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl FileWatch {
    /// Looks at a folder from now on, so often; `wake` is called where something changed. None where the system gives
    /// no thread.
    pub(crate) fn new(root: &Path, every: Duration, wake: impl Fn() + Send + 'static) -> Option<Self> {
        // The first look cannot know what the engine had read before: it is asked to read once more.
        let changed = Arc::new(AtomicBool::new(true));
        let (stop, stopped) = bounded::<()>(1);
        let (root, flag) = (root.to_owned(), Arc::clone(&changed));
        let mut settling = Settling::new(stamps(&root));
        let look = move || {
            while let Err(RecvTimeoutError::Timeout) = stopped.recv_timeout(every) {
                if settling.look(stamps(&root)) {
                    flag.store(true, Ordering::Release);
                    wake();
                }
            }
        };
        let thread = std::thread::Builder::new().name("watch-files".to_owned()).spawn(look).ok()?;
        Some(Self { changed, stop: Some(stop), thread: Some(thread) })
    }

    /// Whether something changed since this was last asked.
    fn take_changed(&self) -> bool {
        self.changed.swap(false, Ordering::Acquire)
    }
}

impl Drop for FileWatch {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Tells changes that are over from those that go on.
struct Settling {
    /// What was told of last.
    told: Stamps,
    /// What the last look found.
    seen: Stamps,
}

impl Settling {
    fn new(stamps: Stamps) -> Self {
        Self { told: stamps.clone(), seen: stamps }
    }

    /// Whether the files are now as they were at the last look, but not as they were when a change was told last.
    fn look(&mut self, now: Stamps) -> bool {
        let has_settled = now == self.seen;
        self.seen = now;
        if !has_settled || self.seen == self.told {
            return false;
        }
        self.told = self.seen.clone();
        true
    }
}

/// Every script below a folder. Hidden folders, and links that lead elsewhere, are no part of a project.
fn stamps(root: &Path) -> Stamps {
    let mut found = Stamps::new();
    let mut left = MOST_ENTRIES;
    let mut folders = vec![(root.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let Some(fewer) = left.checked_sub(1) else { return found };
            left = fewer;
            let path = entry.path();
            let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && !is_hidden && depth < MOST_DEPTH => {
                    folders.push((path, depth + 1))
                }
                Ok(kind) if kind.is_file() && path.extension().is_some_and(|end| end == "wander") => {
                    if let Ok(data) = entry.metadata() {
                        found.insert(path, stamp(&data));
                    }
                }
                _ => {}
            }
        }
    }
    found
}

fn stamp(data: &Metadata) -> Stamp {
    #[cfg(unix)]
    let inode = std::os::unix::fs::MetadataExt::ino(data);
    #[cfg(not(unix))]
    let inode = 0;
    Stamp { length: data.len(), modified: data.modified().ok(), inode }
}

impl Engine {
    /// Looks at the project's scripts from now on, so often; `wake` should bring the loop to
    /// [`Self::follow_files`] soon.
    pub fn watch_files(&mut self, every: Duration, wake: impl Fn() + Send + 'static) {
        self.watch = FileWatch::new(self.project.files.root(), every, wake);
    }

    /// Takes over scripts that changed on the disk, where some did. Call it between frames. True where it looked.
    pub fn follow_files(&mut self) -> bool {
        let changed = self.watch.as_ref().is_some_and(FileWatch::take_changed);
        if changed {
            self.reload_scripts();
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(files: &[(&str, u64)]) -> Stamps {
        let stamp = |length| Stamp { length, modified: None, inode: 0 };
        files.iter().map(|(path, length)| (PathBuf::from(path), stamp(*length))).collect()
    }

    /// What each look tells, from files that are as `first` says.
    fn looks(first: &[(&str, u64)], then: &[&[(&str, u64)]]) -> Vec<bool> {
        let mut settling = Settling::new(files(first));
        then.iter().map(|now| settling.look(files(now))).collect()
    }

    #[test]
    fn a_change_is_told_once_it_has_settled_and_once_only() {
        let (old, new): (&[_], &[_]) = (&[("a", 1)], &[("a", 2)]);
        assert_eq!(looks(old, &[old, new, new, new, new]), [false, false, true, false, false]);
    }

    #[test]
    fn a_file_that_is_written_in_pieces_is_told_of_when_it_is_whole() {
        let told = looks(&[("a", 9)], &[&[("a", 0)], &[("a", 3)], &[("a", 7)], &[("a", 8)], &[("a", 8)]]);
        assert_eq!(told, [false, false, false, false, true]);
    }

    #[test]
    fn files_that_come_go_and_come_back_between_looks() {
        assert_eq!(looks(&[], &[&[("a", 1)], &[("a", 1)]]), [false, true], "a new one");
        assert_eq!(looks(&[("a", 1)], &[&[], &[]]), [false, true], "one that went");
        assert_eq!(looks(&[("a", 1)], &[&[], &[("a", 1)], &[("a", 1)]]), [false; 3], "gone for a moment");
    }

    #[test]
    fn only_scripts_are_looked_at_in_all_folders_but_hidden_ones() {
        let folder = tempfile::tempdir().unwrap();
        for path in
            ["a.wander", "scripts/lib/b.wander", ".hidden/c.wander", "scripts/d.wander~", "scripts/e.json"]
        {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "x").unwrap();
        }
        let found = stamps(folder.path());
        let names: Vec<&Path> = found.keys().map(|path| path.strip_prefix(folder.path()).unwrap()).collect();
        assert_eq!(names, [Path::new("a.wander"), Path::new("scripts/lib/b.wander")]);
    }
}
