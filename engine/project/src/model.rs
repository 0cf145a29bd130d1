//! Models as plain data: nodes, meshes, materials, skins and clips, in the model's own space (y up, metres).

pub mod gltf;
mod pose;
pub mod shapes;

use std::sync::Arc;

use glam::{Mat4, Quat, Vec2, Vec3};

pub use pose::{LocalPose, Pose};

use crate::ImageData;

/// A model.
#[derive(Debug, Clone, Default)]
pub struct Model {
    /// Nodes; a node's parent comes before it.
    pub nodes: Vec<Node>,
    /// Meshes.
    pub meshes: Vec<Vec<Primitive>>,
    /// Materials.
    pub materials: Vec<Material>,
    /// Pictures that materials use.
    pub images: Vec<Arc<ImageData>>,
    /// Skins.
    pub skins: Vec<Skin>,
    /// Animations.
    pub clips: Vec<Clip>,
    /// Smallest and largest corner of what is drawn, in the rest pose.
    pub bounds: (Vec3, Vec3),
}

/// A node of a model's tree.
#[derive(Debug, Clone)]
pub struct Node {
    /// Its name; empty where it has none.
    pub name: String,
    /// The node in whose space it lies.
    pub parent: Option<usize>,
    /// Its place in the rest pose.
    pub rest: LocalPose,
    /// What is drawn there.
    pub mesh: Option<usize>,
    /// What bends it.
    pub skin: Option<usize>,
}

/// Triangles of one material. Lists that are not empty are as long as `positions`.
#[derive(Debug, Clone, Default)]
pub struct Primitive {
    /// Metres.
    pub positions: Vec<Vec3>,
    /// Unit length.
    pub normals: Vec<Vec3>,
    /// From the top left.
    pub uvs: Vec<Vec2>,
    /// Linear colour and alpha.
    pub colors: Vec<[f32; 4]>,
    /// Joints of the skin.
    pub joints: Vec<[u16; 4]>,
    /// Their weights, adding up to 1.
    pub weights: Vec<[f32; 4]>,
    /// Three a triangle, counter-clockwise from the front.
    pub indices: Vec<u32>,
    /// The material; the default one where there is none.
    pub material: Option<usize>,
}

/// How alpha is used.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Alpha {
    /// Not at all.
    #[default]
    Opaque,
    /// Below this nothing is drawn.
    Mask(f32),
    /// Blended.
    Blend,
}

/// A picture as a material uses it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Texture {
    /// Which image.
    pub image: usize,
    /// Whether it repeats beyond its edges.
    pub repeat: bool,
    /// Whether its pixels stay sharp when large.
    pub nearest: bool,
    /// Scale of the coordinates.
    pub scale: [f32; 2],
    /// Offset of the coordinates.
    pub offset: [f32; 2],
}

/// A surface, metallic-roughness.
#[derive(Debug, Clone)]
pub struct Material {
    /// Its name; empty where it has none.
    pub name: String,
    /// Linear colour and alpha.
    pub base_color: [f32; 4],
    /// Multiplies the colour, sRGB.
    pub base_color_texture: Option<Texture>,
    /// 0 to 1.
    pub metallic: f32,
    /// 0 to 1.
    pub roughness: f32,
    /// Green is roughness, blue is metalness.
    pub metallic_roughness_texture: Option<Texture>,
    /// Linear light given off.
    pub emissive: [f32; 3],
    /// Multiplies it, sRGB.
    pub emissive_texture: Option<Texture>,
    /// How alpha is used.
    pub alpha: Alpha,
    /// Whether its back is drawn too.
    pub double_sided: bool,
    /// Whether light leaves it alone.
    pub unlit: bool,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            name: String::new(),
            base_color: [1.0; 4],
            base_color_texture: None,
            metallic: 0.0,
            roughness: 0.8,
            metallic_roughness_texture: None,
            emissive: [0.0; 3],
            emissive_texture: None,
            alpha: Alpha::Opaque,
            double_sided: false,
            unlit: false,
        }
    }
}

/// Joints that bend a mesh.
#[derive(Debug, Clone)]
pub struct Skin {
    /// Nodes.
    pub joints: Vec<usize>,
    /// From the mesh's space to each joint's, in the rest pose.
    pub inverse_bind: Vec<Mat4>,
}

/// An animation.
#[derive(Debug, Clone)]
pub struct Clip {
    /// Its name.
    pub name: String,
    /// Its length.
    pub seconds: f32,
    /// What moves.
    pub channels: Vec<Channel>,
}

/// How values between two keys are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interpolation {
    /// The key before.
    Step,
    /// A straight line; turning for rotations.
    Linear,
    /// A cubic spline, each key with the tangents before and behind it.
    Cubic,
}

/// What a channel moves. Cubic channels have three values a key.
#[derive(Debug, Clone)]
pub enum Track {
    /// Metres.
    Translation(Vec<Vec3>),
    /// Unit quaternions.
    Rotation(Vec<Quat>),
    /// Factors.
    Scale(Vec<Vec3>),
}

/// One moving part of one node.
#[derive(Debug, Clone)]
pub struct Channel {
    /// The node.
    pub node: usize,
    /// Seconds of its keys, ascending.
    pub times: Vec<f32>,
    /// Its values.
    pub track: Track,
    /// What lies in between.
    pub interpolation: Interpolation,
}

impl Model {
    /// The clip of this name.
    pub fn clip(&self, name: &str) -> Option<&Clip> {
        self.clips.iter().find(|clip| clip.name == name)
    }

    /// Positions and indices of all triangles in the rest pose, for collisions.
    pub fn triangles(&self) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let matrices = self.rest().matrices(self);
        let (mut points, mut triangles) = (Vec::new(), Vec::new());
        for (node, matrix) in self.nodes.iter().zip(&matrices) {
            for primitive in node.mesh.and_then(|mesh| self.meshes.get(mesh)).into_iter().flatten() {
                let first = points.len() as u32;
                points.extend(primitive.positions.iter().map(|point| matrix.transform_point3(*point)));
                triangles.extend(
                    primitive
                        .indices
                        .as_chunks::<3>()
                        .0
                        .iter()
                        .map(|corner| corner.map(|index| index + first)),
                );
            }
        }
        (points, triangles)
    }

    /// Sets `bounds` from what is there.
    pub(crate) fn measure(&mut self) {
        let points = self.triangles().0;
        let low = points.iter().copied().reduce(Vec3::min).unwrap_or(Vec3::ZERO);
        let high = points.iter().copied().reduce(Vec3::max).unwrap_or(Vec3::ZERO);
        self.bounds = (low, high);
    }
}
