//! `skywalker fmt`: scripts in the one style that they are written in.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use base::Severity;
use clap::Args;
use wander::Diagnostic;

use crate::End;
use crate::terminal::shown;

/// Formats Wander scripts
///
/// Files are replaced only where their text changes, and their paths are printed. A file with syntax errors is left
/// alone: its errors are printed, the other files are formatted all the same, and the exit code is 1.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Writes nothing: prints what would change, and the exit code is 1 where something would
    #[arg(long)]
    check: bool,
    /// Scripts, or folders of which every `*.wander` is meant
    #[arg(value_name = "PATH", default_value = ".")]
    paths: Vec<PathBuf>,
}

pub(crate) fn run(options: &Options) -> End {
    format_all(&options.paths, options.check, &mut io::stdout().lock(), &mut io::stderr().lock())
}

/// Paths of changed files go to `out`, everything else to `err`. Whoever reads may stop half way; that is no reason to
/// leave the work half done.
fn format_all(paths: &[PathBuf], check: bool, out: &mut dyn Write, err: &mut dyn Write) -> End {
    let mut end = End::Good;
    let mut files = BTreeSet::new();
    for path in paths {
        if let Err(error) = find_scripts(path, &mut files) {
            let _ = writeln!(err, "{} cannot be read: {error}", name(path));
            end = End::Failed;
        }
    }
    if files.is_empty() && end == End::Good {
        let _ = writeln!(err, "there are no scripts here");
    }
    for path in &files {
        match format_file(path, check) {
            Ok(false) => {}
            Ok(true) => {
                let _ = writeln!(out, "{}", name(path));
                if check {
                    end = End::Failed;
                }
            }
            Err(message) => {
                let _ = writeln!(err, "{}", shown(&message));
                end = End::Failed;
            }
        }
    }
    end
}

/// A file itself, or all scripts of a folder and the folders in it. What is hidden and what links lead to is not looked
/// into: it is nobody's script, or somebody else's.
fn find_scripts(path: &Path, found: &mut BTreeSet<PathBuf>) -> io::Result<()> {
    if !fs::metadata(path)?.is_dir() {
        found.insert(path.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        let path = entry.path();
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        if kind.is_dir() {
            find_scripts(&path, found)?;
        } else if kind.is_file() && path.extension().is_some_and(|extension| extension == "wander") {
            found.insert(path);
        }
    }
    Ok(())
}

/// Formats one file and says whether its text changes; the error is what people read.
fn format_file(path: &Path, check: bool) -> Result<bool, String> {
    let source =
        fs::read_to_string(path).map_err(|error| format!("{} cannot be read: {error}", name(path)))?;
    let text = wander::format(&source).map_err(|found| problems(&found, path, &source))?;
    if text == source {
        return Ok(false);
    }
    if !check {
        replace(path, &text)
            .map_err(|error| format!("{} cannot be written, it is as it was before: {error}", name(path)))?;
    }
    Ok(true)
}

/// What is wrong with a file, as `skywalker check` writes it.
fn problems(found: &[Diagnostic], path: &Path, source: &str) -> String {
    let texts: Vec<String> = found
        .iter()
        .map(|diagnostic| {
            let severity = match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            };
            format!("{severity} {}\n", diagnostic.to_problem(&name(path), source))
        })
        .collect();
    texts.join("\n")
}

/// The path as it is shown; everything in the current folder goes without saying so.
fn name(path: &Path) -> String {
    let short = path.strip_prefix(".").ok().filter(|short| !short.as_os_str().is_empty());
    shown(&short.unwrap_or(path).display().to_string())
}

