//! The protocol versions and what differs between them over a stream. Fields that a version does not know are sent
//! all the same: every client tolerates them, and one surface is easier to keep than four.

/// Every version that is spoken, newest first.
pub const VERSIONS: &[&str] = &[NEWEST, "2025-06-18", BATCHES, "2024-11-05"];

const NEWEST: &str = "2025-11-25";

/// The only version with batches.
const BATCHES: &str = "2025-03-26";

/// A version of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Version(&'static str);

impl Version {
    /// The client's version where it is spoken, else the newest.
    pub(crate) fn negotiate(wanted: &str) -> Self {
        Self(VERSIONS.iter().copied().find(|version| *version == wanted).unwrap_or(NEWEST))
    }

    /// Its name.
    pub(crate) const fn name(self) -> &'static str {
        self.0
    }

    /// Whether several messages may come in one line.
    pub(crate) fn has_batches(self) -> bool {
        self.0 == BATCHES
    }
}
