//! How much one client may take of the process. Everything that a client can make grow has its bound here.

use std::time::Duration;

/// Bounds on what clients may ask at once. The defaults are what the product runs with; tests make them smaller.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Clients at once; another one is told and turned away.
    pub clients: usize,
    /// Longest line that is read, bytes. A longer one is answered with an error and skipped.
    pub line: usize,
    /// Bytes of unfinished lines that all clients together may keep before long lines are refused.
    pub lines_together: usize,
    /// Calls of one client under way. More are held back for [`Self::patience`], then answered `busy`.
    pub calls: usize,
    /// Bytes of the requests of one client's calls under way; one call alone may be larger.
    pub call_bytes: usize,
    /// Calls under way of a client that has answers to take: it is behind, and more would pile up.
    pub calls_behind: usize,
    /// How long calls beyond those limits are held back, with nothing more being read meanwhile.
    pub patience: Duration,
    /// How long a call may take before it is abandoned and answered `timed_out`.
    pub call_time: Duration,
    /// How often a call that asked for progress is told that it still runs.
    pub progress_every: Duration,
    /// Bytes of answers that a client has not taken before nothing more is read from it.
    pub unread: usize,
    /// Bytes of answers that a client has not taken before it is let go.
    pub unread_most: usize,
    /// Messages in one batch.
    pub batch: usize,
    /// Notices that wait for a slow client; older ones are left out, and it is told how many.
    pub notices: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            clients: 1_100,
            line: 8 << 20,
            lines_together: 128 << 20,
            calls: 64,
            call_bytes: 16 << 20,
            calls_behind: 8,
            patience: Duration::from_millis(250),
            call_time: Duration::from_secs(120),
            progress_every: Duration::from_secs(10),
            unread: 4 << 20,
            unread_most: 256 << 20,
            batch: 64,
            notices: 256,
        }
    }
}
