//! Triangles of a glTF file.

use glam::{Vec2, Vec3};
use gltf::Semantic;
use gltf::accessor::Dimensions;
use gltf::mesh::Mode;

use super::Decoder;
use crate::model::Primitive;

/// Vertices of one model at most.
const MOST_VERTICES: usize = 4_000_000;

impl Decoder<'_> {
    pub(super) fn meshes(&mut self) -> Result<(), String> {
        for mesh in self.document.meshes() {
            let mut primitives = Vec::new();
            for primitive in mesh.primitives() {
                // Points and lines are not drawn.
                if matches!(primitive.mode(), Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan) {
                    primitives.push(self.primitive(&primitive).map_err(|reason| {
                        format!("mesh {}, primitive {}: {reason}", mesh.index(), primitive.index())
                    })?);
                }
            }
            self.model.meshes.push(primitives);
        }
        Ok(())
    }

    fn primitive(&mut self, primitive: &gltf::Primitive<'_>) -> Result<Primitive, String> {
        let positions = primitive.get(&Semantic::Positions).ok_or("it has no positions")?;
        let count = positions.count();
        self.vertices = self.vertices.saturating_add(count);
        if self.vertices > MOST_VERTICES {
            return Err(format!("the model has more than {MOST_VERTICES} vertices"));
        }
        let positions = vectors(&self.buffers.floats(&positions, &[Dimensions::Vec3])?);
        let indices = match primitive.indices() {
            Some(accessor) => self.buffers.integers(&accessor, &[Dimensions::Scalar])?,
            None => (0..count as u32).collect(),
        };
        if let Some(beyond) = indices.iter().find(|index| **index as usize >= count) {
            return Err(format!("index {beyond} for {count} vertices"));
        }
        let floats = |semantic: Semantic, shapes: &[Dimensions]| match primitive.get(&semantic) {
            Some(accessor) => self.buffers.floats(&accessor, shapes),
            None => Ok(Vec::new()),
        };
        let fractions = |semantic: Semantic, shapes: &[Dimensions]| match primitive.get(&semantic) {
            Some(accessor) => self.buffers.fractions(&accessor, shapes),
            None => Ok(Vec::new()),
        };
        let joints: Vec<u32> = match primitive.get(&Semantic::Joints(0)) {
            Some(accessor) => self.buffers.integers(&accessor, &[Dimensions::Vec4])?,
            None => Vec::new(),
        };
        let colors_are_opaque = primitive
            .get(&Semantic::Colors(0))
            .is_some_and(|accessor| accessor.dimensions() == Dimensions::Vec3);
        let colors = fractions(Semantic::Colors(0), &[Dimensions::Vec3, Dimensions::Vec4])?;
        let set = texture_set(primitive);
        let mut read = Primitive {
            normals: vectors(&floats(Semantic::Normals, &[Dimensions::Vec3])?)
                .into_iter()
                .map(|normal| normal.normalize_or(Vec3::Y))
                .collect(),
            tangents: fours(&floats(Semantic::Tangents, &[Dimensions::Vec4])?),
            uvs: fractions(Semantic::TexCoords(set), &[Dimensions::Vec2])?
                .as_chunks::<2>()
                .0
                .iter()
                .map(|pair| Vec2::from_array(*pair))
                .collect(),
            colors: if colors_are_opaque {
                colors.as_chunks::<3>().0.iter().map(|[r, g, b]| [*r, *g, *b, 1.0]).collect()
            } else {
                fours(&colors)
            },
            // No skin that a model may have has more joints than that; larger numbers are refused with the skins.
            joints: joints
                .as_chunks::<4>()
                .0
                .iter()
                .map(|four| four.map(|joint| u16::try_from(joint).unwrap_or(u16::MAX)))
                .collect(),
            weights: fours(&fractions(Semantic::Weights(0), &[Dimensions::Vec4])?)
                .into_iter()
                .map(adding_up_to_one)
                .collect(),
            material: primitive.material().index(),
            indices: triangles(primitive.mode(), indices),
            positions,
        };
        for (length, what) in [
            (read.normals.len(), "normals"),
            (read.tangents.len(), "tangents"),
            (read.uvs.len(), "texture coordinates"),
            (read.colors.len(), "colours"),
            (read.joints.len(), "joints"),
            (read.weights.len(), "weights"),
        ] {
            if length != 0 && length != count {
                return Err(format!("{length} {what} for {count} vertices"));
            }
        }
        if read.joints.is_empty() || read.weights.is_empty() {
            read.joints.clear();
            read.weights.clear();
        }
        Ok(if read.normals.is_empty() { flat(read) } else { read })
    }
}

/// The set of coordinates that the material's colour wants, where the mesh has it.
fn texture_set(primitive: &gltf::Primitive<'_>) -> u32 {
    let wanted = primitive.material().pbr_metallic_roughness().base_color_texture().map_or(0, |info| {
        info.texture_transform().and_then(|transform| transform.tex_coord()).unwrap_or(info.tex_coord())
    });
    if primitive.get(&Semantic::TexCoords(wanted)).is_some() { wanted } else { 0 }
}

fn vectors(numbers: &[f32]) -> Vec<Vec3> {
    numbers.as_chunks::<3>().0.iter().map(|triple| Vec3::from_array(*triple)).collect()
}

fn fours(numbers: &[f32]) -> Vec<[f32; 4]> {
    numbers.as_chunks::<4>().0.to_vec()
}

fn adding_up_to_one(weights: [f32; 4]) -> [f32; 4] {
    let weights = weights.map(|weight| weight.max(0.0));
    let sum: f32 = weights.iter().sum();
    if sum > 1e-6 { weights.map(|weight| weight / sum) } else { [1.0, 0.0, 0.0, 0.0] }
}

/// Strips and fans as triangles.
fn triangles(mode: Mode, mut indices: Vec<u32>) -> Vec<u32> {
    match mode {
        Mode::TriangleStrip => {
            let windows = indices.array_windows::<3>().enumerate();
            windows
                .flat_map(|(at, [a, b, c])| if at % 2 == 0 { [*a, *b, *c] } else { [*b, *a, *c] })
                .collect()
        }
        Mode::TriangleFan => match indices.split_first() {
            Some((first, rest)) => rest.array_windows::<2>().flat_map(|[b, c]| [*first, *b, *c]).collect(),
            None => indices,
        },
        _ => {
            indices.truncate(indices.len() / 3 * 3);
            indices
        }
    }
}

/// Each triangle with corners of its own and the normal of its plane.
fn flat(primitive: Primitive) -> Primitive {
    let mut split = Primitive { material: primitive.material, ..Primitive::default() };
    for corners in primitive.indices.as_chunks::<3>().0 {
        let points =
            corners.map(|index| primitive.positions.get(index as usize).copied().unwrap_or_default());
        let [a, b, c] = points;
        let normal = (b - a).cross(c - a).normalize_or(Vec3::Y);
        for (index, point) in corners.iter().zip(points) {
            let index = *index as usize;
            split.indices.push(split.positions.len() as u32);
            split.positions.push(point);
            split.normals.push(normal);
            // Tangents without normals mean nothing, so they stay away.
            split.uvs.extend(primitive.uvs.get(index));
            split.colors.extend(primitive.colors.get(index));
            split.joints.extend(primitive.joints.get(index));
            split.weights.extend(primitive.weights.get(index));
        }
    }
    split
}
