//! Finding lines in a stream of bytes. What has been read of a line outlives any interruption, and a line that is too
//! long is skipped without ever being kept.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::net::UnixStream;

/// Bytes that are made room for before each read.
const CHUNK: usize = 16 * 1024;

/// Up to here a buffer keeps its size when it is empty.
const KEEP: usize = 256 * 1024;

/// What a line turned out to be.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line<'a> {
    /// A line without its end.
    Whole(&'a [u8]),
    /// One that is too long; it is being skipped.
    TooLong,
}

/// The bytes of one client that are not lines yet.
#[derive(Debug)]
pub(crate) struct Lines {
    buffer: Vec<u8>,
    /// Where the next line begins; everything before it has been given out.
    start: usize,
    /// Up to here there is no line end after `start`.
    scanned: usize,
    /// Inside of a line that is too long.
    skipping: bool,
    most: usize,
    /// Bytes that all clients keep together, this one's share, and how many there may be.
    together: Arc<AtomicUsize>,
    share: usize,
    most_together: usize,
}

impl Lines {
    /// Lines of at most `most` bytes, of a client among others that keep at most `most_together` bytes.
    pub(crate) fn new(most: usize, together: Arc<AtomicUsize>, most_together: usize) -> Self {
        Self {
            buffer: Vec::new(),
            start: 0,
            scanned: 0,
            skipping: false,
            most,
            together,
            share: 0,
            most_together,
        }
    }

    /// Takes in what the client has sent, without waiting. Zero bytes mean the end of the stream.
    pub(crate) fn read(&mut self, stream: &UnixStream) -> io::Result<usize> {
        self.compact();
        self.buffer.reserve(CHUNK);
        let read = stream.try_read_buf(&mut self.buffer);
        self.account();
        read
    }

    #[cfg(test)]
    fn push(&mut self, bytes: &[u8]) {
        self.compact();
        self.buffer.extend_from_slice(bytes);
        self.account();
    }

    /// The next line, where one has come in whole.
    pub(crate) fn next(&mut self) -> Option<Line<'_>> {
        loop {
            let fresh = self.buffer.get(self.scanned..).unwrap_or_default();
            let Some(offset) = fresh.iter().position(|byte| *byte == b'\n') else {
                self.scanned = self.buffer.len();
                if self.skipping {
                    self.clear();
                    return None;
                }
                let length = self.buffer.len() - self.start;
                let crowded = length > CHUNK && self.together.load(Ordering::Relaxed) > self.most_together;
                if length > self.most || crowded {
                    self.skipping = true;
                    self.clear();
                    return Some(Line::TooLong);
                }
                return None;
            };
            let (start, end) = (self.start, self.scanned + offset);
            self.start = end + 1;
            self.scanned = end + 1;
            if self.skipping {
                self.skipping = false;
                continue;
            }
            if end - start > self.most {
                return Some(Line::TooLong);
            }
            return self.buffer.get(start..end).map(|line| Line::Whole(without_return(line)));
        }
    }

    /// At the end of the stream: a last line without an end is taken all the same.
    pub(crate) fn last(&mut self) -> Option<Line<'_>> {
        let start = self.start;
        self.start = self.buffer.len();
        self.scanned = self.buffer.len();
        let line = self.buffer.get(start..).filter(|line| !line.is_empty() && !self.skipping)?;
        Some(Line::Whole(without_return(line)))
    }

    fn clear(&mut self) {
        self.buffer.clear();
        self.start = 0;
        self.scanned = 0;
        self.account();
    }

    fn compact(&mut self) {
        if self.start == self.buffer.len() {
            self.buffer.clear();
            if self.buffer.capacity() > KEEP {
                self.buffer.shrink_to(CHUNK);
            }
        } else {
            self.buffer.drain(..self.start);
        }
        self.scanned -= self.start;
        self.start = 0;
    }

    fn account(&mut self) {
        let now = self.buffer.len();
        if now > self.share {
            self.together.fetch_add(now - self.share, Ordering::Relaxed);
        } else {
            self.together.fetch_sub(self.share - now, Ordering::Relaxed);
        }
        self.share = now;
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        self.together.fetch_sub(self.share, Ordering::Relaxed);
    }
}

fn without_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(most: usize) -> Lines {
        Lines::new(most, Arc::default(), usize::MAX)
    }

    /// All lines that `pieces` hold, pushed one after the other.
    fn found(lines: &mut Lines, pieces: &[&[u8]]) -> Vec<String> {
        let mut all = Vec::new();
        for piece in pieces {
            lines.push(piece);
            while let Some(line) = lines.next() {
                all.push(match line {
                    Line::Whole(line) => String::from_utf8_lossy(line).into_owned(),
                    Line::TooLong => "too long".to_owned(),
                });
            }
        }
        all
    }

    #[test]
    fn lines_are_the_same_however_the_bytes_are_cut() {
        let text = b"one\ntwo\r\n\nthree and more\nrest";
        let expected = ["one", "two", "", "three and more"];
        for cut in 1..text.len() {
            let mut lines = lines(100);
            let pieces: Vec<&[u8]> = text.chunks(cut).collect();
            assert_eq!(found(&mut lines, &pieces), expected, "in pieces of {cut}");
            assert_eq!(lines.last(), Some(Line::Whole(b"rest")));
            assert_eq!(lines.last(), None);
        }
    }

    #[test]
    fn a_long_line_is_reported_once_and_skipped_to_its_end_and_never_kept() {
        let mut lines = lines(10);
        let all = found(
            &mut lines,
            &[b"ok\n01234567", b"89abc", &[b'x'; 5000], b"yz\nafter\n0123456789abc\nlast\n"],
        );
        assert_eq!(all, ["ok", "too long", "after", "too long", "last"]);
        assert!(lines.buffer.len() < 100);
    }

    #[test]
    fn unfinished_lines_of_all_clients_together_are_bounded() {
        let together = Arc::new(AtomicUsize::new(0));
        let mut first = Lines::new(1 << 20, together.clone(), 100_000);
        let mut second = Lines::new(1 << 20, together.clone(), 100_000);
        assert_eq!(found(&mut first, &[&[b'x'; 90_000]]), Vec::<String>::new());
        assert_eq!(found(&mut second, &[b"short\n", &[b'x'; 20_000]]), ["short", "too long"]);
        assert_eq!(found(&mut second, &[b"\nshort\n"]), ["short"], "short lines go on");
        drop(first);
        assert!(together.load(Ordering::Relaxed) < 100);
    }
}
