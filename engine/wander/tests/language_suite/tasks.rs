//! Entity scripts: handlers, waiting, events, snapshots.

use wander::{Kind, Machine, Value};
use xxhash_rust::xxh3::Xxh3;

use super::world::{Thing, World, compile, environment, id};

const PATROL: &str = r#"
prop speed = 2 in 0..20
let turns = 0
let heard = nil

on start()
  while true
    wait(0.5)
    turns += 1
    self.pos.x += speed
    print(f"turn {turns}")
  end
end

on start_listening()
  heard = wait_event("bell")
  print("heard " + heard.how)
end

on update(dt)
  if turns == 3 then turns = 10 end
end

fn double(x) => x * 2
"#;

fn machine(source: &str) -> (Machine, World) {
    let mut world = World::default();
    world.things.insert(1, Thing { name: "Guard".into(), ..Thing::default() });
    let mut machine = Machine::new(environment(), 7, 60.0);
    let program = compile(Kind::Entity, source).unwrap_or_else(|text| panic!("{text}"));
    machine.attach(&program, id(1), &[("speed".to_owned(), Value::Number(3.0))], &mut world);
    machine.handle(id(1), "start", &[], &mut world);
    (machine, world)
}

fn tick(machine: &mut Machine, world: &mut World, tick: u64) {
    machine.deliver(world);
    machine.resume(tick, world);
    machine.handle_all("update", &[Value::Number(1.0 / 60.0)], world);
}

fn hash(machine: &Machine) -> u128 {
    let mut hasher = Xxh3::new();
    machine.hash_into(&mut hasher);
    hasher.digest128()
}

#[test]
fn a_handler_waits_and_goes_on_and_props_are_set_from_outside() {
    let (mut machine, mut world) = machine(PATROL);
    for number in 1..=95 {
        tick(&mut machine, &mut world, number);
    }
    assert_eq!(world.said, ["turn 1", "turn 2", "turn 3"]);
    assert_eq!(world.things[&1].pos, [9.0, 0.0, 0.0]);
    assert!(matches!(machine.variable(id(1), "turns"), Some(Value::Number(10.0))));
    assert!(machine.take_reports().is_empty());
}

#[test]
fn an_event_wakes_who_waits_for_it() {
    let (mut machine, mut world) = machine(PATROL);
    machine.handle(id(1), "start_listening", &[], &mut world);
    tick(&mut machine, &mut world, 1);
    let how = machine.heap.text("loudly");
    let data = machine.heap.record([("how", how)]);
    machine.send(Some(id(1)), "bell", vec![data]);
    tick(&mut machine, &mut world, 2);
    assert_eq!(world.said, ["heard loudly"]);
}

#[test]
fn a_clone_with_waiting_tasks_goes_on_like_the_original() {
    let (mut first, mut world) = machine(PATROL);
    for number in 1..=40 {
        tick(&mut first, &mut world, number);
    }
    let (mut second, mut other_world) = (first.clone(), world.clone());
    assert_eq!(hash(&first), hash(&second));
    for number in 41..=200 {
        tick(&mut first, &mut world, number);
    }
    assert_ne!(hash(&first), hash(&second));
    for number in 41..=200 {
        tick(&mut second, &mut other_world, number);
    }
    assert_eq!(hash(&first), hash(&second));
    assert_eq!(world.said, other_world.said);
}

#[test]
fn a_clone_has_the_hash_of_the_original_whatever_ran_before() {
    // What `busy` leaves on its stack lies where `rest` and what it spawns have registers that are not written yet.
    let (mut first, mut world) = machine(
        "on busy()\n  let a = 1\n  let b = 2\n  let c = [a, b]\n  print(c)\nend\n\
         on rest()\n  spawn(fn()\n    wait(1)\n    let x = 1\n    let y = x\n  end)\n  wait(1)\n  let d = 1\n  let e = d\nend\n",
    );
    first.handle(id(1), "busy", &[], &mut world);
    let mut second = first.clone();
    for machine in [&mut first, &mut second] {
        machine.handle(id(1), "rest", &[], &mut world);
        tick(machine, &mut world, 1);
    }
    assert_eq!(first.task_count(), 2);
    assert_eq!(hash(&first), hash(&second));
    let mut third = first.clone();
    for machine in [&mut first, &mut third] {
        machine.handle(id(1), "rest", &[], &mut world);
        tick(machine, &mut world, 2);
    }
    assert_eq!(hash(&first), hash(&third));
}

#[test]
fn an_error_ends_the_task_is_reported_and_leaves_the_script_running() {
    let (mut machine, mut world) = machine(
        "let n = 0\non start()\n  wait(0.1)\n  let x = nil\n  x.y = 1\nend\non update(dt)\n  n += 1\nend\n",
    );
    for number in 1..=20 {
        tick(&mut machine, &mut world, number);
    }
    let reports = machine.take_reports();
    assert_eq!(reports.len(), 1);
    assert_eq!(reports[0].fault.line(), "E301 `x` is nil, so `.y` cannot be set · scripts/test.wander:5:3");
    assert!(matches!(machine.variable(id(1), "n"), Some(Value::Number(20.0))));
}

#[test]
fn waiting_in_update_is_refused_with_the_mend() {
    let (mut machine, mut world) = machine("on update(dt)\n  wait(1)\nend\n");
    tick(&mut machine, &mut world, 1);
    let reports = machine.take_reports();
    assert!(
        reports[0]
            .fault
            .line()
            .starts_with("E410 this handler runs every frame and cannot wait (start a task"),
        "{:?}",
        reports
    );
}

#[test]
fn callbacks_of_library_functions_may_wait_and_spawned_tasks_give_results() {
    let (mut machine, mut world) = machine(
        "on start()\n  let l = [1, 2].map(fn(x)\n    wait_frames(2)\n    return x * 10\n  end)\n  print(l)\n  let t = spawn(fn()\n    wait_frames(3)\n    return 5\n  end)\n  print(wait_for(t) + 1)\n  wait_until(fn() => self.pos.x == 0)\n  print(\"end\")\nend\n",
    );
    for number in 1..=20 {
        tick(&mut machine, &mut world, number);
    }
    assert_eq!(
        machine.take_reports().iter().map(|r| r.fault.line()).collect::<Vec<_>>(),
        Vec::<String>::new()
    );
    assert_eq!(world.said, ["[10,20]", "6", "end"]);
}

#[test]
fn an_entity_that_is_gone_is_false_and_named_in_errors() {
    let (mut machine, mut world) = machine(
        "let other = nil\non start()\n  wait(0.1)\n  if other then print(\"alive\") else print(\"gone\") end\n  print(other.pos)\nend\n",
    );
    machine.set_variable(id(1), "other", Value::Entity(id(9)));
    for number in 1..=10 {
        tick(&mut machine, &mut world, number);
    }
    assert_eq!(world.said, ["gone"]);
    assert!(machine.take_reports()[0].fault.line().starts_with("E215 `entity 9` is destroyed"));
}
