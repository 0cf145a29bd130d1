//! What an entity looks like.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::field;
use crate::Color;

/// A model drawn at the entity: a glTF file of the project or a built-in shape.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mesh {
    /// A `.glb` or `.gltf` file under the project's `assets/`, or `cube`, `sphere`, `plane`, `cylinder`, `cone`, `capsule` or `torus` (each 1 metre in size, centred at its origin).
    pub model: String,
    /// Multiplies the model's own colour.
    #[serde(default = "white")]
    pub color: Color,
    /// Light given off, as a colour; black gives none.
    #[serde(default = "black")]
    pub emissive: Color,
    /// Factor on the emissive light, 0 to 100; above 1 it glows.
    #[serde(default = "one", serialize_with = "field::number")]
    #[schemars(range(min = 0.0, max = 100.0))]
    pub glow: f32,
    /// Replaces the model's metalness, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub metallic: Option<f32>,
    /// Replaces the model's roughness, 0 (mirror) to 1 (chalk).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub roughness: Option<f32>,
    /// Whether it is drawn.
    #[serde(default = "yes")]
    pub visible: bool,
    /// Whether it throws a shadow.
    #[serde(default = "yes")]
    pub cast_shadow: bool,
}

fn white() -> Color {
    Color::WHITE
}

fn black() -> Color {
    Color::rgb(0, 0, 0)
}

fn one() -> f32 {
    1.0
}

fn yes() -> bool {
    true
}
