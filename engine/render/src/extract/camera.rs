//! The `camera` component: from where the scene is seen.

use glam::Vec3;
use scene::{Poses, Scene};

use crate::CameraView;

/// The active camera with the lowest id, else a view from a little above.
pub(crate) fn view(scene: &Scene, poses: &Poses) -> CameraView {
    let active = scene.columns.camera.iter().find(|(_, camera)| camera.active);
    active.map_or_else(
        || CameraView::looking(Vec3::new(6.0, 5.0, 9.0), Vec3::ZERO),
        |(id, camera)| {
            let (_, rotation, position) = super::place(scene, poses, id).to_scale_rotation_translation();
            CameraView::with(camera, position, rotation)
        },
    )
}
