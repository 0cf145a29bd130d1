//! Poses: where a model's nodes are at a moment of a clip.

use glam::{Mat4, Quat, Vec3};

use super::{Channel, Interpolation, Model, Track};

/// A node's place in its parent's space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LocalPose {
    /// Metres.
    pub translation: Vec3,
    /// Unit quaternion.
    pub rotation: Quat,
    /// Factors.
    pub scale: Vec3,
}

impl Default for LocalPose {
    fn default() -> Self {
        Self { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE }
    }
}

/// All nodes of a model at one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Pose {
    /// By node.
    pub nodes: Vec<LocalPose>,
}

impl Pose {
    /// This pose blended with another, `t` from 0 to 1.
    #[must_use]
    pub fn blend(mut self, other: &Self, t: f32) -> Self {
        for (own, other) in self.nodes.iter_mut().zip(&other.nodes) {
            own.translation = own.translation.lerp(other.translation, t);
            own.rotation = own.rotation.slerp(other.rotation, t);
            own.scale = own.scale.lerp(other.scale, t);
        }
        self
    }

    /// From each node's space to the model's.
    pub fn matrices(&self, model: &Model) -> Vec<Mat4> {
        let mut matrices: Vec<Mat4> = Vec::with_capacity(self.nodes.len());
        for (local, node) in self.nodes.iter().zip(&model.nodes) {
            let own = Mat4::from_scale_rotation_translation(local.scale, local.rotation, local.translation);
            // A parent comes before its children, so its matrix is there.
            let parent =
                node.parent.and_then(|parent| matrices.get(parent)).copied().unwrap_or(Mat4::IDENTITY);
            matrices.push(parent * own);
        }
        matrices
    }
}

impl Model {
    /// The pose without any clip.
    pub fn rest(&self) -> Pose {
        Pose { nodes: self.nodes.iter().map(|node| node.rest).collect() }
    }

    /// The pose so many seconds into a clip; wrapped where it is looped, else held at its end. The rest pose for a
    /// clip that is not there.
    pub fn sample(&self, clip: &str, seconds: f32, looped: bool) -> Pose {
        let mut pose = self.rest();
        let Some(clip) = self.clip(clip) else { return pose };
        let at = if looped && clip.seconds > 0.0 {
            seconds.rem_euclid(clip.seconds)
        } else {
            seconds.clamp(0.0, clip.seconds)
        };
        for channel in &clip.channels {
            if let Some(node) = pose.nodes.get_mut(channel.node) {
                apply(channel, at, node);
            }
        }
        pose
    }
}

fn apply(channel: &Channel, at: f32, node: &mut LocalPose) {
    let next = channel.times.partition_point(|time| *time <= at);
    let last = channel.times.len().saturating_sub(1);
    let (from, to) = (next.saturating_sub(1).min(last), next.min(last));
    let time = |index: usize| channel.times.get(index).copied().unwrap_or_default();
    let span = time(to) - time(from);
    let t = if span > 0.0 { ((at - time(from)) / span).clamp(0.0, 1.0) } else { 0.0 };
    match &channel.track {
        Track::Translation(values) => {
            if let Some(value) = vector(values, channel.interpolation, from, to, t, span) {
                node.translation = value;
            }
        }
        Track::Scale(values) => {
            if let Some(value) = vector(values, channel.interpolation, from, to, t, span) {
                node.scale = value;
            }
        }
        Track::Rotation(values) => {
            if let Some(value) = rotation(values, channel.interpolation, from, to, t, span) {
                node.rotation = value;
            }
        }
    }
}

fn vector(values: &[Vec3], how: Interpolation, from: usize, to: usize, t: f32, span: f32) -> Option<Vec3> {
    Some(match how {
        Interpolation::Step => *values.get(from)?,
        Interpolation::Linear => values.get(from)?.lerp(*values.get(to)?, t),
        Interpolation::Cubic => {
            let [a, b, c, d] = spline(t, span);
            *values.get(from * 3 + 1)? * a
                + *values.get(from * 3 + 2)? * b
                + *values.get(to * 3 + 1)? * c
                + *values.get(to * 3)? * d
        }
    })
}

fn rotation(values: &[Quat], how: Interpolation, from: usize, to: usize, t: f32, span: f32) -> Option<Quat> {
    Some(match how {
        Interpolation::Step => *values.get(from)?,
        Interpolation::Linear => values.get(from)?.slerp(*values.get(to)?, t),
        Interpolation::Cubic => {
            let [a, b, c, d] = spline(t, span);
            let sum = *values.get(from * 3 + 1)? * a
                + *values.get(from * 3 + 2)? * b
                + *values.get(to * 3 + 1)? * c
                + *values.get(to * 3)? * d;
            if sum.length_squared() > 1e-12 { sum.normalize() } else { *values.get(from * 3 + 1)? }
        }
    })
}

/// Weights of the first value, its tangent behind, the second value and its tangent before.
fn spline(t: f32, span: f32) -> [f32; 4] {
    let (t2, t3) = (t * t, t * t * t);
    [2.0 * t3 - 3.0 * t2 + 1.0, span * (t3 - 2.0 * t2 + t), 3.0 * t2 - 2.0 * t3, span * (t3 - t2)]
}
