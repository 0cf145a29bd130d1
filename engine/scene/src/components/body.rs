//! How an entity moves through the physical world. A collider without a body stands still.

use glam::Vec3;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::field;

/// Who moves it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BodyKind {
    /// Nobody.
    Static,
    /// Forces, gravity and contacts.
    #[default]
    Dynamic,
    /// Its transform, set by scripts; it pushes others and is never pushed.
    Kinematic,
    /// Scripts through `self.move(velocity)`: it slides along walls, climbs steps and stands on the ground.
    Character,
}

/// A physical body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Body {
    /// Static, dynamic, kinematic or character.
    pub kind: BodyKind,
    /// Kilograms.
    #[serde(serialize_with = "field::number")]
    #[schemars(range(min = 0.001, max = 1000000.0))]
    pub mass: f32,
    /// Velocity, metres a second, `[x, y, z]`.
    #[serde(serialize_with = "field::vector")]
    #[schemars(with = "[f32; 3]", inner(range(min = -1e5, max = 1e5)))]
    pub velocity: Vec3,
    /// Factor on the scene's gravity.
    #[serde(serialize_with = "field::number")]
    pub gravity_scale: f32,
    /// Velocity lost, parts a second.
    #[serde(serialize_with = "field::number")]
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub damping: f32,
    /// Whether it never turns.
    pub lock_rotation: bool,
    /// Highest step a character climbs, metres.
    #[serde(serialize_with = "field::number")]
    #[schemars(range(min = 0.0, max = 10.0))]
    pub step_height: f32,
    /// Steepest slope a character walks up, degrees.
    #[serde(serialize_with = "field::number")]
    #[schemars(range(min = 0.0, max = 90.0))]
    pub max_slope: f32,
}

impl Default for Body {
    fn default() -> Self {
        Self {
            kind: BodyKind::Dynamic,
            mass: 1.0,
            velocity: Vec3::ZERO,
            gravity_scale: 1.0,
            damping: 0.0,
            lock_rotation: false,
            step_height: 0.3,
            max_slope: 50.0,
        }
    }
}
