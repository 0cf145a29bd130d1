//! Places in a source text.

use serde::{Deserialize, Serialize};

/// A half-open range of bytes of one source text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// From one byte to another.
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// From the start of this to the end of that.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The text it covers; empty where it does not fit.
    pub fn text(self, source: &str) -> &str {
        source.get(self.start as usize..self.end as usize).unwrap_or_default()
    }

    /// Line and column of its start, both from 1, columns in characters.
    pub fn line_column(self, source: &str) -> (u32, u32) {
        let before = source.get(..self.start as usize).unwrap_or(source);
        let line = before.bytes().filter(|byte| *byte == b'\n').count() as u32 + 1;
        let column = before.rsplit('\n').next().map_or(0, |tail| tail.chars().count()) as u32 + 1;
        (line, column)
    }
}
