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
    /// Along the texture's u, and the side on which v lies (1 or -1); empty where the file has none.
    pub tangents: Vec<[f32; 4]>,
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
    /// Scale of the coordinates, which comes first.
    pub scale: [f32; 2],
    /// Radians that the coordinates are then turned by, as KHR_texture_transform has it.
    pub rotation: f32,
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
    /// Directions in tangent space, linear.
    pub normal_texture: Option<Texture>,
    /// Factor on their x and y.
    pub normal_scale: f32,
    /// Linear light given off; above 1 where the file says how strong it is.
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
            normal_texture: None,
            normal_scale: 1.0,
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
    /// From the mesh's space to each joint's, in the pose that it was bound in; at least one a joint.
    pub inverse_bind: Vec<Mat4>,
}

impl Skin {
    /// From the mesh's space to the model's, by joint, from the matrices of the model's nodes. A mesh that a skin
    /// bends ignores the place of its own node.
    pub fn matrices(&self, nodes: &[Mat4]) -> Vec<Mat4> {
        let place = |joint: &usize| nodes.get(*joint).copied().unwrap_or(Mat4::IDENTITY);
        self.joints.iter().zip(&self.inverse_bind).map(|(joint, bind)| place(joint) * *bind).collect()
    }
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
        let nodes = self.rest().matrices(self);
        let (mut points, mut triangles) = (Vec::new(), Vec::new());
        for (node, matrix) in self.nodes.iter().zip(&nodes) {
            let skin = node.skin.and_then(|skin| self.skins.get(skin)).map(|skin| skin.matrices(&nodes));
            for primitive in node.mesh.and_then(|mesh| self.meshes.get(mesh)).into_iter().flatten() {
                let first = points.len() as u32;
                match &skin {
                    Some(joints) if !primitive.joints.is_empty() => points.extend(bent(primitive, joints)),
                    _ => {
                        points.extend(primitive.positions.iter().map(|point| matrix.transform_point3(*point)))
                    }
                }
                let corners = primitive.indices.as_chunks::<3>().0;
                triangles.extend(corners.iter().map(|corner| corner.map(|index| index + first)));
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

/// Where the vertices of a primitive lie once its skin bends them.
fn bent<'a>(primitive: &'a Primitive, joints: &'a [Mat4]) -> impl Iterator<Item = Vec3> + 'a {
    let bound = primitive.joints.iter().zip(&primitive.weights);
    primitive.positions.iter().zip(bound).map(|(point, (numbers, weights))| {
        numbers
            .iter()
            .zip(weights)
            .filter_map(|(number, weight)| {
                Some(joints.get(usize::from(*number))?.transform_point3(*point) * *weight)
            })
            .sum()
    })
}
