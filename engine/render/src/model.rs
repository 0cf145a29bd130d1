//! Models on the graphics card: vertices, materials, textures, and the balls around their parts.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::{Mat4, Vec3};
use project::model::{Alpha, Material, Primitive, Texture, shapes};
use project::{ImageData, Model};
use wgpu::util::DeviceExt;

use crate::Gpu;
use crate::surface::{MaterialData, Pass, SkinVertex, SurfaceKey, Surfaces, Vertex};

/// A primitive on the graphics card.
pub(crate) struct GpuPrimitive {
    pub vertices: wgpu::Buffer,
    pub skin: Option<wgpu::Buffer>,
    pub indices: wgpu::Buffer,
    pub count: u32,
    pub material: usize,
}

/// A material on the graphics card.
pub(crate) struct GpuMaterial {
    pub bind_group: wgpu::BindGroup,
    pub key: SurfaceKey,
}

/// A primitive at a node.
pub(crate) struct Part {
    pub primitive: usize,
    pub node: usize,
    pub skin: Option<usize>,
    /// The ball around it, in the primitive's own space.
    pub centre: Vec3,
    pub radius: f32,
}

/// A model on the graphics card.
pub(crate) struct GpuModel {
    pub source: Arc<Model>,
    pub parts: Vec<Part>,
    pub primitives: Vec<GpuPrimitive>,
    pub materials: Vec<GpuMaterial>,
    /// From each node's space to the model's, without any clip.
    pub rest: Vec<Mat4>,
    /// The ball around the whole, in the rest pose.
    pub centre: Vec3,
    pub radius: f32,
    pub animated: bool,
}

/// All models by name.
pub(crate) struct Models {
    list: Vec<GpuModel>,
    by_name: BTreeMap<String, usize>,
    textures: BTreeMap<(usize, bool), wgpu::TextureView>,
    /// Keeps the pictures alive that `textures` is keyed by.
    images: Vec<Arc<ImageData>>,
    white: wgpu::TextureView,
    samplers: BTreeMap<(bool, bool), wgpu::Sampler>,
}

impl Models {
    /// With a magenta cube that stands in for what is missing.
    pub fn new(gpu: &Gpu, surfaces: &Surfaces) -> Self {
        let white = upload(gpu, &ImageData { width: 1, height: 1, rgba: vec![255; 4] }, false);
        let mut models = Self {
            list: Vec::new(),
            by_name: BTreeMap::new(),
            textures: BTreeMap::new(),
            images: Vec::new(),
            white,
            samplers: BTreeMap::new(),
        };
        let mut stand_in = shapes::shape("cube");
        for material in &mut stand_in.materials {
            material.base_color = [1.0, 0.0, 1.0, 1.0];
            material.unlit = true;
        }
        models.add(gpu, surfaces, "", &Arc::new(stand_in));
        models
    }

    /// The model of this name, or what stands in for it.
    pub fn find(&self, name: &str) -> (usize, &GpuModel) {
        let number = self.by_name.get(name).copied().unwrap_or(0);
        // The stand-in is always there: it was the first.
        #[expect(clippy::indexing_slicing, reason = "numbers in `by_name` and 0 are in the list")]
        (number, &self.list[number])
    }

    pub fn primitive(&self, model: usize, primitive: usize) -> Option<&GpuPrimitive> {
        self.list.get(model)?.primitives.get(primitive)
    }

    pub fn material(&self, model: usize, material: usize) -> Option<&GpuMaterial> {
        self.list.get(model)?.materials.get(material)
    }

    /// Puts a model onto the card, replacing one of its name.
    pub fn add(&mut self, gpu: &Gpu, surfaces: &Surfaces, name: &str, source: &Arc<Model>) {
        let rest = source.rest().matrices(source);
        let mut parts = Vec::new();
        let mut primitives = Vec::new();
        let first_of: Vec<usize> = source
            .meshes
            .iter()
            .map(|mesh| {
                let first = primitives.len();
                primitives.extend(mesh.iter().map(|primitive| build(gpu, primitive, source.materials.len())));
                first
            })
            .collect();
        for (number, node) in source.nodes.iter().enumerate() {
            let Some((mesh, first)) =
                node.mesh.and_then(|mesh| Some((source.meshes.get(mesh)?, *first_of.get(mesh)?)))
            else {
                continue;
            };
            for (offset, primitive) in mesh.iter().enumerate() {
                let (centre, radius) = ball(&primitive.positions);
                let skin = node.skin.filter(|_| !primitive.joints.is_empty());
                parts.push(Part { primitive: first + offset, node: number, skin, centre, radius });
            }
        }
        let standard = Material::default();
        let materials = source
            .materials
            .iter()
            .chain(std::iter::once(&standard))
            .map(|material| self.material_of(gpu, surfaces, source, material))
            .collect();
        let (low, high) = source.bounds;
        let model = GpuModel {
            parts,
            primitives,
            materials,
            rest,
            centre: (low + high) / 2.0,
            radius: (high - low).length() / 2.0,
            animated: !source.clips.is_empty(),
            source: source.clone(),
        };
        match self.by_name.get(name).copied() {
            Some(number) => {
                if let Some(slot) = self.list.get_mut(number) {
                    *slot = model;
                }
            }
            None => {
                self.by_name.insert(name.to_owned(), self.list.len());
                self.list.push(model);
            }
        }
    }

