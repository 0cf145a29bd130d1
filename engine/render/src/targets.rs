//! The textures that a picture is drawn into on its way.

/// Depth, reversed: 1 near, 0 far.
pub(crate) const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// Linear light, brighter than white where it is.
pub(crate) const LIGHT_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;

/// The finished picture, already in the screen's own colours.
pub(crate) const PICTURE_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// Steps of the glow, each half as large as the one before.
const MOST_BLOOM: usize = 5;

/// All textures for pictures of one size.
pub(crate) struct Targets {
    pub size: [u32; 2],
    /// Where the scene is drawn with several samples a pixel; none with one.
    pub samples: Option<wgpu::TextureView>,
    pub depth: wgpu::TextureView,
    pub light: wgpu::TextureView,
    pub bloom: Vec<wgpu::TextureView>,
    /// The picture before its edges are smoothed.
    pub rough: wgpu::TextureView,
    pub finished: wgpu::TextureView,
    /// The finished picture, for reading back.
    pub picture: wgpu::Texture,
}

impl Targets {
    pub fn new(device: &wgpu::Device, size: [u32; 2], samples: u32) -> Self {
        let attach = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let read = attach | wgpu::TextureUsages::TEXTURE_BINDING;
        let make = |label, size: [u32; 2], format, count, usage| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d {
                    width: size[0].max(1),
                    height: size[1].max(1),
                    depth_or_array_layers: 1,
                },
                mip_level_count: 1,
                sample_count: count,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage,
                view_formats: &[],
            })
        };
        let view = |texture: &wgpu::Texture| texture.create_view(&wgpu::TextureViewDescriptor::default());
        let mut bloom = Vec::new();
        let mut step = [size[0] / 2, size[1] / 2];
        while bloom.len() < MOST_BLOOM && step[0] >= 4 && step[1] >= 4 {
            bloom.push(view(&make("bloom", step, LIGHT_FORMAT, 1, read)));
            step = [step[0] / 2, step[1] / 2];
        }
        let picture = make("picture", size, PICTURE_FORMAT, 1, read | wgpu::TextureUsages::COPY_SRC);
        Self {
            size,
            samples: (samples > 1).then(|| view(&make("samples", size, LIGHT_FORMAT, samples, attach))),
            depth: view(&make("depth", size, DEPTH_FORMAT, samples, attach)),
            light: view(&make("light", size, LIGHT_FORMAT, 1, read)),
            bloom,
            rough: view(&make("rough picture", size, PICTURE_FORMAT, 1, read)),
            finished: view(&picture),
            picture,
        }
    }
}

/// A pass that draws over all of a target.
pub(crate) fn whole<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    label: &str,
    target: &wgpu::TextureView,
    load: wgpu::LoadOp<wgpu::Color>,
) -> wgpu::RenderPass<'a> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some(label),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: target,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations { load, store: wgpu::StoreOp::Store },
        })],
        ..wgpu::RenderPassDescriptor::default()
    })
}

/// What a pass over a whole target is made of.
pub(crate) struct WholePipeline<'a> {
    pub label: &'a str,
    pub layouts: &'a [Option<&'a wgpu::BindGroupLayout>],
    pub module: &'a wgpu::ShaderModule,
    pub vertex: &'a str,
    pub fragment: &'a str,
    pub format: wgpu::TextureFormat,
    pub blend: Option<wgpu::BlendState>,
    pub constants: &'a [(&'a str, f64)],
}

impl WholePipeline<'_> {
    /// Compiles it: one triangle that covers everything, no depth.
    pub fn compile(&self, device: &wgpu::Device) -> wgpu::RenderPipeline {
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(self.label),
            bind_group_layouts: self.layouts,
            immediate_size: 0,
        });
        let options = wgpu::PipelineCompilationOptions {
            constants: self.constants,
            ..wgpu::PipelineCompilationOptions::default()
        };
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(self.label),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: self.module,
                entry_point: Some(self.vertex),
                compilation_options: options.clone(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: None,
            multisample: wgpu::MultisampleState::default(),
            fragment: Some(wgpu::FragmentState {
                module: self.module,
                entry_point: Some(self.fragment),
                compilation_options: options,
                targets: &[Some(wgpu::ColorTargetState {
                    format: self.format,
                    blend: self.blend,
                    write_mask: wgpu::ColorWrites::ALL,
                })],
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

/// A shader made of several texts.
pub(crate) fn shader(device: &wgpu::Device, label: &str, parts: &[&str]) -> wgpu::ShaderModule {
    device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(label),
        source: wgpu::ShaderSource::Wgsl(parts.concat().into()),
    })
}
