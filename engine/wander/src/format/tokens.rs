//! Tokens with the comments around them. The lexer drops comments; they are found again between its tokens.

use crate::lexer::lex;
use crate::token::{Sign, Token, Word};

/// A comment on a line of its own.
#[derive(Debug, Clone, Copy)]
pub(super) struct Comment<'a> {
    /// From the `--` on, without spaces at the end.
    pub(super) text: &'a str,
    /// Whether an empty line stands above it.
    pub(super) blank: bool,
    /// Spaces in front of it.
    pub(super) column: usize,
}

/// A token, with what stands between it and its neighbours.
#[derive(Debug)]
pub(super) struct Tok<'a> {
    /// What it is.
    pub(super) token: Token,
    /// Its text.
    pub(super) text: &'a str,
    /// Comments on lines of their own in front of it.
    pub(super) own: Vec<Comment<'a>>,
    /// The comment behind it, at the end of its line.
    pub(super) trailing: Option<&'a str>,
    /// Whether a statement may end in front of it: a new line or a `;`.
    pub(super) breaks: bool,
    /// Whether it is the first of its line.
    pub(super) newline: bool,
    /// Whether an empty line stands right in front of it.
    pub(super) blank: bool,
    /// Spaces in front of it where it is the first of its line.
    pub(super) column: usize,
}

/// Every token of a text but line breaks; the last one is [`Token::End`].
pub(super) fn tokens(source: &str) -> Vec<Tok<'_>> {
    let mut found: Vec<Tok<'_>> = Vec::new();
    let mut end = 0;
    for spanned in lex(source, 0).tokens {
        if spanned.token == Token::Break {
            continue;
        }
        let start = spanned.span.start as usize;
        let mut tok = Tok {
            token: spanned.token,
            text: spanned.span.text(source),
            own: Vec::new(),
            trailing: None,
            breaks: false,
            newline: false,
            blank: false,
            column: 0,
        };
        gap(source, end, start, found.last_mut(), &mut tok);
        if tok.newline {
            tok.column = column(source, start);
        }
        end = spanned.span.end as usize;
        found.push(tok);
    }
    found
}

/// What stands between two tokens.
fn gap<'a>(source: &'a str, from: usize, to: usize, before: Option<&mut Tok<'a>>, tok: &mut Tok<'a>) {
    let mut before = before;
    let mut at = from;
    let mut lines = 0;
    while let Some(rest) = source.get(at..to).filter(|rest| !rest.is_empty()) {
        if rest.starts_with("--") {
            let length = rest.find('\n').unwrap_or(rest.len());
            let text = rest.get(..length).unwrap_or_default().trim_end();
            match before.take().filter(|_| !tok.newline) {
                Some(before) => before.trailing = Some(text),
                None => tok.own.push(Comment { text, blank: lines > 1, column: column(source, at) }),
            }
            lines = 0;
            at += length;
            continue;
        }
        if rest.starts_with('\n') {
            lines += 1;
            tok.newline = true;
        }
        tok.breaks |= rest.starts_with(['\n', ';']);
        at += rest.chars().next().map_or(1, char::len_utf8);
    }
    tok.blank = lines > 1;
}

/// Characters between the start of a line and this byte.
fn column(source: &str, at: usize) -> usize {
    let before = source.get(..at).unwrap_or_default();
    before.rsplit('\n').next().unwrap_or_default().chars().count()
}

/// Whether two texts say the same: the same comments and, but for what formatting adds and takes away, the same
/// tokens.
pub(super) fn same(one: &str, other: &str) -> bool {
    let (one, other) = (tokens(one), tokens(other));
    comments(&one).eq(comments(&other)) && significant(&one) == significant(&other)
}

/// Texts of all comments, in order.
fn comments<'t>(tokens: &'t [Tok<'_>]) -> impl Iterator<Item = &'t str> {
    tokens.iter().flat_map(|tok| tok.own.iter().map(|comment| comment.text).chain(tok.trailing))
}

fn significant<'t>(tokens: &'t [Tok<'_>]) -> Vec<&'t str> {
    let mut found: Vec<&str> = Vec::new();
    for tok in tokens {
        match &tok.token {
            Token::Word(Word::Then | Word::Do) => continue,
            Token::Sign(Sign::Close | Sign::ListClose | Sign::RecordClose) if found.last() == Some(&",") => {
                found.pop();
            }
            Token::Word(Word::If) if found.last() == Some(&"else") => {
                found.pop();
                found.push("elif");
                continue;
            }
            Token::Name(name) if name == "elseif" => {
                found.push("elif");
                continue;
            }
            _ => {}
        }
        found.push(tok.text);
    }
    found
}
