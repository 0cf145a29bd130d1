//! glTF files to models. Everything a file says is checked before it is used: it may come from anywhere.

use std::sync::Arc;

use base::Problem;
use glam::{Mat4, Quat, Vec2, Vec3};

use super::{
    Alpha, Channel, Clip, Interpolation, LocalPose, Material, Model, Node, Primitive, Skin, Texture, Track,
};
use crate::assets::decode_image;

/// Vertices of one model at most.
const MOST_VERTICES: usize = 4_000_000;

/// Nodes of one model at most.
const MOST_NODES: usize = 20_000;

/// Gives the bytes of a file beside the model.
pub type Beside<'a> = &'a dyn Fn(&str) -> Result<Vec<u8>, Problem>;

/// Decodes a `.glb` or `.gltf`.
pub fn decode(name: &str, bytes: &[u8], beside: Beside<'_>) -> Result<Model, Problem> {
    let bad =
        |reason: &str| Problem::new("bad_model", format!("`{name}` cannot be used: {reason}")).file(name);
    let file = gltf::Gltf::from_slice(bytes).map_err(|error| bad(&error.to_string()))?;
    let document = &file.document;
    if document.nodes().len() > MOST_NODES {
        return Err(bad(&format!("it has more than {MOST_NODES} nodes")));
    }
    let mut buffers: Vec<Vec<u8>> = Vec::new();
    for buffer in document.buffers() {
        let mut data = match buffer.source() {
            gltf::buffer::Source::Bin => {
                file.blob.clone().ok_or_else(|| bad("its binary part is missing"))?
            }
            gltf::buffer::Source::Uri(uri) => resolve(uri, beside).map_err(|reason| bad(&reason))?,
        };
        if data.len() < buffer.length() {
            return Err(bad(&format!("a buffer has {} bytes instead of {}", data.len(), buffer.length())));
        }
        data.truncate(buffer.length());
        buffers.push(data);
    }
    let mut decoder = Decoder { document, buffers: &buffers, model: Model::default(), vertices: 0 };
    decoder.images(name, beside).map_err(|reason| bad(&reason))?;
    decoder.materials();
    decoder.meshes().map_err(|reason| bad(&reason))?;
    let order = decoder.nodes().map_err(|reason| bad(&reason))?;
    decoder.skins(&order).map_err(|reason| bad(&reason))?;
    decoder.clips(&order).map_err(|reason| bad(&reason))?;
    let mut model = decoder.model;
    model.measure();
    Ok(model)
}

/// Bytes of a data URI, or of a file beside the model.
fn resolve(uri: &str, beside: Beside<'_>) -> Result<Vec<u8>, String> {
    if let Some(rest) = uri.strip_prefix("data:") {
        let (_, encoded) = rest.split_once(";base64,").ok_or("a data URI that is not base64")?;
        return base64(encoded).ok_or_else(|| "a data URI that is no base64".to_owned());
    }
    if uri.contains("://") {
        return Err(format!("it refers to {uri}: only files beside it are read"));
    }
    let path = percent(uri).ok_or_else(|| format!("it refers to a broken path `{uri}`"))?;
    beside(&path).map_err(|problem| problem.message)
}

fn base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0u32, 0);
    for letter in text.bytes().filter(|letter| *letter != b'=') {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Some(bytes)
}

fn percent(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        rest = tail;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = rest.get(2..)?;
    }
    String::from_utf8(bytes).ok()
}

struct Decoder<'a> {
    document: &'a gltf::Document,
    buffers: &'a [Vec<u8>],
    model: Model,
    vertices: usize,
}

