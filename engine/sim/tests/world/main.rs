//! The world as a value: it falls, stands, notices, waits, and does the same twice.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may panic")]

mod acting;

use std::path::Path;
use std::sync::Arc;

use base::EntityId;
use project::{Assets, Project};
use scene::components::{Body, Transform};
use scene::history::Apply;
use scene::{ComponentKind, Edit};
use sim::{ContentBuilder, Expression, InputEvent, World};

fn write(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// A world of these entities and of one script, `scripts/main.wander`.
fn world(entities: &str, script: &str) -> World {
    let folder = tempfile::tempdir().unwrap();
    write(
        folder.path(),
        "game.json",
        r#"{"name": "T", "id": "t", "mainScene": "scenes/m.scene.json",
            "input": {"actions": {"jump": {"keys": ["Space"]}, "go": {"axis": [["KeyA"], ["KeyD"]]}}}}"#,
    );
    write(folder.path(), "scenes/m.scene.json", &format!(r#"{{"format": 1, "entities": [{entities}]}}"#));
    write(folder.path(), "scripts/main.wander", script);
    let (project, problems) = Project::load(folder.path());
    assert_eq!(problems, []);
    let project = project.unwrap();
    let (assets, problems) = Assets::load(&project);
    assert_eq!(problems, []);
    let (content, problems) = ContentBuilder::build(&project, &assets, Default::default());
    let texts: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(texts, Vec::<String>::new());
    let (world, problems) = World::new(Arc::new(content), project.main_scene(), "m", 5);
    assert_eq!(problems, []);
    world
}

const FLOOR: &str = r#"{"id": 1, "name": "Floor", "components": {"transform": {"position": [0, -0.5, 0]},
    "collider": {"size": [40, 1, 40]}}}"#;

fn id(number: u32) -> EntityId {
    EntityId::new(number).unwrap()
}

fn position(world: &World, number: u32) -> glam::Vec3 {
    world.scene().get::<Transform>(id(number)).unwrap().position
}

/// Runs ticks and gives what was logged.
fn run(world: &mut World, ticks: u32) -> Vec<String> {
    (0..ticks).flat_map(|_| world.tick(&[]).log).map(|line| line.text).collect()
}

const HERO: &str = r#"{"id": 2, "name": "Hero", "tags": ["player"], "components": {
    "transform": {"position": [0, 2, 0]}, "collider": {"shape": "capsule", "radius": 0.3, "height": 1.2},
    "body": {"kind": "character"}, "script": {"file": "scripts/main.wander", "props": {"speed": 3}}}}"#;

const WALK: &str = r#"
prop speed = 1
let fall = 0
on start()
  print("ready " + self.name)
  wait(0.5)
  print("waited")
end
on update(dt)
  if self.on_ground and input.pressed("jump") then fall = 6 end
  fall -= 20 * dt
  self.move((input.axis("go") * speed, fall, 0))
  if self.on_ground then fall = max(fall, 0) end
end
on enter(other)
  print("enter " + other.name)
end
on exit(other)
  print("exit " + other.name)
end
"#;

#[test]
fn a_body_falls_and_rests_and_the_same_world_twice_is_the_same() {
    let entities = format!(
        r#"{FLOOR}, {{"id": 3, "name": "Crate", "components": {{"transform": {{"position": [0.1, 3, 0]}}, "collider": {{}}, "body": {{}}}}}}"#
    );
    let mut first = world(&entities, "");
    let mut second = world(&entities, "");
    assert_eq!(first.hash(), second.hash());
    run(&mut first, 180);
    run(&mut second, 180);
    assert!((position(&first, 3).y - 0.5).abs() < 0.02, "{}", position(&first, 3));
    assert_eq!(first.hash(), second.hash());
    first.apply(Edit::SetVar(id(3), "x".into(), Some(scene::Var::Bool(true)))).unwrap();
    let differing: Vec<&str> = first
        .hash_parts()
        .iter()
        .zip(second.hash_parts())
        .filter(|(a, b)| a.1 != b.1)
        .map(|(a, _)| a.0)
        .collect();
    assert_eq!(differing, ["entities"]);
}

