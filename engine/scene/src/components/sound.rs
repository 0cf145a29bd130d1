//! A sound that an entity makes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::field;

/// A sound at the entity, looping unless told otherwise.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sound {
    /// A `.ogg`, `.wav` or `.mp3` file under the project's `assets/`.
    pub clip: String,
    /// The bus it is mixed into.
    #[serde(default = "effects")]
    pub bus: String,
    /// Linear gain.
    #[serde(default = "one", serialize_with = "field::number")]
    #[schemars(range(min = 0.0, max = 4.0))]
    pub volume: f32,
    /// Factor on speed and pitch.
    #[serde(default = "one", serialize_with = "field::number")]
    #[schemars(range(min = 0.1, max = 8.0))]
    pub pitch: f32,
    /// Whether it starts over at its end.
    #[serde(default = "yes")]
    pub looped: bool,
    /// Whether it plays from the start of the scene.
    #[serde(default = "yes")]
    pub autoplay: bool,
    /// Whether it comes from the entity's place; otherwise it is everywhere.
    #[serde(default = "yes")]
    pub spatial: bool,
    /// Metres within which it is at full volume.
    #[serde(default = "one", serialize_with = "field::number")]
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub min_distance: f32,
    /// Metres beyond which it is silent.
    #[serde(default = "thirty", serialize_with = "field::number")]
    #[schemars(range(min = 0.1, max = 10000.0))]
    pub max_distance: f32,
}

fn effects() -> String {
    "effects".to_owned()
}

fn one() -> f32 {
    1.0
}

fn thirty() -> f32 {
    30.0
}

fn yes() -> bool {
    true
}
