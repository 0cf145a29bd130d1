//! The built-in shapes: 1 metre in size, centred at their origin.

use std::f32::consts::{PI, TAU};

use glam::{Vec2, Vec3};

use super::{LocalPose, Material, Model, Node, Primitive};

/// Their names.
pub const NAMES: &[&str] = &["cube", "sphere", "plane", "cylinder", "cone", "capsule", "torus"];

/// The shape of this name; the cube for any other.
pub fn shape(name: &str) -> Model {
    let primitive = match name {
        "sphere" => grid(32, 16, |u, v| {
            let normal = ball(u, v);
            (normal * 0.5, normal)
        }),
        "plane" => face(&[(Vec3::Y, Vec3::X, Vec3::NEG_Z)], 0.0),
        "cylinder" => turned(&[(0.0, 0.5), (0.5, 0.5), (0.5, -0.5), (0.0, -0.5)]),
        "cone" => turned(&[(0.0, 0.5), (0.5, -0.5), (0.0, -0.5)]),
        "capsule" => grid(32, 17, |u, v| {
            let normal = ball(u, v);
            let lift = if v < 0.5 { 0.25 } else { -0.25 };
            (normal * 0.25 + Vec3::Y * lift, normal)
        }),
        "torus" => grid(48, 16, |u, v| {
            let (around, across) = (u * TAU, -v * TAU);
            let out = Vec3::new(around.cos(), 0.0, around.sin());
            let normal = out * across.cos() + Vec3::Y * across.sin();
            (out * 0.35 + normal * 0.15, normal)
        }),
        _ => face(
            &[
                (Vec3::Z, Vec3::X, Vec3::Y),
                (Vec3::NEG_Z, Vec3::NEG_X, Vec3::Y),
                (Vec3::X, Vec3::NEG_Z, Vec3::Y),
                (Vec3::NEG_X, Vec3::Z, Vec3::Y),
                (Vec3::Y, Vec3::X, Vec3::NEG_Z),
                (Vec3::NEG_Y, Vec3::X, Vec3::Z),
            ],
            0.5,
        ),
    };
    single(primitive, Material::default())
}

/// A model of one primitive.
pub fn single(primitive: Primitive, material: Material) -> Model {
    let primitive = Primitive { material: Some(0), ..primitive };
    let node =
        Node { name: String::new(), parent: None, rest: LocalPose::default(), mesh: Some(0), skin: None };
    let mut model = Model {
        nodes: vec![node],
        meshes: vec![vec![primitive]],
        materials: vec![material],
        ..Model::default()
    };
    model.measure();
    model
}

/// Squares of one metre: normal, right and up of each, so far out from the middle.
fn face(sides: &[(Vec3, Vec3, Vec3)], out: f32) -> Primitive {
    let mut primitive = Primitive::default();
    for (normal, right, up) in sides {
        let first = primitive.positions.len() as u32;
        for (x, y) in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)] {
            primitive.positions.push(*normal * out + *right * x + *up * y);
            primitive.normals.push(*normal);
            primitive.uvs.push(Vec2::new(x + 0.5, 0.5 - y));
        }
        primitive.indices.extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
    }
    primitive
}

fn ball(u: f32, v: f32) -> Vec3 {
    let (around, down) = (u * TAU, v * PI);
    Vec3::new(down.sin() * around.cos(), down.cos(), down.sin() * around.sin())
}

/// A surface over (u, v), both 0 to 1, from point and normal.
fn grid(columns: u32, rows: u32, at: impl Fn(f32, f32) -> (Vec3, Vec3)) -> Primitive {
    let mut primitive = Primitive::default();
    for row in 0..=rows {
        for column in 0..=columns {
            let (u, v) = (column as f32 / columns as f32, row as f32 / rows as f32);
            let (position, normal) = at(u, v);
            primitive.positions.push(position);
            primitive.normals.push(normal);
            primitive.uvs.push(Vec2::new(u, v));
        }
    }
    for row in 0..rows {
        for column in 0..columns {
            let corner = row * (columns + 1) + column;
            let below = corner + columns + 1;
            primitive.indices.extend([corner, corner + 1, below + 1, corner, below + 1, below]);
        }
    }
    primitive
}

/// A profile of (radius, height) from the top turned around the y axis, flat in its segments.
fn turned(profile: &[(f32, f32)]) -> Primitive {
    const SEGMENTS: u32 = 32;
    let mut primitive = Primitive::default();
    for pair in profile.windows(2) {
        let &[(r0, y0), (r1, y1)] = pair else { continue };
        // The normal stands on the profile.
        let slope = Vec2::new(y0 - y1, r1 - r0).normalize_or_zero();
        let first = primitive.positions.len() as u32;
        for segment in 0..=SEGMENTS {
            let angle = segment as f32 / SEGMENTS as f32 * TAU;
            let (sin, cos) = angle.sin_cos();
            let normal = Vec3::new(cos * slope.x, slope.y, sin * slope.x);
            for (radius, height, v) in [(r0, y0, 0.0), (r1, y1, 1.0)] {
                primitive.positions.push(Vec3::new(cos * radius, height, sin * radius));
                primitive.normals.push(normal);
                primitive.uvs.push(Vec2::new(segment as f32 / SEGMENTS as f32, v));
            }
        }
        for segment in 0..SEGMENTS {
            let corner = first + segment * 2;
            primitive.indices.extend([corner, corner + 2, corner + 3, corner, corner + 3, corner + 1]);
        }
    }
    primitive
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_a_metre_large_and_face_outwards() {
        for name in NAMES {
            let model = shape(name);
            let (low, high) = model.bounds;
            assert!(
                (high - low).max_element() > 0.99 && (high - low).max_element() < 1.01,
                "{name} {low} {high}"
            );
            let primitive = &model.meshes[0][0];
            for corner in primitive.indices.chunks(3) {
                let [a, b, c] = [0, 1, 2].map(|i| primitive.positions[corner[i] as usize]);
                let normal = (b - a).cross(c - a);
                let mean = [0, 1, 2].map(|i| primitive.normals[corner[i] as usize]).iter().sum::<Vec3>();
                assert!(
                    normal.length() < 1e-6 || normal.dot(mean) > 0.0,
                    "{name} has a triangle that faces inwards"
                );
            }
        }
    }
}
