//! The tools on the sample game, through the one door.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::link::{Call, CallCell, Caller, DoorKind, Outcome, Reply, Request, link};
use base::{Actor, CallId, ConnectionId};
use runtime::{Door, Engine, EngineOptions, Mode};
use serde_json::{Value, json};
use tools::Tools;

use super::game::game;

struct Desk {
    engine: Engine,
    tools: Tools,
    next: u64,
    /// A copy of the game: some tools write files.
    folder: tempfile::TempDir,
}

/// Copies a folder with everything below it.
pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

impl Desk {
    fn new() -> Self {
        let options = EngineOptions { mode: Mode::Paused, ..EngineOptions::default() };
        let folder = tempfile::tempdir().unwrap();
        copy(&game(), folder.path());
        let engine = Engine::open(folder.path(), &options).unwrap_or_else(|problems| panic!("{problems:?}"));
        Self { engine, tools: Tools::new(link(|| {})), next: 0, folder }
    }

    fn call_as(&mut self, actor: &str, tool: &str, arguments: Value) -> Outcome {
        self.next += 1;
        let (send, receive) = std::sync::mpsc::channel();
        let call = Call {
            id: CallId(self.next),
            caller: Caller {
                connection: ConnectionId(1),
                actor: Actor::from_client_name(actor),
                door: DoorKind::Agent,
            },
            tool: tool.to_owned(),
            arguments: arguments.as_object().unwrap().clone(),
            checked: None,
            deadline: None,
            cell: Arc::new(CallCell::new()),
            reply: Reply::new(move |outcome| send.send(outcome).unwrap()),
        };
        assert!(self.tools.inbox().handle.post(Request::Call(call)).is_ok());
        loop {
            self.tools.serve(&mut self.engine, Duration::from_secs(5));
            if let Ok(outcome) = receive.try_recv() {
                return outcome;
            }
            self.engine.advance(Instant::now());
        }
    }

    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let outcome = self.call_as("tester", tool, arguments);
        assert_eq!(outcome.error, None, "{tool}");
        outcome.structured.unwrap()
    }

    fn error(&mut self, tool: &str, arguments: Value) -> base::Problem {
        self.call_as("tester", tool, arguments).error.unwrap_or_else(|| panic!("{tool} did not fail"))
    }
}

#[test]
fn the_example_of_every_tool_works_on_the_sample_game() {
    let handle = link(|| {}).handle;
    handle.set_catalogue(tools::catalogue(1));
    for name in handle.catalogue().tools.keys() {
        let mut desk = Desk::new();
        if name == "history_undo" {
            desk.call("entity_update", json!({"entity": "Sun", "vars": {"x": 1}}));
        }
        let catalogue = handle.catalogue();
        let description = &catalogue.tools[name].description;
        let example = description.rsplit("Example: ").next().unwrap();
        let result = desk.call(name, serde_json::from_str(example).unwrap());
        assert!(result["tick"].is_u64() && result["revision"].is_u64() && result["epoch"].is_u64(), "{name}");
    }
}

#[test]
fn an_overview_is_small_and_a_query_finds_the_enemies() {
    let mut desk = Desk::new();
    let overview = desk.call("scene_overview", json!({"depth": 1, "limit": 10}));
    assert!(overview.to_string().len() < 2048, "{} bytes", overview.to_string().len());
    let found =
        desk.call("scene_query", json!({"tag": "enemy", "where": "e.hp > 1", "fields": ["hp", "position"]}));
    assert_eq!((found["total"].clone(), found["matches"][0]["hp"].clone()), (json!(3), json!(2)));
    let near = desk.call("scene_query", json!({"tag": "flame", "near": "Hero", "limit": 1}));
    assert_eq!(near["matches"][0]["name"], "Flame 1");
    assert_eq!(near["truncated"], true);
}

#[test]
fn an_edit_is_one_undo_step_of_its_actor() {
    let mut desk = Desk::new();
    let before = desk.call("entity_get", json!({"entity": "Lamp 1 Light"}));
    let document = desk.engine.world().scene().document_hash();
    desk.call(
        "entity_update",
        json!({"entity": "Lamp 1 Light", "components": {"light": {"intensity": 20}, "transform": {"position": [1, 2, 3]}}, "vars": {"lit": true}}),
    );
    assert_eq!(
        desk.call("entity_get", json!({"entity": "Lamp 1 Light"}))["components"]["light"]["intensity"],
        20
    );
    let other = desk.call_as("somebody", "history_undo", json!({})).error.unwrap();
    assert_eq!(other.code, "nothing_to_undo");
    let undone = desk.call("history_undo", json!({}));
    assert_eq!(undone["undone"][0]["tool"], "entity_update");
    assert_eq!(
        desk.call("entity_get", json!({"entity": "Lamp 1 Light"}))["components"],
        before["components"]
    );
    assert_eq!(desk.engine.world().scene().document_hash(), document);
}