impl Decoder<'_> {
    fn images(&mut self, name: &str, beside: Beside<'_>) -> Result<(), String> {
        for image in self.document.images() {
            let bytes = match image.source() {
                gltf::image::Source::View { view, .. } => {
                    let buffer = self
                        .buffers
                        .get(view.buffer().index())
                        .ok_or("an image in a buffer that is not there")?;
                    let end = view.offset().checked_add(view.length()).ok_or("an image beyond its buffer")?;
                    buffer.get(view.offset()..end).ok_or("an image beyond its buffer")?.to_vec()
                }
                gltf::image::Source::Uri { uri, .. } => resolve(uri, beside)?,
            };
            let label = image.name().map_or_else(|| format!("{name} image {}", image.index()), str::to_owned);
            let decoded = decode_image(&label, &bytes).map_err(|problem| problem.message)?;
            self.model.images.push(Arc::new(decoded));
        }
        Ok(())
    }

    fn texture(&self, info: &gltf::texture::Info<'_>) -> Option<Texture> {
        let texture = info.texture();
        let sampler = texture.sampler();
        let image = texture.source().index();
        let transform = info.texture_transform();
        (image < self.model.images.len()).then(|| Texture {
            image,
            repeat: sampler.wrap_s() != gltf::texture::WrappingMode::ClampToEdge,
            nearest: sampler.mag_filter() == Some(gltf::texture::MagFilter::Nearest),
            scale: transform.as_ref().map_or([1.0, 1.0], gltf::texture::TextureTransform::scale),
            offset: transform.as_ref().map_or([0.0, 0.0], gltf::texture::TextureTransform::offset),
        })
    }

    fn materials(&mut self) {
        for material in self.document.materials() {
            let surface = material.pbr_metallic_roughness();
            let strength = material.emissive_strength().unwrap_or(1.0);
            let read = Material {
                name: material.name().unwrap_or_default().to_owned(),
                base_color: surface.base_color_factor(),
                base_color_texture: surface.base_color_texture().and_then(|info| self.texture(&info)),
                metallic: surface.metallic_factor(),
                roughness: surface.roughness_factor(),
                metallic_roughness_texture: surface
                    .metallic_roughness_texture()
                    .and_then(|info| self.texture(&info)),
                emissive: material.emissive_factor().map(|part| part * strength),
                emissive_texture: material.emissive_texture().and_then(|info| self.texture(&info)),
                alpha: match material.alpha_mode() {
                    gltf::material::AlphaMode::Opaque => Alpha::Opaque,
                    gltf::material::AlphaMode::Mask => Alpha::Mask(material.alpha_cutoff().unwrap_or(0.5)),
                    gltf::material::AlphaMode::Blend => Alpha::Blend,
                },
                double_sided: material.double_sided(),
                unlit: material.unlit(),
            };
            self.model.materials.push(read);
        }
    }

    fn meshes(&mut self) -> Result<(), String> {
        for mesh in self.document.meshes() {
            let mut primitives = Vec::new();
            for primitive in mesh.primitives() {
                if primitive.mode() == gltf::mesh::Mode::Triangles {
                    primitives.push(self.primitive(&primitive)?);
                }
            }
            self.model.meshes.push(primitives);
        }
        Ok(())
    }

    fn primitive(&mut self, primitive: &gltf::Primitive<'_>) -> Result<Primitive, String> {
        let reader = primitive.reader(|buffer| self.buffers.get(buffer.index()).map(Vec::as_slice));
        let positions: Vec<Vec3> =
            reader.read_positions().ok_or("a mesh without positions")?.map(Vec3::from_array).collect();
        let count = positions.len();
        self.vertices += count;
        if self.vertices > MOST_VERTICES {
            return Err(format!("it has more than {MOST_VERTICES} vertices"));
        }
        if positions.iter().any(|point| !point.is_finite()) {
            return Err("a position that is no number".to_owned());
        }
        let indices: Vec<u32> = match reader.read_indices() {
            Some(indices) => indices.into_u32().collect(),
            None => (0..count as u32).collect(),
        };
        if indices.iter().any(|index| *index as usize >= count) {
            return Err("an index beyond its vertices".to_owned());
        }
        let mut read = Primitive {
            normals: reader.read_normals().map(|all| all.map(Vec3::from_array).collect()).unwrap_or_default(),
            uvs: reader
                .read_tex_coords(0)
                .map(|all| all.into_f32().map(Vec2::from_array).collect())
                .unwrap_or_default(),
            colors: reader.read_colors(0).map(|all| all.into_rgba_f32().collect()).unwrap_or_default(),
            joints: reader.read_joints(0).map(|all| all.into_u16().collect()).unwrap_or_default(),
            weights: reader.read_weights(0).map(|all| all.into_f32().collect()).unwrap_or_default(),
            material: primitive.material().index(),
            indices,
            positions,
        };
        read.indices.truncate(read.indices.len() / 3 * 3);
        for (length, what) in [
            (read.normals.len(), "normals"),
            (read.uvs.len(), "texture coordinates"),
            (read.colors.len(), "colours"),
            (read.joints.len(), "joints"),
            (read.weights.len(), "weights"),
        ] {
            if length != 0 && length != count {
                return Err(format!("{length} {what} for {count} vertices"));
            }
        }
        if read.normals.is_empty() {
            read = flat(read);
        }
        Ok(read)
    }

    /// Nodes in an order in which parents come first; from the file's numbers to those.
    fn nodes(&mut self) -> Result<Vec<usize>, String> {
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
        let mut order = vec![usize::MAX; count];
        let scene = self.document.default_scene().or_else(|| self.document.scenes().next());
        let mut pending: Vec<gltf::Node<'_>> = match scene {
            Some(scene) => scene.nodes().collect(),
            None => self.document.nodes().filter(|node| parents.get(node.index()) == Some(&None)).collect(),
        };
        pending.reverse();
        while let Some(node) = pending.pop() {
            let slot = order.get_mut(node.index()).ok_or("a node that is not there")?;
            if *slot != usize::MAX {
                return Err("its nodes go round in a circle".to_owned());
            }
            *slot = self.model.nodes.len();
            let (translation, rotation, scale) = node.transform().decomposed();
            let parent =
                parents.get(node.index()).copied().flatten().and_then(|parent| order.get(parent).copied());
            self.model.nodes.push(Node {
                name: node.name().unwrap_or_default().to_owned(),
                parent: parent.filter(|parent| *parent != usize::MAX),
                rest: LocalPose {
                    translation: Vec3::from_array(translation),
                    rotation: Quat::from_array(rotation).normalize(),
                    scale: Vec3::from_array(scale),
                },
                mesh: node.mesh().map(|mesh| mesh.index()),
                skin: node.skin().map(|skin| skin.index()),
            });
            let mut children: Vec<gltf::Node<'_>> = node.children().collect();
            children.reverse();
            pending.extend(children);
        }
        Ok(order)
    }

    fn skins(&mut self, order: &[usize]) -> Result<(), String> {
        for skin in self.document.skins() {
            let joints: Vec<usize> = skin
                .joints()
                .map(|joint| order.get(joint.index()).copied().filter(|node| *node != usize::MAX))
                .collect::<Option<_>>()
                .ok_or("a skin with a joint outside of the scene")?;
            let reader = skin.reader(|buffer| self.buffers.get(buffer.index()).map(Vec::as_slice));
            let inverse_bind: Vec<Mat4> = match reader.read_inverse_bind_matrices() {
                Some(matrices) => matrices.map(|matrix| Mat4::from_cols_array_2d(&matrix)).collect(),
                None => vec![Mat4::IDENTITY; joints.len()],
            };
            if inverse_bind.len() < joints.len() {
                return Err(format!(
                    "a skin of {} joints with {} matrices",
                    joints.len(),
                    inverse_bind.len()
                ));
            }
            self.model.skins.push(Skin { joints, inverse_bind });
        }
        // A joint number beyond its skin would bend nothing that is there.
        let most = self.model.skins.iter().map(|skin| skin.joints.len()).max().unwrap_or(0);
        for primitive in self.model.meshes.iter().flatten() {
            if primitive.joints.iter().flatten().any(|joint| usize::from(*joint) >= most.max(1)) {
                return Err("a vertex bound to a joint that is not there".to_owned());
            }
        }
        Ok(())
    }

    fn clips(&mut self, order: &[usize]) -> Result<(), String> {
        for (index, animation) in self.document.animations().enumerate() {
            let mut clip = Clip {
                name: animation.name().map_or_else(|| format!("clip{index}"), str::to_owned),
                seconds: 0.0,
                channels: Vec::new(),
            };
            for channel in animation.channels() {
                let Some(node) =
                    order.get(channel.target().node().index()).copied().filter(|node| *node != usize::MAX)
                else {
                    continue;
                };
                let reader = channel.reader(|buffer| self.buffers.get(buffer.index()).map(Vec::as_slice));
                let times: Vec<f32> = reader.read_inputs().ok_or("an animation without times")?.collect();
                if times.is_empty() || times.iter().any(|time| !time.is_finite()) || !times.is_sorted() {
                    return Err("an animation whose times are not in order".to_owned());
                }
                let interpolation = match channel.sampler().interpolation() {
                    gltf::animation::Interpolation::Step => Interpolation::Step,
                    gltf::animation::Interpolation::Linear => Interpolation::Linear,
                    gltf::animation::Interpolation::CubicSpline => Interpolation::Cubic,
                };
                let track = match reader.read_outputs().ok_or("an animation without values")? {
                    gltf::animation::util::ReadOutputs::Translations(all) => {
                        Track::Translation(all.map(Vec3::from_array).collect())
                    }
                    gltf::animation::util::ReadOutputs::Rotations(all) => Track::Rotation(
                        all.into_f32().map(|value| Quat::from_array(value).normalize()).collect(),
                    ),
                    gltf::animation::util::ReadOutputs::Scales(all) => {
                        Track::Scale(all.map(Vec3::from_array).collect())
                    }
                    gltf::animation::util::ReadOutputs::MorphTargetWeights(_) => continue,
                };
                clip.seconds = clip.seconds.max(times.last().copied().unwrap_or_default());
                clip.channels.push(Channel { node, times, track, interpolation });
            }
            self.model.clips.push(clip);
        }
        Ok(())
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
            split.uvs.extend(primitive.uvs.get(index));
            split.colors.extend(primitive.colors.get(index));
            split.joints.extend(primitive.joints.get(index));
            split.weights.extend(primitive.weights.get(index));
        }
    }
    split
}
