//! Source text to tokens. Foreign spellings are recognised here and answered with what Wander writes instead.

mod foreign;

use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::token::{Sign, Spanned, Token, Word};

/// A doc comment: the text behind `---` and the line it stands on, from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocComment {
    /// Its line.
    pub line: u32,
    /// Its text.
    pub text: String,
}

/// What lexing gives: tokens that end with [`Token::End`], doc comments, findings.
#[derive(Debug, Default)]
pub struct Lexed {
    /// The tokens.
    pub tokens: Vec<Spanned>,
    /// The doc comments, in order.
    pub docs: Vec<DocComment>,
    /// What was wrong.
    pub diagnostics: Vec<Diagnostic>,
}

/// Cuts a source text, or a part of one that starts at byte `offset` of the whole.
pub fn lex(source: &str, offset: u32) -> Lexed {
    let mut lexer = Lexer::new(source, offset);
    while !lexer.at_end() {
        lexer.token();
    }
    lexer.finish()
}

/// Cuts a text up to the `}}` that no `{` of it opened and that stands in no string. Gives where these braces are, as
/// an offset into `source`, or nothing where they are missing.
pub fn lex_to_braces(source: &str, offset: u32) -> (Lexed, Option<usize>) {
    let mut lexer = Lexer::new(source, offset);
    while !lexer.at_end() {
        if lexer.braces == 0 && lexer.rest().starts_with("}}") {
            let end = lexer.at;
            return (lexer.finish(), Some(end));
        }
        lexer.token();
    }
    (lexer.finish(), None)
}

/// The lexer, over a text or a part of one.
struct Lexer<'a> {
    source: &'a str,
    at: usize,
    offset: u32,
    out: Lexed,
    /// A byte up to which lines were counted, and its line.
    counted: (usize, u32),
    /// Brackets of every kind that are open.
    depth: u32,
    /// Braces that are open.
    braces: u32,
}

impl<'a> Lexer<'a> {
    fn new(source: &'a str, offset: u32) -> Self {
        Self { source, at: 0, offset, out: Lexed::default(), counted: (0, 1), depth: 0, braces: 0 }
    }

    fn at_end(&self) -> bool {
        self.at >= self.source.len()
    }

    /// Cuts one token, or goes past what is none.
    fn token(&mut self) {
        let Some(c) = self.peek() else { return };
        let start = self.at;
        match c {
            ' ' | '\t' | '\r' => self.at += 1,
            '\n' | ';' => {
                self.at += 1;
                self.push(Token::Break, start);
            }
            '-' if self.block_comment("--[[", "]]") => {}
            '-' if self.rest().starts_with("--") => self.comment(),
            '`' => self.backtick(),
            '@' => self.mark(),
            '$' => self.dollar(),
            '0'..='9' => self.number(),
            '"' | '\'' => self.string(start),
            'f' if self.rest().starts_with("f\"") || self.rest().starts_with("f'") => self.format_string(),
            'a'..='z' | 'A'..='Z' | '_' => self.name(),
            '#' => self.color(),
            _ => self.sign(c),
        }
    }

    fn finish(mut self) -> Lexed {
        let end = self.at;
        self.push(Token::Break, end);
        self.push(Token::End, end);
        self.out
    }

