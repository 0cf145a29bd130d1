//! A view of the scene.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::field;

/// A camera looking along the entity's forward direction. The active one with the lowest id is the game's view.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Camera {
    /// Vertical field of view, degrees.
    #[serde(serialize_with = "field::number")]
    #[schemars(range(min = 1.0, max = 170.0))]
    pub fov: f32,
    /// Nearest distance drawn, metres.
    #[serde(serialize_with = "field::number")]
    #[schemars(range(min = 0.001, max = 100.0))]
    pub near: f32,
    /// Furthest distance drawn, metres.
    #[serde(serialize_with = "field::number")]
    #[schemars(range(min = 1.0, max = 100000.0))]
    pub far: f32,
    /// Whether it may be the game's view.
    pub active: bool,
}

impl Default for Camera {
    fn default() -> Self {
        Self { fov: 60.0, near: 0.1, far: 500.0, active: true }
    }
}
