//! What a picture is made from.

use glam::{Mat4, Quat, Vec3};
use scene::components::Camera;
use scene::{Hud, Poses, Scene};

use crate::extract;

/// A moment of a game, ready to be drawn.
#[derive(Clone, Copy)]
pub struct FrameInput<'a> {
    /// What there is.
    pub scene: &'a Scene,
    /// Where it is. Entities that are missing are placed by their transforms.
    pub poses: &'a Poses,
    /// What lies over the picture.
    pub hud: &'a Hud,
    /// The view; the scene's own camera where there is none.
    pub camera: Option<CameraView>,
    /// Seconds of play, for what moves by itself.
    pub time_seconds: f32,
    /// Whether the HUD is drawn.
    pub show_hud: bool,
}

/// From where and how the scene is seen. Looks along -z of its rotation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CameraView {
    /// Metres.
    pub position: Vec3,
    /// Unit quaternion.
    pub rotation: Quat,
    /// Vertical field of view, radians.
    pub fov: f32,
    /// Nearest distance drawn, metres.
    pub near: f32,
    /// Furthest distance drawn, metres.
    pub far: f32,
}

impl CameraView {
    /// The scene's view: its active camera with the lowest id; without one, from a little above, looking at the origin.
    pub fn of_scene(scene: &Scene, poses: &Poses) -> Self {
        extract::camera::view(scene, poses)
    }

    /// From one point towards another, with the usual lens.
    pub fn looking(from: Vec3, at: Vec3) -> Self {
        let forward = (at - from).try_normalize().unwrap_or(Vec3::NEG_Z);
        let up = if forward.y.abs() > 0.999 { Vec3::Z } else { Vec3::Y };
        let right = forward.cross(up).normalize();
        let matrix = glam::Mat3::from_cols(right, right.cross(forward), -forward);
        Self::with(&Camera::default(), from, Quat::from_mat3(&matrix))
    }

    pub(crate) fn with(camera: &Camera, position: Vec3, rotation: Quat) -> Self {
        let near = camera.near.max(0.001);
        Self {
            position,
            rotation: rotation.normalize(),
            fov: camera.fov.clamp(1.0, 170.0).to_radians(),
            near,
            far: camera.far.max(near * 2.0),
        }
    }

    /// View space from world space.
    pub(crate) fn view_matrix(&self) -> Mat4 {
        Mat4::from_rotation_translation(self.rotation, self.position).inverse()
    }

    /// Clip space from view space. Depth is reversed, 1 near and 0 far: far things keep their precision.
    pub(crate) fn projection(&self, aspect: f32) -> Mat4 {
        glam::camera::rh::proj::directx::perspective(self.fov, aspect, self.far, self.near)
    }
}
