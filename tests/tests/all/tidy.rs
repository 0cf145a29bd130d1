//! The project's own order: crate edges, file headers, names, links.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

/// Every file of the project that git knows, as paths from the root.
fn files() -> Vec<String> {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .unwrap();
    let all = String::from_utf8(output.stdout).unwrap();
    all.lines().map(str::to_owned).filter(|path| root().join(path).is_file()).collect()
}

fn text(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

fn rust_files() -> Vec<String> {
    files().into_iter().filter(|path| path.ends_with(".rs")).collect()
}

#[test]
fn crates_know_only_whom_the_architecture_allows() {
    let page = text("docs/ARCHITECTURE.md");
    let section =
        page.split("## Allowed crate edges").nth(1).expect("docs/ARCHITECTURE.md lists the allowed edges");
    let allowed: BTreeMap<&str, BTreeSet<&str>> = section
        .lines()
        .take_while(|line| !line.starts_with("## "))
        .filter(|line| line.starts_with("    "))
        .filter_map(|line| line.trim().split_once(':'))
        .map(|(name, edges)| (name, edges.split_whitespace().collect()))
        .collect();
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(root())
        .output()
        .unwrap();
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let ours: BTreeSet<&str> = packages.iter().map(|package| package["name"].as_str().unwrap()).collect();
    for package in packages {
        let name = package["name"].as_str().unwrap();
        if name == "tests" {
            continue;
        }
        let edges = allowed
            .get(name)
            .unwrap_or_else(|| panic!("{name} is missing from the edges in docs/ARCHITECTURE.md"));
        for dependency in package["dependencies"].as_array().unwrap() {
            // What a crate's own tests use is no edge of the crate.
            if dependency["kind"].is_string() {
                continue;
            }
            let to = dependency["name"].as_str().unwrap();
            assert!(
                !ours.contains(to) || edges.contains(to),
                "{name} must not know {to}: take the dependency out, or allow the edge in docs/ARCHITECTURE.md"
            );
        }
    }
}

#[test]
fn every_rust_file_says_at_its_top_what_lives_in_it() {
    for path in rust_files() {
        assert!(text(&path).starts_with("//!"), "{path} must open with `//!` and what lives in it");
        assert!(!path.ends_with("/mod.rs"), "{path}: write `foo.rs` beside `foo/`");
        let name = path.rsplit('/').next().unwrap();
        for vague in ["utils.rs", "helpers.rs", "common.rs", "misc.rs", "manager.rs"] {
            assert_ne!(name, vague, "{path} needs a name that says what is in it");
        }
    }
}

#[test]
fn every_exception_from_a_lint_has_its_reason() {
    for path in rust_files().into_iter().filter(|path| !path.ends_with("tidy.rs")) {
        let text = text(&path);
        for marker in ["#[allow(", "#![allow(", "#[expect("] {
            for part in text.split(marker).skip(1) {
                let inside = part.split(")]").next().unwrap();
                assert!(inside.contains("reason"), "{path}: `{marker}` without a reason");
            }
        }
    }
}

#[test]
fn every_tool_is_a_file_that_its_group_lists() {
    for path in files() {
        let Some(inner) = path.strip_prefix("engine/tools/src/builtin/") else { continue };
        let Some((group, verb)) = inner.split_once('/') else { continue };
        let verb = verb.strip_suffix(".rs").unwrap();
        let list = text(&format!("engine/tools/src/builtin/{group}.rs"));
        assert!(list.contains(&format!("mod {verb};")), "{path} is not listed in builtin/{group}.rs");
    }
}

#[test]
fn links_in_documents_lead_somewhere() {
    for path in files().into_iter().filter(|path| path.ends_with(".md")) {
        let folder = root().join(&path).parent().unwrap().to_path_buf();
        for part in text(&path).split("](").skip(1) {
            let link = part.split(')').next().unwrap();
            if link.contains("://") {
                continue;
            }
            let (target, place) = link.split_once('#').unwrap_or((link, ""));
            let file = if target.is_empty() { root().join(&path) } else { folder.join(target) };
            assert!(file.exists(), "{path} links to {target}, which is not there");
            let is_there = place.is_empty()
                || std::fs::read_to_string(&file).unwrap().lines().any(|line| anchor(line) == place);
            assert!(is_there, "{path} links to {link}, and there is no such heading");
        }
    }
}

/// What links call a heading: its words in small letters with `-` between them; nothing for another line.
fn anchor(line: &str) -> String {
    let heading = line.strip_prefix('#').map(|line| line.trim_start_matches('#').trim()).unwrap_or_default();
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

#[test]
fn the_top_of_the_project_holds_what_it_should() {
    let allowed: BTreeSet<&str> = [
        "Cargo.toml",
        "Cargo.lock",
        "README.md",
        "CHANGELOG.md",
        "LICENSE-APACHE",
        "LICENSE-MIT",
        "Makefile",
        "clippy.toml",
        "rustfmt.toml",
        "deny.toml",
        ".gitignore",
        ".ci",
        "player",
        "engine",
        "tests",
        "assets",
        "shaders",
        "docs",
        "cli",
        "python",
    ]
    .into();
    for path in files() {
        let top = path.split('/').next().unwrap();
        assert!(allowed.contains(top), "{path} has no place at the top of the project");
    }
}