#[test]
fn a_refused_edit_leaves_nothing_behind_and_says_what_to_write() {
    let mut desk = Desk::new();
    let hash = desk.engine.world().hash();
    let problem = desk.error(
        "entity_update",
        json!({"entity": "Sun", "vars": {"a": 1}, "components": {"light": {"intensty": 2}}}),
    );
    assert_eq!(problem.place.path.as_deref(), Some("components.light.intensty"));
    assert_eq!(problem.near, ["intensity"]);
    assert_eq!(desk.engine.world().hash(), hash);
    let problem = desk.error(
        "entity_update",
        json!({"entity": "Hero", "vars": {"a": 1}, "components": {"mesh": {"model": "models/heroo.glb"}}}),
    );
    assert_eq!(
        (problem.code.as_ref(), problem.place.path.as_deref()),
        ("missing_file", Some("components.mesh.model"))
    );
    assert_eq!(problem.near.first().map(String::as_str), Some("models/hero.glb"));
    let problem = desk.error("entity_create", json!({"components": {"script": {"file": "../x.wander"}}}));
    assert_eq!(problem.code, "missing_file");
    let problem = desk.error("entity_create", json!({"name": "x".repeat(201)}));
    assert_eq!(problem.code, "invalid_arguments");
    assert_eq!(desk.engine.world().hash(), hash);
    for wrong in [json!(-1), json!(0), json!(4_294_967_296u64)] {
        let problem = desk.error("entity_get", json!({"entity": wrong}));
        assert!(problem.message.contains("`entity`"), "{}", problem.message);
        assert!(!problem.message.contains("untagged"), "{}", problem.message);
    }
    let far = json!({"entity": "Hero", "components": {"transform": {"position": [0, 1e7, 0]}}});
    assert!(desk.error("entity_update", far).message.contains("1000000"));
    assert_eq!(desk.engine.world().hash(), hash);
    assert_eq!(desk.error("entity_get", json!({"entity": "Heroo"})).near, ["Hero"]);
    assert_eq!(desk.error("entity_get", json!({"entity": 9999})).code, "unknown_entity");
    assert_eq!(desk.error("entity_get", json!({"entity": "Blade Arm"})).code, "ambiguous_entity");
    assert_eq!(desk.error("entity_get", json!({"entty": 1})).code, "invalid_arguments");
    assert_eq!(desk.error("scene_qery", json!({})).near, ["scene_query"]);
    assert_eq!(desk.error("scene_query", json!({"where": "e.hp >"})).code, "E101");
    desk.call("entity_delete", json!({"entity": "Blade"}));
    assert_eq!(desk.error("entity_get", json!({"entity": "Blade"})).code, "unknown_entity");
}

#[test]
fn a_step_runs_exact_ticks_with_its_inputs_and_ends_when_told() {
    let mut desk = Desk::new();
    desk.call("play_step", json!({"ticks": 60}));
    let standing =
        desk.call("entity_get", json!({"entity": "Hero"}))["pose"]["position"][1].as_f64().unwrap();
    let jumped = desk.call(
        "play_step",
        json!({"ticks": 15, "inputs": [{"action": "jump", "hold": 15}], "observe": ["Hero"]}),
    );
    assert_eq!((jumped["ticks_run"].clone(), jumped["tick"].clone()), (json!(15), json!(75)));
    assert!(jumped["observe"][0]["position"][1].as_f64().unwrap() > standing + 0.8, "{jumped}");
    let until = desk.call("play_step", json!({"ticks": 600, "until": "find(\"Hero\").on_ground"}));
    assert_eq!(until["ended"], "until");
    assert!(until["ticks_run"].as_u64().unwrap() < 120);
    assert_eq!(desk.error("play_step", json!({"ticks": 10, "inputs": [{"action": "jmup"}]})).near, ["jump"]);
    // The same steps in another engine end in the same world.
    let mut again = Desk::new();
    again.call("play_step", json!({"ticks": 60}));
    let other = again.call("play_step", json!({"ticks": 15, "inputs": [{"action": "jump", "hold": 15}]}));
    assert_eq!(other["hash"], jumped["hash"]);
}