    fn material_of(
        &mut self,
        gpu: &Gpu,
        surfaces: &Surfaces,
        model: &Model,
        material: &Material,
    ) -> GpuMaterial {
        let uses = [
            (material.base_color_texture, true),
            (material.metallic_roughness_texture, false),
            (material.normal_texture, false),
            (material.emissive_texture, true),
        ];
        let cutoff = match material.alpha {
            Alpha::Mask(cutoff) => cutoff,
            Alpha::Opaque | Alpha::Blend => 0.0,
        };
        let [r, g, b] = material.emissive;
        let data = MaterialData {
            base_color: material.base_color,
            emissive: [r, g, b, cutoff],
            factors: [material.metallic, material.roughness, material.normal_scale, 0.0],
            uses: uses.map(|(texture, _)| rows(texture)),
        };
        let buffer = gpu.device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some("material"),
            contents: bytemuck::bytes_of(&data),
            usage: wgpu::BufferUsages::UNIFORM,
        });
        let mut views = Vec::new();
        let mut samplers = Vec::new();
        for (texture, is_color) in uses {
            let image = texture.and_then(|texture| model.images.get(texture.image));
            views.push(match image {
                Some(image) => self.texture(gpu, image, is_color),
                None => self.white.clone(),
            });
            let (repeat, nearest) =
                texture.map_or((true, false), |texture| (texture.repeat, texture.nearest));
            samplers.push(self.sampler(gpu, repeat, nearest));
        }
        let mut entries = vec![wgpu::BindGroupEntry { binding: 0, resource: buffer.as_entire_binding() }];
        for (number, (view, sampler)) in views.iter().zip(&samplers).enumerate() {
            let binding = 1 + number as u32 * 2;
            entries
                .push(wgpu::BindGroupEntry { binding, resource: wgpu::BindingResource::TextureView(view) });
            entries.push(wgpu::BindGroupEntry {
                binding: binding + 1,
                resource: wgpu::BindingResource::Sampler(sampler),
            });
        }
        let bind_group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("material"),
            layout: &surfaces.material_layout,
            entries: &entries,
        });
        let key = SurfaceKey {
            pass: if material.alpha == Alpha::Blend { Pass::Transparent } else { Pass::Opaque },
            skinned: false,
            textured: uses.iter().any(|(texture, _)| texture.is_some()),
            normal_mapped: material.normal_texture.is_some(),
            masked: matches!(material.alpha, Alpha::Mask(_)),
            unlit: material.unlit,
            double_sided: material.double_sided,
            mirrored: false,
        };
        GpuMaterial { bind_group, key }
    }

    fn texture(&mut self, gpu: &Gpu, image: &Arc<ImageData>, is_color: bool) -> wgpu::TextureView {
        let key = (Arc::as_ptr(image) as usize, is_color);
        if let Some(view) = self.textures.get(&key) {
            return view.clone();
        }
        let view = upload(gpu, image, is_color);
        self.images.push(image.clone());
        self.textures.insert(key, view.clone());
        view
    }

    fn sampler(&mut self, gpu: &Gpu, repeat: bool, nearest: bool) -> wgpu::Sampler {
        let made = self.samplers.entry((repeat, nearest)).or_insert_with(|| {
            let edge = if repeat { wgpu::AddressMode::Repeat } else { wgpu::AddressMode::ClampToEdge };
            let filter = if nearest { wgpu::FilterMode::Nearest } else { wgpu::FilterMode::Linear };
            gpu.device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("material"),
                address_mode_u: edge,
                address_mode_v: edge,
                mag_filter: filter,
                min_filter: wgpu::FilterMode::Linear,
                mipmap_filter: wgpu::MipmapFilterMode::Linear,
                ..wgpu::SamplerDescriptor::default()
            })
        });
        made.clone()
    }
}

/// The two rows that texture coordinates are turned into.
fn rows(texture: Option<Texture>) -> [[f32; 4]; 2] {
    let Some(Texture { scale: [sx, sy], rotation, offset: [ox, oy], .. }) = texture else {
        return [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]];
    };
    let (sin, cos) = rotation.sin_cos();
    [[cos * sx, sin * sy, ox, 0.0], [-sin * sx, cos * sy, oy, 0.0]]
}

