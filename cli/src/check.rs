//! `skywalker check PROJECT`: everything that is wrong with a project, all at once.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use base::{Problem, Severity};
use project::{Assets, Project, references};
use wander::Program;

/// Compiles the scripts of a project: programs by path, and what is wrong with the others. What scripts may use is
/// known above this crate's floor, so whoever calls brings it.
pub type CompileScripts<'a> = &'a dyn Fn(&Project) -> (BTreeMap<String, Arc<Program>>, Vec<Problem>);

/// Prints every problem of a project, one block each, and how many there are. Fails where one of them is an error;
/// warnings alone do not.
pub fn run(root: &Path, compile_scripts: CompileScripts<'_>, out: &mut dyn Write) -> io::Result<ExitCode> {
    let (project, problems) = check(root, compile_scripts);
    for problem in &problems {
        let severity = match problem.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        writeln!(out, "{severity} {}\n", printable(problem))?;
    }
    let errors = problems.iter().filter(|problem| problem.severity == Severity::Error).count();
    let warnings = problems.len() - errors;
    match (&project, problems.is_empty()) {
        (Some(project), true) => writeln!(
            out,
            "{}: nothing is wrong ({}, {}, {})",
            escape(&project.settings.name),
            count(project.scenes.len(), "scene"),
            count(project.scripts.len(), "script"),
            count(project.assets.len(), "asset")
        )?,
        (Some(_), false) => writeln!(out, "{}, {}", count(errors, "error"), count(warnings, "warning"))?,
        (None, _) => writeln!(
            out,
            "{}, {}: it cannot be played before they are mended",
            count(errors, "error"),
            count(warnings, "warning")
        )?,
    }
    Ok(if errors == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Everything that is wrong with a project: its settings, scenes, assets and scripts. The project comes where it can
/// be played.
pub fn check(root: &Path, compile_scripts: CompileScripts<'_>) -> (Option<Project>, Vec<Problem>) {
    let (project, mut problems) = Project::load(root);
    if let Some(project) = &project {
        let (assets, found) = Assets::load(project);
        problems.extend(found);
        problems.extend(references::check_clips(project, &assets));
        let (programs, found) = compile_scripts(project);
        problems.extend(found);
        problems.extend(references::check_props(project, &|path| {
            Some(programs.get(path)?.props.iter().map(|prop| prop.name.clone()).collect())
        }));
    }
    (project, problems)
}

fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// The problem without anything that would move a terminal's cursor or turn its text around: projects come from
/// anywhere, and so do the names in them.
fn printable(problem: &Problem) -> Problem {
    let mut shown = problem.clone();
    shown.message = escape(&shown.message);
    shown.hint = shown.hint.as_deref().map(escape);
    shown.place.file = shown.place.file.as_deref().map(escape);
    shown.place.path = shown.place.path.as_deref().map(escape);
    shown
}

fn escape(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        let turns = matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if letter.is_control() || turns {
            shown.extend(letter.escape_default());
        } else {
            shown.push(letter);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENE: &str = r#"{"format": 1, "entities": [{"id": 1, "name": "Hero", "components": {
        "mesh": {"model": "models/hero.glb"}, "script": {"file": "scripts/hero.wander", "props": {"sped": 4}}}}]}"#;

    /// The project of these files, checked.
    fn checked(files: &[(&str, &str)]) -> (String, bool) {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let compile = |project: &Project| {
            let environment = wander::Environment::default();
            let read = |name: &str| project.read_script(name);
            let mut loader = wander::Loader::new(&environment, &read);
            let mut programs = BTreeMap::new();
            for path in &project.scripts {
                programs
                    .extend(loader.load(wander::Kind::Entity, path).map(|program| (path.clone(), program)));
            }
            let problems = loader.findings.iter().flat_map(|file| file.problems()).collect();
            (programs, problems)
        };
        let mut out = Vec::new();
        let code = run(folder.path(), &compile, &mut out).unwrap();
        (String::from_utf8(out).unwrap(), code == ExitCode::SUCCESS)
    }

    #[test]
    fn faults_of_scenes_assets_and_scripts_are_printed_together() {
        let game = r#"{"name": "Test", "id": "test", "mainScene": "scenes/main.scene.json"}"#;
        let (text, ok) = checked(&[
            ("game.json", game),
            ("scenes/main.scene.json", SCENE),
            ("scripts/hero.wander", "prop speed = 3\n"),
            ("scripts/other.wander", "fn f()\n  return unknwon\nend\n"),
            ("assets/models/heor.glb", "glTF"),
        ]);
        assert!(!ok);
        for part in [
            "error missing_file: there is no model `models/hero.glb` in `assets/` · scenes/main.scene.json entities[0].components.mesh.model\n  hint: did you mean `models/heor.glb`?",
            "error bad_model: `models/heor.glb` cannot be used: it ends within its head · assets/models/heor.glb",
            "error unknown_prop: `scripts/hero.wander` has no `prop sped` · scenes/main.scene.json entities[0].components.script.props.sped\n  hint: did you mean `speed`?",
            "scripts/other.wander:2:",
            "4 errors, 0 warnings\n",
        ] {
            assert!(text.contains(part), "{text}\nlacks {part}");
        }
    }

    #[test]
    fn a_project_without_faults_succeeds_and_says_what_it_has() {
        let (text, ok) = checked(&[
            ("game.json", r#"{"name": "Test", "id": "test", "mainScene": "scenes/main.scene.json"}"#),
            ("scenes/main.scene.json", r#"{"format": 1, "entities": []}"#),
        ]);
        assert_eq!((text.as_str(), ok), ("Test: nothing is wrong (1 scene, 0 scripts, 0 assets)\n", true));
    }

    #[test]
    fn names_from_files_cannot_move_the_cursor() {
        let (text, ok) = checked(&[("game.json", "{\"a\\u001b[2J\\u202e\": 1}")]);
        assert!(!ok && text.contains("\\u{1b}[2J\\u{202e}") && !text.contains('\u{1b}'), "{text}");
        assert!(text.contains("it cannot be played"), "{text}");
    }
}
