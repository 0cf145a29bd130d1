//! Draws text, bars, pictures, panels and buttons over the picture: counterpart of `hud.wgsl`.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use glam::Vec2;
use project::ImageData;
use scene::hud::{Anchor, HudContent, HudItem};
use scene::{Color, Hud};
use wgpu::util::DeviceExt;

use crate::font::{self, Font};
use crate::surface::{filtering, texture, uniform};
use crate::targets::{PICTURE_FORMAT, shader, whole};
use crate::{Gpu, bloom, model};

/// The shader text.
pub(crate) const SHADER: &str = include_str!("../../../shaders/hud.wgsl");

/// Lengths of items are pixels of a picture of this height.
pub const VIRTUAL_HEIGHT: f32 = 720.0;

/// Pixels between a button's text and its edge.
const BUTTON_MARGIN: Vec2 = Vec2::new(22.0, 12.0);

/// One rectangle, as the shader reads it.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Quad {
    rectangle: [f32; 4],
    uv: [f32; 4],
    color: [f32; 4],
    second: [f32; 4],
    shape: [f32; 4],
}

const QUAD: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<Quad>() as u64,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &wgpu::vertex_attr_array![0 => Float32x4, 1 => Float32x4, 2 => Float32x4, 3 => Float32x4, 4 => Float32x4],
};

/// Which texture a run of quads reads.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Sheet {
    Letters,
    Image(String),
}

/// The pass.
pub(crate) struct HudPass {
    font: Font,
    pipeline: wgpu::RenderPipeline,
    frame_layout: wgpu::BindGroupLayout,
    letters: wgpu::BindGroup,
    layout: wgpu::BindGroupLayout,
    sampler: wgpu::Sampler,
    images: BTreeMap<String, (Vec2, wgpu::BindGroup)>,
}

