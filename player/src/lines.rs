//! The log's new lines to the terminal and to whoever listens.

use base::link::{EngineHandle, Notice};
use runtime::{Engine, Level};

/// Passes on what was added since the last time.
pub fn pass_on(engine: &mut Engine, handle: &EngineHandle) {
    for line in engine.log.take_fresh() {
        if line.level >= Level::Info {
            eprintln!("[{}] {} {}: {}", line.tick, line.level.name(), line.source, line.text);
        }
        handle.notify(&Notice::Log { level: line.level.name(), source: line.source, text: line.text });
    }
}