/// The ball around points.
fn ball(points: &[Vec3]) -> (Vec3, f32) {
    let low = points.iter().copied().reduce(Vec3::min).unwrap_or(Vec3::ZERO);
    let high = points.iter().copied().reduce(Vec3::max).unwrap_or(Vec3::ZERO);
    ((low + high) / 2.0, (high - low).length() / 2.0)
}

fn build(gpu: &Gpu, primitive: &Primitive, no_material: usize) -> GpuPrimitive {
    let at = |index: usize| {
        let get = |list: &[Vec3], other| list.get(index).copied().unwrap_or(other);
        Vertex {
            position: get(&primitive.positions, Vec3::ZERO).to_array(),
            normal: get(&primitive.normals, Vec3::Y).to_array(),
            uv: primitive.uvs.get(index).map_or([0.0; 2], |uv| uv.to_array()),
            tangent: primitive.tangents.get(index).copied().unwrap_or([1.0, 0.0, 0.0, 1.0]),
            color: primitive.colors.get(index).copied().unwrap_or([1.0; 4]),
        }
    };
    let mut vertices: Vec<Vertex> = (0..primitive.positions.len()).map(at).collect();
    if vertices.is_empty() {
        // Buffers may not be empty.
        vertices.push(at(0));
    }
    let skin: Vec<SkinVertex> = primitive
        .joints
        .iter()
        .zip(&primitive.weights)
        .map(|(joints, weights)| SkinVertex { joints: *joints, weights: *weights })
        .collect();
    let buffer = |label, contents: &[u8], usage| {
        gpu.device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some(label),
            contents,
            usage,
        })
    };
    let no_indices = [0u32; 3];
    let indices = if primitive.indices.is_empty() { &no_indices[..] } else { &primitive.indices };
    GpuPrimitive {
        vertices: buffer("vertices", bytemuck::cast_slice(&vertices), wgpu::BufferUsages::VERTEX),
        skin: (skin.len() == vertices.len())
            .then(|| buffer("skin", bytemuck::cast_slice(&skin), wgpu::BufferUsages::VERTEX)),
        indices: buffer("indices", bytemuck::cast_slice(indices), wgpu::BufferUsages::INDEX),
        count: primitive.indices.len() as u32,
        material: primitive.material.unwrap_or(no_material),
    }
}

/// A picture on the card with all its smaller versions, so that it does not flicker in the distance.
pub(crate) fn upload(gpu: &Gpu, image: &ImageData, is_color: bool) -> wgpu::TextureView {
    let levels = image.width.max(image.height).max(1).ilog2() + 1;
    let format = if is_color { wgpu::TextureFormat::Rgba8UnormSrgb } else { wgpu::TextureFormat::Rgba8Unorm };
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("image"),
        size: wgpu::Extent3d {
            width: image.width.max(1),
            height: image.height.max(1),
            depth_or_array_layers: 1,
        },
        mip_level_count: levels,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    let mut level = image.clone();
    for number in 0..levels {
        gpu.queue.write_texture(
            wgpu::TexelCopyTextureInfo {
                texture: &texture,
                mip_level: number,
                origin: wgpu::Origin3d::ZERO,
                aspect: wgpu::TextureAspect::All,
            },
            &level.rgba,
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(level.width.max(1) * 4),
                rows_per_image: None,
            },
            wgpu::Extent3d {
                width: level.width.max(1),
                height: level.height.max(1),
                depth_or_array_layers: 1,
            },
        );
        level = half(&level);
    }
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

/// A picture of half the size, each pixel the mean of four.
fn half(image: &ImageData) -> ImageData {
    let (width, height) = ((image.width / 2).max(1), (image.height / 2).max(1));
    let mut rgba = Vec::with_capacity((width * height * 4) as usize);
    let pixel = |x: u32, y: u32, channel: u32| {
        let (x, y) = (x.min(image.width.max(1) - 1), y.min(image.height.max(1) - 1));
        u32::from(image.rgba.get(((y * image.width + x) * 4 + channel) as usize).copied().unwrap_or(0))
    };
    for y in 0..height {
        for x in 0..width {
            for channel in 0..4 {
                let sum = pixel(x * 2, y * 2, channel)
                    + pixel(x * 2 + 1, y * 2, channel)
                    + pixel(x * 2, y * 2 + 1, channel)
                    + pixel(x * 2 + 1, y * 2 + 1, channel);
                rgba.push((sum / 4) as u8);
            }
        }
    }
    ImageData { width, height, rgba }
}
