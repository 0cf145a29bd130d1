//! What surrounds a scene: sky, ambient light, fog, exposure.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Color;
use crate::components::field;

/// The surroundings of a scene.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Environment {
    /// Colour of the sky at the zenith.
    pub sky: Color,
    /// Colour of the sky at the horizon.
    pub horizon: Color,
    /// Colour below the horizon.
    pub ground: Color,
    /// Brightness of the light from the sky, 0 to 10.
    #[serde(serialize_with = "field::number")]
    #[schemars(range(min = 0.0, max = 10.0))]
    pub ambient: f32,
    /// Colour of the fog.
    pub fog: Color,
    /// Fog density, parts a metre; 0 is clear.
    #[serde(serialize_with = "field::number")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub fog_density: f32,
    /// Exposure in stops; 1 doubles the brightness.
    #[serde(serialize_with = "field::number")]
    #[schemars(range(min = -10.0, max = 10.0))]
    pub exposure: f32,
}

impl Default for Environment {
    fn default() -> Self {
        Self {
            sky: Color::rgb(0x6f, 0xa3, 0xe8),
            horizon: Color::rgb(0xd8, 0xe6, 0xf5),
            ground: Color::rgb(0x5a, 0x55, 0x50),
            ambient: 0.4,
            fog: Color::rgb(0xd8, 0xe6, 0xf5),
            fog_density: 0.0,
            exposure: 0.0,
        }
    }
}
