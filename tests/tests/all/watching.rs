//! Scripts that another hand changes on the disk while the game runs.

use std::path::Path;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, bounded};
use runtime::{Engine, EngineOptions, Level, Mode};

use super::game::game;
use super::tools::copy;

/// A change is taken over within this time, or something is wrong.
const SOON: Duration = Duration::from_secs(20);

/// A paused game whose files are watched, and its loop's wakes.
struct Watched {
    engine: Engine,
    wakes: Receiver<()>,
    folder: tempfile::TempDir,
}

const FLAME: &str = "scripts/flame.wander";

impl Watched {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        copy(&game(), folder.path());
        let options = EngineOptions { mode: Mode::Paused, ..EngineOptions::default() };
        let mut engine = Engine::open(folder.path(), &options).unwrap();
        let (woken, wakes) = bounded(1);
        engine.watch_files(Duration::from_millis(20), move || {
            let _ = woken.try_send(());
        });
        engine.follow_files();
        engine.log.take_fresh();
        Self { engine, wakes, folder }
    }

    fn path(&self, path: &str) -> std::path::PathBuf {
        self.folder.path().join(path)
    }

    fn text(&self) -> String {
        std::fs::read_to_string(self.path(FLAME)).unwrap()
    }

    /// Turns of the loop, each after a wake, until something holds.
    fn until(&mut self, what: &str, holds: impl Fn(&Engine) -> bool) {
        let deadline = Instant::now() + SOON;
        while !holds(&self.engine) {
            assert!(self.wakes.recv_deadline(deadline).is_ok(), "not soon enough: {what}");
            self.engine.follow_files();
        }
    }

    /// New lines of the log that are about scripts.
    fn told(&mut self) -> Vec<(Level, String)> {
        let lines = self.engine.log.take_fresh();
        lines
            .into_iter()
            .filter(|line| line.source == "scripts")
            .map(|line| (line.level, line.text))
            .collect()
    }
}

fn variables(engine: &Engine) -> Vec<(String, serde_json::Value)> {
    let flame = engine.world().scene().find_named("Flame 1").unwrap();
    engine.world().script_variables(flame)
}

fn has(engine: &Engine, name: &str) -> bool {
    variables(engine).iter().any(|(known, _)| known == name)
}

#[test]
fn a_changed_script_is_taken_over_by_itself_and_its_variables_live_on() {
    let mut watched = Watched::new();
    let home = variables(&watched.engine);
    let text = watched.text();
    std::fs::write(watched.path(FLAME), format!("{text}\nlet fresh = 1\n")).unwrap();
    watched.until("written in place", |engine| has(engine, "fresh"));
    let now = variables(&watched.engine);
    assert!(home.iter().all(|known| now.contains(known)), "{home:?} {now:?}");
    let told = watched.told();
    assert!(told.len() == 1 && told[0].1.starts_with("took over scripts/flame.wander"), "{told:?}");

    // Editors write another file and rename it.
    let beside = watched.path("scripts/.flame.wander.new");
    std::fs::write(&beside, format!("{text}\nlet renamed = 1\n")).unwrap();
    std::fs::rename(&beside, watched.path(FLAME)).unwrap();
    watched.until("renamed over", |engine| has(engine, "renamed"));
}

#[test]
fn a_script_that_does_not_compile_is_told_of_once_and_the_old_code_goes_on() {
    let mut watched = Watched::new();
    let text = watched.text();
    std::fs::write(watched.path(FLAME), format!("{text}\nlet broken = \n")).unwrap();
    watched.until("broken", |engine| !engine.script_problems().is_empty());
    let told = watched.told();
    assert!(told.len() == 1 && told[0].0 == Level::Error && told[0].1.contains(FLAME), "{told:?}");
    assert!(!has(&watched.engine, "broken") && has(&watched.engine, "home"));

    // Another file changes: what is still wrong is not told again.
    std::fs::write(watched.path("scripts/other.wander"), "let other = 1\n").unwrap();
    watched.until("another", |engine| {
        engine.project().scripts.iter().any(|path| path.ends_with("other.wander"))
    });
    assert_eq!(watched.told().iter().filter(|(level, _)| *level == Level::Error).count(), 0);

    std::fs::write(watched.path(FLAME), format!("{text}\nlet mended = 1\n")).unwrap();
    watched.until("mended", |engine| has(engine, "mended"));
    assert_eq!(watched.engine.script_problems(), []);
}

#[test]
fn a_new_module_is_found_and_a_script_that_goes_keeps_its_code() {
    let mut watched = Watched::new();
    let text = watched.text();
    // The user is there before what it uses.
    std::fs::write(watched.path(FLAME), format!("use \"lib/glow\"\n{text}\nlet glow_now = glow.much()\n"))
        .unwrap();
    watched.until("used", |engine| engine.script_problems().iter().any(|problem| problem.code == "E217"));
    std::fs::write(watched.path("scripts/lib/glow.wander"), "fn much() => 7\n").unwrap();
    watched.until("new", |engine| has(engine, "glow_now"));
    watched.told();

    std::fs::remove_file(watched.path(FLAME)).unwrap();
    watched.until("gone", |engine| !engine.project().scripts.iter().any(|path| path == FLAME));
    assert!(has(&watched.engine, "glow_now"));
    let told = watched.told();
    assert_eq!(told, [(Level::Warning, format!("{FLAME} is gone; its code goes on (7 running)"))]);
}

#[test]
fn nothing_is_taken_over_where_nobody_watches() {
    let watched = Watched::new();
    let options = EngineOptions { mode: Mode::Paused, ..EngineOptions::default() };
    let mut engine = Engine::open(watched.folder.path(), &options).unwrap();
    std::fs::write(Path::new(watched.folder.path()).join(FLAME), "let other = 1\n").unwrap();
    assert!(!engine.follow_files());
    assert!(has(&engine, "home"));
}