#[test]
fn a_character_stands_jumps_walks_into_a_wall_and_up_a_step() {
    let wall = r#"{"id": 3, "name": "Wall", "components": {"transform": {"position": [3, 1, 0]}, "collider": {"size": [1, 2, 10]}}},
        {"id": 4, "name": "Step", "components": {"transform": {"position": [-3, 0.1, 0]}, "collider": {"size": [2, 0.2, 10]}}}"#;
    let mut world = world(&format!("{FLOOR}, {HERO}, {wall}"), WALK);
    let log = run(&mut world, 60);
    assert_eq!(log, ["ready Hero", "waited"]);
    let standing = position(&world, 2).y;
    assert!((0.58..0.68).contains(&standing), "{standing}");
    world.tick(&[InputEvent::Action { action: "jump".into(), value: 1.0, hold: 1 }]);
    run(&mut world, 12);
    assert!(position(&world, 2).y > standing + 0.4, "{}", position(&world, 2));
    run(&mut world, 60);
    assert!((position(&world, 2).y - standing).abs() < 0.05);
    world.tick(&[InputEvent::Key("KeyD".into(), true)]);
    run(&mut world, 120);
    let x = position(&world, 2).x;
    assert!((2.1..2.25).contains(&x), "stopped by the wall at {x}");
    world.tick(&[InputEvent::Released, InputEvent::Key("KeyA".into(), true)]);
    run(&mut world, 110);
    let up = position(&world, 2);
    assert!(up.x < -2.2 && up.y > standing + 0.15, "on the step at {up}");
}

#[test]
fn a_sensor_notices_who_comes_and_goes_once() {
    let zone = r#"{"id": 3, "name": "Zone", "components": {"transform": {"position": [2, 0.5, 0]}, "collider": {"size": [1, 1, 1], "sensor": true}}}"#;
    let mut world = world(&format!("{FLOOR}, {HERO}, {zone}"), WALK);
    run(&mut world, 60);
    world.tick(&[InputEvent::Action { action: "go".into(), value: 1.0, hold: 90 }]);
    let log = run(&mut world, 120);
    assert_eq!(log, ["enter Zone", "exit Zone"]);
}

#[test]
fn a_platform_that_moves_carries_who_stands_on_it() {
    let platform = r#"{"id": 3, "name": "Lift", "components": {"transform": {"position": [0, 0.25, 0]}, "collider": {"size": [3, 0.5, 3]},
        "body": {"kind": "kinematic"}, "script": {"file": "scripts/main.wander", "props": {"speed": -1}}}}"#;
    let script = WALK.replace(
        "  if self.on_ground and input",
        "  if speed < 0 then\n    self.pos.x += dt\n    return\n  end\n  if self.on_ground and input",
    );
    let mut world = world(&format!("{FLOOR}, {HERO}, {platform}"), &script);
    run(&mut world, 150);
    let (hero, lift) = (position(&world, 2), position(&world, 3));
    assert!(lift.x > 2.0 && (hero.x - lift.x).abs() < 0.9, "hero {hero} lift {lift}");
}

#[test]
fn scripts_make_unmake_and_message_entities() {
    let script = r#"
on start()
  if self.name != "Maker" then return end
  let spark = spawn_entity("Spark", {pos: (0, 5, 0), power: 7})
  print(spark.pos)
  wait_frames(2)
  send(spark, "hello", {n: 3})
  wait_frames(3)
  print(find_all("spark").length)
  destroy(spark)
  wait_frames(1)
  print(find_all("spark").length, spark.alive)
  self.vars.score = 4
  print(self.score + 1)
  self.scale.y = 3
  print(self.scale)
  ui.text("t", f"score {self.score}", {anchor: "top", size: 30})
  print(find_near(self.pos, 100).length)
  let hit = raycast((0, 5, 0), (0, -1, 0), 10)
  print(hit.entity.name, round(hit.distance, 2))
end
on hello(data)
  print(self.power + data.n)
end
on stop()
  print("bye " + self.name)
end
"#;
    let entities = format!(
        r#"{FLOOR}, {{"id": 2, "name": "Maker", "components": {{"script": {{"file": "scripts/main.wander"}}}}}},
        {{"id": 3, "name": "Spark", "tags": ["spark"], "components": {{"script": {{"file": "scripts/main.wander"}}}}}}"#
    );
    let mut world = world(&entities, script);
    let log = run(&mut world, 20);
    assert_eq!(log, ["(0, 5, 0)", "10", "2", "bye Spark", "1 false", "5", "(1, 3, 1)", "3", "Floor 5"]);
    assert_eq!(world.hud().items.len(), 1);
    assert_eq!(world.scene().entities.len(), 3);
}

