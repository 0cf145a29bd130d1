//! The space an entity takes up.

use glam::Vec3;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::field;

/// The shape's kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ColliderShape {
    /// A box of `size`.
    #[default]
    Box,
    /// A ball of `radius`.
    Sphere,
    /// An upright capsule: `height` from end to end, `radius` wide.
    Capsule,
    /// An upright cylinder of `height` and `radius`.
    Cylinder,
    /// The triangles of the entity's own mesh; for things that never move.
    Mesh,
}

/// A shape that others bump into, or, as a sensor, that notices who is inside.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Collider {
    /// Box, sphere, capsule, cylinder or mesh.
    pub shape: ColliderShape,
    /// Full extents of a box, metres, `[x, y, z]`.
    #[serde(serialize_with = "field::vector")]
    #[schemars(with = "[f32; 3]", inner(range(min = 0.001, max = 1e5)))]
    pub size: Vec3,
    /// Radius of a sphere, capsule or cylinder, metres.
    #[serde(serialize_with = "field::number")]
    #[schemars(range(min = 0.001, max = 10000.0))]
    pub radius: f32,
    /// Full height of a capsule or cylinder, metres.
    #[serde(serialize_with = "field::number")]
    #[schemars(range(min = 0.001, max = 10000.0))]
    pub height: f32,
    /// Centre of the shape from the entity's origin, metres, `[x, y, z]`.
    #[serde(serialize_with = "field::vector")]
    #[schemars(with = "[f32; 3]", inner(range(min = -1e6, max = 1e6)))]
    pub offset: Vec3,
    /// Whether it only notices (`on enter`, `on exit`) and stops nothing.
    pub sensor: bool,
    /// Coulomb friction, 0 (ice) to 2.
    #[serde(serialize_with = "field::number")]
    #[schemars(range(min = 0.0, max = 2.0))]
    pub friction: f32,
    /// Bounciness, 0 to 1.
    #[serde(serialize_with = "field::number")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub restitution: f32,
}

impl Default for Collider {
    fn default() -> Self {
        Self {
            shape: ColliderShape::Box,
            size: Vec3::ONE,
            radius: 0.5,
            height: 1.0,
            offset: Vec3::ZERO,
            sensor: false,
            friction: 0.5,
            restitution: 0.0,
        }
    }
}
