//! What lies inside a view.

use glam::{Mat4, Vec3, Vec4};

/// Six planes that point inwards.
pub(crate) struct Frustum([Vec4; 6]);

impl Frustum {
    /// Of a projection with depth from 0 to 1, either way round.
    pub fn new(clip_from_world: &Mat4) -> Self {
        let [x, y, z, w] = [0, 1, 2, 3].map(|row| clip_from_world.row(row));
        Self([w + x, w - x, w + y, w - y, z, w - z].map(|plane| {
            let length = plane.truncate().length();
            if length > 0.0 { plane / length } else { Vec4::W }
        }))
    }

    /// Whether some of a ball may be inside.
    pub fn touches(&self, centre: Vec3, radius: f32) -> bool {
        self.0.iter().all(|plane| plane.dot(centre.extend(1.0)) > -radius)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CameraView;

    #[test]
    fn balls_behind_beside_and_beyond_the_view_are_outside() {
        let camera = CameraView::looking(Vec3::ZERO, Vec3::NEG_Z);
        let view = Frustum::new(&(camera.projection(1.0) * camera.view_matrix()));
        for (centre, inside) in [
            (Vec3::new(0.0, 0.0, -10.0), true),
            (Vec3::new(0.0, 0.0, 2.0), false),
            (Vec3::new(0.0, 0.0, 0.5), true),
            (Vec3::new(20.0, 0.0, -10.0), false),
            (Vec3::new(0.0, -20.0, -10.0), false),
            (Vec3::new(0.0, 0.0, -600.0), false),
        ] {
            assert_eq!(view.touches(centre, 1.0), inside, "{centre}");
        }
    }
}
