//! The inside of f-strings: text and `{expression:format}`.

use super::Parser;
use crate::ast::Piece;
use crate::diagnostic::Diagnostic;
use crate::lexer::{no_escape, unescape};
use crate::span::Span;

impl Parser<'_> {
    pub(super) fn format_pieces(&mut self, raw: &str, offset: u32) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut text = String::new();
        let bytes = raw.as_bytes();
        let mut at = 0;
        while at < raw.len() {
            let rest = raw.get(at..).unwrap_or_default();
            if rest.starts_with("{{") || rest.starts_with("}}") {
                text.push_str(rest.get(..1).unwrap_or_default());
                at += 2;
            } else if rest.starts_with('{') {
                if !text.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut text)));
                }
                let Some(end) = closing(rest) else {
                    let start = offset + at as u32;
                    self.note(
                        Diagnostic::error(
                            "E103",
                            Span::new(start, start + 1),
                            "the `{` in the text is never closed",
                        )
                        .hint("close it with `}`, or write `{{` for a brace"),
                    );
                    return pieces;
                };
                let inside = rest.get(1..end).unwrap_or_default();
                let (code, spec) = split_spec(inside);
                let start = offset + at as u32 + 1;
                let value = self.inner_expression(code, start);
                pieces.push(Piece::Value(value, spec.map(str::to_owned)));
                at += end + 1;
            } else if bytes.get(at) == Some(&b'}') {
                let start = offset + at as u32;
                self.note(
                    Diagnostic::error("E103", Span::new(start, start + 1), "a `}` without its `{`")
                        .hint("write `}}` for a brace"),
                );
                at += 1;
            } else {
                let letter = letter(rest);
                if letter.starts_with('\\') {
                    match unescape(letter) {
                        Ok(letter) => text.push_str(&letter),
                        Err((_, found)) => self.note(no_escape(&found, offset + at as u32)),
                    }
                } else {
                    text.push_str(letter);
                }
                at += letter.len();
            }
        }
        if !text.is_empty() {
            pieces.push(Piece::Text(text));
        }
        pieces
    }

    /// Parses the code of one place of an f-string, its spans counted in the whole source.
    fn inner_expression(&mut self, code: &str, start: u32) -> crate::ast::Expr {
        let end = start as usize + code.len();
        let source = self.source.get(..end).unwrap_or_default();
        let mut inner = Parser::new(source, start);
        inner.depth = self.depth + 1;
        inner.brackets = 1;
        let value = inner.expr();
        if !inner.at_end() {
            inner.unexpected("`}` after the value");
        }
        self.diagnostics.append(&mut inner.diagnostics);
        value
    }
}

/// The first letter of a text, or its first escape, whole.
fn letter(text: &str) -> &str {
    let mut letters = text.chars();
    let mut end = letters.next().map_or(0, char::len_utf8);
    if text.starts_with('\\')
        && let Some(next) = letters.next()
    {
        end += next.len_utf8();
        if next == 'u'
            && let Some(brace) = text.get(end..).and_then(|rest| rest.find('}'))
        {
            end += brace + 1;
        }
    }
    text.get(..end).unwrap_or_default()
}

/// The place of the brace that closes the first one.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '{') => depth += 1,
            (None, '}') => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// `value:.1` into the value and its format; a colon inside brackets or strings belongs to the value.
fn split_spec(inside: &str) -> (&str, Option<&str>) {
    let mut depth = 0;
    let mut quote = None;
    for (at, c) in inside.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, ':') if depth == 0 => return (inside.get(..at).unwrap_or_default(), inside.get(at + 1..)),
            _ => {}
        }
    }
    (inside, None)
}