/// Puts the text in the place of the file, so that a reader finds the old one or the new one, whole.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    // A link stays: what it leads to is replaced.
    let path = fs::canonicalize(path)?;
    let permissions = fs::metadata(&path)?.permissions();
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let temporary = path.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
    let written = OpenOptions::new().write(true).create_new(true).open(&temporary).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.set_permissions(permissions)?;
        file.sync_all()?;
        fs::rename(&temporary, &path)
    });
    if written.is_err() {
        // What is left of it is of no use; the first error is the one that counts.
        let _ = fs::remove_file(&temporary);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    const UGLY: &str = "fn f()\nreturn  1\nend\n";
    const GOOD: &str = "fn f()\n  return 1\nend\n";

    /// A folder of these files.
    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    /// What formatting these paths of a folder says; the folder's own path is taken out.
    fn formatted(folder: &Path, paths: &[&str], check: bool) -> (End, String, String) {
        let paths: Vec<PathBuf> = paths.iter().map(|path| folder.join(path)).collect();
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let end = format_all(&paths, check, &mut out, &mut err);
        let text = |bytes| String::from_utf8(bytes).unwrap().replace(&format!("{}/", folder.display()), "");
        (end, text(out), text(err))
    }

    fn read(folder: &Path, path: &str) -> String {
        fs::read_to_string(folder.join(path)).unwrap()
    }

    #[test]
    fn scripts_of_a_folder_are_formatted_and_the_changed_ones_named() {
        let folder = folder(&[
            ("scripts/b.wander", UGLY),
            ("scripts/lib/a.wander", UGLY),
            ("scripts/good.wander", GOOD),
            ("scripts/note.txt", UGLY),
            (".hidden/c.wander", UGLY),
        ]);
        let root = folder.path();
        let changed = "scripts/b.wander\nscripts/lib/a.wander\n";
        assert_eq!(formatted(root, &[""], false), (End::Good, changed.to_owned(), String::new()));
        assert_eq!(read(root, "scripts/b.wander"), GOOD);
        assert_eq!(read(root, "scripts/lib/a.wander"), GOOD);
        for untouched in ["scripts/note.txt", ".hidden/c.wander"] {
            assert_eq!(read(root, untouched), UGLY);
        }
        assert_eq!(fs::read_dir(root.join("scripts")).unwrap().count(), 4, "nothing is left behind");
        assert_eq!(formatted(root, &[""], false), (End::Good, String::new(), String::new()));
    }

    #[test]
    fn check_names_what_would_change_and_writes_nothing() {
        let folder = folder(&[("a.wander", UGLY), ("b.wander", GOOD)]);
        let (end, out, err) = formatted(folder.path(), &["a.wander", "b.wander", "a.wander"], true);
        assert_eq!((end, out.as_str(), err.as_str()), (End::Failed, "a.wander\n", ""));
        assert_eq!(read(folder.path(), "a.wander"), UGLY);
        assert_eq!(formatted(folder.path(), &["b.wander"], true).0, End::Good);
    }

    #[test]
    fn faults_are_printed_and_the_other_files_formatted() {
        let folder = folder(&[("a.wander", "fn f(\n"), ("b.wander", UGLY)]);
        let (end, out, err) = formatted(folder.path(), &["", "none.wander"], false);
        assert_eq!((end, out.as_str()), (End::Failed, "b.wander\n"));
        assert!(err.contains("error E101: ") && err.contains(" · a.wander:"), "{err}");
        assert!(err.contains("none.wander cannot be read: "), "{err}");
        assert_eq!(read(folder.path(), "a.wander"), "fn f(\n");
        assert_eq!(read(folder.path(), "b.wander"), GOOD);
    }

    #[test]
    fn a_folder_without_scripts_is_no_fault() {
        let folder = folder(&[("a.txt", UGLY)]);
        let (end, out, err) = formatted(folder.path(), &[""], false);
        assert_eq!((end, out.as_str(), err.as_str()), (End::Good, "", "there are no scripts here\n"));
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::PermissionsExt;

        let folder = folder(&[("a.wander", UGLY)]);
        let (file, link) = (folder.path().join("a.wander"), folder.path().join("link.wander"));
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink("a.wander", &link).unwrap();
        assert_eq!(formatted(folder.path(), &["link.wander"], false).1, "link.wander\n");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(read(folder.path(), "a.wander"), GOOD);
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    }
}
