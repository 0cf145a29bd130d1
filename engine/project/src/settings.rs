//! `game.json`: what a game is called, how it starts, what its inputs mean.

use base::schema::{Schema, whole_numbers};
use base::{Problem, suggest};
use indexmap::IndexMap;
use schemars::{JsonSchema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::codes;

/// Largest linear gain of a bus.
const MOST_GAIN: f64 = 4.0;

/// A game.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Settings {
    /// The schema this file follows, for editors.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// What people call it.
    #[schemars(length(min = 1, max = 100))]
    pub name: String,
    /// What files and folders call it: lowercase letters, digits and dashes.
    #[schemars(regex(pattern = r"^[a-z0-9][a-z0-9-]{0,63}$"))]
    pub id: String,
    /// Its version.
    #[serde(default = "first_version")]
    pub version: String,
    /// The scene it starts with, such as `scenes/main.scene.json`.
    pub main_scene: String,
    /// The window.
    #[serde(default)]
    pub window: WindowSettings,
    /// Ticks a second.
    #[serde(default = "sixty")]
    #[schemars(range(min = 10, max = 240))]
    pub tick_rate: u32,
    /// The physical world.
    #[serde(default)]
    pub physics: PhysicsSettings,
    /// What keys, buttons and sticks mean.
    #[serde(default)]
    pub input: InputSettings,
    /// Sound.
    #[serde(default)]
    pub audio: AudioSettings,
    /// Tools that agents define.
    #[serde(default)]
    pub custom_tools: CustomToolSettings,
}

/// The window.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct WindowSettings {
    /// Pixels.
    #[schemars(range(min = 64, max = 8192))]
    pub width: u32,
    /// Pixels.
    #[schemars(range(min = 64, max = 8192))]
    pub height: u32,
}

impl Default for WindowSettings {
    fn default() -> Self {
        Self { width: 1280, height: 720 }
    }
}

/// The physical world.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PhysicsSettings {
    /// Metres a second squared, `[x, y, z]`.
    #[schemars(inner(range(min = -1000.0, max = 1000.0)))]
    pub gravity: [f32; 3],
}

impl Default for PhysicsSettings {
    fn default() -> Self {
        Self { gravity: [0.0, -9.81, 0.0] }
    }
}

/// What keys, buttons and sticks mean.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct InputSettings {
    /// Actions by name: what scripts and tools ask for.
    pub actions: IndexMap<String, ActionSettings>,
}

/// What triggers an action.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub struct ActionSettings {
    /// Keys by their W3C codes, such as `Space` or `KeyW`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<String>,
    /// Mouse buttons: `Left`, `Right`, `Middle`, `Back`, `Forward`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mouse: Vec<String>,
    /// Gamepad buttons, such as `South`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gamepad: Vec<String>,
    /// Two lists of keys: those that push to -1 and those that push to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub axis: Option<[Vec<String>; 2]>,
    /// A gamepad axis, such as `LeftStickX`, from -1 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gamepad_axis: Option<String>,
}

/// Sound.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AudioSettings {
    /// Linear gains of buses by name, 0 to 4; `effects` and `music` exist without being named.
    pub buses: IndexMap<String, f32>,
}

/// Which custom tools a person must approve.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Policy {
    /// None may run.
    Off,
    /// All of them.
    Ask,
    /// Those that change something.
    #[default]
    Auto,
    /// None, once a person on this machine trusts the project.
    Trust,
}

/// Tools that agents define.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CustomToolSettings {
    /// Which of them a person must approve.
    pub policy: Policy,
}

fn first_version() -> String {
    "0.1.0".to_owned()
}

fn sixty() -> u32 {
    60
}

/// The JSON Schema of `game.json`, printed from the types.
pub fn schema() -> Value {
    let mut schema = SchemaGenerator::default().root_schema_for::<Settings>().to_value();
    if let Some(object) = schema.as_object_mut() {
        object.insert("title".to_owned(), "Skywalker game".into());
    }
    schema
}

