//! The engine: the world, its history, its pictures, its log and its clock on one thread, and the order of a frame. Tools reach it
//! through the [`Door`] trait alone; protocols, windows and devices are not known here.

mod clock;
mod engine;
mod frame;
mod log;
mod play;
mod presentation;
mod scripts;
mod sound;
mod watching;
mod workers;

pub use clock::{Clock, Mode};
pub use engine::{Engine, EngineOptions, compile_scripts};
pub use frame::{Door, FrameNumbers};
pub use log::{Level, Log, LogEntry};
pub use play::{StepEnd, StepInput, StepReport, StepTicket};
pub use presentation::{CaptureId, CapturedPicture, Presentation};
pub use watching::WATCH_INTERVAL;
pub use workers::Workers;

/// Events of devices and agents, as the simulation takes them.
pub use sim::{ScriptChange, input};
