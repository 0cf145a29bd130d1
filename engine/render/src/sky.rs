//! Draws what lies behind everything: counterpart of `sky.wgsl`.

use crate::targets::{LIGHT_FORMAT, shader};
use crate::{Gpu, RenderSettings, frame, surface};

/// The shader text behind `frame.wgsl`.
pub(crate) const SHADER: &str = include_str!("../../../shaders/sky.wgsl");

/// The pass.
pub(crate) struct Sky {
    pipeline: wgpu::RenderPipeline,
}

impl Sky {
    pub fn new(gpu: &Gpu, settings: &RenderSettings, frame_layout: &wgpu::BindGroupLayout) -> Self {
        let module = shader(&gpu.device, "sky", &[frame::SHADER, SHADER]);
        let layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("sky"),
            bind_group_layouts: &[Some(frame_layout)],
            immediate_size: 0,
        });
        let pipeline = gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("sky"),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("sky_vertex"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: Some(surface::depth(false, wgpu::CompareFunction::GreaterEqual)),
            multisample: wgpu::MultisampleState { count: settings.msaa, ..wgpu::MultisampleState::default() },
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("sky_fragment"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                targets: &[Some(wgpu::ColorTargetState {
                    format: LIGHT_FORMAT,
                    blend: None,
                    write_mask: wgpu::ColorWrites::ALL,
                })],
            }),
            multiview_mask: None,
            cache: None,
        });
        Self { pipeline }
    }

    /// Draws it where nothing else was.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) -> u32 {
        pass.set_pipeline(&self.pipeline);
        pass.draw(0..3, 0..1);
        1
    }
}