impl HudPass {
    pub fn new(gpu: &Gpu) -> Self {
        let device = &gpu.device;
        let make = |label, entries: &[wgpu::BindGroupLayoutEntry]| {
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries })
        };
        let frame_layout = make("hud frame", &[uniform(0)]);
        let layout = make("hud", &[texture(0), filtering(1)]);
        let module = shader(device, "hud", &[SHADER]);
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("hud"),
            bind_group_layouts: &[Some(&frame_layout), Some(&layout)],
            immediate_size: 0,
        });
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("hud"),
            layout: Some(&pipeline_layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("hud_vertex"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: &[Some(QUAD)],
            },
            primitive: wgpu::PrimitiveState {
                topology: wgpu::PrimitiveTopology::TriangleStrip,
                ..wgpu::PrimitiveState::default()
            },
            depth_stencil: None,
            multisample: wgpu::MultisampleState::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("hud_fragment"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                targets: &[Some(wgpu::ColorTargetState {
                    format: PICTURE_FORMAT,
                    blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
                    write_mask: wgpu::ColorWrites::ALL,
                })],
            }),
            multiview_mask: None,
            cache: None,
        });
        let font = Font::new();
        let sampler = bloom::linear(device);
        let letters = bind(gpu, &layout, &sampler, &font.atlas);
        Self { font, pipeline, frame_layout, letters, layout, sampler, images: BTreeMap::new() }
    }

    /// Puts a picture onto the card under a name.
    pub fn add_image(&mut self, gpu: &Gpu, name: &str, image: &Arc<ImageData>) {
        let size = Vec2::new(image.width as f32, image.height as f32);
        let group = bind(gpu, &self.layout, &self.sampler, image);
        self.images.insert(name.to_owned(), (size, group));
    }

    /// Draws all visible items, the later ones over the earlier; returns the number of draw calls.
    pub fn draw(
        &self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        hud: &Hud,
        size: [u32; 2],
        to: &wgpu::TextureView,
    ) -> u32 {
        let screen = Vec2::new(size[0] as f32, size[1] as f32);
        let mut quads: Vec<Quad> = Vec::new();
        let mut runs: Vec<(Sheet, u32)> = Vec::new();
        for item in hud.items.values().filter(|item| item.visible) {
            self.item(item, screen, |sheet, quad| {
                match runs.last_mut() {
                    Some((last, count)) if *last == sheet => *count += 1,
                    _ => runs.push((sheet, 1)),
                }
                quads.push(quad);
            });
        }
        if quads.is_empty() {
            return 0;
        }
        let device = &gpu.device;
        let frame = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some("hud frame"),
            contents: bytemuck::cast_slice(&[screen.x, screen.y, 0.0, 0.0]),
            usage: wgpu::BufferUsages::UNIFORM,
        });
        let frame = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("hud frame"),
            layout: &self.frame_layout,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: frame.as_entire_binding() }],
        });
        let buffer = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some("hud"),
            contents: bytemuck::cast_slice(&quads),
            usage: wgpu::BufferUsages::VERTEX,
        });
        let mut pass = whole(encoder, "hud", to, wgpu::LoadOp::Load);
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &frame, &[]);
        pass.set_vertex_buffer(0, buffer.slice(..));
        let (mut first, mut calls) = (0, 0);
        for (sheet, count) in runs {
            let group = match &sheet {
                Sheet::Letters => Some(&self.letters),
                Sheet::Image(name) => self.images.get(name).map(|(_, group)| group),
            };
            if let Some(group) = group {
                pass.set_bind_group(1, group, &[]);
                pass.draw(0..4, first..first + count);
                calls += 1;
            }
            first += count;
        }
        calls
    }

    fn item(&self, item: &HudItem, screen: Vec2, mut put: impl FnMut(Sheet, Quad)) {
        let scale = screen.y / VIRTUAL_HEIGHT;
        let given = Vec2::from_array(item.size) * scale;
        let unit = font::unit(item.text_size) * scale;
        let text_size = |text: &str| {
            let width = text.lines().map(|line| self.font.width(line)).fold(0.0, f32::max);
            Vec2::new(width, text.lines().count().max(1) as f32 * font::LINE) * unit
        };
        let size = match &item.content {
            HudContent::Text(text) => text_size(text),
            HudContent::Button(text) => text_size(text) + BUTTON_MARGIN * 2.0 * scale,
            HudContent::Image(name) => {
                self.images.get(name).map_or(Vec2::ZERO, |(size, _)| *size * item.scale * scale)
            }
            HudContent::Bar(_) => {
                given.max(Vec2::new(120.0, 14.0) * scale * if given == Vec2::ZERO { 1.0 } else { 0.0 })
            }
            HudContent::Panel => given,
        };
        let part = anchor(item.anchor);
        let corner = (screen - size) * part + Vec2::from_array(item.position) * scale;
        let corner = corner.round();
        let color = floats(item.color);
        match &item.content {
            HudContent::Text(text) => self.text(text, corner, size, part.x, unit, color, &mut put),
            HudContent::Button(text) => {
                let dark = [0.1, 0.09, 0.16, 0.8];
                put(
                    Sheet::Letters,
                    plate(corner, size, dark, [0.06, 0.05, 0.1, 0.85], 10.0 * scale, 1.5 * scale),
                );
                let margin = BUTTON_MARGIN * scale;
                self.text(text, corner + margin, size - margin * 2.0, 0.5, unit, color, &mut put);
            }
            HudContent::Panel => put(Sheet::Letters, plate(corner, size, color, color, 12.0 * scale, 0.0)),
            HudContent::Bar(filled) => {
                let back = [0.05, 0.04, 0.09, 0.7 * color[3]];
                put(Sheet::Letters, plate(corner, size, back, back, size.y / 2.0, 0.0));
                let inner = Vec2::new((size.x - 4.0 * scale) * filled, size.y - 4.0 * scale);
                if inner.x >= 1.0 {
                    let lower = [color[0] * 0.75, color[1] * 0.75, color[2] * 0.75, color[3]];
                    put(Sheet::Letters, plate(corner + 2.0 * scale, inner, color, lower, inner.y / 2.0, 0.0));
                }
            }
            HudContent::Image(name) => {
                let quad = Quad {
                    rectangle: [corner.x, corner.y, size.x, size.y],
                    uv: [0.0, 0.0, 1.0, 1.0],
                    color,
                    second: [0.0; 4],
                    shape: [2.0, 0.0, 0.0, 0.0],
                };
                put(Sheet::Image(name.clone()), quad);
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one item, taken apart by its caller")]
    fn text(
        &self,
        text: &str,
        corner: Vec2,
        size: Vec2,
        align: f32,
        unit: f32,
        color: [f32; 4],
        put: &mut impl FnMut(Sheet, Quad),
    ) {
        for (number, line) in text.lines().enumerate() {
            let mut pen = corner.x + (size.x - self.font.width(line) * unit) * align;
            let baseline = corner.y + (number as f32 * font::LINE + font::ASCENT + 2.0) * unit;
            for letter in line.chars() {
                let Some(letter) = self.font.letter(letter) else { continue };
                let place = Vec2::new(pen, baseline) + letter.offset * unit;
                let extent = letter.size * unit;
                let quad = Quad {
                    rectangle: [place.x, place.y, extent.x, extent.y],
                    uv: letter.uv,
                    color,
                    second: [0.02, 0.015, 0.05, 0.8],
                    shape: [1.0, font::FIELD * unit, (2.6 * unit).max(1.5), 0.0],
                };
                put(Sheet::Letters, quad);
                pen += letter.advance * unit;
            }
        }
    }
}

fn plate(corner: Vec2, size: Vec2, color: [f32; 4], second: [f32; 4], radius: f32, border: f32) -> Quad {
    Quad {
        rectangle: [corner.x, corner.y, size.x, size.y],
        uv: [0.0; 4],
        color,
        second,
        shape: [0.0, radius, border, 0.0],
    }
}

fn floats(color: Color) -> [f32; 4] {
    [color.r, color.g, color.b, color.a].map(|part| f32::from(part) / 255.0)
}

/// Which part of the free room lies left of and above an item.
fn anchor(anchor: Anchor) -> Vec2 {
    match anchor {
        Anchor::TopLeft => Vec2::new(0.0, 0.0),
        Anchor::Top => Vec2::new(0.5, 0.0),
        Anchor::TopRight => Vec2::new(1.0, 0.0),
        Anchor::Left => Vec2::new(0.0, 0.5),
        Anchor::Center => Vec2::new(0.5, 0.5),
        Anchor::Right => Vec2::new(1.0, 0.5),
        Anchor::BottomLeft => Vec2::new(0.0, 1.0),
        Anchor::Bottom => Vec2::new(0.5, 1.0),
        Anchor::BottomRight => Vec2::new(1.0, 1.0),
    }
}

fn bind(
    gpu: &Gpu,
    layout: &wgpu::BindGroupLayout,
    sampler: &wgpu::Sampler,
    image: &ImageData,
) -> wgpu::BindGroup {
    let view = model::upload(gpu, image, false);
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("hud"),
        layout,
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(&view) },
            wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::Sampler(sampler) },
        ],
    })
}
