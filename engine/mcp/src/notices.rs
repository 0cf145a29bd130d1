//! What the engine tells every client: one listener a server, and a queue of bounded length that each connection reads
//! at its own pace.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use base::link::{EngineHandle, Notice};
use tokio::sync::broadcast;

/// The log's levels, least to worst.
const LEVELS: &[&str] = &["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/// A place in the log's levels, from 0 for `debug`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Level(u8);

impl Level {
    /// The level of this name.
    pub(crate) fn find(name: &str) -> Option<Self> {
        LEVELS.iter().position(|level| *level == name).and_then(|place| u8::try_from(place).ok()).map(Self)
    }

    /// All names, for messages.
    pub(crate) fn names() -> String {
        LEVELS.join(", ")
    }
}

/// The notices of one engine, for all clients of one server. Dropping it ends the listening.
pub(crate) struct Notices {
    engine: EngineHandle,
    token: u64,
    sender: broadcast::Sender<Arc<Notice>>,
    lowest: Arc<AtomicU8>,
}

impl Notices {
    /// Listens to the engine; at most `most` notices wait for a client.
    pub(crate) fn new(engine: &EngineHandle, most: usize) -> Self {
        let (sender, _) = broadcast::channel(most.max(1));
        let lowest = Arc::new(AtomicU8::new(u8::MAX));
        let (tell, floor) = (sender.clone(), lowest.clone());
        let token = engine.listen(move |notice| {
            if let Notice::Log { level, .. } = notice {
                // A game may log a lot; nobody is woken for lines that no client asked for.
                let level = Level::find(level).unwrap_or(Level(0));
                if level.0 < floor.load(Ordering::Relaxed) {
                    return;
                }
            }
            // No receivers means no clients.
            let _ = tell.send(Arc::new(notice.clone()));
        });
        Self { engine: engine.clone(), token, sender, lowest }
    }

    /// A queue for one more client, from now on.
    pub(crate) fn subscribe(&self) -> broadcast::Receiver<Arc<Notice>> {
        self.sender.subscribe()
    }

    /// Some client wants log lines of this level and worse.
    pub(crate) fn want(&self, level: Level) {
        self.lowest.fetch_min(level.0, Ordering::Relaxed);
    }
}

impl Drop for Notices {
    fn drop(&mut self) {
        self.engine.unlisten(self.token);
    }
}