#[test]
fn a_clone_goes_on_exactly_like_the_original_with_waiting_tasks_and_contacts() {
    let crates: String = (0..12)
        .map(|n| {
            format!(
                r#", {{"id": {}, "name": "C", "components": {{"transform": {{"position": [{}, {}, 0]}}, "collider": {{}}, "body": {{}}}}}}"#,
                10 + n,
                f64::from(n) * 0.3,
                1 + n
            )
        })
        .collect();
    let mut original = world(&format!("{FLOOR}, {HERO}{crates}"), WALK);
    run(&mut original, 20);
    let mut copy = original.clone();
    for tick in 0..300 {
        let events = if tick % 50 == 7 {
            vec![InputEvent::Action { action: "jump".into(), value: 1.0, hold: 3 }]
        } else {
            vec![]
        };
        original.tick(&events);
        copy.tick(&events);
        if tick % 60 == 0 {
            assert_eq!(original.hash_parts(), copy.hash_parts(), "tick {tick}");
        }
    }
    assert_eq!(original.hash(), copy.hash());
}

#[test]
fn an_edit_moves_the_body_and_its_inverse_restores_the_world() {
    let mut world = world(&format!("{FLOOR}, {HERO}"), WALK);
    run(&mut world, 60);
    let before = world.hash();
    let fields = serde_json::json!({"position": [5, 3, 0]}).as_object().unwrap().clone();
    let back = world.apply(Edit::SetFields(id(2), ComponentKind::Transform, fields)).unwrap();
    assert_ne!(world.hash(), before);
    world.apply(back).unwrap();
    assert_eq!(world.hash(), before);
    let gone = world.scene().data(id(2)).unwrap();
    world.apply(Edit::Despawn(id(2))).unwrap();
    run(&mut world, 5);
    world.apply(Edit::Spawn(Box::new(gone))).unwrap();
    assert!(run(&mut world, 40).contains(&"ready Hero".to_owned()));
    assert!(world.scene().get::<Body>(id(2)).is_some());
}

#[test]
fn an_expression_looks_and_cannot_touch() {
    let mut world = world(&format!("{FLOOR}, {HERO}"), WALK);
    run(&mut world, 60);
    let mut evaluator = sim::expression::Evaluator::new(&world);
    let test = |text: &str, world: &mut World, evaluator: &mut sim::expression::Evaluator| {
        let given: &[&str] = if text.contains("e.") { &["e"] } else { &[] };
        let expression = Expression::new(text, given, world)?;
        evaluator.test(&expression, (!given.is_empty()).then_some(id(2)), world)
    };
    assert_eq!(test("e.on_ground and e.pos.y < 1", &mut world, &mut evaluator), Ok(true));
    assert_eq!(test("find(\"Hero\").speed == 4", &mut world, &mut evaluator), Ok(false));
    assert_eq!(test("e.move((1, 0, 0))", &mut world, &mut evaluator).unwrap_err().code, "capability_denied");
    assert_eq!(test("e.pos.y <", &mut world, &mut evaluator).unwrap_err().code, "E101");
    assert!(test("e.posx.y < 1", &mut world, &mut evaluator).is_err());
}

#[test]
fn the_sample_game_has_no_findings_and_a_misspelt_event_is_one() {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/games/lantern-keep");
    let project = Project::load(&sample).0.unwrap();
    let environment = sim::script_environment();
    let (programs, problems) = sim::compile_scripts(&project, &environment);
    assert!(!programs.is_empty());
    assert_eq!(problems, []);
    // What one script raises, another hears; only a look at all of them tells that nobody raises an event.
    let lamp = ("scripts/lamp.wander", "on start()\n  emit(\"lit\")\nend\n");
    for (handler, codes) in [("lit", vec![]), ("litt", vec!["W310"])] {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), "game.json", r#"{"name": "T", "id": "t", "mainScene": "scenes/m.scene.json"}"#);
        write(folder.path(), "scenes/m.scene.json", r#"{"format": 1, "entities": []}"#);
        write(folder.path(), lamp.0, lamp.1);
        write(
            folder.path(),
            "scripts/ghost.wander",
            &format!("on {handler}()\n  self.visible = true\nend\n"),
        );
        let project = Project::load(folder.path()).0.unwrap();
        let problems = sim::compile_scripts(&project, &environment).1;
        assert_eq!(problems.iter().map(|problem| problem.code.as_ref()).collect::<Vec<&str>>(), codes);
        let ghost = ["scripts/ghost.wander".to_owned()];
        assert_eq!(sim::compile_scripts_with(&project, &ghost, None, &environment).1, []);
    }
}
