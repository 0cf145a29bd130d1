//! Makes bright things glow: counterpart of `bloom.wgsl`.

use crate::Gpu;
use crate::surface::{filtering, texture};
use crate::targets::{LIGHT_FORMAT, Targets, WholePipeline, shader, whole};

/// The shader text.
pub(crate) const SHADER: &str = include_str!("../../../shaders/bloom.wgsl");

/// The passes.
pub(crate) struct Bloom {
    layout: wgpu::BindGroupLayout,
    sampler: wgpu::Sampler,
    extract: wgpu::RenderPipeline,
    shrink: wgpu::RenderPipeline,
    grow: wgpu::RenderPipeline,
}

impl Bloom {
    pub fn new(gpu: &Gpu) -> Self {
        let device = &gpu.device;
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("bloom"),
            entries: &[texture(0), filtering(1)],
        });
        let module = shader(device, "bloom", &[SHADER]);
        let add = wgpu::BlendComponent {
            src_factor: wgpu::BlendFactor::One,
            dst_factor: wgpu::BlendFactor::One,
            operation: wgpu::BlendOperation::Add,
        };
        let step = |fragment, blend| {
            WholePipeline {
                label: "bloom",
                layouts: &[Some(&layout)],
                module: &module,
                vertex: "bloom_vertex",
                fragment,
                format: LIGHT_FORMAT,
                blend,
                constants: &[],
            }
            .compile(device)
        };
        Self {
            extract: step("bloom_extract", None),
            shrink: step("bloom_shrink", None),
            grow: step("bloom_grow", Some(wgpu::BlendState { color: add, alpha: add })),
            sampler: linear(device),
            layout,
        }
    }

    /// Fills the largest step of the glow; returns the number of draw calls.
    pub fn draw(&self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, targets: &Targets) -> u32 {
        let mut calls = 0;
        let mut step = |pipeline, from: &wgpu::TextureView, to: &wgpu::TextureView, load| {
            let bind = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("bloom"),
                layout: &self.layout,
                entries: &[
                    wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(from) },
                    wgpu::BindGroupEntry {
                        binding: 1,
                        resource: wgpu::BindingResource::Sampler(&self.sampler),
                    },
                ],
            });
            let mut pass = whole(encoder, "bloom", to, load);
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, &bind, &[]);
            pass.draw(0..3, 0..1);
            calls += 1;
        };
        let black = wgpu::LoadOp::Clear(wgpu::Color::BLACK);
        if let Some(first) = targets.bloom.first() {
            step(&self.extract, &targets.light, first, black);
        }
        for pair in targets.bloom.windows(2) {
            if let [large, small] = pair {
                step(&self.shrink, large, small, black);
            }
        }
        for pair in targets.bloom.windows(2).rev() {
            if let [large, small] = pair {
                step(&self.grow, small, large, wgpu::LoadOp::Load);
            }
        }
        calls
    }
}

/// A sampler that filters and stops at the edges.
pub(crate) fn linear(device: &wgpu::Device) -> wgpu::Sampler {
    device.create_sampler(&wgpu::SamplerDescriptor {
        label: Some("linear"),
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        ..wgpu::SamplerDescriptor::default()
    })
}
