//! Ending in order when the system asks: the socket is taken away, threads are joined.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// How long the player may take to end in order; then it is ended.
const GRACE: Duration = Duration::from_secs(5);

/// Whether the player should end.
#[derive(Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Is set, and wakes the loop, when the system asks the player to end. A second time ends it at once.
    pub fn on_signals(wake: impl Fn() + Send + 'static) -> Self {
        let stop = Self::default();
        let flag = stop.0.clone();
        if let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) {
            // Lives until the process ends; there is nothing to join it for.
            let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
                for signal in signals.forever() {
                    if flag.swap(true, Ordering::Relaxed) {
                        let _ = signal_hook::low_level::emulate_default_handler(signal);
                    }
                    wake();
                    // A tick that takes for ever must not keep the player from ending.
                    let _ = std::thread::Builder::new().name("last word".to_owned()).spawn(move || {
                        std::thread::sleep(GRACE);
                        let _ = signal_hook::low_level::emulate_default_handler(signal);
                    });
                }
            });
        }
        stop
    }

    /// Whether it was asked.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
