//! The tree of a glTF file: nodes, skins, clips.

use glam::{Mat4, Quat, Vec3};
use gltf::accessor::Dimensions;
use gltf::animation::Property;

use super::Decoder;
use crate::model::{Channel, Clip, Interpolation, LocalPose, Node, Skin, Track};

/// From the file's numbers of nodes to the model's; nodes outside of the scene have none.
pub(super) struct Order(Vec<Option<usize>>);

impl Order {
    fn get(&self, number: usize) -> Option<usize> {
        self.0.get(number).copied().flatten()
    }
}

impl Decoder<'_> {
    /// Nodes of the scene, parents before their children.
    pub(super) fn nodes(&mut self) -> Result<Order, String> {
        let count = self.document.nodes().len();
        let mut parents: Vec<Option<usize>> = vec![None; count];
        for node in self.document.nodes() {
            for child in node.children() {
                let slot = parents.get_mut(child.index()).ok_or("a child that is not there")?;
                if slot.replace(node.index()).is_some() {
                    return Err(format!("node {} has two parents", child.index()));
                }
            }
        }
        let mut order = Order(vec![None; count]);
        let scene = self.document.default_scene().or_else(|| self.document.scenes().next());
        let mut pending: Vec<gltf::Node<'_>> = match scene {
            Some(scene) => scene.nodes().collect(),
            None => self.document.nodes().filter(|node| parents.get(node.index()) == Some(&None)).collect(),
        };
        pending.reverse();
        while let Some(node) = pending.pop() {
            let slot = order.0.get_mut(node.index()).ok_or("a node that is not there")?;
            if slot.replace(self.model.nodes.len()).is_some() {
                return Err(format!("node {} is its own ancestor, or twice in the scene", node.index()));
            }
            let parent = parents.get(node.index()).copied().flatten().and_then(|parent| order.get(parent));
            self.model.nodes.push(Node {
                name: node.name().unwrap_or_default().to_owned(),
                parent,
                rest: rest(&node)?,
                mesh: node.mesh().map(|mesh| mesh.index()),
                skin: node.skin().map(|skin| skin.index()),
            });
            let first_child = pending.len();
            pending.extend(node.children());
            if let Some(children) = pending.get_mut(first_child..) {
                children.reverse();
            }
        }
        Ok(order)
    }

    pub(super) fn skins(&mut self, order: &Order) -> Result<(), String> {
        for skin in self.document.skins() {
            let number = skin.index();
            let joints: Option<Vec<usize>> = skin.joints().map(|joint| order.get(joint.index())).collect();
            let joints =
                joints.ok_or_else(|| format!("skin {number} has a joint that is not in the scene"))?;
            let inverse_bind: Vec<Mat4> = match skin.inverse_bind_matrices() {
                Some(accessor) => self
                    .buffers
                    .floats(&accessor, &[Dimensions::Mat4])?
                    .as_chunks::<16>()
                    .0
                    .iter()
                    .map(Mat4::from_cols_array)
                    .collect(),
                None => vec![Mat4::IDENTITY; joints.len()],
            };
            if inverse_bind.len() < joints.len() {
                let (joints, matrices) = (joints.len(), inverse_bind.len());
                return Err(format!("skin {number} has {joints} joints and {matrices} matrices"));
            }
            self.model.skins.push(Skin { joints, inverse_bind });
        }
        self.check_joints()
    }

    /// A vertex bound to a joint that its skin does not have is refused: nobody could say where it lies.
    fn check_joints(&self) -> Result<(), String> {
        for node in &self.model.nodes {
            let skin = node.skin.and_then(|skin| self.model.skins.get(skin));
            let mesh = node.mesh.and_then(|mesh| self.model.meshes.get(mesh));
            let (Some(skin), Some(mesh)) = (skin, mesh) else { continue };
            let most = mesh.iter().flat_map(|primitive| primitive.joints.iter().flatten()).max();
            if most.is_some_and(|most| usize::from(*most) >= skin.joints.len()) {
                return Err(format!(
                    "node `{}` has a vertex bound to joint {} of {}",
                    node.name,
                    most.copied().unwrap_or_default(),
                    skin.joints.len()
                ));
            }
        }
        Ok(())
    }

    pub(super) fn clips(&mut self, order: &Order) -> Result<(), String> {
        for animation in self.document.animations() {
            let number = animation.index();
            let mut clip = Clip {
                name: animation.name().map_or_else(|| format!("clip{number}"), str::to_owned),
                seconds: 0.0,
                channels: Vec::new(),
            };
            for channel in animation.channels() {
                let Some(node) = order.get(channel.target().node().index()) else { continue };
                let read = self.channel(&channel, node).map_err(|reason| {
                    format!("clip `{}`, channel {}: {reason}", clip.name, channel.index())
                })?;
                let Some(read) = read else { continue };
                clip.seconds = clip.seconds.max(read.times.last().copied().unwrap_or_default());
                clip.channels.push(read);
            }
            self.model.clips.push(clip);
        }
        Ok(())
    }

    fn channel(
        &self,
        channel: &gltf::animation::Channel<'_>,
        node: usize,
    ) -> Result<Option<Channel>, String> {
        let sampler = channel.sampler();
        let times = self.buffers.floats(&sampler.input(), &[Dimensions::Scalar])?;
        if times.is_empty() || !times.is_sorted() || times.first().is_some_and(|time| *time < 0.0) {
            return Err("its times are not in order".to_owned());
        }
        let interpolation = match sampler.interpolation() {
            gltf::animation::Interpolation::Step => Interpolation::Step,
            gltf::animation::Interpolation::Linear => Interpolation::Linear,
            gltf::animation::Interpolation::CubicSpline => Interpolation::Cubic,
        };
        let output = sampler.output();
        let vectors = || -> Result<Vec<Vec3>, String> {
            let numbers = self.buffers.floats(&output, &[Dimensions::Vec3])?;
            Ok(numbers.as_chunks::<3>().0.iter().map(|triple| Vec3::from_array(*triple)).collect())
        };
        let (track, values) = match channel.target().property() {
            Property::Translation => {
                let values = vectors()?;
                (Track::Translation(values.clone()), values.len())
            }
            Property::Scale => {
                let values = vectors()?;
                (Track::Scale(values.clone()), values.len())
            }
            Property::Rotation => {
                let numbers = self.buffers.fractions(&output, &[Dimensions::Vec4])?;
                let values: Vec<Quat> = numbers
                    .as_chunks::<4>()
                    .0
                    .iter()
                    .map(|four| Quat::from_array(*four))
                    // Tangents of splines are no rotations: their length matters.
                    .map(|value| if interpolation == Interpolation::Cubic { value } else { unit(value) })
                    .collect();
                let count = values.len();
                (Track::Rotation(values), count)
            }
            // Faces that morph are not drawn.
            Property::MorphTargetWeights => return Ok(None),
        };
        let expected = if interpolation == Interpolation::Cubic { times.len() * 3 } else { times.len() };
        if values != expected {
            return Err(format!("{} times need {expected} values, it has {values}", times.len()));
        }
        Ok(Some(Channel { node, times, track, interpolation }))
    }
}

fn rest(node: &gltf::Node<'_>) -> Result<LocalPose, String> {
    let (translation, rotation, scale) = node.transform().decomposed();
    let rest = LocalPose {
        translation: Vec3::from_array(translation),
        rotation: unit(Quat::from_array(rotation)),
        scale: Vec3::from_array(scale),
    };
    if rest.translation.is_finite() && rest.rotation.is_finite() && rest.scale.is_finite() {
        Ok(rest)
    } else {
        Err(format!("node {} has no place that can be computed with", node.index()))
    }
}

/// The rotation of unit length; none for one that has no length.
fn unit(value: Quat) -> Quat {
    if value.length_squared() > 1e-12 { value.normalize() } else { Quat::IDENTITY }
}
