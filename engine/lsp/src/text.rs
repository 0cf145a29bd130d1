//! A text with its lines, and places in it as editors count them.

use lsp_types::{Position, PositionEncodingKind, Range, TextDocumentContentChangeEvent};
use wander::span::Span;

/// What a column counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Encoding {
    /// Bytes.
    Utf8,
    /// Code units of two bytes, which every editor knows.
    #[default]
    Utf16,
    /// Characters.
    Utf32,
}

impl Encoding {
    /// The best of those that an editor offers.
    pub(crate) fn choose(offered: Option<&[PositionEncodingKind]>) -> Self {
        let offered = offered.unwrap_or_default();
        if offered.contains(&PositionEncodingKind::UTF8) {
            Self::Utf8
        } else if offered.contains(&PositionEncodingKind::UTF16) || offered.is_empty() {
            Self::Utf16
        } else if offered.contains(&PositionEncodingKind::UTF32) {
            Self::Utf32
        } else {
            Self::Utf16
        }
    }

    /// Its name in the protocol.
    pub(crate) fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf8 => PositionEncodingKind::UTF8,
            Self::Utf16 => PositionEncodingKind::UTF16,
            Self::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    fn width(self, c: char) -> usize {
        match self {
            Self::Utf8 => c.len_utf8(),
            Self::Utf16 => c.len_utf16(),
            Self::Utf32 => 1,
        }
    }
}

/// A text and where its lines start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Text {
    content: String,
    lines: Vec<usize>,
    /// Whether all of a line is ASCII: then a column is a count of bytes, whatever it counts.
    plain: Vec<bool>,
}

impl Text {
    pub(crate) fn new(content: String) -> Self {
        let mut lines = vec![0];
        let bytes = content.as_bytes();
        for (at, byte) in bytes.iter().enumerate() {
            // `\r\n` is one end of a line, and so is each of the two alone.
            if *byte == b'\n' || *byte == b'\r' && bytes.get(at + 1) != Some(&b'\n') {
                lines.push(at + 1);
            }
        }
        let ends = lines.iter().skip(1).copied().chain([content.len()]);
        let plain = lines
            .iter()
            .zip(ends)
            .map(|(start, end)| content.as_bytes().get(*start..end).is_some_and(<[u8]>::is_ascii));
        let plain = plain.collect();
        Self { content, lines, plain }
    }

    fn is_plain(&self, line: usize) -> bool {
        self.plain.get(line).copied().unwrap_or_default()
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.content
    }

    /// The line's text without its end.
    fn line(&self, line: usize) -> Option<(usize, &str)> {
        let start = *self.lines.get(line)?;
        let end = self.lines.get(line + 1).copied().unwrap_or(self.content.len());
        Some((start, self.content.get(start..end)?.trim_end_matches(['\r', '\n'])))
    }

    /// The byte of a position. What lies behind a line's end is its end, and what lies behind the text the text's; a
    /// position within a character is its start.
    pub(crate) fn offset(&self, position: Position, encoding: Encoding) -> u32 {
        let Some((start, line)) = self.line(position.line as usize) else {
            return self.content.len() as u32;
        };
        if self.is_plain(position.line as usize) {
            return (start + line.len().min(position.character as usize)) as u32;
        }
        let mut left = position.character as usize;
        let mut at = start;
        for c in line.chars() {
            let width = encoding.width(c);
            if left < width {
                break;
            }
            left -= width;
            at += c.len_utf8();
        }
        at as u32
    }

    /// The position of a byte; one within a character is the character's.
    pub(crate) fn position(&self, offset: u32, encoding: Encoding) -> Position {
        let offset = (offset as usize).min(self.content.len());
        let line = self.lines.partition_point(|start| *start <= offset).saturating_sub(1);
        let start = self.lines.get(line).copied().unwrap_or_default();
        if self.is_plain(line) {
            return Position::new(line as u32, (offset - start) as u32);
        }
        let before = self.content.get(start..).unwrap_or_default().char_indices();
        let before = before.take_while(|(at, c)| start + at + c.len_utf8() <= offset);
        let character: usize = before.map(|(_, c)| encoding.width(c)).sum();
        Position::new(line as u32, character as u32)
    }

    pub(crate) fn range(&self, span: Span, encoding: Encoding) -> Range {
        Range::new(self.position(span.start, encoding), self.position(span.end.max(span.start), encoding))
    }

