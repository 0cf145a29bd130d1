//! Smooths edges in the finished picture: counterpart of `antialias.wgsl`. Also copies pictures into windows.

use crate::surface::{filtering, texture};
use crate::targets::{PICTURE_FORMAT, WholePipeline, shader, whole};
use crate::{Gpu, bloom};

/// The shader text.
pub(crate) const SHADER: &str = include_str!("../../../shaders/antialias.wgsl");

/// The pass.
pub(crate) struct Antialias {
    layout: wgpu::BindGroupLayout,
    sampler: wgpu::Sampler,
    pipeline: wgpu::RenderPipeline,
}

impl Antialias {
    pub fn new(gpu: &Gpu) -> Self {
        let device = &gpu.device;
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("antialias"),
            entries: &[texture(0), filtering(1)],
        });
        let module = shader(device, "antialias", &[SHADER]);
        let pipeline = WholePipeline {
            label: "antialias",
            layouts: &[Some(&layout)],
            module: &module,
            vertex: "antialias_vertex",
            fragment: "antialias_fragment",
            format: PICTURE_FORMAT,
            blend: None,
            constants: &[],
        }
        .compile(device);
        Self { layout, sampler: bloom::linear(device), pipeline }
    }

    /// Draws one picture into another.
    pub fn draw(
        &self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        from: &wgpu::TextureView,
        to: &wgpu::TextureView,
    ) -> u32 {
        let bind = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("antialias"),
            layout: &self.layout,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(from) },
                wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::Sampler(&self.sampler) },
            ],
        });
        let mut pass = whole(encoder, "antialias", to, wgpu::LoadOp::Clear(wgpu::Color::BLACK));
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &bind, &[]);
        pass.draw(0..3, 0..1);
        1
    }
}
