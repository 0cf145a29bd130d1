//! `game.json`: what a game is called, how it starts, what its inputs mean.

use base::schema::Schema;
use base::{Problem, suggest};
use indexmap::IndexMap;
use schemars::{JsonSchema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::codes;

/// A game.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Settings {
    /// The schema this file follows, for editors.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// What people call it.
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
    /// Mouse buttons: `Left`, `Right`, `Middle`.
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
    /// Linear gains of buses by name; `effects` and `music` exist without being named.
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
    let value: Value = match serde_json::from_str(text) {
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
    let mut settings = None;
    if problems.is_empty() {
        match serde_json::from_value::<Settings>(value) {
            Ok(read) => {
                problems.extend(check_codes(&read));
                settings = problems.is_empty().then_some(read);
            }
            Err(error) => problems.push(Problem::new("wrong_value", error.to_string())),
        }
    }
    (settings, problems.into_iter().map(|problem| problem.file(FILE)).collect())
}

fn check_codes(settings: &Settings) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut check = |path: String, name: &str, known: &[&str], what: &str| {
        if !known.contains(&name) {
            problems.push(
                Problem::new("unknown_input", format!("there is no {what} `{name}`"))
                    .path(path)
                    .near(suggest::nearest(name, known.iter().copied())),
            );
        }
    };
    for (action, triggers) in &settings.input.actions {
        let at = |field: &str, index: usize| format!("input.actions.{action}.{field}[{index}]");
        for (index, key) in triggers.keys.iter().enumerate() {
            check(at("keys", index), key, codes::KEYS, "key");
        }
        for (index, button) in triggers.mouse.iter().enumerate() {
            check(at("mouse", index), button, codes::MOUSE, "mouse button");
        }
        for (index, button) in triggers.gamepad.iter().enumerate() {
            check(at("gamepad", index), button, codes::BUTTONS, "gamepad button");
        }
        for (side, keys) in triggers.axis.iter().flatten().enumerate() {
            for (index, key) in keys.iter().enumerate() {
                check(at(&format!("axis[{side}]"), index), key, codes::KEYS, "key");
            }
        }
        if let Some(axis) = &triggers.gamepad_axis {
            check(format!("input.actions.{action}.gamepadAxis"), axis, codes::AXES, "gamepad axis");
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_of_a_broken_game_is_named_with_the_nearest_name() {
        let text = r#"{"name": "X", "id": "Bad Id", "mainscene": "a", "tickRate": 5,
          "input": {"actions": {"jump": {"keys": ["Spcae"], "gampad": ["South"]}}}}"#;
        let problems = read(text).1;
        let mut paths: Vec<String> = problems
            .iter()
            .map(|p| format!("{} {}", p.code, p.place.path.clone().unwrap_or_default()))
            .collect();
        paths.sort();
        assert_eq!(
            paths,
            [
                "missing_key mainScene",
                "unknown_key input.actions.jump.gampad",
                "unknown_key mainscene",
                "wrong_value id",
                "wrong_value tickRate"
            ]
        );
        let text = r#"{"name": "X", "id": "x", "mainScene": "a", "input": {"actions": {"jump": {"keys": ["Spcae"]}}}}"#;
        let problems = read(text).1;
        assert_eq!(
            (problems[0].code.as_str(), problems[0].near.as_slice()),
            ("unknown_input", &["Space".to_owned()][..])
        );
    }
}