#[test]
fn a_step_that_was_given_up_runs_no_further_tick() {
    let mut desk = Desk::new();
    let cell = Arc::new(CallCell::new());
    let call = Call {
        id: CallId(1),
        caller: Caller {
            connection: ConnectionId(1),
            actor: Actor::from_client_name("t"),
            door: DoorKind::Agent,
        },
        tool: "play_step".to_owned(),
        arguments: json!({"ticks": 36000}).as_object().unwrap().clone(),
        checked: None,
        deadline: None,
        cell: cell.clone(),
        reply: Reply::new(|outcome| panic!("nobody waits for {outcome:?}")),
    };
    assert!(desk.tools.inbox().handle.post(Request::Call(call)).is_ok());
    desk.tools.serve(&mut desk.engine, Duration::from_secs(5));
    desk.engine.advance(Instant::now());
    let tick = desk.engine.world().tick_number();
    assert!(tick.0 > 0 && desk.engine.has_steps());
    assert!(cell.abandon());
    desk.tools.serve(&mut desk.engine, Duration::from_secs(5));
    desk.engine.advance(Instant::now());
    assert_eq!(desk.engine.world().tick_number(), tick);
    assert!(!desk.engine.has_steps());
}

#[test]
fn a_script_is_changed_while_the_game_runs() {
    let mut desk = Desk::new();
    let path = "scripts/flame.wander";
    let listed = desk.call("script_list", json!({}));
    let flame = listed["scripts"].as_array().unwrap().iter().find(|row| row["script"] == path).unwrap();
    assert_eq!(
        (&flame["kind"], &flame["entities"], &flame["works"]),
        (&json!("entity"), &json!(7), &json!(true))
    );
    desk.call("play_step", json!({"ticks": 5}));

    let text = desk.call("script_read", json!({"script": path}))["text"].as_str().unwrap().to_owned();
    let changed = text.replace("* 0.15", "* 0 + 1") + "\nfn height() => home.y\n";
    assert_ne!(changed, text);
    let result = desk.call("script_write", json!({"script": path, "text": changed}));
    assert_eq!(result["changed"][0]["instances"], 7, "{result}");
    let home =
        desk.call("wander_eval", json!({"code": "find(\"Flame 1\").home.y"}))["value"].as_f64().unwrap();
    desk.call("play_step", json!({"ticks": 2}));
    let now = desk.call("entity_get", json!({"entity": "Flame 1"}))["pose"]["position"][1].as_f64().unwrap();
    assert!((now - home - 1.0).abs() < 1e-5, "the new code runs and `home` lived on: {now} {home}");
    let file = std::fs::read_to_string(desk.folder.path().join(path)).unwrap();
    assert_eq!(file, changed);

    // One that does not compile is refused whole.
    let hash = desk.engine.world().hash();
    let problem =
        desk.error("script_write", json!({"script": path, "text": "on update(dt)\n  self.pos = hom\n"}));
    assert!(problem.message.contains("E201") && problem.message.contains("E102"), "{}", problem.message);
    assert_eq!(std::fs::read_to_string(desk.folder.path().join(path)).unwrap(), changed);
    assert_eq!(desk.engine.world().hash(), hash);
    // So is a module whose users would break.
    let lib = "scripts/lib/feel.wander";
    let problem = desk.error("script_write", json!({"script": lib, "text": "fn nothing() => 0\n"}));
    assert!(problem.message.contains("approach"), "{}", problem.message);
    assert_eq!(desk.error("script_write", json!({"script": "game.json", "text": "{}"})).code, "wrong_file");
    let outside = desk.error("script_write", json!({"script": "scripts/../../x.wander", "text": ""}));
    assert!(!outside.code.is_empty());
    assert!(!desk.folder.path().parent().unwrap().join("x.wander").exists());

    // A file that was changed by another hand is taken over too, once asked.
    std::fs::write(desk.folder.path().join(path), &text).unwrap();
    let (changes, problems) = desk.engine.reload_scripts();
    assert_eq!((changes.len(), problems), (1, Vec::new()));
}

