//! The sample game: nothing is wrong with it, it can be won, and it does the same twice.

use std::path::Path;

use runtime::{Engine, EngineOptions, Mode};
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