    fn rest(&self) -> &str {
        self.source.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn span(&self, start: usize) -> Span {
        Span::new(self.offset + start as u32, self.offset + self.at as u32)
    }

    fn push(&mut self, token: Token, start: usize) {
        match &token {
            Token::Sign(Sign::RecordOpen) => {
                self.braces += 1;
                self.depth += 1;
            }
            Token::Sign(Sign::Open | Sign::ListOpen | Sign::NilOpen) => self.depth += 1,
            Token::Sign(Sign::RecordClose) => {
                self.braces = self.braces.saturating_sub(1);
                self.depth = self.depth.saturating_sub(1);
            }
            Token::Sign(Sign::Close | Sign::ListClose) => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        let span = self.span(start);
        self.out.tokens.push(Spanned { token, span });
    }

    fn error(&mut self, diagnostic: Diagnostic) {
        self.out.diagnostics.push(diagnostic);
    }

    fn comment(&mut self) {
        let line_end = self.rest().find('\n').map_or(self.source.len(), |length| self.at + length);
        let text = self.source.get(self.at..line_end).unwrap_or_default();
        if let Some(doc) = text.strip_prefix("---") {
            // Only what lies behind the last doc comment is gone through.
            let (from, before) = self.counted;
            let breaks = self.source.get(from..self.at).unwrap_or_default().matches('\n').count();
            let line = before + breaks as u32;
            self.counted = (self.at, line);
            self.out.docs.push(DocComment { line, text: doc.trim().to_owned() });
        }
        self.at = line_end;
    }

    /// Goes past ASCII characters that fit.
    fn take_while(&mut self, fits: impl Fn(u8) -> bool) -> &str {
        let start = self.at;
        let count = self.rest().bytes().take_while(|byte| fits(*byte)).count();
        self.at += count;
        self.source.get(start..self.at).unwrap_or_default()
    }

    fn number(&mut self) {
        let start = self.at;
        let value = if self.rest().starts_with("0x") || self.rest().starts_with("0X") {
            self.at += 2;
            let digits = self.take_while(|c| c.is_ascii_alphanumeric() || c == b'_').replace('_', "");
            u64::from_str_radix(&digits, 16)
                .ok()
                .filter(|number| *number <= 1 << 53)
                .map(|number| number as f64)
        } else {
            let mut text = self.take_while(|c| c.is_ascii_digit() || c == b'_').to_owned();
            let mut after = self.rest().chars();
            if after.next() == Some('.') && after.next().is_some_and(|c| c.is_ascii_digit()) {
                self.at += 1;
                text.push('.');
                text.push_str(self.take_while(|c| c.is_ascii_digit() || c == b'_'));
            }
            let rest = self.rest();
            if rest.starts_with(['e', 'E']) {
                let skip = if rest.get(1..).is_some_and(|rest| rest.starts_with(['+', '-'])) { 2 } else { 1 };
                if rest.get(skip..).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
                    text.push_str(rest.get(..skip).unwrap_or_default());
                    self.at += skip;
                    text.push_str(self.take_while(|c| c.is_ascii_digit()));
                }
            }
            let junk = self.take_while(|c| c.is_ascii_alphanumeric() || c == b'_').to_owned();
            if junk.is_empty() {
                text.replace('_', "").parse().ok().filter(|number: &f64| number.is_finite())
            } else {
                None
            }
        };
        match value {
            Some(value) => self.push(Token::Number(value), start),
            None => {
                let span = self.span(start);
                let text = self.source.get(start..self.at).unwrap_or_default().to_owned();
                let mut diagnostic = Diagnostic::error("E104", span, format!("`{text}` is no number"))
                    .hint("numbers look like 10, 1_000, 0.5, 2.5e-3 or 0xff");
                // A letter for the type, as elsewhere.
                let bare = text.trim_end_matches(['f', 'F', 'd', 'L', 'u', 'n']);
                if !text.starts_with("0x") && bare.parse::<f64>().is_ok() {
                    diagnostic = diagnostic.hint(format!("write `{bare}`")).fix(bare);
                }
                self.error(diagnostic);
                self.push(Token::Number(0.0), start);
            }
        }
    }

    fn name(&mut self) {
        let start = self.at;
        let name = self.take_while(|c| c.is_ascii_alphanumeric() || c == b'_');
        let token = match Word::find(name) {
            Some(word) => Token::Word(word),
            None => Token::Name(name.to_owned()),
        };
        self.push(token, start);
    }

    fn string(&mut self, start: usize) {
        if self.rest().starts_with("\"\"\"") {
            self.at += 3;
            let Some(length) = self.rest().find("\"\"\"") else {
                self.at = self.source.len();
                let span = self.span(start);
                self.error(
                    Diagnostic::error(
                        "E103",
                        Span::new(span.start, span.start + 3),
                        "the string is never closed",
                    )
                    .hint("close it with `\"\"\"`"),
                );
                self.push(Token::Text(String::new()), start);
                return;
            };
            let raw = self.rest().get(..length).unwrap_or_default().to_owned();
            self.at += length + 3;
            self.push(Token::Text(dedent(&raw)), start);
            return;
        }
        let quote = if self.rest().starts_with('\'') { '\'' } else { '"' };
        self.at += 1;
        let inside = self.at;
        let raw = self.quoted(quote, start);
        let text = self.unescape(&raw, inside);
        self.push(Token::Text(text), start);
    }

    /// The raw inside up to the closing quote.
    fn quoted(&mut self, quote: char, start: usize) -> String {
        let from = self.at;
        let mut escaped = false;
        while let Some(c) = self.peek() {
            if c == '\n' {
                break;
            }
            if c == quote && !escaped {
                let raw = self.source.get(from..self.at).unwrap_or_default().to_owned();
                self.at += 1;
                return raw;
            }
            escaped = c == '\\' && !escaped;
            self.at += c.len_utf8();
        }
        let span = self.span(start);
        self.error(
            Diagnostic::error("E103", span, "the string is never closed on its line")
                .hint(format!("close it with `{quote}`; text of several lines stands between `\"\"\"`")),
        );
        self.source.get(from..self.at).unwrap_or_default().to_owned()
    }

    fn unescape(&mut self, raw: &str, inside: usize) -> String {
        match unescape(raw) {
            Ok(text) => text,
            Err((at, found)) => {
                self.error(no_escape(&found, self.offset + (inside + at) as u32));
                raw.to_owned()
            }
        }
    }

    fn format_string(&mut self) {
        let start = self.at;
        self.at += 1;
        let quote = if self.rest().starts_with('\'') { '\'' } else { '"' };
        self.at += 1;
        let inside = self.at;
        // A quote inside braces belongs to the expression.
        let mut braces = 0u32;
        let mut escaped = false;
        let mut closed = false;
        while let Some(c) = self.peek() {
            // Two braces are one of the text.
            if braces == 0 && !escaped && (self.rest().starts_with("{{") || self.rest().starts_with("}}")) {
                self.at += 2;
                continue;
            }
            match c {
                '\n' => break,
                '{' if !escaped => braces += 1,
                '}' if !escaped => braces = braces.saturating_sub(1),
                _ if c == quote && !escaped && braces == 0 => {
                    closed = true;
                    break;
                }
                _ => {}
            }
            escaped = c == '\\' && !escaped;
            self.at += c.len_utf8();
        }
        let raw = self.source.get(inside..self.at).unwrap_or_default().to_owned();
        if closed {
            self.at += 1;
        } else {
            let span = self.span(start);
            self.error(
                Diagnostic::error("E103", span, "the string is never closed on its line")
                    .hint(format!("close it with `{quote}`, and each `{{` with `}}`")),
            );
        }
        self.push(Token::Format(raw, self.offset + inside as u32), start);
    }

    fn color(&mut self) {
        let start = self.at;
        if self.is_hash_comment() {
            self.foreign_comment(start, "#");
            return;
        }
        self.at += 1;
        let digits = self.take_while(|c| c.is_ascii_alphanumeric() || c == b'_').to_owned();
        if let Some(color) = parse_color(&digits) {
            self.push(Token::Color(color), start);
            return;
        }
        if digits.is_empty() {
            self.foreign_comment(start, "#");
            return;
        }
        if !digits.chars().all(|c| c.is_ascii_hexdigit()) {
            self.length_sign(start);
            return;
        }
        let span = self.span(start);
        self.error(
            Diagnostic::error("E105", span, format!("`#{digits}` is no colour"))
                .hint("colours have 3, 4, 6 or 8 hex digits: #f80, #ff8800, #ff880080"),
        );
        self.push(Token::Number(0.0), start);
    }

    fn sign(&mut self, c: char) {
        let start = self.at;
        // Only these begin another language's sign: most signs are not looked up.
        if matches!(c, '!' | '=' | '&' | '|' | '~' | '<') && self.foreign_sign() {
            return;
        }
        if c == '/' && self.block_comment("/*", "*/") {
            return;
        }
        if c == '/' && self.is_slash_comment() {
            self.foreign_comment(start, "//");
            return;
        }
        if let Some((sign, text)) = Sign::at_start(self.rest()) {
            self.at += text.len();
            self.push(Token::Sign(sign), start);
            return;
        }
        self.at += c.len_utf8();
        let span = self.span(start);
        let diagnostic = match c {
            '!' => Diagnostic::error("E108", span, "`!` is not written in Wander")
                .hint("write `not`")
                .fix("not "),
            '^' => Diagnostic::error("E108", span, "`^` is not written in Wander")
                .hint("powers are written `**`")
                .fix("**"),
            '&' | '|' => Diagnostic::error("E108", span, format!("`{c}` is not written in Wander"))
                .hint("write `and` or `or`; bits are `bits.band(a, b)` and `bits.bor(a, b)`"),
            _ => Diagnostic::error("E101", span, format!("`{c}` has no meaning here")),
        };
        self.error(diagnostic);
        match c {
            '!' => self.push(Token::Word(Word::Not), start),
            '^' => self.push(Token::Sign(Sign::Power), start),
            _ => {}
        }
    }
}

/// The colour of these hex digits.
fn parse_color(digits: &str) -> Option<[f32; 4]> {
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let full: String = match digits.len() {
        3 | 4 => digits.chars().flat_map(|digit| [digit, digit]).collect(),
        6 | 8 => digits.to_owned(),
        _ => return None,
    };
    let full = if full.len() == 6 { full + "ff" } else { full };
    let number = u32::from_str_radix(&full, 16).ok()?;
    Some(number.to_be_bytes().map(|byte| f32::from(byte) / 255.0))
}

/// The finding about an escape that is none, which begins at that byte.
pub fn no_escape(found: &str, at: u32) -> Diagnostic {
    let span = Span::new(at, at + found.len() as u32);
    Diagnostic::error("E103", span, format!("`{found}` is no escape"))
        .hint("escapes are \\n \\t \\r \\\\ \\\" \\' \\0 and \\u{1F600}")
}

/// Resolves escapes; the error is the place and the text of the first that is none.
pub fn unescape(raw: &str) -> Result<String, (usize, String)> {
    let mut text = String::with_capacity(raw.len());
    let mut chars = raw.char_indices();
    while let Some((at, c)) = chars.next() {
        if c != '\\' {
            text.push(c);
            continue;
        }
        match chars.next().map(|(_, c)| c) {
            Some('n') => text.push('\n'),
            Some('t') => text.push('\t'),
            Some('r') => text.push('\r'),
            Some('0') => text.push('\0'),
            Some(c @ ('\\' | '"' | '\'')) => text.push(c),
            Some('u') => {
                let rest = raw.get(at + 2..).unwrap_or_default();
                let digits =
                    rest.strip_prefix('{').and_then(|rest| rest.split_once('}')).map(|(digits, _)| digits);
                let found = digits.and_then(|digits| char::from_u32(u32::from_str_radix(digits, 16).ok()?));
                let Some(found) = found else { return Err((at, "\\u".to_owned())) };
                text.push(found);
                for _ in 0..digits.map_or(0, str::len) + 2 {
                    chars.next();
                }
            }
            Some(other) => return Err((at, format!("\\{other}"))),
            None => return Err((at, "\\".to_owned())),
        }
    }
    Ok(text)
}

/// Takes the common indentation and the first and last line break away.
fn dedent(raw: &str) -> String {
    let body = raw.strip_prefix('\n').unwrap_or(raw);
    let indent = body
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    let mut lines: Vec<&str> = body.lines().map(|line| line.get(indent..).unwrap_or_default()).collect();
    if lines.last().is_some_and(|line| line.trim().is_empty()) {
        lines.pop();
    }
    lines.join("\n")
}
