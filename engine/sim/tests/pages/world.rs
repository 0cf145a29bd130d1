//! The small world in which programs of the pages run.

use std::path::Path;
use std::sync::Arc;

use project::{Assets, Project};
use scene::hud::HudContent;
use sim::{ContentBuilder, InputEvent, LogKind, World};
use wander::{Kind, Loader};

use crate::pages::is_entity_script;

/// Ticks that a program runs for.
const TICKS: u64 = 120;

/// The tick in which `jump` goes down, and for how many it is held.
const JUMP: (u64, u64) = (10, 3);

const GAME: &str = r#"{"name": "Pages", "id": "pages", "mainScene": "scenes/keep.scene.json",
    "input": {"actions": {"jump": {"keys": ["Space"]}, "go": {"axis": [["KeyA"], ["KeyD"]]}}}}"#;

const SCENE: &str = r#"{"format": 1, "entities": [
    {"id": 1, "name": "Floor", "components": {"transform": {"position": [0, -0.5, 0]}, "collider": {"size": [40, 1, 40]}}},
    {"id": 2, "name": "Hero", "tags": ["player"], "components": {
        "transform": {"position": [0, 1, 0]}, "collider": {"shape": "capsule", "radius": 0.3, "height": 1.2},
        "mesh": {"model": "capsule"}, "body": {"kind": "character"}, "script": {"file": "scripts/hero.wander"}}},
    {"id": 3, "name": "Ghost", "tags": ["enemy"], "vars": {"hp": 2}, "components": {"transform": {"position": [3, 1, 0]}}},
    {"id": 4, "name": "Crate", "tags": ["crate"], "components": {
        "transform": {"position": [0, 0.5, -4]}, "collider": {}, "body": {"mass": 100}}},
    {"id": 5, "name": "Lamp", "parent": 2, "components": {"transform": {"position": [0, 2, 0]}, "light": {"intensity": 5}}},
    {"id": 6, "name": "Zone", "components": {
        "transform": {"position": [8, 1, 8]}, "collider": {"size": [2, 2, 2], "sensor": true}}}]}"#;

/// What came of a program.
#[derive(Debug, Default, PartialEq)]
pub struct Run {
    /// What the compiler found, as people read it.
    pub findings: Vec<String>,
    /// What was written to the log, errors included.
    pub printed: Vec<String>,
    /// Those lines of it that are errors.
    pub errors: Vec<String>,
}

/// The files of a program with their paths. A line such as `-- scripts/lib/door.wander` begins a file; the first
/// needs none.
pub fn files(program: &str) -> Vec<(String, String)> {
    let usual = if is_entity_script(program) { "scripts/hero.wander" } else { "scripts/lib/example.wander" };
    let mut files: Vec<(String, String)> = Vec::new();
    for line in program.lines() {
        let path = line.strip_prefix("-- ").filter(|path| path.ends_with(".wander"));
        if path.is_some() || files.is_empty() {
            files.push((path.unwrap_or(usual).to_owned(), String::new()));
        }
        let (_, text) = files.last_mut().unwrap();
        text.push_str(line);
        text.push('\n');
    }
    files
}

/// Runs a program: as the script of Hero, or as a module that Hero's script uses; a tool is called with `given`.
pub fn run(program: &str, given: &str) -> Run {
    let mut files = files(program);
    let (first, source) = files[0].clone();
    let kind = if first.starts_with("tools/") { Kind::Tool } else { sim::kind_of(&first) };
    let mut run = Run { findings: findings(kind, &files), ..Run::default() };
    if files.iter().all(|(path, _)| path != "scripts/hero.wander") {
        let name = first.trim_start_matches("scripts/").trim_end_matches(".wander").to_owned();
        let (name, call) = match kind {
            Kind::Tool => {
                files.push(("scripts/lib/tool.wander".to_owned(), source));
                ("lib/tool".to_owned(), format!("\non start()\n  print(tool.run({given}))\nend"))
            }
            _ => (name, String::new()),
        };
        files.push(("scripts/hero.wander".to_owned(), format!("use \"{name}\"{call}\n")));
    }
    if run.findings.iter().any(|finding| finding.starts_with('E')) {
        return run;
    }
    let mut world = world(&files);
    for tick in 0..TICKS {
        let (start, hold) = JUMP;
        let jump = InputEvent::Action { action: "jump".into(), value: 1.0, hold };
        let events = if tick == start { vec![jump] } else { vec![] };
        let log = world.tick(&events).log;
        for line in log {
            run.printed.extend(line.text.lines().map(str::to_owned));
            if line.kind == LogKind::Error {
                run.errors.push(line.text);
            }
        }
    }
    // What is seen and heard at the end.
    for (id, item) in world.hud().items.iter().filter(|(_, item)| item.visible) {
        let content = match &item.content {
            HudContent::Text(text) => format!("text {text}"),
            HudContent::Bar(part) => format!("bar {part}"),
            HudContent::Image(path) => format!("image {path}"),
            other => format!("{other:?}").to_lowercase(),
        };
        run.printed.push(format!("{id}: {content}"));
    }
    for voice in &world.sounds().voices {
        run.printed.push(format!("{}: {}, volume {}", voice.bus, voice.clip, voice.volume));
    }
    run
}

/// What the compiler says about the files of a program.
fn findings(kind: Kind, files: &[(String, String)]) -> Vec<String> {
    let environment = sim::script_environment();
    let read = |name: &str| {
        let path = format!("scripts/{name}.wander");
        files.iter().find(|(own, _)| *own == path).cloned()
    };
    let mut loader = Loader::new(&environment, &read);
    let (path, source) = &files[0];
    loader.compile(kind, path, source);
    let of_file = |file: &wander::front::FileDiagnostics| -> Vec<String> {
        file.diagnostics.iter().map(|finding| finding.render(&file.path, &file.source)).collect()
    };
    loader.findings.iter().flat_map(of_file).collect()
}

fn world(files: &[(String, String)]) -> World {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| write(folder.path(), path, text);
    write("game.json", GAME);
    write("scenes/keep.scene.json", SCENE);
    for (path, text) in files {
        write(path, text);
    }
    let (project, problems) = Project::load(folder.path());
    assert_eq!(problems, []);
    let project = project.unwrap();
    let (assets, problems) = Assets::load(&project);
    assert_eq!(problems, []);
    let (content, found) = ContentBuilder::build(&project, &assets, Default::default());
    let (world, problems) = World::new(Arc::new(content), project.main_scene(), "keep", 5);
    assert_eq!(problems, [], "{found:?}");
    world
}

fn write(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}
