//! Pictures from start to end: what is seen, the passes in their order, and the way to a window or back to memory.

use std::sync::Arc;
use std::time::Instant;

use base::Problem;
use glam::Vec4;
use project::{ImageData, Model};
use wgpu::util::DeviceExt;

use crate::antialias::Antialias;
use crate::bloom::Bloom;
use crate::capture::{CaptureTicket, FinishedCapture, Picture};
use crate::extract::DrawList;
use crate::frame::Frame;
use crate::gpu::Job;
use crate::hud::HudPass;
use crate::model::Models;
use crate::shadow::ShadowMap;
use crate::sky::Sky;
use crate::surface::{Instance, LightData, Rows, Surfaces};
use crate::targets::Targets;
use crate::tonemap::Tonemap;
use crate::{FrameInput, FrameSurface, Gpu, RenderSettings, RenderStats, opaque, transparent};

/// Longest side of a picture, pixels.
const MOST_SIDE: u32 = 8192;

/// Sizes of pictures whose textures are kept.
const MOST_TARGETS: usize = 3;

/// Draws scenes.
pub struct Renderer {
    gpu: Arc<Gpu>,
    settings: RenderSettings,
    surfaces: Surfaces,
    models: Models,
    shadow: ShadowMap,
    sky: Sky,
    bloom: Bloom,
    tonemap: Tonemap,
    antialias: Antialias,
    hud: HudPass,
    targets: Vec<Targets>,
    stats: RenderStats,
    next_ticket: u64,
}

impl Renderer {
    /// A renderer with no models but the stand-in for those that are missing.
    pub fn new(gpu: &Arc<Gpu>, settings: RenderSettings) -> Self {
        let surfaces = Surfaces::new(gpu, &settings);
        Self {
            models: Models::new(gpu, &surfaces),
            shadow: ShadowMap::new(&gpu.device, settings.shadow_size),
            sky: Sky::new(gpu, &settings, &surfaces.frame_layout),
            bloom: Bloom::new(gpu),
            tonemap: Tonemap::new(gpu, &settings),
            antialias: Antialias::new(gpu),
            hud: HudPass::new(gpu),
            targets: Vec::new(),
            stats: RenderStats::default(),
            next_ticket: 0,
            gpu: gpu.clone(),
            surfaces,
            settings,
        }
    }

    /// Puts a model onto the card, replacing one of its name.
    pub fn load_model(&mut self, name: &str, model: &Arc<Model>) {
        self.models.add(&self.gpu, &self.surfaces, name, model);
    }

    /// Puts a picture for the HUD onto the card.
    pub fn load_image(&mut self, name: &str, image: &Arc<ImageData>) {
        self.hud.add_image(&self.gpu, name, image);
    }

    /// What the last picture took.
    pub fn stats(&self) -> RenderStats {
        self.stats
    }

    /// Starts a picture off screen. It is among [`Self::take_finished`] some milliseconds later.
    pub fn capture(
        &mut self,
        input: &FrameInput<'_>,
        width: u32,
        height: u32,
    ) -> Result<CaptureTicket, Problem> {
        let (index, buffer, row_bytes, size) = self.read_out(input, width, height)?;
        self.next_ticket += 1;
        let ticket = CaptureTicket(self.next_ticket);
        if !self.gpu.waiter.send(Job::Capture { index, ticket, buffer, row_bytes, size }) {
            return Err(Problem::new("busy", "too many pictures are being taken at once")
                .hint("wait for some of them"));
        }
        Ok(ticket)
    }

    /// Pictures that are done.
    pub fn take_finished(&self) -> Vec<FinishedCapture> {
        self.gpu.waiter.take_captures()
    }

    /// Takes a picture and waits for it: for tests and tools that have nothing else to do.
    pub fn capture_now(
        &mut self,
        input: &FrameInput<'_>,
        width: u32,
        height: u32,
    ) -> Result<Picture, Problem> {
        let (index, buffer, row_bytes, size) = self.read_out(input, width, height)?;
        crate::gpu::read_back(&self.gpu.device, index, &buffer, row_bytes, size)
    }

    /// Draws into a window. False where the window takes nothing at present, or its last frame is still being drawn.
    pub fn draw_window(&mut self, input: &FrameInput<'_>, window: &mut FrameSurface) -> bool {
        let size = window.size();
        let Some(view) = window.acquire() else { return false };
        let number = self.target(size);
        let (mut encoder, _buffers) = self.encode(input, number);
        if let Some(targets) = self.targets.get(number) {
            window.copy(&mut encoder, &targets.finished, &view);
        }
        let index = self.gpu.queue.submit([encoder.finish()]);
        window.submitted(index)
    }

