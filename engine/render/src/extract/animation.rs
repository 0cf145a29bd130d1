//! The `animation` component: where a model's nodes are while a clip plays.

use glam::Mat4;
use project::Model;
use scene::poses::AnimationPose;

/// From each node's space to the model's.
pub(super) fn node_matrices(model: &Model, shown: &AnimationPose) -> Vec<Mat4> {
    let now = model.sample(&shown.current.clip, shown.current.seconds, shown.current.looped);
    let pose = match &shown.previous {
        Some(before) if shown.weight < 1.0 => model
            .sample(&before.clip, before.seconds, before.looped)
            .blend(&now, shown.weight.clamp(0.0, 1.0)),
        _ => now,
    };
    pose.matrices(model)
}
