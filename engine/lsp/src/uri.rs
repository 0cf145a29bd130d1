//! Addresses of files, as editors write them.

use std::path::{Path, PathBuf};

use lsp_types::Uri;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// What may stand in a path as it is.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// The path of a file's address; nothing of another kind of address.
pub(crate) fn to_path(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_str().strip_prefix("file://")?;
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    if !rest.starts_with('/') {
        return None;
    }
    let path = percent_decode_str(rest).decode_utf8().ok()?.into_owned();
    // `/C:/games` is a path of a drive.
    let is_drive = cfg!(windows) && path.get(2..3) == Some(":");
    Some(PathBuf::from(if is_drive { path.trim_start_matches('/') } else { &path }))
}

/// The address of a file.
pub(crate) fn from_path(path: &Path) -> Option<Uri> {
    let path = path.to_str()?.replace('\\', "/");
    let slash = if path.starts_with('/') { "" } else { "/" };
    format!("file://{slash}{}", utf8_percent_encode(&path, PLAIN)).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_paths_are_the_same_there_and_back() {
        for path in ["/games/keep/a.wander", "/my games/é 100%/#1?.wander", "/a+b/c.wander"] {
            let uri = from_path(Path::new(path)).unwrap();
            assert_eq!(to_path(&uri).as_deref(), Some(Path::new(path)), "{}", uri.as_str());
        }
        let other: Uri = "untitled:Untitled-1".parse().unwrap();
        assert_eq!(to_path(&other), None);
        // Editors encode what need not be.
        let encoded: Uri = "file:///a%2Db/%63.wander".parse().unwrap();
        assert_eq!(to_path(&encoded).as_deref(), Some(Path::new("/a-b/c.wander")));
    }
}
