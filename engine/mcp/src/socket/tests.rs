//! Birth and death of sockets on a real file system.

use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;

use super::*;

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().mode() & 0o777
}

fn error(path: &Path) -> String {
    bind(path).unwrap_err().to_string()
}

#[test]
fn a_socket_is_private_has_one_owner_and_goes_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run/deep/a.sock");
    let owned = bind(&path).unwrap();
    assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
    assert_eq!(mode(&path.with_extension("sock.lock")), 0o600);
    assert!(UnixStream::connect(&path).is_ok());
    let second = error(&path);
    let expected = format!("another engine serves this socket (pid {})", std::process::id());
    assert!(second.contains(&expected), "{second}");
    assert!(path.exists(), "the second owner took nothing away");
    drop(owned);
    assert!(!path.exists());
    assert!(bind(&path).is_ok());
}

#[test]
fn a_socket_that_a_dead_engine_left_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sock");
    drop(UnixListener::bind(&path).unwrap());
    assert!(path.exists() && UnixStream::connect(&path).is_err());
    let _owned = bind(&path).unwrap();
    assert!(UnixStream::connect(&path).is_ok());
}

#[test]
fn a_socket_that_answers_is_kept_even_without_a_lock() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sock");
    let _other = UnixListener::bind(&path).unwrap();
    assert!(error(&path).contains("something answers there already"), "{}", error(&path));
    assert!(UnixStream::connect(&path).is_ok());
}

#[test]
fn files_and_links_of_that_name_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sock");
    std::fs::write(&path, "precious").unwrap();
    assert!(error(&path).contains("no socket of ours; it is left alone"), "{}", error(&path));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "precious");

    let link = folder.path().join("b.sock");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    assert!(error(&link).contains("left alone"));
    assert!(link.is_symlink());

    let locked = folder.path().join("c.sock");
    std::os::unix::fs::symlink(&path, folder.path().join("c.sock.lock")).unwrap();
    assert!(error(&locked).contains("its lock"), "{}", error(&locked));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "precious");
}

#[test]
fn a_socket_that_was_replaced_meanwhile_is_not_taken_away() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sock");
    let owned = bind(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    std::fs::write(&path, "somebody else's").unwrap();
    drop(owned);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "somebody else's");
}

#[test]
fn unsafe_folders_and_impossible_paths_are_refused_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    for open in [0o777, 0o770, 0o1777] {
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(open)).unwrap();
        let refused = error(&folder.path().join("a.sock"));
        assert!(refused.contains("others can write to its folder"), "{refused}");
    }
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let room = MOST_PATH - folder.path().as_os_str().len() - 1;
    let long = error(&folder.path().join("x".repeat(room + 1)));
    assert!(long.contains("its path has 108 bytes and 107 are possible"), "{long}");
    let longest = folder.path().join("x".repeat(room));
    let _owned = bind(&longest).unwrap();
    assert!(UnixStream::connect(&longest).is_ok());
    std::fs::write(folder.path().join("file"), "").unwrap();
    assert!(error(&folder.path().join("file/a.sock")).contains("is no folder"));
}