    pub(crate) fn span(&self, range: Range, encoding: Encoding) -> Span {
        let (a, b) = (self.offset(range.start, encoding), self.offset(range.end, encoding));
        Span::new(a.min(b), a.max(b))
    }

    /// The text after a change by an editor: a part of it, or all.
    pub(crate) fn changed(self, change: TextDocumentContentChangeEvent, encoding: Encoding) -> Self {
        let Some(range) = change.range else { return Self::new(change.text) };
        let span = self.span(range, encoding);
        let mut content = self.content;
        content.replace_range(span.start as usize..span.end as usize, &change.text);
        Self::new(content)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "let é = \"🎈x\"\r\n\r\nb\rc\n";

    #[test]
    fn positions_count_what_was_agreed_on() {
        let text = Text::new(TEXT.to_owned());
        let x = TEXT.find('x').unwrap() as u32;
        for (encoding, column) in [(Encoding::Utf8, 14), (Encoding::Utf16, 11), (Encoding::Utf32, 10)] {
            assert_eq!(text.position(x, encoding), Position::new(0, column));
            assert_eq!(text.offset(Position::new(0, column), encoding), x);
            // There and back from every character.
            for (at, _) in TEXT.char_indices().filter(|(_, c)| !matches!(c, '\r' | '\n')) {
                let position = text.position(at as u32, encoding);
                assert_eq!(text.offset(position, encoding), at as u32, "{encoding:?} {at}");
            }
        }
    }

    #[test]
    fn positions_that_are_nowhere_are_the_nearest_place() {
        let text = Text::new(TEXT.to_owned());
        let utf16 = Encoding::Utf16;
        // Behind the end of a line, between the halves of a balloon, behind the end of the text.
        assert_eq!(text.offset(Position::new(0, 99), utf16) as usize, TEXT.find('\r').unwrap());
        assert_eq!(text.offset(Position::new(0, 10), utf16) as usize, TEXT.find('🎈').unwrap());
        assert_eq!(text.offset(Position::new(99, 0), utf16) as usize, TEXT.len());
        assert_eq!(text.offset(Position::new(u32::MAX, u32::MAX), utf16) as usize, TEXT.len());
        assert_eq!(text.position(u32::MAX, utf16), Position::new(4, 0));
        assert_eq!(text.offset(Position::new(2, 0), utf16) as usize, TEXT.find('b').unwrap());
        assert_eq!(text.offset(Position::new(3, 0), utf16) as usize, TEXT.find('c').unwrap());
    }

    #[test]
    fn changes_meet_the_place_that_they_name() {
        let utf16 = Encoding::Utf16;
        let change = |range: Option<((u32, u32), (u32, u32))>, text: &str| TextDocumentContentChangeEvent {
            range: range.map(|(a, b)| Range::new(Position::new(a.0, a.1), Position::new(b.0, b.1))),
            range_length: None,
            text: text.to_owned(),
        };
        let cases = [
            (Some(((0, 9), (0, 11))), "y", "let é = \"yx\"\r\n\r\nb\rc\n"),
            (Some(((0, 12), (1, 0))), "", "let é = \"🎈x\r\nb\rc\n"),
            (Some(((3, 1), (99, 0))), "", "let é = \"🎈x\"\r\n\r\nb\rc"),
            (Some(((2, 1), (2, 0))), "d", "let é = \"🎈x\"\r\n\r\nd\rc\n"),
            (None, "all", "all"),
        ];
        for (range, with, wanted) in cases {
            let changed = Text::new(TEXT.to_owned()).changed(change(range, with), utf16);
            assert_eq!(changed, Text::new(wanted.to_owned()), "{range:?}");
        }
    }

    #[test]
    fn bytes_are_counted_where_the_editor_can() {
        let offers = |kinds: &[PositionEncodingKind]| Encoding::choose(Some(kinds));
        assert_eq!(offers(&[PositionEncodingKind::UTF16, PositionEncodingKind::UTF8]), Encoding::Utf8);
        assert_eq!(offers(&[PositionEncodingKind::UTF32]), Encoding::Utf32);
        assert_eq!(offers(&[PositionEncodingKind::new("utf-7")]), Encoding::Utf16);
        assert_eq!(Encoding::choose(None), Encoding::Utf16);
    }
}
