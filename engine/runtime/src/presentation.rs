//! Pictures of the world: the renderer, opened when somebody first wants to see something.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};

use base::{EntityId, Problem};
use project::Assets;
use render::{
    CameraView, CaptureTicket, FrameInput, FrameSurface, Gpu, GpuOptions, RenderSettings, Renderer, Wake,
};

use crate::engine::Engine;
use crate::workers::Workers;

/// A picture that was ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct CaptureId(u64);

/// A picture as a PNG.
#[derive(Debug, Clone)]
pub struct CapturedPicture {
    /// The file's bytes.
    pub png: Vec<u8>,
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// The tick that it shows.
    pub tick: u64,
}

/// Where an ordered picture is.
enum Stage {
    /// The graphics card draws it.
    Drawing,
    /// A worker encodes it.
    Encoding(Receiver<Result<Vec<u8>, Problem>>, [u32; 2]),
    /// It cannot be had.
    Failed(Problem),
}

/// The renderer and the pictures that are under way.
pub struct Presentation {
    renderer: Renderer,
    workers: Workers,
    wake: Wake,
    captures: BTreeMap<CaptureId, (CaptureTicket, Stage, u64)>,
    next: u64,
}

impl Presentation {
    /// On a device that is open already, as for a window.
    pub fn new(gpu: &Arc<Gpu>, assets: &Assets, wake: Wake) -> Self {
        let mut renderer = Renderer::new(gpu, RenderSettings::automatic(gpu));
        for (name, model) in assets.models() {
            renderer.load_model(name, model);
        }
        for (name, image) in assets.images() {
            renderer.load_image(name, image);
        }
        Self { renderer, workers: Workers::new(1), wake, captures: BTreeMap::new(), next: 0 }
    }

    /// On a device of its own, for pictures off screen alone.
    pub fn off_screen(assets: &Assets, wake: Wake) -> Result<Self, Problem> {
        let gpu = Gpu::new(GpuOptions { wake: wake.clone(), ..GpuOptions::default() })?;
        Ok(Self::new(&gpu, assets, wake))
    }

    /// What the last picture took.
    pub fn stats(&self) -> render::RenderStats {
        self.renderer.stats()
    }

    /// Draws into a window; false where it takes no frame at present.
    pub fn draw_window(&mut self, input: &FrameInput<'_>, window: &mut FrameSurface) -> bool {
        self.renderer.draw_window(input, window)
    }

    fn order(&mut self, input: &FrameInput<'_>, size: [u32; 2], tick: u64) -> Result<CaptureId, Problem> {
        let ticket = self.renderer.capture(input, size[0], size[1])?;
        self.next += 1;
        let id = CaptureId(self.next);
        self.captures.insert(id, (ticket, Stage::Drawing, tick));
        Ok(id)
    }

    fn take(&mut self, id: CaptureId) -> Option<Result<CapturedPicture, Problem>> {
        for finished in self.renderer.take_finished() {
            let Some((_, stage, _)) =
                self.captures.values_mut().find(|(ticket, ..)| *ticket == finished.ticket)
            else {
                continue;
            };
            *stage = match finished.picture {
                Err(problem) => Stage::Failed(problem),
                Ok(picture) => {
                    let size = [picture.width, picture.height];
                    let (send, receive) = sync_channel(1);
                    let wake = self.wake.clone();
                    self.workers.run(move || {
                        let _ = send.try_send(render::encode_png(&picture));
                        wake();
                    });
                    Stage::Encoding(receive, size)
                }
            };
        }
        let done = match &self.captures.get(&id)?.1 {
            Stage::Drawing => return None,
            Stage::Failed(problem) => Err(problem.clone()),
            Stage::Encoding(receive, size) => match receive.try_recv() {
                Ok(result) => result.map(|png| (png, *size)),
                Err(std::sync::mpsc::TryRecvError::Empty) => return None,
                Err(std::sync::mpsc::TryRecvError::Disconnected) => {
                    Err(Problem::new("capture_failed", "the picture was lost while it was encoded"))
                }
            },
        };
        let (_, _, tick) = self.captures.remove(&id)?;
        Some(done.map(|(png, [width, height])| CapturedPicture { png, width, height, tick }))
    }
}

impl Engine {
    /// Says how to wake the loop when a picture is done.
    pub fn set_wake(&mut self, wake: Wake) {
        self.wake = wake;
    }

    /// Uses this presentation, as of a window, for pictures too.
    pub fn set_presentation(&mut self, presentation: Presentation) {
        self.presentation = Some(presentation);
    }

    /// The presentation, if something was drawn or a window is open.
    pub fn presentation(&self) -> Option<&Presentation> {
        self.presentation.as_ref()
    }

    /// Orders a picture of the world as it is now, from the game's camera or an entity's place. The first one opens the
    /// graphics device; where there is none the problem says what to install.
    pub fn order_capture(
        &mut self,
        size: [u32; 2],
        camera: Option<EntityId>,
        show_hud: bool,
    ) -> Result<CaptureId, Problem> {
        if self.presentation.is_none() {
            self.presentation = Some(Presentation::off_screen(self.assets(), self.wake.clone())?);
        }
        let Some(mut presentation) = self.presentation.take() else {
            return Err(Problem::new("internal", "the renderer is gone"));
        };
        let view = camera.map(|id| self.view_of(id));
        let world = self.world();
        let tick = world.tick_number().0;
        let input = FrameInput {
            scene: world.scene(),
            poses: world.poses(),
            hud: world.hud(),
            camera: view,
            time_seconds: tick as f32 / world.content().rate as f32,
            show_hud,
        };
        let ordered = presentation.order(&input, size, tick);
        self.presentation = Some(presentation);
        ordered
    }

    /// The picture that was ordered, once it is there.
    pub fn take_capture(&mut self, id: CaptureId) -> Option<Result<CapturedPicture, Problem>> {
        match self.presentation.as_mut() {
            Some(presentation) => presentation.take(id),
            None => Some(Err(Problem::new("internal", "the renderer is gone"))),
        }
    }

    /// Draws the moment between the last two ticks into a window; false where it takes no frame at present.
    pub fn draw_window(&mut self, window: &mut FrameSurface) -> bool {
        let Some(mut presentation) = self.presentation.take() else { return false };
        let poses = self.blended_poses();
        let world = self.world();
        let input = FrameInput {
            scene: world.scene(),
            poses: &poses,
            hud: world.hud(),
            camera: None,
            time_seconds: world.tick_number().0 as f32 / world.content().rate as f32,
            show_hud: true,
        };
        let drawn = presentation.draw_window(&input, window);
        self.presentation = Some(presentation);
        drawn
    }

    fn view_of(&self, id: EntityId) -> CameraView {
        let world = self.world();
        let pose = world.poses().get(id).copied().unwrap_or_default();
        let mut view = CameraView::looking(pose.position, pose.position + pose.rotation * glam::Vec3::NEG_Z);
        if let Some(camera) = world.scene().columns.camera.get(id) {
            view.fov = camera.fov.to_radians();
            view.near = camera.near;
            view.far = camera.far;
        }
        view
    }
}
