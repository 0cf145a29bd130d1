//! A window's surface: one frame in flight, presented only when it is done, so that the main thread never waits.

use std::sync::Arc;

use base::Problem;

use crate::Gpu;
use crate::gpu::Job;
use crate::surface::{filtering, texture};
use crate::targets::{WholePipeline, shader, whole};

/// Copies a picture into a window.
const SHADER: &str = include_str!("../../../shaders/frame_surface.wgsl");

/// Pictures for a window.
pub struct FrameSurface {
    // A texture that is still held must go before its surface: fields are dropped in this order.
    held: Option<wgpu::SurfaceTexture>,
    surface: wgpu::Surface<'static>,
    gpu: Arc<Gpu>,
    config: wgpu::SurfaceConfiguration,
    layout: wgpu::BindGroupLayout,
    sampler: wgpu::Sampler,
    pipeline: wgpu::RenderPipeline,
    sent: u64,
}

impl FrameSurface {
    pub(crate) fn new(
        gpu: Arc<Gpu>,
        surface: wgpu::Surface<'static>,
        size: [u32; 2],
    ) -> Result<Self, Problem> {
        let refused = || Problem::new("no_window", "the graphics driver cannot draw into this window");
        let mut config =
            surface.get_default_config(&gpu.adapter, size[0].max(1), size[1].max(1)).ok_or_else(refused)?;
        let capabilities = surface.get_capabilities(&gpu.adapter);
        // The picture is in the screen's colours already: a format that converts would do it twice.
        let plain = capabilities.formats.iter().copied().find(|format| !format.is_srgb());
        config.format = plain.unwrap_or(config.format);
        config.present_mode = if capabilities.present_modes.contains(&wgpu::PresentMode::Mailbox) {
            wgpu::PresentMode::Mailbox
        } else {
            wgpu::PresentMode::AutoVsync
        };
        surface.configure(&gpu.device, &config);
        let layout = gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("window"),
            entries: &[texture(0), filtering(1)],
        });
        let module = shader(&gpu.device, "window", &[SHADER]);
        let pipeline = WholePipeline {
            label: "window",
            layouts: &[Some(&layout)],
            module: &module,
            vertex: "frame_surface_vertex",
            fragment: "frame_surface_fragment",
            format: config.format,
            blend: None,
            constants: &[],
        }
        .compile(&gpu.device);
        let sampler = crate::bloom::linear(&gpu.device);
        Ok(Self { held: None, surface, gpu, config, layout, sampler, pipeline, sent: 0 })
    }

    /// Pixels.
    pub fn size(&self) -> [u32; 2] {
        [self.config.width, self.config.height]
    }

    /// The window has another size now.
    pub fn resize(&mut self, width: u32, height: u32) {
        if width > 0 && height > 0 && [width, height] != self.size() {
            self.held = None;
            self.config.width = width;
            self.config.height = height;
            self.surface.configure(&self.gpu.device, &self.config);
        }
    }

    /// Whether a frame is still being drawn.
    pub fn in_flight(&self) -> bool {
        self.gpu.waiter.frames_done() < self.sent
    }

    /// Shows the frame that is done, if one is. True where something was shown.
    pub fn present(&mut self) -> bool {
        if self.in_flight() {
            return false;
        }
        match self.held.take() {
            Some(texture) => {
                self.gpu.queue.present(texture);
                true
            }
            None => false,
        }
    }

    pub(crate) fn acquire(&mut self) -> Option<wgpu::TextureView> {
        if self.in_flight() || self.held.is_some() {
            return None;
        }
        let texture = match self.surface.get_current_texture() {
            wgpu::CurrentSurfaceTexture::Success(texture)
            | wgpu::CurrentSurfaceTexture::Suboptimal(texture) => texture,
            wgpu::CurrentSurfaceTexture::Outdated | wgpu::CurrentSurfaceTexture::Lost => {
                self.surface.configure(&self.gpu.device, &self.config);
                return None;
            }
            _ => return None,
        };
        let view = texture.texture.create_view(&wgpu::TextureViewDescriptor::default());
        self.held = Some(texture);
        Some(view)
    }

    pub(crate) fn copy(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        from: &wgpu::TextureView,
        to: &wgpu::TextureView,
    ) {
        let bind = self.gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("window"),
            layout: &self.layout,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(from) },
                wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::Sampler(&self.sampler) },
            ],
        });
        let mut pass = whole(encoder, "window", to, wgpu::LoadOp::Clear(wgpu::Color::BLACK));
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &bind, &[]);
        pass.draw(0..3, 0..1);
    }

    pub(crate) fn submitted(&mut self, index: wgpu::SubmissionIndex) -> bool {
        let sent = self.gpu.waiter.send(Job::Frame(index));
        if sent {
            self.sent += 1;
        } else {
            self.held = None;
        }
        sent
    }
}
