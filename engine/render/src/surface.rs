//! How surfaces are lit, for all passes that draw models: counterpart of `surface.wgsl`. Vertices, instances, materials
//! and lights as the shaders read them, and the pipelines that draw them.

use std::collections::HashMap;

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec3, Vec4};

use crate::targets::{DEPTH_FORMAT, LIGHT_FORMAT};
use crate::{Gpu, RenderSettings, frame, opaque, shadow, transparent};

/// The shader text behind `frame.wgsl`.
pub(crate) const SHADER: &str = include_str!("../../../shaders/surface.wgsl");

/// A vertex as drawn.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Vertex {
    pub position: [f32; 3],
    pub normal: [f32; 3],
    pub uv: [f32; 2],
    pub tangent: [f32; 4],
    pub color: [f32; 4],
}

/// What a skin adds to a vertex.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct SkinVertex {
    pub joints: [u16; 4],
    pub weights: [f32; 4],
}

const VERTEX: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<Vertex>() as u64,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x2, 3 => Float32x4, 4 => Float32x4],
};

const SKIN_VERTEX: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<SkinVertex>() as u64,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![5 => Uint16x4, 6 => Float32x4],
};

/// The three upper rows of a matrix.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Rows([Vec4; 3]);

impl Rows {
    pub fn of(matrix: &Mat4) -> Self {
        Self([matrix.row(0), matrix.row(1), matrix.row(2)])
    }
}

/// One primitive of one entity.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Instance {
    pub place: Rows,
    pub color: [f32; 4],
    pub emissive: Vec3,
    pub joint: u32,
    pub metallic: f32,
    pub roughness: f32,
    pub light_count: u32,
    pub padding: u32,
    pub lights: [u8; MOST_LIGHTS_EACH],
}

/// Lights that reach one primitive at most; the strongest are kept.
pub(crate) const MOST_LIGHTS_EACH: usize = 16;

/// A point or spot light.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct LightData {
    pub position: Vec4,
    pub color: Vec4,
    pub direction: Vec4,
}

/// A material's uniform block.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct MaterialData {
    pub base_color: [f32; 4],
    pub emissive: [f32; 4],
    pub factors: [f32; 4],
    /// Two rows each: base colour, metallic-roughness, normal, emissive.
    pub uses: [[[f32; 4]; 2]; 4],
}

/// Which pass draws it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Pass {
    Opaque,
    Transparent,
    Shadow,
}

/// What a pipeline is compiled for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct SurfaceKey {
    pub pass: Pass,
    pub skinned: bool,
    pub textured: bool,
    pub normal_mapped: bool,
    pub masked: bool,
    pub unlit: bool,
    pub double_sided: bool,
    /// An odd number of negative scales turns triangles around.
    pub mirrored: bool,
}

impl SurfaceKey {
    /// The same surface as it throws its shadow: what does not change its outline is left out.
    pub fn for_shadow(self) -> Self {
        Self {
            pass: Pass::Shadow,
            textured: self.textured && self.masked,
            normal_mapped: false,
            unlit: false,
            ..self
        }
    }
}

/// Layouts, shaders and pipelines of all surfaces.
pub(crate) struct Surfaces {
    /// Of group 0 while the picture is drawn.
    pub frame_layout: wgpu::BindGroupLayout,
    /// Of group 0 while the shadow map is drawn, which then cannot be read.
    pub shadow_layout: wgpu::BindGroupLayout,
    /// Of group 1.
    pub material_layout: wgpu::BindGroupLayout,
    picture_pipelines: wgpu::PipelineLayout,
    shadow_pipelines: wgpu::PipelineLayout,
    opaque: wgpu::ShaderModule,
    transparent: wgpu::ShaderModule,
    shadow: wgpu::ShaderModule,
    pipelines: HashMap<SurfaceKey, wgpu::RenderPipeline>,
    settings: RenderSettings,
}

