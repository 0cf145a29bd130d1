//! A game's files: `game.json`, scenes, scripts and assets, read through one sandbox, checked all at once, decoded to
//! plain data that needs no graphics card and no sound device.

pub mod assets;
pub mod codes;
mod load;
pub mod model;
pub mod references;
pub mod sandbox;
pub mod settings;

pub use assets::{Assets, ImageData};
pub use load::{Project, script_paths};
pub use model::Model;
pub use sandbox::Sandbox;
pub use settings::Settings;
