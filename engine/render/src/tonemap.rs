//! From light to the colours of a screen: counterpart of `tonemap.wgsl`.

use crate::surface::{filtering, texture, uniform};
use crate::targets::{PICTURE_FORMAT, Targets, WholePipeline, shader, whole};
use crate::{Gpu, RenderSettings, bloom, frame};

/// The shader text behind `frame.wgsl`.
pub(crate) const SHADER: &str = include_str!("../../../shaders/tonemap.wgsl");

/// The pass.
pub(crate) struct Tonemap {
    frame_layout: wgpu::BindGroupLayout,
    layout: wgpu::BindGroupLayout,
    sampler: wgpu::Sampler,
    pipeline: wgpu::RenderPipeline,
}

impl Tonemap {
    pub fn new(gpu: &Gpu, settings: &RenderSettings) -> Self {
        let device = &gpu.device;
        let make = |label, entries: &[wgpu::BindGroupLayoutEntry]| {
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries })
        };
        let frame_layout = make("tonemap frame", &[uniform(0)]);
        let layout = make("tonemap", &[texture(0), texture(1), filtering(2)]);
        let module = shader(device, "tonemap", &[frame::SHADER, SHADER]);
        let pipeline = WholePipeline {
            label: "tonemap",
            layouts: &[Some(&frame_layout), Some(&layout)],
            module: &module,
            vertex: "tonemap_vertex",
            fragment: "tonemap_fragment",
            format: PICTURE_FORMAT,
            blend: None,
            constants: &[("BLOOM", if settings.bloom { 1.0 } else { 0.0 })],
        }
        .compile(device);
        Self { frame_layout, layout, sampler: bloom::linear(device), pipeline }
    }

    /// Draws the light into `to`.
    pub fn draw(
        &self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        targets: &Targets,
        frame: &wgpu::Buffer,
        to: &wgpu::TextureView,
    ) -> u32 {
        let glow = targets.bloom.first().unwrap_or(&targets.light);
        let frame = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("tonemap frame"),
            layout: &self.frame_layout,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: frame.as_entire_binding() }],
        });
        let bind = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("tonemap"),
            layout: &self.layout,
            entries: &[
                wgpu::BindGroupEntry {
                    binding: 0,
                    resource: wgpu::BindingResource::TextureView(&targets.light),
                },
                wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::TextureView(glow) },
                wgpu::BindGroupEntry { binding: 2, resource: wgpu::BindingResource::Sampler(&self.sampler) },
            ],
        });
        let mut pass = whole(encoder, "tonemap", to, wgpu::LoadOp::Clear(wgpu::Color::BLACK));
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &frame, &[]);
        pass.set_bind_group(1, &bind, &[]);
        pass.draw(0..3, 0..1);
        1
    }
}
