//! The sun's shadow map: what of the scene it covers, and drawing it. Counterpart of `shadow.wgsl`.

use glam::{Mat4, Vec3};

use crate::CameraView;
use crate::extract::DrawList;
use crate::extract::light::Sun;
use crate::model::Models;
use crate::surface::{Pass, Surfaces};
use crate::targets::DEPTH_FORMAT;

/// The shader text behind `frame.wgsl` and `surface.wgsl`.
pub(crate) const SHADER: &str = include_str!("../../../shaders/shadow.wgsl");

/// Metres from the eye up to which shadows fall.
const REACH: f32 = 50.0;

/// Metres towards the sun from which things still throw shadows into the view.
const BEHIND: f32 = 150.0;

/// The view of the sun.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SunView {
    /// The map's clip space.
    pub clip_from_world: Mat4,
    /// Metres a texel.
    pub texel: f32,
    /// Whether there are shadows at all.
    pub casts: bool,
}

impl SunView {
    /// Covers the ball around the near part of the view. The ball's size stays the same however the camera turns, and
    /// its place goes in steps of a texel, so shadows do not crawl.
    pub fn new(sun: Option<&Sun>, camera: &CameraView, aspect: f32, size: u32) -> Self {
        let Some(sun) = sun.filter(|sun| sun.shadows && size > 0) else {
            return Self { clip_from_world: Mat4::IDENTITY, texel: 0.0, casts: false };
        };
        let reach = REACH.min(camera.far);
        let half = (camera.fov * 0.5).tan();
        let slope = half * half * (1.0 + aspect * aspect);
        // The ball through the near point and the far corners; in wide views, the ball around the far end.
        let middle = (reach * 0.5 * (1.0 + slope)).min(reach);
        let radius = if middle < reach { middle } else { reach * slope.sqrt() }.ceil();
        let centre = camera.position + camera.rotation * Vec3::NEG_Z * middle;

        let forward = sun.direction;
        let up = if forward.y.abs() > 0.99 { Vec3::Z } else { Vec3::Y };
        let rotation = glam::camera::rh::view::look_to_mat4(Vec3::ZERO, forward, up);
        let texel = radius * 2.0 / size as f32;
        let place = rotation.transform_point3(centre);
        let snapped =
            Vec3::new((place.x / texel).floor() * texel, (place.y / texel).floor() * texel, place.z);
        let projection = glam::camera::rh::proj::directx::orthographic(
            snapped.x - radius,
            snapped.x + radius,
            snapped.y - radius,
            snapped.y + radius,
            -snapped.z - radius - BEHIND,
            -snapped.z + radius,
        );
        Self { clip_from_world: projection * rotation, texel, casts: true }
    }
}

/// The map.
pub(crate) struct ShadowMap {
    pub view: wgpu::TextureView,
    pub sampler: wgpu::Sampler,
}

impl ShadowMap {
    pub fn new(device: &wgpu::Device, size: u32) -> Self {
        let side = size.max(1);
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("shadow map"),
            size: wgpu::Extent3d { width: side, height: side, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: DEPTH_FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        });
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("shadow map"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            compare: Some(wgpu::CompareFunction::LessEqual),
            ..wgpu::SamplerDescriptor::default()
        });
        Self { view: texture.create_view(&wgpu::TextureViewDescriptor::default()), sampler }
    }

    /// Draws everything that throws a shadow; returns the number of draw calls.
    pub fn draw(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        frame: &wgpu::BindGroup,
        surfaces: &Surfaces,
        models: &Models,
        list: &DrawList,
    ) -> u32 {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("shadow"),
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.view,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(1.0),
                    store: wgpu::StoreOp::Store,
                }),
                stencil_ops: None,
            }),
            ..wgpu::RenderPassDescriptor::default()
        });
        pass.set_bind_group(0, frame, &[]);
        list.draw(&mut pass, surfaces, models, Pass::Shadow)
    }
}

/// How the map is written: a little behind the surface, more where light grazes it.
pub(crate) fn depth_state() -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        format: DEPTH_FORMAT,
        depth_write_enabled: Some(true),
        depth_compare: Some(wgpu::CompareFunction::LessEqual),
        stencil: wgpu::StencilState::default(),
        bias: wgpu::DepthBiasState { constant: 2, slope_scale: 1.5, clamp: 0.0 },
    }
}