/// Reads `game.json`; every fault comes back with its JSON path.
pub fn read(text: &str) -> (Option<Settings>, Vec<Problem>) {
    const FILE: &str = "game.json";
    let mut value: Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(error) => {
            let problem = Problem::new("not_json", format!("not valid JSON: {error}"))
                .file(FILE)
                .at(error.line() as u32, error.column() as u32);
            return (None, vec![problem]);
        }
    };
    let mut problems = match Schema::new(schema()) {
        Ok(schema) => schema.check(&value),
        Err(message) => vec![Problem::new("internal", message)],
    };
    problems.extend(check_names(&value));
    whole_numbers(&mut value);
    let mut settings = None;
    if problems.is_empty() {
        match serde_json::from_value::<Settings>(value) {
            Ok(read) => settings = Some(read),
            Err(error) => problems.push(Problem::new("wrong_value", error.to_string())),
        }
    }
    (settings, problems.into_iter().map(|problem| problem.file(FILE)).collect())
}

/// Keys, buttons and axes that nobody has, and gains that nobody can hear. Read from the document itself, so that they
/// are found beside whatever else is wrong with it.
fn check_names(document: &Value) -> Vec<Problem> {
    let mut names = Names { problems: Vec::new() };
    let actions = document.pointer("/input/actions").and_then(Value::as_object);
    for (action, triggers) in actions.into_iter().flatten() {
        let at = format!("input.actions.{action}");
        names.list(triggers.get("keys"), &format!("{at}.keys"), codes::KEYS, "key");
        names.list(triggers.get("mouse"), &format!("{at}.mouse"), codes::MOUSE, "mouse button");
        names.list(triggers.get("gamepad"), &format!("{at}.gamepad"), codes::BUTTONS, "gamepad button");
        for (side, keys) in triggers.get("axis").and_then(Value::as_array).into_iter().flatten().enumerate() {
            names.list(Some(keys), &format!("{at}.axis[{side}]"), codes::KEYS, "key");
        }
        if let Some(axis) = triggers.get("gamepadAxis").and_then(Value::as_str) {
            names.one(axis, format!("{at}.gamepadAxis"), codes::AXES, "gamepad axis");
        }
    }
    let buses = document.pointer("/audio/buses").and_then(Value::as_object);
    for (bus, gain) in buses.into_iter().flatten() {
        if gain.as_f64().is_some_and(|gain| !(0.0..=MOST_GAIN).contains(&gain)) {
            names.problems.push(
                Problem::new("wrong_value", format!("a bus has a gain from 0 to {MOST_GAIN}, found {gain}"))
                    .path(format!("audio.buses.{bus}")),
            );
        }
    }
    names.problems
}

struct Names {
    problems: Vec<Problem>,
}

impl Names {
    fn list(&mut self, names: Option<&Value>, at: &str, known: &[&str], what: &str) {
        for (index, name) in names.and_then(Value::as_array).into_iter().flatten().enumerate() {
            if let Some(name) = name.as_str() {
                self.one(name, format!("{at}[{index}]"), known, what);
            }
        }
    }

    fn one(&mut self, name: &str, at: String, known: &[&str], what: &str) {
        if known.contains(&name) {
            return;
        }
        let mut near: Vec<String> =
            codes::meant(name).filter(|code| known.contains(code)).take(2).map(str::to_owned).collect();
        if near.is_empty() {
            near = suggest::nearest(name, known.iter().copied());
        }
        let mut problem = Problem::new("unknown_input", format!("there is no {what} `{name}`")).path(at);
        if near.is_empty() {
            problem = problem.hint(format!("there are {}", suggest::list(known.iter().copied(), 24)));
        }
        self.problems.push(problem.near(near));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let (settings, problems) = read(text);
        assert!(settings.is_none() || problems.is_empty());
        let mut lines: Vec<String> = problems
            .iter()
            .map(|problem| {
                assert_eq!(problem.place.file.as_deref(), Some("game.json"));
                let path = problem.place.path.clone().unwrap_or_default();
                format!("{} {path} {}", problem.code, problem.near.join(","))
            })
            .collect();
        lines.sort();
        lines
    }