#[test]
fn code_is_checked_and_evaluated_without_touching_the_world() {
    let mut desk = Desk::new();
    let hash = desk.engine.world().hash();
    let found = desk.call(
        "wander_check",
        json!({"code": "on update(dt)\n  self.pos.x += raduis\n  let radius = 1\nend"}),
    );
    assert_eq!((&found["ok"], &found["errors"]), (&json!(false), &json!(1)));
    assert_eq!(
        (&found["diagnostics"][0]["code"], &found["diagnostics"][0]["line"]),
        (&json!("E201"), &json!(2))
    );
    assert_eq!(desk.call("wander_check", json!({"script": "scripts/hero.wander"}))["ok"], true);

    let value = desk.call("wander_eval", json!({"code": "find_all(\"enemy\").map(fn(e) => e.hp)"}));
    assert_eq!((&value["value"], &value["type"]), (&json!([2, 2, 2]), &json!("list")));
    let code = "let sum = 0\nfor f in find_all(\"flame\")\n  sum += 1\nend\nreturn {count: sum, e: e.name}";
    let value = desk.call("wander_eval", json!({"code": code, "entity": "Hero"}));
    assert_eq!(value["value"], json!({"count": 7, "e": "Hero"}));
    for code in [
        "destroy(find(\"Hero\"))",
        "return destroy(find(\"Hero\"))",
        "let h = find(\"Hero\")\nh.pos = (0, 9, 0)",
    ] {
        desk.error("wander_eval", json!({"code": code}));
    }
    assert_eq!(desk.error("wander_eval", json!({"code": "while true\nend"})).code, "E501");
    assert_eq!(desk.error("wander_eval", json!({"code": "1 +"})).code, "E101");
    assert_eq!(desk.engine.world().hash(), hash);
}

#[test]
fn evaluated_code_that_may_act_is_one_undo_step_and_leaves_nothing_where_it_fails() {
    let mut desk = Desk::new();
    let (hash, document) = (desk.engine.world().hash(), desk.engine.world().scene().document_hash());
    let code = "let sum = 0\nfor e in find_all(\"enemy\")\n  e.hp += 3\n  e.pos.y += 1\n  sum += e.hp\nend\n\
                destroy(find(\"Flame 1\"))\nprint(\"done\")\nreturn sum";
    let result = desk.call("wander_eval", json!({"code": code, "mutate": true}));
    assert_eq!((&result["value"], &result["log"]), (&json!(15), &json!(["done"])));
    assert_eq!(desk.call("wander_eval", json!({"code": "find(\"Flame 1\")"}))["value"], Value::Null);

    let groups = desk.call("history_list", json!({}))["groups"].clone();
    let groups = groups.as_array().unwrap();
    assert_eq!(groups.len(), 1, "{groups:?}");
    assert_eq!((&groups[0]["tool"], &groups[0]["actor"]), (&json!("wander_eval"), &json!("mcp:tester")));
    assert_eq!(groups[0]["call"], result["call"]);

    // What fails in the middle leaves nothing, of this call or of the history.
    let (before, revision) = (desk.engine.world().hash(), desk.engine.history().revision());
    let code = "for e in find_all(\"enemy\")\n  e.hp = 100\n  destroy(e)\nend\nreturn nil.x";
    assert_eq!(desk.error("wander_eval", json!({"code": code, "mutate": true})).code, "E301");
    assert_eq!((desk.engine.world().hash(), desk.engine.history().revision()), (before, revision));

    desk.call("history_undo", json!({}));
    assert_eq!(desk.engine.world().scene().document_hash(), document);
    assert_eq!(desk.engine.world().hash(), hash, "no tick ran: everything is as it was");

    // What only looks is no step, with the flag or without.
    desk.call("wander_eval", json!({"code": "find_all(\"enemy\").length", "mutate": true}));
    assert_eq!(desk.error("history_undo", json!({})).code, "nothing_to_undo");
}

#[test]
fn an_undo_of_evaluated_code_leaves_what_ticks_and_others_did_since() {
    let mut desk = Desk::new();
    desk.call(
        "wander_eval",
        json!({"code": "let h = find(\"Sun\")\nh.vars.a = 1\nh.vars.b = 2", "mutate": true}),
    );
    desk.call("play_step", json!({"ticks": 3}));
    desk.call_as("other", "entity_update", json!({"entity": "Sun", "vars": {"b": 5}}));
    desk.call("history_undo", json!({}));
    let vars = desk.call("entity_get", json!({"entity": "Sun"}))["vars"].clone();
    assert_eq!(vars, json!({"b": 5}));
    assert_eq!(desk.call("play_status", json!({}))["tick"], 3, "time goes on");
}
