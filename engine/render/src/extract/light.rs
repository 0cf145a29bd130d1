//! The `light` component: the sun, and the lamps that reach into the view.

use glam::{Vec3, Vec4};
use scene::components::{Light, LightKind};
use scene::{Poses, Scene};

use super::frustum::Frustum;
use crate::CameraView;
use crate::surface::LightData;

/// Lamps of one picture at most; the strongest at the eye are kept. An instance names its lamps with a byte each.
pub(crate) const MOST_LIGHTS: usize = 128;

/// Metres away that a sun beside the first one is taken for a lamp.
const SECOND_SUN: f32 = 10_000.0;

/// The light that comes from far away.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sun {
    /// Along the light, unit length.
    pub direction: Vec3,
    /// Linear, times intensity.
    pub color: Vec3,
    /// Whether it throws shadows.
    pub shadows: bool,
}

/// The sun with the lowest id, and the lamps.
pub(crate) fn collect(
    scene: &Scene,
    poses: &Poses,
    view: &Frustum,
    camera: &CameraView,
) -> (Option<Sun>, Vec<LightData>) {
    let mut sun = None;
    let mut lamps = Vec::new();
    for (id, light) in scene.columns.light.iter() {
        if light.intensity <= 0.0 {
            continue;
        }
        let place = super::place(scene, poses, id);
        let position = Vec3::from(place.translation);
        let forward = place.transform_vector3(Vec3::NEG_Z).try_normalize().unwrap_or(Vec3::NEG_Z);
        let color = Vec4::from_array(light.color.to_linear()).truncate() * light.intensity;
        match light.kind {
            LightKind::Sun if sun.is_none() => {
                sun = Some(Sun { direction: forward, color, shadows: light.shadows });
            }
            LightKind::Sun => lamps.push(LightData {
                position: (camera.position - forward * SECOND_SUN).extend(SECOND_SUN * 100.0),
                color: (color * SECOND_SUN * SECOND_SUN).extend(0.0),
                direction: Vec3::ZERO.extend(1.0),
            }),
            LightKind::Point | LightKind::Spot if view.touches(position, light.range) => {
                lamps.push(lamp(light, position, forward, color));
            }
            LightKind::Point | LightKind::Spot => {}
        }
    }
    if lamps.len() > MOST_LIGHTS {
        lamps.sort_by(|a, b| strength(b, camera.position, 1.0).total_cmp(&strength(a, camera.position, 1.0)));
        lamps.truncate(MOST_LIGHTS);
    }
    (sun, lamps)
}

fn lamp(light: &Light, position: Vec3, forward: Vec3, color: Vec3) -> LightData {
    // The cone fades over its outer fifth; a point's cone is everywhere.
    let (scale, offset) = if light.kind == LightKind::Spot {
        let half = (light.angle * 0.5).to_radians();
        let (outer, inner) = (half.cos(), (half * 0.8).cos());
        let scale = 1.0 / (inner - outer).max(1e-4);
        (scale, -outer * scale)
    } else {
        (0.0, 1.0)
    };
    LightData {
        position: position.extend(light.range.max(0.01)),
        color: color.extend(scale),
        direction: forward.extend(offset),
    }
}

/// How bright a lamp is at its brightest within a ball; 0 where it does not reach.
pub(crate) fn strength(lamp: &LightData, centre: Vec3, radius: f32) -> f32 {
    let away = (lamp.position.truncate().distance(centre) - radius).max(0.0);
    if away >= lamp.position.w {
        return 0.0;
    }
    lamp.color.truncate().element_sum() / (away * away).max(0.04)
}
