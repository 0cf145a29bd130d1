//! What every pass of a picture knows, as the shaders read it: counterpart of `frame.wgsl`.

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec3, Vec4};
use scene::Environment;

use crate::extract::DrawList;
use crate::shadow::SunView;

/// The shader text in front of every pass.
pub(crate) const SHADER: &str = include_str!("../../../shaders/frame.wgsl");

/// Below this brightness of the zenith the first stars show, and at none of it all do.
const STARS_BELOW: f32 = 0.06;

/// Share of the spilled light that is added to the picture.
const BLOOM_STRENGTH: f32 = 0.55;

/// The uniform block `Frame`.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Frame {
    clip_from_world: Mat4,
    shadow_from_world: Mat4,
    camera: Vec4,
    ray_forward: Vec4,
    ray_right: Vec4,
    ray_up: Vec4,
    sun: Vec4,
    sun_color: Vec4,
    sky: Vec4,
    horizon: Vec4,
    ground: Vec4,
    fog: Vec4,
}

impl Frame {
    pub fn new(
        list: &DrawList,
        environment: &Environment,
        sun_view: &SunView,
        size: [u32; 2],
        time: f32,
    ) -> Self {
        let [width, height] = size.map(|side| side as f32);
        let view = &list.camera;
        let half = (view.fov * 0.5).tan();
        let color = |color: scene::Color, w: f32| Vec4::from_array(color.to_linear()).truncate().extend(w);
        let sky = color(environment.sky, environment.ambient);
        let brightness = sky.truncate().dot(Vec3::new(0.21, 0.72, 0.07));
        let stars = (1.0 - brightness / STARS_BELOW).clamp(0.0, 1.0);
        let sun = list.sun.as_ref();
        Self {
            clip_from_world: list.clip_from_world,
            shadow_from_world: sun_view.clip_from_world,
            camera: view.position.extend(time),
            ray_forward: (view.rotation * Vec3::NEG_Z).extend(width),
            // A star's size is counted in pixels: how many lie on one unit of the view's rays.
            ray_right: (view.rotation * Vec3::X * half * width / height).extend(height * 0.5 / half),
            ray_up: (view.rotation * Vec3::Y * half).extend(stars),
            sun: sun.map_or(Vec3::Y, |sun| -sun.direction).extend(if sun_view.casts { 1.0 } else { 0.0 }),
            sun_color: sun.map_or(Vec3::ZERO, |sun| sun.color).extend(sun_view.texel),
            sky,
            horizon: color(environment.horizon, environment.fog_density),
            ground: color(environment.ground, environment.exposure.exp2()),
            fog: color(environment.fog, BLOOM_STRENGTH),
        }
    }
}