impl Surfaces {
    pub fn new(gpu: &Gpu, settings: &RenderSettings) -> Self {
        let device = &gpu.device;
        let frame_entries = [
            uniform(0),
            storage(1, wgpu::ShaderStages::VERTEX),
            storage(2, wgpu::ShaderStages::VERTEX),
            storage(3, wgpu::ShaderStages::FRAGMENT),
            entry(
                4,
                wgpu::BindingType::Texture {
                    sample_type: wgpu::TextureSampleType::Depth,
                    view_dimension: wgpu::TextureViewDimension::D2,
                    multisampled: false,
                },
            ),
            entry(5, wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Comparison)),
        ];
        let layout = |label, entries: &[wgpu::BindGroupLayoutEntry]| {
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries })
        };
        let frame_layout = layout("frame", &frame_entries);
        let shadow_layout = layout("shadow frame", frame_entries.get(..3).unwrap_or_default());
        let textures = (0..4).flat_map(|number| [texture(1 + number * 2), filtering(2 + number * 2)]);
        let material_layout =
            layout("material", &std::iter::once(uniform(0)).chain(textures).collect::<Vec<_>>());
        let pipelines = |label, first: &wgpu::BindGroupLayout| {
            device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(label),
                bind_group_layouts: &[Some(first), Some(&material_layout)],
                immediate_size: 0,
            })
        };
        let module = |label, pass: &str| {
            device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(label),
                source: wgpu::ShaderSource::Wgsl([frame::SHADER, SHADER, pass].concat().into()),
            })
        };
        Self {
            picture_pipelines: pipelines("surfaces", &frame_layout),
            shadow_pipelines: pipelines("shadows", &shadow_layout),
            opaque: module("opaque", opaque::SHADER),
            transparent: module("transparent", transparent::SHADER),
            shadow: module("shadow", shadow::SHADER),
            frame_layout,
            shadow_layout,
            material_layout,
            pipelines: HashMap::new(),
            settings: settings.clone(),
        }
    }

    /// The pipeline for a key that was prepared.
    pub fn pipeline(&self, key: SurfaceKey) -> Option<&wgpu::RenderPipeline> {
        self.pipelines.get(&key)
    }

    /// Compiles the pipeline where it is not there yet.
    pub fn prepare(&mut self, gpu: &Gpu, key: SurfaceKey) {
        if !self.pipelines.contains_key(&key) {
            let pipeline = self.compile(gpu, key);
            self.pipelines.insert(key, pipeline);
        }
    }

    fn compile(&self, gpu: &Gpu, key: SurfaceKey) -> wgpu::RenderPipeline {
        let flag = |yes: bool| if yes { 1.0 } else { 0.0 };
        let constants = [
            ("SKINNED", flag(key.skinned)),
            ("TEXTURED", flag(key.textured)),
            ("NORMAL_MAPPED", flag(key.normal_mapped)),
            ("MASKED", flag(key.masked)),
            ("UNLIT", flag(key.unlit)),
            ("SHADOWS", flag(self.settings.shadow_size > 0)),
            ("SOFT_SHADOWS", flag(self.settings.soft_shadows)),
        ];
        let options = wgpu::PipelineCompilationOptions {
            constants: &constants,
            ..wgpu::PipelineCompilationOptions::default()
        };
        let (module, vertex, fragment, layout) = match key.pass {
            Pass::Opaque => (&self.opaque, "opaque_vertex", Some("opaque_fragment"), &self.picture_pipelines),
            Pass::Transparent => (
                &self.transparent,
                "transparent_vertex",
                Some("transparent_fragment"),
                &self.picture_pipelines,
            ),
            Pass::Shadow => (
                &self.shadow,
                "shadow_vertex",
                key.masked.then_some("shadow_fragment"),
                &self.shadow_pipelines,
            ),
        };
        let color = [Some(wgpu::ColorTargetState {
            format: LIGHT_FORMAT,
            blend: (key.pass == Pass::Transparent).then_some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
            write_mask: wgpu::ColorWrites::ALL,
        })];
        let targets = if key.pass == Pass::Shadow { &[][..] } else { &color[..] };
        // A primitive without a skin fills the skin's places from its own vertices, which then are never read.
        let unused = wgpu::VertexBufferLayout { array_stride: size_of::<Vertex>() as u64, ..UNUSED_SKIN };
        gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("surface"),
            layout: Some(layout),
            vertex: wgpu::VertexState {
                module,
                entry_point: Some(vertex),
                compilation_options: options.clone(),
                buffers: &[Some(VERTEX), Some(if key.skinned { SKIN_VERTEX } else { unused })],
            },
            primitive: wgpu::PrimitiveState {
                cull_mode: (!key.double_sided).then_some(wgpu::Face::Back),
                front_face: if key.mirrored { wgpu::FrontFace::Cw } else { wgpu::FrontFace::Ccw },
                ..wgpu::PrimitiveState::default()
            },
            depth_stencil: Some(match key.pass {
                Pass::Opaque => depth(true, wgpu::CompareFunction::Greater),
                Pass::Transparent => depth(false, wgpu::CompareFunction::Greater),
                Pass::Shadow => shadow::depth_state(),
            }),
            multisample: wgpu::MultisampleState {
                count: if key.pass == Pass::Shadow { 1 } else { self.settings.msaa },
                ..wgpu::MultisampleState::default()
            },
            fragment: fragment.map(|name| wgpu::FragmentState {
                module,
                entry_point: Some(name),
                compilation_options: options.clone(),
                targets,
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

const UNUSED_SKIN: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: 0,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &[
        wgpu::VertexAttribute { format: wgpu::VertexFormat::Uint16x4, offset: 0, shader_location: 5 },
        wgpu::VertexAttribute { format: wgpu::VertexFormat::Float32x4, offset: 0, shader_location: 6 },
    ],
};

/// How the picture's passes use depth; it is reversed, so nearer is greater.
pub(crate) fn depth(write: bool, compare: wgpu::CompareFunction) -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        format: DEPTH_FORMAT,
        depth_write_enabled: Some(write),
        depth_compare: Some(compare),
        stencil: wgpu::StencilState::default(),
        bias: wgpu::DepthBiasState::default(),
    }
}

/// A layout entry that vertices and fragments see.
pub(crate) fn entry(binding: u32, ty: wgpu::BindingType) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry { binding, visibility: wgpu::ShaderStages::VERTEX_FRAGMENT, ty, count: None }
}

/// A uniform block.
pub(crate) fn uniform(binding: u32) -> wgpu::BindGroupLayoutEntry {
    buffer(binding, wgpu::BufferBindingType::Uniform)
}

fn storage(binding: u32, visibility: wgpu::ShaderStages) -> wgpu::BindGroupLayoutEntry {
    let kind = wgpu::BufferBindingType::Storage { read_only: true };
    wgpu::BindGroupLayoutEntry { visibility, ..buffer(binding, kind) }
}

fn buffer(binding: u32, ty: wgpu::BufferBindingType) -> wgpu::BindGroupLayoutEntry {
    entry(binding, wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None })
}

/// A picture that may be filtered.
pub(crate) fn texture(binding: u32) -> wgpu::BindGroupLayoutEntry {
    entry(
        binding,
        wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Float { filterable: true },
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        },
    )
}

/// A sampler that filters.
pub(crate) fn filtering(binding: u32) -> wgpu::BindGroupLayoutEntry {
    entry(binding, wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering))
}