    fn read_out(
        &mut self,
        input: &FrameInput<'_>,
        width: u32,
        height: u32,
    ) -> Result<(wgpu::SubmissionIndex, wgpu::Buffer, u32, [u32; 2]), Problem> {
        let most = MOST_SIDE.min(self.gpu.device.limits().max_texture_dimension_2d);
        if width == 0 || height == 0 || width > most || height > most {
            return Err(Problem::new(
                "wrong_size",
                format!("a picture of {width}x{height} cannot be drawn: sides go from 1 to {most} pixels"),
            ));
        }
        let size = [width, height];
        let number = self.target(size);
        let (mut encoder, _buffers) = self.encode(input, number);
        // Rows of a buffer begin at multiples of 256 bytes.
        let row_bytes =
            (width * 4).div_ceil(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT) * wgpu::COPY_BYTES_PER_ROW_ALIGNMENT;
        let buffer = self.gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("capture"),
            size: u64::from(row_bytes) * u64::from(height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        if let Some(targets) = self.targets.get(number) {
            encoder.copy_texture_to_buffer(
                targets.picture.as_image_copy(),
                wgpu::TexelCopyBufferInfo {
                    buffer: &buffer,
                    layout: wgpu::TexelCopyBufferLayout {
                        offset: 0,
                        bytes_per_row: Some(row_bytes),
                        rows_per_image: None,
                    },
                },
                wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            );
        }
        let index = self.gpu.queue.submit([encoder.finish()]);
        Ok((index, buffer, row_bytes, size))
    }

    /// The number of the textures for a size, made where they are new.
    fn target(&mut self, size: [u32; 2]) -> usize {
        if let Some(found) = self.targets.iter().position(|targets| targets.size == size) {
            return found;
        }
        if self.targets.len() >= MOST_TARGETS {
            self.targets.remove(0);
        }
        self.targets.push(Targets::new(&self.gpu.device, size, self.settings.msaa));
        self.targets.len() - 1
    }

    /// All passes of a picture. The buffers must live until it is submitted.
    fn encode(&mut self, input: &FrameInput<'_>, number: usize) -> (wgpu::CommandEncoder, Vec<wgpu::Buffer>) {
        let started = Instant::now();
        let gpu = self.gpu.clone();
        let mut encoder =
            gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("picture") });
        let Some(targets) = self.targets.get(number) else { return (encoder, Vec::new()) };
        let list = DrawList::new(input, &self.models, targets.size, self.settings.shadow_size);
        for batch in &list.batches {
            self.surfaces.prepare(&gpu, batch.key);
        }
        let frame =
            Frame::new(&list, &input.scene.environment, &list.sun_view, targets.size, input.time_seconds);
        let make = |label, contents: &[u8], usage| {
            gpu.device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                label: Some(label),
                contents,
                usage,
            })
        };
        let storage = wgpu::BufferUsages::STORAGE;
        let frame = make("frame", bytemuck::bytes_of(&frame), wgpu::BufferUsages::UNIFORM);
        let instances = make("instances", &bytes_or_one::<Instance>(&list.instances), storage);
        let joints = make("joints", &bytes_or_one::<Rows>(&list.joints), storage);
        let lights = make("lights", &bytes_or_one::<LightData>(&list.lights), storage);
        let entry = |binding, buffer: &'_ wgpu::Buffer| (binding, buffer.clone());
        let shared = [entry(0, &frame), entry(1, &instances), entry(2, &joints)];
        let mut entries: Vec<wgpu::BindGroupEntry<'_>> = shared
            .iter()
            .map(|(binding, buffer)| wgpu::BindGroupEntry {
                binding: *binding,
                resource: buffer.as_entire_binding(),
            })
            .collect();
        let shadow_group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("shadow frame"),
            layout: &self.surfaces.shadow_layout,
            entries: &entries,
        });
        entries.push(wgpu::BindGroupEntry { binding: 3, resource: lights.as_entire_binding() });
        entries.push(wgpu::BindGroupEntry {
            binding: 4,
            resource: wgpu::BindingResource::TextureView(&self.shadow.view),
        });
        entries.push(wgpu::BindGroupEntry {
            binding: 5,
            resource: wgpu::BindingResource::Sampler(&self.shadow.sampler),
        });
        let frame_group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("frame"),
            layout: &self.surfaces.frame_layout,
            entries: &entries,
        });

        let mut calls = 0;
        if list.sun_view.casts {
            calls += self.shadow.draw(&mut encoder, &shadow_group, &self.surfaces, &self.models, &list);
        }
        calls += self.scene(&mut encoder, targets, &frame_group, &list);
        if self.settings.bloom {
            calls += self.bloom.draw(&gpu, &mut encoder, targets);
        }
        let toned = if self.settings.smooth_edges { &targets.rough } else { &targets.finished };
        calls += self.tonemap.draw(&gpu, &mut encoder, targets, &frame, toned);
        if self.settings.smooth_edges {
            calls += self.antialias.draw(&gpu, &mut encoder, &targets.rough, &targets.finished);
        }
        if input.show_hud {
            calls += self.hud.draw(&gpu, &mut encoder, input.hud, targets.size, &targets.finished);
        }
        let (instance_count, triangles) = list.counts(&self.models);
        self.stats = RenderStats {
            draw_calls: calls,
            instances: instance_count,
            triangles,
            culled: list.culled,
            lights: list.lights.len() as u32,
            encode_microseconds: started.elapsed().as_micros() as u64,
        };
        (encoder, vec![frame, instances, joints, lights])
    }

    /// Surfaces and sky into the light.
    fn scene(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        targets: &Targets,
        frame: &wgpu::BindGroup,
        list: &DrawList,
    ) -> u32 {
        let (view, resolve_target) = match &targets.samples {
            Some(samples) => (samples, Some(&targets.light)),
            None => (&targets.light, None),
        };
        let store = if resolve_target.is_some() { wgpu::StoreOp::Discard } else { wgpu::StoreOp::Store };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("scene"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view,
                depth_slice: None,
                resolve_target,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &targets.depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(0.0),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            ..wgpu::RenderPassDescriptor::default()
        });
        pass.set_bind_group(0, frame, &[]);
        let mut calls = opaque::draw(&mut pass, &self.surfaces, &self.models, list);
        calls += self.sky.draw(&mut pass);
        calls + transparent::draw(&mut pass, &self.surfaces, &self.models, list)
    }
}

/// The bytes of a list; of one empty entry where there is none, because buffers may not be empty.
fn bytes_or_one<T: bytemuck::Pod>(list: &[T]) -> Vec<u8> {
    if list.is_empty() {
        vec![0; size_of::<T>().max(size_of::<Vec4>())]
    } else {
        bytemuck::cast_slice(list).to_vec()
    }
}
