//! The sample game: nothing is wrong with it, it can be won, and it does the same twice.

use std::path::Path;
use std::time::Instant;

use runtime::{Engine, EngineOptions, Mode, StepInput};
use sim::InputEvent;

pub fn game() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets/games/lantern-keep")
}

fn open() -> Engine {
    let options = EngineOptions { mode: Mode::Paused, ..EngineOptions::default() };
    Engine::open(&game(), &options).unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// Inputs that wander about: which action is held how, by tick.
fn events(tick: u64) -> Vec<InputEvent> {
    let hold = |action: &str, value: f32, hold| InputEvent::Action { action: action.to_owned(), value, hold };
    match tick % 90 {
        3 => vec![hold("move_z", if tick % 360 < 180 { 1.0 } else { -1.0 }, 50)],
        20 => vec![hold("jump", 1.0, 12)],
        40 => vec![hold("move_x", if tick % 270 < 120 { 1.0 } else { -1.0 }, 40)],
        70 => vec![hold("jump", 1.0, 3)],
        _ => Vec::new(),
    }
}

/// The hash of the world every 60 ticks.
fn hashes(engine: &mut Engine, ticks: u64) -> Vec<String> {
    let mut hashes = Vec::new();
    for tick in 0..ticks {
        engine.world_mut().tick(&events(tick));
        if tick % 60 == 59 {
            hashes.push(scene::digest::text(engine.world().hash()));
        }
    }
    hashes
}

#[test]
fn nothing_is_wrong_with_the_sample_game() {
    let mut engine = open();
    hashes(&mut engine, 600);
    let (lines, _) = engine.log.after(0);
    let bad: Vec<String> =
        lines.filter(|line| line.level > runtime::Level::Info).map(|line| line.text.clone()).collect();
    assert_eq!(bad, Vec::<String>::new());
    let problems = runtime::compile_scripts(engine.project()).1;
    assert_eq!(problems, []);
}

#[test]
fn numbers_beyond_the_world_and_scripts_that_are_no_text_are_told() {
    let folder = tempfile::tempdir().unwrap();
    super::tools::copy(&game(), folder.path());
    let scene = folder.path().join("scenes/keep.scene.json");
    let text = std::fs::read_to_string(&scene).unwrap();
    std::fs::write(&scene, text.replace("[0, -0.5, 0]", "[1e300, -0.5, 0]")).unwrap();
    let (project, problems) = project::Project::load(folder.path());
    assert!(project.is_none());
    let problem = problems
        .iter()
        .find(|problem| problem.message.contains("1e+300") || problem.message.contains("1e300"));
    let path =
        problem.and_then(|problem| problem.place.path.clone()).unwrap_or_else(|| panic!("{problems:?}"));
    assert!(path.ends_with("components.transform.position[0]"), "{path}");

    std::fs::write(&scene, text).unwrap();
    std::fs::write(folder.path().join("scripts/hero.wander"), b"\xff\xfe on start()\n").unwrap();
    let (project, problems) = project::Project::load(folder.path());
    assert_eq!(problems, []);
    let problems = runtime::compile_scripts(&project.unwrap()).1;
    assert!(
        problems.iter().any(|problem| problem.place.file.as_deref() == Some("scripts/hero.wander")),
        "{problems:?}"
    );
}

#[test]
fn a_minute_of_the_sample_game_is_the_same_twice() {
    let first = hashes(&mut open(), 3_600);
    let second = hashes(&mut open(), 3_600);
    assert_eq!(first.len(), 60);
    assert_eq!(first, second);
    let different: std::collections::BTreeSet<&String> = first.iter().collect();
    assert_eq!(different.len(), 60, "the world stands still");
}

/// Where an entity of that name is.
fn place(engine: &Engine, name: &str) -> [f32; 3] {
    let id = engine.world().scene().find_named(name).unwrap();
    engine.world().poses().get(id).unwrap().position.to_array()
}

#[test]
fn the_hero_gathers_a_flame_and_is_told_how_many_are_missing() {
    let mut engine = open();
    let mut said = Vec::new();
    // Straight to the first flame, which lies right of and before where the hero begins.
    for _ in 0..240 {
        let (hero, flame) = (place(&engine, "Hero"), [3.0, 0.9, 4.0]);
        let toward = |from: f32, to: f32| (to - from).clamp(-1.0, 1.0);
        let hold =
            |action: &str, value: f32| InputEvent::Action { action: action.to_owned(), value, hold: 1 };
        let events = [hold("move_x", toward(hero[0], flame[0])), hold("move_z", -toward(hero[2], flame[2]))];
        said.extend(engine.world_mut().tick(&events).log.into_iter().map(|line| line.text));
    }
    assert!(said.contains(&"flame 1 of 7".to_owned()), "{said:?}");
    assert!(engine.world().scene().find_named("Flame 1").is_err(), "the flame is taken");
    let shown = format!("{:?}", engine.world().hud());
    assert!(shown.contains("Flames 1 / 7"), "{shown}");
}

/// A player with eyes: walks from place to place, jumps where told, waits where told.
struct Bot {
    engine: Engine,
}

/// How a bot goes to the next place.
#[derive(Clone, Copy)]
enum Way {
    Walk,
    /// Jumps at once and steers in the air.
    Jump,
    /// Walks once the named entity is at or below (-1) or at or above (1) a height.
    After(&'static str, f32, f32),
}

impl Bot {
    /// One tick with these actions held.
    fn tick(&mut self, held: &[(&str, f32)]) {
        let inputs = held
            .iter()
            .map(|(action, value)| {
                let event = InputEvent::Action { action: (*action).to_owned(), value: *value, hold: 1 };
                StepInput { at: 0, event }
            })
            .collect();
        let ticket = self.engine.order_step(1, inputs, None);
        while self.engine.take_step(&ticket).is_none() {
            self.engine.advance(Instant::now());
        }
    }

    /// What the game printed.
    fn said(&self) -> Vec<String> {
        self.engine.log.after(0).0.map(|line| line.text.clone()).collect()
    }

    /// Goes to a place on the ground plan, unless the game is over; gives up after 10 seconds.
    fn go(&mut self, x: f32, z: f32, way: Way) {
        let mut left_ground = 0;
        for tick in 0..600 {
            let hero = place(&self.engine, "Hero");
            let (dx, dz) = (x - hero[0], z - hero[2]);
            let distance = dx.hypot(dz);
            if self.result() != "playing" {
                return;
            }
            if distance < 0.3 && (tick > 45 || !matches!(way, Way::Jump)) {
                return;
            }
            if let Way::After(name, height, side) = way
                && left_ground == 0
            {
                if (place(&self.engine, name)[1] - height) * side < 0.0 {
                    self.tick(&[]);
                    continue;
                }
                left_ground = 1;
            }
            let speed = (distance * 3.0).min(1.0) / distance.max(0.001);
            let mut held = vec![("move_x", dx * speed), ("move_z", -dz * speed)];
            if matches!(way, Way::Jump) && tick < 40 {
                held.push(("jump", 1.0));
            }
            self.tick(&held);
        }
        panic!("never came to {x}, {z}; is at {:?}; {:?}", place(&self.engine, "Hero"), self.said());
    }

    fn result(&self) -> serde_json::Value {
        let scene = self.engine.world().scene();
        let game = scene.data(scene.find_named("Game").unwrap()).unwrap();
        game.entity.vars.get("result").unwrap().to_json()
    }
}

#[test]
fn the_game_can_be_won_by_hand() {
    let mut bot = Bot { engine: open() };
    let tour = [
        // The flames on the ground, around the blade.
        (3.0, 4.0, Way::Walk),
        (-3.5, 4.2, Way::Walk),
        (-3.5, 1.3, Way::Walk),
        (-3.5, 5.7, Way::Walk),
        (-8.7, 4.6, Way::Walk),
        // Around behind the courtyard to the right side.
        (-6.5, -4.5, Way::Walk),
        (0.0, -5.5, Way::Walk),
        (5.5, -5.0, Way::Walk),
        (8.0, -3.0, Way::Walk),
        // Up with the lift, to the ledge and back.
        (11.0, 0.0, Way::Walk),
        (9.0, 1.2, Way::After("Lift", 0.4, -1.0)),
        (9.0, 3.0, Way::Jump),
        (9.0, 6.0, Way::After("Lift", 2.0, 1.0)),
        (7.0, 3.5, Way::Walk),
        (8.0, -3.0, Way::Walk),
        (5.5, -5.0, Way::Walk),
        (0.0, -5.5, Way::Walk),
        // Up the steps to the keep.
        (-3.5, -5.5, Way::Walk),
        (-5.0, -6.0, Way::Jump),
        (-7.5, -8.5, Way::Jump),
        (-4.5, -10.0, Way::Jump),
        (-1.5, -10.5, Way::Jump),
        (1.5, -10.5, Way::Jump),
        (4.0, -10.0, Way::Jump),
    ];
    for (x, z, way) in tour {
        bot.go(x, z, way);
    }
    assert_eq!(bot.result(), "won", "{:?}", bot.said());
    assert!(place(&bot.engine, "Hero")[1] > 4.0, "the beacon is lit from the top of the keep");
    let shown = format!("{:?}", bot.engine.world().hud());
    assert!(shown.contains("The beacon burns!"), "{shown}");
}

#[test]
fn the_game_can_be_lost_and_begun_again() {
    let mut bot = Bot { engine: open() };
    bot.go(-6.9, 5.0, Way::Walk);
    // To and fro over the spikes until no heart is left.
    for turn in 0..20 {
        bot.go(if turn % 2 == 0 { -9.5 } else { -6.5 }, -2.0, Way::Walk);
    }
    assert_eq!(bot.result(), "lost", "{:?}", bot.said());
    let shown = format!("{:?}", bot.engine.world().hud());
    assert!(shown.contains("Hearts 0") && shown.contains("Press R"), "{shown}");

    bot.tick(&[("restart", 1.0)]);
    bot.tick(&[]);
    assert_eq!(bot.result(), "playing");
    assert_eq!(place(&bot.engine, "Hero")[2].round(), 8.0, "the hero is back at the start");
    let shown = format!("{:?}", bot.engine.world().hud());
    assert!(shown.contains("Hearts 3") && !shown.contains("Press R"), "{shown}");
}
