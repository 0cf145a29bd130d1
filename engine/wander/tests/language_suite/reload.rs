//! Changing a file while its scripts run.

use std::sync::Arc;

use wander::{Kind, Loader, Machine, Program, Value};

use super::world::{Thing, World, compile, environment, id};

fn program(source: &str) -> Arc<Program> {
    compile(Kind::Entity, source).unwrap_or_else(|text| panic!("{text}"))
}

fn running(source: &str) -> (Machine, World) {
    let mut world = World::default();
    world.things.insert(1, Thing { name: "Guard".into(), ..Thing::default() });
    let mut machine = Machine::new(environment(), 7, 60.0);
    machine.attach(&program(source), id(1), &[("speed".to_owned(), Value::Number(9.0))], &mut world);
    machine.handle(id(1), "start", &[], &mut world);
    (machine, world)
}

fn variable(machine: &Machine, name: &str) -> Value {
    machine.variable(id(1), name).unwrap_or_else(|| panic!("no {name}"))
}

fn number(machine: &Machine, name: &str) -> f64 {
    match variable(machine, name) {
        Value::Number(number) => number,
        other => panic!("{name} is {other:?}"),
    }
}

const BEFORE: &str = "
prop speed = 2
let steps = 0
let gone = 5
let kind = \"old\"
const LIMIT = 10
on start()
  wait_frames(2)
  gone += 1
  steps += 100
  print(f\"old {gone} {steps} {LIMIT}\")
end
on update(dt)
  steps += 1
end
";

const AFTER: &str = "
const LIMIT = 20
let fresh = 3
let steps = 0
let kind = 7
prop speed = 4
on update(dt)
  steps += 10
end
on start()
  print(\"new\")
end
fn twice(x) => x * 2
";

#[test]
fn variables_live_on_by_name_and_functions_are_the_new_ones() {
    let (mut machine, mut world) = running(BEFORE);
    machine.handle_all("update", &[Value::Number(0.1)], &mut world);
    let done = machine.reload(&program(AFTER), &mut world);
    assert_eq!((done.instances, done.ended), (1, 0));
    assert_eq!(done.dropped, ["gone"]);
    machine.handle_all("update", &[Value::Number(0.1)], &mut world);
    assert_eq!(number(&machine, "steps"), 11.0, "one old step, one new");
    assert_eq!(number(&machine, "speed"), 9.0, "what was set from outside stays");
    assert_eq!((number(&machine, "LIMIT"), number(&machine, "fresh")), (20.0, 3.0));
    assert_eq!(number(&machine, "kind"), 7.0, "a value of another type does not fit any more");
}

#[test]
fn what_runs_finishes_on_the_code_that_it_started_with() {
    let (mut machine, mut world) = running(BEFORE);
    machine.reload(&program(AFTER), &mut world);
    for tick in 1..=3 {
        machine.resume(tick, &mut world);
    }
    assert_eq!(world.said, ["old 6 100 20"], "its variables are found where they lie now");
    assert_eq!(number(&machine, "steps"), 100.0);
    // And once more, over a second change.
    let (mut machine, mut world) = running(BEFORE);
    machine.reload(&program(AFTER), &mut world);
    machine.reload(&program(&AFTER.replace("let fresh = 3\n", "")), &mut world);
    for tick in 1..=3 {
        machine.resume(tick, &mut world);
    }
    assert_eq!(world.said, ["old 6 100 20"]);
}

#[test]
fn tasks_of_a_handler_that_is_gone_end() {
    let (mut machine, mut world) = running(BEFORE);
    let done = machine.reload(&program("prop speed = 1\nlet steps = 0"), &mut world);
    assert_eq!(done.ended, 1);
    assert_eq!(machine.task_count(), 0);
}

#[test]
fn a_changed_module_serves_who_uses_it() {
    let user = "use \"lib/tool\"\nlet seen = 0\non update(dt)\n  seen = tool.value()\nend\n\
                on start()\n  wait_frames(3)\n  print(tool.value())\nend";
    let build = |module: &str| {
        let module = module.to_owned();
        let read = move |name: &str| {
            (name == "lib/tool").then(|| ("scripts/lib/tool.wander".to_owned(), module.clone()))
        };
        let environment = environment();
        let mut loader = Loader::new(&environment, &read);
        let program = loader.compile(Kind::Entity, "scripts/user.wander", user);
        program.unwrap_or_else(|| panic!("{}", loader.findings[0].render()))
    };
    let mut world = World::default();
    world.things.insert(1, Thing { name: "Guard".into(), ..Thing::default() });
    let mut machine = Machine::new(environment(), 7, 60.0);
    let first = build("let kept = 1\nfn value() => kept");
    machine.attach(&first, id(1), &[], &mut world);
    machine.handle(id(1), "start", &[], &mut world);
    // The function moves to another number, the variable to another place.
    let second = build("fn other() => 0\nlet more = 5\nlet kept = 2\nfn value() => kept + more");
    for module in &second.modules {
        machine.reload(module, &mut world);
    }
    machine.reload(&second, &mut world);
    machine.handle_all("update", &[Value::Number(0.1)], &mut world);
    assert_eq!(number(&machine, "seen"), 6.0, "new code, and the variable lives on");
    for tick in 1..=4 {
        machine.resume(tick, &mut world);
    }
    assert_eq!(world.said, ["1"], "the task that waited runs the code that it knew");
}

#[test]
fn a_snapshot_from_before_is_untouched_and_goes_on_alike() {
    let (mut machine, mut world) = running(BEFORE);
    let (mut before, mut other) = (machine.clone(), world.clone());
    machine.reload(&program(AFTER), &mut world);
    for tick in 1..=3 {
        before.resume(tick, &mut other);
    }
    assert_eq!(other.said, ["old 6 100 10"]);
}

/// Makes more garbage than fits before a collection.
const GARBAGE: &str = "
fn garbage()
  for i in 0..30000
    let l = [f\"garbage {i}\"]
  end
end
let made = garbage()
";

#[test]
fn what_lives_on_outlives_a_start_that_makes_much_garbage() {
    let source =
        format!("prop title = \"\"\nlet name = \"\"\non start()\n  name = \"An\" + \"n\"\nend\n{GARBAGE}");
    let mut world = World::default();
    world.things.insert(1, Thing::default());
    let mut machine = Machine::new(environment(), 7, 60.0);
    let title = machine.heap.text("Queen of all");
    machine.attach(&program(&source), id(1), &[("title".to_owned(), title)], &mut world);
    machine.handle(id(1), "start", &[], &mut world);
    machine.reload(&program(&format!("{source}\n")), &mut world);
    let texts = ["title", "name"].map(|name| machine.heap.get_text(variable(&machine, name)).unwrap_or("?"));
    assert_eq!(texts, ["Queen of all", "Ann"]);
}
