//! Code of a call that acts: what it changes is edits that can be taken back, and what fails leaves nothing.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use scene::Var;
use serde_json::{Value, json};
use sim::expression::{Changed, Evaluator, change, evaluate};
use sim::{Template, Watch};

use super::*;

const LAMP: &str = r#"{"id": 1, "name": "Lamp", "tags": ["lit"], "vars": {"hp": 2, "old": true},
    "components": {"light": {"intensity": 2}, "script": {"file": "scripts/main.wander"}}},
    {"id": 2, "name": "Shade", "parent": 1, "components": {"camera": {}}}"#;

const SCRIPT: &str = r#"
let turns = 0
fn turn(n)
  turns += n
end
fn turn_all(n)
  emit("turned", n)
end
on turned(n)
  turns += n
end
on stop()
  print("stopped")
end
"#;

fn lamp() -> World {
    world(LAMP, SCRIPT)
}

fn act(world: &mut World, code: &str) -> Changed {
    change(code, None, None, world).unwrap()
}

fn turns(world: &World) -> Value {
    let variables = world.script_variables(id(1));
    variables.into_iter().find(|(name, _)| name == "turns").unwrap().1
}

fn vars(world: &World, name: &str) -> Option<Var> {
    world.scene().entities.get(id(1)).unwrap().vars.get(name).cloned()
}

/// Acts, takes it back and finds the world of before.
fn there_and_back(code: &str, edits: usize) -> World {
    let mut world = lamp();
    run(&mut world, 3);
    let before = (world.hash(), world.scene().document_hash());
    let changed = act(&mut world, code);
    assert_eq!(changed.edits.len(), edits, "{code}: {:?}", changed.edits);
    let acted = world.clone();
    for (_, inverse) in changed.edits.into_iter().rev() {
        world.apply(inverse).unwrap();
    }
    assert_eq!((world.hash(), world.scene().document_hash()), before, "{code}");
    acted
}

#[test]
fn values_of_properties_components_and_variables_are_edits() {
    let code = "let e = find(\"Lamp\")\ne.pos = (1, 2, 3)\ne.name = \"Torch\"\ne.set(\"light\", \"intensity\", 5)\n\
                e.hp += 1\ne.vars.mana = 4\ne.vars.old = nil\ne.add_tag(\"hot\")\nreturn e.pos";
    let world = there_and_back(code, 7);
    assert_eq!(position(&world, 1).to_array(), [1.0, 2.0, 3.0]);
    assert_eq!((vars(&world, "hp"), vars(&world, "old")), (Some(Var::Number(3.0)), None));
    assert_eq!(world.scene().entities.get(id(1)).unwrap().tags.len(), 2);
}

#[test]
fn entities_that_come_and_go_are_edits() {
    let world = there_and_back("spawn_entity(\"Lamp\", {pos: (5, 0, 0), hp: 9})", 2);
    assert_eq!(world.scene().named("Lamp").len(), 2);
    let mut world = there_and_back("destroy(find(\"Lamp\"))", 2);
    assert!(world.scene().named("Lamp").is_empty() && world.scene().named("Shade").is_empty());
    assert_eq!(run(&mut world, 1), ["stopped"], "its script was told");
}

#[test]
fn variables_functions_and_events_of_scripts_are_reached() {
    let mut world = lamp();
    act(&mut world, "find(\"Lamp\").turns = 5");
    assert_eq!(turns(&world), json!(5));
    act(&mut world, "find(\"Lamp\").turn(2)");
    act(&mut world, "emit(\"turned\", 10)");
    assert_eq!(turns(&world), json!(7), "events come with the next tick");
    run(&mut world, 1);
    assert_eq!(turns(&world), json!(17));
}

#[test]
fn what_is_taken_back_before_a_tick_takes_script_variables_along() {
    let world = there_and_back("let e = find(\"Lamp\")\ne.turns = 5\ne.hp = 1\nsave.set(\"k\", 1)", 1);
    assert_eq!(turns(&world), json!(5));
}

