//! Signs and comments of other languages: told of, and read as what was meant.

use super::Lexer;
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::token::{Sign, Token, Word};

/// Signs that Wander writes otherwise: as found, as written, and what is read in their place.
const SIGNS: &[(&str, &str, Token)] = &[
    ("!==", "!=", Token::Sign(Sign::NotEqual)),
    ("===", "==", Token::Sign(Sign::Equal)),
    ("&&", "and", Token::Word(Word::And)),
    ("||", "or", Token::Word(Word::Or)),
    ("~=", "!=", Token::Sign(Sign::NotEqual)),
    ("<>", "!=", Token::Sign(Sign::NotEqual)),
];

impl Lexer<'_> {
    /// Goes past another language's sign; false where none stands here.
    pub(super) fn foreign_sign(&mut self) -> bool {
        let start = self.at;
        let Some((found, write, token)) = SIGNS.iter().find(|(found, ..)| self.rest().starts_with(found))
        else {
            return false;
        };
        self.at += found.len();
        // `a&&b` would run together.
        let touches = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
        let before = self.source.get(..start).and_then(|text| text.chars().next_back());
        let is_word = matches!(token, Token::Word(_));
        let (left, right) = (is_word && touches(before), is_word && touches(self.peek()));
        let space = |wanted| if wanted { " " } else { "" };
        let span = self.span(start);
        self.error(
            Diagnostic::error("E108", span, format!("`{found}` is not written in Wander"))
                .hint(format!("write `{write}`"))
                .fix(format!("{}{write}{}", space(left), space(right))),
        );
        self.push(token.clone(), start);
        true
    }

    /// Whether somebody's comment begins here with `//`: at the start of a statement always; behind a value only where
    /// what follows is no value that could be divided by.
    pub(super) fn is_slash_comment(&self) -> bool {
        let rest = self.rest();
        if !rest.starts_with("//") || rest.starts_with("//=") {
            return false;
        }
        if matches!(self.last(), None | Some(Token::Break)) {
            return true;
        }
        let line = rest.get(2..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        is_prose(line)
    }

    fn last(&self) -> Option<&Token> {
        self.out.tokens.last().map(|last| &last.token)
    }

    /// Whether `#` begins somebody's comment here: at the start of a line outside of brackets, and behind a value.
    pub(super) fn is_hash_comment(&self) -> bool {
        match self.last() {
            // An expression of its own may begin with a colour.
            None if self.begins_with_color() => false,
            None | Some(Token::Break) => self.depth == 0,
            Some(
                Token::Number(_)
                | Token::Text(_)
                | Token::Format(..)
                | Token::Color(_)
                | Token::Name(_)
                | Token::Sign(Sign::Close | Sign::ListClose | Sign::RecordClose)
                | Token::Word(
                    Word::End | Word::Then | Word::Do | Word::Nil | Word::True | Word::False | Word::SelfWord,
                ),
            ) => true,
            _ => self.rest().starts_with("# ") || self.rest() == "#" || self.rest().starts_with("#\n"),
        }
    }

    /// Whether a colour stands here with no word behind it.
    fn begins_with_color(&self) -> bool {
        let Some(rest) = self.rest().strip_prefix('#') else { return false };
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let (digits, behind) = rest.split_at(end);
        let is_word_next = behind.trim_start().starts_with(|c: char| c.is_alphanumeric() || c == '_');
        super::parse_color(digits).is_some() && !is_word_next
    }

    /// A comment that begins with another sign and ends with its line.
    pub(super) fn foreign_comment(&mut self, start: usize, sign: &str) {
        let line_end = self.rest().find('\n').map_or(self.source.len(), |length| self.at + length);
        self.at = start + sign.len();
        let span = self.span(start);
        self.error(
            Diagnostic::error("E108", span, format!("`{sign}` starts no comment in Wander"))
                .hint("comments start with `--`")
                .fix("--"),
        );
        self.at = line_end;
    }

    /// `/* … */` and `--[[ … ]]`, over several lines or not; false where none stands here.
    pub(super) fn block_comment(&mut self, open: &str, close: &str) -> bool {
        let Some(inside) = self.rest().strip_prefix(open) else { return false };
        let Some(length) = inside.find(close) else { return false };
        let text = inside.get(..length).unwrap_or_default().to_owned();
        let start = self.at;
        // Lua's own comment of one line is one of Wander, too.
        if open.starts_with("--") && !text.contains('\n') {
            return false;
        }
        self.at += open.len() + length + close.len();
        let span = self.span(start);
        let rest = self.rest().lines().next().unwrap_or_default();
        let mut diagnostic = Diagnostic::error(
            "E108",
            Span::new(span.start, span.start + open.len() as u32),
            format!("`{open}` starts no comment in Wander"),
        )
        .hint("each line of a comment starts with `--`");
        if rest.trim().is_empty() {
            let lines: Vec<String> = text
                .lines()
                .map(|line| {
                    format!("-- {}", line.trim().trim_start_matches('*').trim_start()).trim_end().to_owned()
                })
                .collect();
            diagnostic = diagnostic.fix_at(span, lines.join("\n"));
        }
        self.error(diagnostic);
        true
    }

    /// `` `hello ${name}` ``.
    pub(super) fn backtick(&mut self) {
        let start = self.at;
        self.at += 1;
        let length =
            self.rest().find('`').unwrap_or_else(|| self.rest().find('\n').unwrap_or(self.rest().len()));
        let inside = self.rest().get(..length).unwrap_or_default().to_owned();
        self.at = (self.at + length + 1).min(self.source.len());
        let span = self.span(start);
        let mut diagnostic = Diagnostic::error("E108", span, "text stands between `\"` in Wander")
            .hint("write `f\"hello {name}\"` to fill in values");
        if !inside.contains(['"', '\n', '`']) {
            let prefix = if inside.contains("${") { "f" } else { "" };
            diagnostic = diagnostic.fix(format!("{prefix}\"{}\"", inside.replace("${", "{")));
        }
        self.error(diagnostic);
        // What is inside was told of: its braces are no second finding.
        self.push(Token::Text(String::new()), start);
    }

    /// `@export var`, and other marks in front of declarations.
    pub(super) fn mark(&mut self) {
        let start = self.at;
        self.at += 1;
        let word = self.take_while(|c| c.is_ascii_alphanumeric() || c == b'_').to_owned();
        if word.starts_with("export") && self.rest().starts_with(" var ") {
            self.at += " var".len();
            let span = self.span(start);
            self.error(
                Diagnostic::error("E108", span, format!("`@{word} var` is not written in Wander"))
                    .hint("write `prop`: it shows in the editor")
                    .fix("prop"),
            );
            self.push(Token::Word(Word::Prop), start);
            return;
        }
        let span = self.span(start);
        let gap = self.take_while(|c| c == b' ').len() as u32;
        self.error(
            Diagnostic::error("E108", span, format!("`@{word}` is not written in Wander"))
                .hint("leave it out")
                .fix_at(Span::new(span.start, span.end + gap), ""),
        );
    }

    /// `$Name`, an engine's path to another thing.
    pub(super) fn dollar(&mut self) {
        let start = self.at;
        self.at += 1;
        let name = self.take_while(|c| c.is_ascii_alphanumeric() || c == b'_').to_owned();
        let span = self.span(start);
        let mut diagnostic = Diagnostic::error("E108", span, format!("`${name}` is not written in Wander"));
        diagnostic = if name.is_empty() {
            diagnostic.hint("write `f\"hello {name}\"` to fill in values")
        } else {
            diagnostic
                .hint(format!("write `find(\"{name}\")` for the entity of that name"))
                .fix(format!("find(\"{name}\")"))
        };
        self.error(diagnostic);
        if !name.is_empty() {
            self.push(Token::Word(Word::Nil), start);
        }
    }

    /// `#list`, a length elsewhere.
    pub(super) fn length_sign(&mut self, start: usize) {
        self.at = start + 1;
        let path = self.take_while(|c| c.is_ascii_alphanumeric() || c == b'_' || c == b'.').to_owned();
        let span = self.span(start);
        let mut diagnostic = Diagnostic::error("E108", span, "`#` does not give a length in Wander")
            .hint(format!("write `{path}.length`"));
        if !self.rest().starts_with(['(', '[', ':']) {
            diagnostic = diagnostic.fix(format!("{path}.length"));
        }
        self.error(diagnostic);
        self.push(Token::Number(0.0), start);
    }
}

/// Whether the rest of a line reads like a sentence and not like a value: words that no operator joins. Where
/// nothing follows, the operand may stand on the next line.
fn is_prose(text: &str) -> bool {
    const JOINS: &[&str] = &["and", "or", "in", "not", "then", "do", "end", "else", "if", "elif"];
    let text = text.trim();
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
    let word_end = text.find(|c: char| !is_part(c)).unwrap_or(text.len());
    let (word, rest) = text.split_at(word_end);
    if text.is_empty() {
        return false;
    }
    if word.contains('\'') {
        return true;
    }
    if word.is_empty() {
        return !text.starts_with(['(', '-', '"', '[', '{', '#']);
    }
    let next = rest.trim_start();
    let next_end = next.find(|c: char| !is_part(c)).unwrap_or(next.len());
    let next_word = next.get(..next_end).unwrap_or_default();
    if rest.starts_with(": ") {
        return true;
    }
    rest.starts_with(' ') && !next_word.is_empty() && !JOINS.contains(&next_word)
}
