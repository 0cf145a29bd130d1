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

/// Bytes between two places whose characters are counted in advance.
const STRIDE: usize = 128;

/// The lines of a text, so that places in it are found without going through it.
#[derive(Debug, Clone, Default)]
pub struct Lines {
    /// Where each line starts, in bytes.
    starts: Vec<u32>,
    /// Characters that begin before each multiple of the stride.
    characters: Vec<u32>,
}

impl Lines {
    /// Goes through a text once.
    pub fn new(source: &str) -> Self {
        let ends = source.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(at, _)| at as u32 + 1)).collect();
        let mut characters = vec![0];
        for stride in source.as_bytes().chunks(STRIDE) {
            let before = characters.last().copied().unwrap_or(0);
            characters.push(before + count(stride));
        }
        Self { starts, characters }
    }

    /// Line and column of a byte of that text, both from 1, columns in characters.
    pub fn place(&self, at: u32, source: &str) -> (u32, u32) {
        let line = self.line(at);
        let start = self.starts.get(line as usize - 1).copied().unwrap_or(0);
        (line, self.before(at, source) - self.before(start, source) + 1)
    }

    /// The line of a byte, from 1.
    pub fn line(&self, at: u32) -> u32 {
        (self.starts.partition_point(|start| *start <= at) as u32).max(1)
    }

    /// A line of that text by its number from 1, without its end.
    pub fn text<'a>(&self, line: u32, source: &'a str) -> Option<&'a str> {
        let start = *self.starts.get((line as usize).checked_sub(1)?)? as usize;
        let end = self.starts.get(line as usize).map_or(source.len(), |next| *next as usize);
        // Behind the last line break there is no line any more.
        (start < source.len()).then(|| source.get(start..end)?.lines().next().or(Some("")))?
    }

    /// Characters that begin before a byte.
    fn before(&self, at: u32, source: &str) -> u32 {
        let at = (at as usize).min(source.len());
        let stride = at / STRIDE;
        let rest = source.as_bytes().get(stride * STRIDE..at).unwrap_or_default();
        self.characters.get(stride).copied().unwrap_or(0) + count(rest)
    }
}

/// Characters that begin in a part of a text.
fn count(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|byte| **byte & 0b1100_0000 != 0b1000_0000).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_know_the_places_that_going_through_the_text_finds() {
        for source in ["", "\n", "one\ntwo\r\n\nför üÜ\n", &"äb\ncd ef ".repeat(100), &"ü".repeat(400)] {
            let lines = Lines::new(source);
            for at in (0..=source.len()).filter(|at| source.is_char_boundary(*at)) {
                let expected = Span::new(at as u32, at as u32).line_column(source);
                assert_eq!(lines.place(at as u32, source), expected, "byte {at} of {source:?}");
                assert_eq!(lines.line(at as u32), expected.0);
            }
            for (index, text) in source.lines().enumerate() {
                assert_eq!(lines.text(index as u32 + 1, source), Some(text));
            }
        }
    }
}