#[test]
fn what_fails_leaves_nothing_behind() {
    let mut world = lamp();
    run(&mut world, 3);
    let before = world.hash();
    let all = "let e = find(\"Lamp\")\ne.pos.x = 1\ne.turns = 3\ne.hp = 9\nlet s = spawn_entity(\"Lamp\")\ndestroy(e)\n\
               save.set(\"a\", 1)\nemit(\"turned\", 1)\nui.text(\"t\", \"x\")\nspawn(fn() wait(1) end)\n";
    for (end, code) in [
        ("error(\"no\")", "E401"),
        ("return fn() => 1", "E320"),
        ("while true\nend", "E501"),
        ("wait(1)", "E411"),
        ("scene.restart()", "restart_not_here"),
    ] {
        let problem = change(&format!("{all}{end}"), None, None, &mut world).unwrap_err();
        assert_eq!((problem.code.as_str(), world.hash()), (code, before), "{problem}");
    }
    // Ids that failed code gave away are not given again.
    let changed = act(&mut world, "return spawn_entity(\"Lamp\")");
    assert!(changed.found.value.as_u64().unwrap() > 7, "{:?}", changed.found);
}

#[test]
fn code_that_ran_is_forgotten_unless_it_left_a_task() {
    let mut world = lamp();
    run(&mut world, 3);
    let before = world.hash();
    for _ in 0..50 {
        act(&mut world, "return find_all(\"lit\").map(fn(e) => e.id)");
    }
    assert_eq!(world.hash(), before, "nothing is left of what only looked");
    act(&mut world, "let e = find(\"Lamp\")\nspawn(fn()\n  wait_frames(2)\n  e.turns = 40\nend)");
    run(&mut world, 5);
    assert_eq!(turns(&world), json!(40));
}

#[test]
fn both_ways_give_the_log_the_value_and_its_type() {
    let mut world = lamp();
    let code = "print(\"a\", 1)\nwarn(\"b\")\nreturn (1, 2, 3)";
    let looked = evaluate(code, None, None, &mut world).unwrap();
    let acted = act(&mut world, code).found;
    for found in [&looked, &acted] {
        let lines: Vec<&str> = found.log.iter().map(|line| line.text.as_str()).collect();
        assert_eq!((lines, &found.value, found.kind), (vec!["a 1", "b"], &json!([1, 2, 3]), "vector"));
    }
    assert_eq!(run(&mut world, 1), ["a 1", "b"], "what acted is in the game's log, what looked is not");
    assert_eq!(
        evaluate("find(\"Lamp\").hp = 3", None, None, &mut world).unwrap_err().code,
        "capability_denied"
    );
}

#[test]
fn code_is_held_against_a_clock() {
    let mut world = lamp();
    let before = world.hash();
    let watch = || {
        let looks = AtomicU64::new(0);
        Some(Watch::new(Duration::from_secs(5), move || {
            Duration::from_secs(looks.fetch_add(1, Ordering::Relaxed))
        }))
    };
    let code = "find(\"Lamp\").hp = 7\nlet n = 0\nwhile true\n  n += 1\nend";
    for problem in [
        evaluate(code.split_once('\n').unwrap().1, None, watch(), &mut world).unwrap_err(),
        change(code, None, watch(), &mut world).unwrap_err(),
    ] {
        assert_eq!((problem.code.as_str(), world.hash()), ("E503", before), "{problem}");
        assert_eq!(problem.message, "the call ran for 6000 ms, and 5000 ms is the most");
    }
    run(&mut world, 1);
}

#[test]
fn a_template_looks_at_the_world_and_cannot_touch_it() {
    let mut world = lamp();
    let environment = world.content().environment.clone();
    let fill = |template: Value, world: &mut World| {
        let template =
            Template::new(&template, &["args"], &environment).map_err(|problems| problems[0].clone())?;
        Evaluator::new(world).fill(&template, &[json!({"name": "Lamp", "ids": [1, 2, 3]})], world)
    };
    let template =
        json!({"id": "{{find(args.name)}}", "text": "{{find(args.name).hp}} hp", "ids": "{{args.ids}}"});
    assert_eq!(fill(template, &mut world).unwrap(), json!({"id": 1, "text": "2 hp", "ids": [1, 2, 3]}));
    let before = world.hash();
    // Lists have methods of these names too: only what they are called on decides.
    assert_eq!(fill(json!("{{[3, 4].remove(3)}}"), &mut world).unwrap(), json!(true));
    for acting in ["find(args.name).remove(\"light\")", "find(args.name).set(\"light\", \"intensity\", 1)"] {
        let problem = fill(json!(format!("{{{{{acting}}}}}")), &mut world).unwrap_err();
        assert_eq!((problem.code.as_str(), world.hash()), ("E412", before), "{problem}");
    }
}
