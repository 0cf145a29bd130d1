//! Which clip of its model an entity plays.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::field;

/// Plays a clip of the entity's model. Scripts switch clips with `self.play("run")`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Animation {
    /// Name of the clip; empty holds the model's rest pose.
    pub clip: String,
    /// Factor on the clip's own speed; 0 freezes it.
    #[serde(serialize_with = "field::number")]
    pub speed: f32,
    /// Whether it starts over at its end; otherwise it holds its last pose.
    pub looped: bool,
    /// Seconds over which a switch of clips is blended.
    #[serde(serialize_with = "field::number")]
    #[schemars(range(min = 0.0, max = 10.0))]
    pub blend: f32,
}

impl Default for Animation {
    fn default() -> Self {
        Self { clip: String::new(), speed: 1.0, looped: true, blend: 0.15 }
    }
}
