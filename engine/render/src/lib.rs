//! Scene and assets to pixels, with wgpu: what is seen (`extract`), the passes (one file and one shader each), windows
//! and pictures off screen. Reads the scene, never writes it; knows no simulation.

pub mod capture;
mod extract;
mod font;
mod frame;
mod frame_surface;
mod gpu;
pub mod hud;
mod input;
mod model;
mod renderer;
mod settings;
mod stats;
mod surface;
mod targets;

mod antialias;
mod bloom;
mod opaque;
mod shadow;
mod sky;
mod tonemap;
mod transparent;

pub use capture::{CaptureTicket, FinishedCapture, Picture, encode_png};
pub use frame_surface::FrameSurface;
pub use gpu::{Gpu, GpuOptions, Wake};
pub use input::{CameraView, FrameInput};
pub use renderer::Renderer;
pub use settings::RenderSettings;
pub use stats::RenderStats;
