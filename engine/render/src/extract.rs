//! What of a scene is seen: one file a component. The result, a `DrawList`, is plain data that the passes draw.

mod animation;
pub(crate) mod camera;
mod frustum;
pub(crate) mod light;
mod mesh;

use std::ops::Range;

use base::EntityId;
use glam::{Affine3A, Mat4};
use scene::components::Transform;
use scene::{Poses, Scene};

use crate::model::Models;
use crate::shadow::SunView;
use crate::surface::{Instance, LightData, Pass, Rows, SurfaceKey, Surfaces};
use crate::{CameraView, FrameInput};
use frustum::Frustum;

/// Instances of one primitive that are drawn at once.
#[derive(Debug, Clone)]
pub(crate) struct Batch {
    pub key: SurfaceKey,
    pub model: usize,
    pub primitive: usize,
    pub instances: Range<u32>,
}

/// Everything that the passes need of a scene.
pub(crate) struct DrawList {
    pub camera: CameraView,
    pub clip_from_world: Mat4,
    pub sun: Option<light::Sun>,
    pub sun_view: SunView,
    pub lights: Vec<LightData>,
    pub instances: Vec<Instance>,
    pub joints: Vec<Rows>,
    pub batches: Vec<Batch>,
    /// Parts of models outside the view.
    pub culled: u32,
}

impl DrawList {
    /// Goes through the scene once.
    pub fn new(input: &FrameInput<'_>, models: &Models, size: [u32; 2], shadow_size: u32) -> Self {
        let camera = input.camera.unwrap_or_else(|| camera::view(input.scene, input.poses));
        let aspect = size[0] as f32 / size[1] as f32;
        let clip_from_world = camera.projection(aspect) * camera.view_matrix();
        let view = Frustum::new(&clip_from_world);
        let (sun, lights) = light::collect(input.scene, input.poses, &view, &camera);
        let sun_view = SunView::new(sun.as_ref(), &camera, aspect, shadow_size);
        let mut list = Self {
            camera,
            clip_from_world,
            sun,
            sun_view,
            lights,
            instances: Vec::new(),
            joints: Vec::new(),
            batches: Vec::new(),
            culled: 0,
        };
        mesh::collect(input, models, &view, &mut list);
        list
    }

    /// Instances and triangles in the picture.
    pub fn counts(&self, models: &Models) -> (u32, u64) {
        let seen = self.batches.iter().filter(|batch| batch.key.pass != Pass::Shadow);
        seen.fold((0, 0), |(instances, triangles), batch| {
            let more = batch.instances.len() as u32;
            let each = models.primitive(batch.model, batch.primitive).map_or(0, |it| u64::from(it.count / 3));
            (instances + more, triangles + u64::from(more) * each)
        })
    }

    /// Draws the batches of one pass; returns how many there were.
    pub fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        surfaces: &Surfaces,
        models: &Models,
        which: Pass,
    ) -> u32 {
        let mut calls = 0;
        let mut last = None;
        for batch in self.batches.iter().filter(|batch| batch.key.pass == which) {
            let Some(primitive) = models.primitive(batch.model, batch.primitive) else { continue };
            let Some(material) = models.material(batch.model, primitive.material) else { continue };
            let Some(pipeline) = surfaces.pipeline(batch.key) else { continue };
            if last != Some(batch.key) {
                pass.set_pipeline(pipeline);
                last = Some(batch.key);
            }
            pass.set_bind_group(1, &material.bind_group, &[]);
            pass.set_vertex_buffer(0, primitive.vertices.slice(..));
            pass.set_vertex_buffer(1, primitive.skin.as_ref().unwrap_or(&primitive.vertices).slice(..));
            pass.set_index_buffer(primitive.indices.slice(..), wgpu::IndexFormat::Uint32);
            pass.draw_indexed(0..primitive.count, 0, batch.instances.clone());
            calls += 1;
        }
        calls
    }
}

/// Where an entity is: its pose, or the product of its own and its parents' transforms.
pub(crate) fn place(scene: &Scene, poses: &Poses, id: EntityId) -> Affine3A {
    if let Some(pose) = poses.get(id) {
        return pose.affine();
    }
    let mut place = Affine3A::IDENTITY;
    let mut at = Some(id);
    // No chain is longer than there are entities, even in a broken scene.
    for _ in 0..=scene.entities.len() {
        let Some(here) = at else { break };
        if let Some(transform) = scene.get::<Transform>(here) {
            place = Affine3A::from_scale_rotation_translation(
                transform.scale,
                transform.quat(),
                transform.position,
            ) * place;
        }
        at = scene.entities.get(here).and_then(|entity| entity.parent);
    }
    place
}
