//! Where everything is in the world at one moment, as presentation reads it. Made by the simulation's side,
//! blended between two ticks by the runtime, read by pictures and sound.

use base::EntityId;
use glam::{Affine3A, Quat, Vec3};

use crate::Column;

/// An entity's place in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Metres.
    pub position: Vec3,
    /// Unit quaternion.
    pub rotation: Quat,
    /// Factors along its own axes; skew from scaled and turned parents is dropped.
    pub scale: Vec3,
}

impl Default for Pose {
    fn default() -> Self {
        Self { position: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE }
    }
}

impl Pose {
    /// World space from the entity's own.
    pub fn affine(&self) -> Affine3A {
        Affine3A::from_scale_rotation_translation(self.scale, self.rotation, self.position)
    }

    /// Between two poses, `t` from 0 to 1.
    #[must_use]
    pub fn blend(&self, next: &Self, t: f32) -> Self {
        Self {
            position: self.position.lerp(next.position, t),
            rotation: self.rotation.slerp(next.rotation, t),
            scale: self.scale.lerp(next.scale, t),
        }
    }
}

/// Which clip an entity shows, and how far into it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ClipTime {
    /// Name of the clip; empty is the rest pose.
    pub clip: String,
    /// Seconds into it, not wrapped.
    pub seconds: f32,
    /// Whether it wraps at its end; otherwise it holds there.
    pub looped: bool,
}

/// What an animated entity shows: a clip, perhaps still blended with the one before.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AnimationPose {
    /// The clip now.
    pub current: ClipTime,
    /// The clip before, while it fades.
    pub previous: Option<ClipTime>,
    /// Share of the current clip, 0 to 1.
    pub weight: f32,
}

/// The whole scene's places at one moment.
#[derive(Debug, Clone, Default)]
pub struct Poses {
    /// World poses of every entity.
    pub places: Column<Pose>,
    /// What animated entities show.
    pub animations: Column<AnimationPose>,
}

impl Poses {
    /// This entity's place in the world.
    pub fn get(&self, id: EntityId) -> Option<&Pose> {
        self.places.get(id)
    }
}
