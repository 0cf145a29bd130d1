//! The walk over the tokens that statements and expressions share. The text is known to be a program, so what is read
//! here needs no messages.

use super::doc::Doc;
use super::tokens::{Comment, Tok, tokens};
use crate::token::{Sign, Token, Word};

/// Goes over the tokens and builds the document.
pub(super) struct Builder<'a> {
    tokens: Vec<Tok<'a>>,
    /// The token that comes next.
    pub(super) at: usize,
    /// Open brackets around it: line breaks mean nothing inside.
    pub(super) brackets: u32,
}

impl<'a> Builder<'a> {
    /// At the start of a text.
    pub(super) fn new(source: &'a str) -> Self {
        Self { tokens: tokens(source), at: 0, brackets: 0 }
    }

    /// A token by its number.
    pub(super) fn tok(&self, at: usize) -> Option<&Tok<'a>> {
        self.tokens.get(at)
    }

    /// The next token.
    pub(super) fn peek(&self) -> &Token {
        self.tok(self.at).map_or(&Token::End, |tok| &tok.token)
    }

    /// Whether the next token is this word.
    pub(super) fn is_word(&self, word: Word) -> bool {
        *self.peek() == Token::Word(word)
    }

    /// Whether the next token is this sign.
    pub(super) fn is_sign(&self, sign: Sign) -> bool {
        *self.peek() == Token::Sign(sign)
    }

    /// Whether a statement could end in front of the next token.
    pub(super) fn breaks(&self) -> bool {
        self.brackets == 0 && self.tok(self.at).is_some_and(|tok| tok.breaks)
    }

    /// Whether the next token is the first of its line.
    pub(super) fn newline(&self) -> bool {
        self.tok(self.at).is_some_and(|tok| tok.newline)
    }

    /// Spaces in front of the next token where it is the first of its line.
    pub(super) fn column(&self) -> usize {
        self.tok(self.at).map_or(0, |tok| tok.column)
    }

    /// The comments in front of the next token; they count as written.
    pub(super) fn take_own(&mut self) -> Vec<Comment<'a>> {
        self.tokens.get_mut(self.at).map(|tok| std::mem::take(&mut tok.own)).unwrap_or_default()
    }

    /// The first comments in front of the next token that are this far to the right.
    pub(super) fn take_deeper(&mut self, than: usize) -> Vec<Comment<'a>> {
        let Some(tok) = self.tokens.get_mut(self.at) else { return Vec::new() };
        let count = tok.own.iter().take_while(|comment| comment.column > than).count();
        let rest = tok.own.split_off(count);
        std::mem::replace(&mut tok.own, rest)
    }

    /// The comment behind a token; it counts as written.
    pub(super) fn take_trailing(&mut self, at: usize) -> Option<&'a str> {
        self.tokens.get_mut(at).and_then(|tok| tok.trailing.take())
    }

    /// Whether the token before this one has a comment behind it.
    pub(super) fn is_commented(&self) -> bool {
        self.at.checked_sub(1).and_then(|at| self.tok(at)).is_some_and(|tok| tok.trailing.is_some())
    }

    /// The next token with its comments.
    pub(super) fn emit(&mut self) -> Doc<'a> {
        let text = self.tok(self.at).map_or("", |tok| tok.text);
        self.emit_as(text)
    }

    /// The next token's comments, with this text in its place.
    pub(super) fn emit_as(&mut self, text: &'a str) -> Doc<'a> {
        let own = self.take_own();
        let trailing = self.tok(self.at).and_then(|tok| tok.trailing);
        self.advance();
        if own.is_empty() && trailing.is_none() {
            return Doc::text(text);
        }
        Doc::concat([Doc::comments(&own), Doc::text(text), Doc::suffix(trailing)])
    }

    /// Goes past the next token, of which only the comments stay: they end the line.
    pub(super) fn skip(&mut self) -> Doc<'a> {
        let mut parts: Vec<Doc<'a>> =
            self.take_own().iter().map(|comment| Doc::suffix(Some(comment.text))).collect();
        parts.push(Doc::suffix(self.tok(self.at).and_then(|tok| tok.trailing)));
        self.advance();
        Doc::concat(parts)
    }

    /// Goes past the next token.
    pub(super) fn advance(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    /// What stands on lines of its own in front of the next token: comments and single empty lines. There is no empty
    /// line in front of the `first` of a block.
    pub(super) fn lead(&mut self, first: bool) -> Doc<'a> {
        let own = self.take_own();
        let blank = self.tok(self.at).is_some_and(|tok| tok.blank);
        if own.is_empty() {
            return if blank && !first { Doc::blank() } else { Doc::nil() };
        }
        let above = own.first().is_some_and(|comment| comment.blank) && !first;
        Doc::concat([
            if above { Doc::blank() } else { Doc::nil() },
            Doc::comments(&own),
            if blank { Doc::blank() } else { Doc::nil() },
        ])
    }

    /// Comments at the end of a block, each on a new line.
    pub(super) fn tail(comments: &[Comment<'a>], first: bool) -> Doc<'a> {
        let Some(above) = comments.first().map(|comment| comment.blank && !first) else { return Doc::nil() };
        Doc::concat([
            Doc::hard_line(),
            if above { Doc::blank() } else { Doc::nil() },
            Doc::comments(comments),
        ])
    }

    /// Whether the tokens of this range stand on one line.
    pub(super) fn is_one_line(&self, from: usize, to: usize) -> bool {
        (from..to)
            .all(|at| self.tok(at).is_none_or(|tok| (at == from || !tok.newline) && !tok.text.contains('\n')))
    }
}
