//! Where an entity is, relative to its parent.

use glam::{EulerRot, Mat4, Quat, Vec3};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::field;

/// Position, rotation and scale relative to the parent. Right-handed, y up, -z forward.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Transform {
    /// Metres from the parent's origin, `[x, y, z]`.
    #[serde(serialize_with = "field::vector")]
    #[schemars(with = "[f32; 3]", inner(range(min = -1e6, max = 1e6)))]
    pub position: Vec3,
    /// Degrees about x (pitch), y (yaw) and z (roll), `[x, y, z]`; yaw turns first, then pitch, then roll.
    #[serde(serialize_with = "field::vector")]
    #[schemars(with = "[f32; 3]", inner(range(min = -1e6, max = 1e6)))]
    pub rotation: Vec3,
    /// Factors along the entity's own axes, `[x, y, z]`.
    #[serde(serialize_with = "field::vector")]
    #[schemars(with = "[f32; 3]", inner(range(min = -1e4, max = 1e4)))]
    pub scale: Vec3,
}

impl Default for Transform {
    fn default() -> Self {
        Self { position: Vec3::ZERO, rotation: Vec3::ZERO, scale: Vec3::ONE }
    }
}

impl Transform {
    /// The rotation as a unit quaternion.
    pub fn quat(&self) -> Quat {
        let [x, y, z] = self.rotation.to_array().map(f32::to_radians);
        Quat::from_euler(EulerRot::YXZ, y, x, z)
    }

    /// Sets the rotation from a unit quaternion.
    pub fn set_quat(&mut self, quat: Quat) {
        let (y, x, z) = quat.to_euler(EulerRot::YXZ);
        self.rotation = Vec3::new(x, y, z).map(f32::to_degrees);
    }

    /// Parent space from the entity's own.
    pub fn matrix(&self) -> Mat4 {
        Mat4::from_scale_rotation_translation(self.scale, self.quat(), self.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positive_yaw_turns_left_and_forward_is_minus_z() {
        let transform = Transform { rotation: Vec3::new(0.0, 90.0, 0.0), ..Transform::default() };
        assert!((transform.quat() * Vec3::NEG_Z).abs_diff_eq(Vec3::NEG_X, 1e-6));
    }

    #[test]
    fn degrees_survive_the_way_through_a_quaternion() {
        let mut transform = Transform { rotation: Vec3::new(20.0, -130.0, 45.0), ..Transform::default() };
        transform.set_quat(transform.quat());
        assert!(transform.rotation.abs_diff_eq(Vec3::new(20.0, -130.0, 45.0), 1e-3));
    }
}