    #[test]
    fn every_fault_of_a_broken_game_is_named_with_the_nearest_name() {
        let text = r#"{"name": "", "id": "Bad Id", "mainscene": "a", "tickRate": 5, "physics": {"gravity": [0, -1e9, 0]},
          "input": {"actions": {
            "jump": {"keys": ["Spcae", "Space", "W"], "gampad": ["South"], "gamepad": ["A"], "mouse": ["left"]},
            "move": {"axis": [["KeyA"], ["Left"]], "gamepadAxis": "LeftStikX"}}},
          "audio": {"buses": {"music": 9, "loud": "very"}}, "customTools": {"policy": "atuo"}}"#;
        assert_eq!(
            found(text),
            [
                "missing_key mainScene ",
                "unknown_input input.actions.jump.gamepad[0] South",
                "unknown_input input.actions.jump.keys[0] Space",
                "unknown_input input.actions.jump.keys[2] KeyW",
                "unknown_input input.actions.jump.mouse[0] Left",
                "unknown_input input.actions.move.axis[1][0] ArrowLeft",
                "unknown_input input.actions.move.gamepadAxis LeftStickX,LeftStickY",
                "unknown_key input.actions.jump.gampad gamepad",
                "unknown_key mainscene mainScene",
                "wrong_type audio.buses.loud ",
                "wrong_value audio.buses.music ",
                "wrong_value customTools.policy auto",
                "wrong_value id ",
                "wrong_value name ",
                "wrong_value physics.gravity[1] ",
                "wrong_value tickRate ",
            ]
        );
    }

    #[test]
    fn what_is_not_said_has_the_value_that_the_schema_names() {
        let (settings, problems) = read(r#"{"name": "X", "id": "x", "mainScene": "scenes/a.scene.json"}"#);
        assert_eq!(problems, []);
        let settings = settings.unwrap();
        assert_eq!((settings.window.width, settings.window.height, settings.tick_rate), (1280, 720, 60));
        assert_eq!(settings.physics.gravity, [0.0, -9.81, 0.0]);
        assert_eq!(settings.custom_tools.policy, Policy::Auto);
        assert_eq!(schema()["properties"]["tickRate"]["default"], 60);
    }

    #[test]
    fn text_that_is_no_json_is_named_with_its_line() {
        let problems = read("{\n  \"name\": \"X\",\n}").1;
        assert_eq!((problems[0].code.as_str(), problems[0].place.line), ("not_json", Some(3)));
        let deep = "[".repeat(100_000);
        assert_eq!(read(&deep).1[0].code, "not_json");
    }

    #[test]
    fn whatever_stands_in_place_of_a_value_is_accepted_or_named_with_its_place() {
        fn places(at: &Value, path: &str, found: &mut Vec<String>) {
            found.push(path.to_owned());
            match at {
                Value::Object(object) => {
                    object.iter().for_each(|(name, inner)| places(inner, &format!("{path}/{name}"), found));
                }
                Value::Array(items) => items
                    .iter()
                    .enumerate()
                    .for_each(|(index, inner)| places(inner, &format!("{path}/{index}"), found)),
                _ => {}
            }
        }
        let game = serde_json::json!({"$schema": "s", "name": "X", "id": "x", "version": "1", "mainScene": "a",
            "window": {"width": 640, "height": 360}, "tickRate": 60, "physics": {"gravity": [0, -25, 0]},
            "input": {"actions": {"jump": {"keys": ["Space"], "mouse": ["Left"], "gamepad": ["South"],
                "axis": [["KeyA"], ["KeyD"]], "gamepadAxis": "LeftStickX"}}},
            "audio": {"buses": {"music": 0.7}}, "customTools": {"policy": "auto"}});
        assert_eq!(read(&game.to_string()).1, []);
        let mut found = Vec::new();
        places(&game, "", &mut found);
        let values =
            serde_json::json!([null, true, -1, 0, 1.5, 60.0, 1e300, "", "x", [], [1], [[]], {}, {"x": 1}]);
        for path in &found {
            for value in values.as_array().unwrap() {
                let mut changed = game.clone();
                *changed.pointer_mut(path).unwrap() = value.clone();
                let (settings, problems) = read(&changed.to_string());
                assert_eq!(settings.is_some(), problems.is_empty(), "{path} {value} {problems:?}");
                let top = path.split('/').nth(1).unwrap_or_default();
                for problem in problems {
                    let place = problem.place.path.clone().unwrap_or_default();
                    assert!(path.is_empty() || place.starts_with(top), "{path} {value}: {problem}");
                }
            }
        }
    }
}
