//! A source of light.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::field;
use crate::Color;

/// What kind of source.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LightKind {
    /// In all directions from a point.
    #[default]
    Point,
    /// A cone along the entity's forward direction.
    Spot,
    /// Parallel light along the entity's forward direction, everywhere; the first one casts shadows.
    Sun,
}

/// A light at the entity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Light {
    /// Point, spot or sun.
    pub kind: LightKind,
    /// Its colour.
    pub color: Color,
    /// Brightness: 1 lights a white wall facing the light (1 metre away, for point and spot) to white.
    #[serde(serialize_with = "field::number")]
    #[schemars(range(min = 0.0, max = 10000.0))]
    pub intensity: f32,
    /// Metres after which a point or spot light ends.
    #[serde(serialize_with = "field::number")]
    #[schemars(range(min = 0.01, max = 1000.0))]
    pub range: f32,
    /// Full angle of a spot's cone, degrees.
    #[serde(serialize_with = "field::number")]
    #[schemars(range(min = 1.0, max = 175.0))]
    pub angle: f32,
    /// Whether a sun casts shadows.
    pub shadows: bool,
}

impl Default for Light {
    fn default() -> Self {
        Self {
            kind: LightKind::Point,
            color: Color::WHITE,
            intensity: 1.0,
            range: 10.0,
            angle: 45.0,
            shadows: true,
        }
    }
}
