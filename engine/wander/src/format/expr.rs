//! Expressions, loosest operator first, as the parser reads them.

use super::build::Builder;
use super::doc::Doc;
use super::tokens::Comment;
use crate::token::{Sign, Token, Word};

/// A method chain of so many calls is broken at its dots rather than within the last call.
const LONG_CHAIN: usize = 3;

/// An expression.
pub(super) struct Piece<'a> {
    body: Body<'a>,
    /// The same with its brackets broken, where it has some at its end.
    pub(super) hug: Option<Doc<'a>>,
    /// It has brackets to break before it would move to the next line.
    is_bracketed: bool,
    /// It is a function with a block.
    pub(super) is_block: bool,
}

enum Body<'a> {
    Plain(Doc<'a>),
    /// Operands or links: all but the first may stand on lines of their own.
    Chain {
        first: Box<Piece<'a>>,
        rest: Doc<'a>,
        broken: bool,
        /// The fewest levels by which these lines are indented.
        least: usize,
    },
}

impl<'a> Piece<'a> {
    /// An expression that breaks nowhere.
    pub(super) fn plain(doc: Doc<'a>) -> Self {
        Self { body: Body::Plain(doc), hug: None, is_bracketed: false, is_block: false }
    }

    /// An expression that breaks within its brackets.
    pub(super) fn bracket(doc: Doc<'a>) -> Self {
        Self { is_bracketed: true, ..Self::plain(doc) }
    }

    /// With what it is when its brackets are broken.
    pub(super) fn or_hug(self, hug: Option<Doc<'a>>) -> Self {
        Self { hug, ..self }
    }

    fn chain(first: Self, rest: Doc<'a>, broken: bool, least: usize) -> Self {
        let body = Body::Chain { first: Box::new(first), rest, broken, least };
        Self { body, hug: None, is_bracketed: false, is_block: false }
    }

    /// The document; lines of a chain are indented by so many levels.
    pub(super) fn doc(&self, levels: usize) -> Doc<'a> {
        match &self.body {
            Body::Plain(doc) => doc.clone(),
            Body::Chain { first, rest, broken, least } => {
                let rest = Doc::indent(levels.max(*least), rest.clone());
                Doc::group(Doc::concat([first.doc(levels.max(1)), rest]), *broken)
            }
        }
    }

    /// Whether it cannot stand on one line.
    pub(super) fn is_forced(&self) -> bool {
        match &self.body {
            Body::Plain(doc) => doc.is_forced(),
            Body::Chain { first, rest, broken, .. } => *broken || first.is_forced() || rest.is_forced(),
        }
    }

    /// Whether only its own brackets may be broken.
    pub(super) fn is_compact(&self) -> bool {
        self.is_bracketed && matches!(self.body, Body::Plain(_))
    }
}

impl<'a> Builder<'a> {
    /// Any expression.
    pub(super) fn expr(&mut self) -> Piece<'a> {
        if self.is_word(Word::If) { self.if_expr() } else { self.or() }
    }

    fn if_expr(&mut self) -> Piece<'a> {
        let arm = |this: &mut Self| {
            let word = this.emit();
            let condition = this.expr().doc(2);
            let then = this.emit();
            let value = this.expr().doc(1);
            let space = || Doc::text(" ");
            Doc::concat([word, space(), condition, space(), then, space(), value])
        };
        let first = arm(self);
        let mut broken = false;
        let mut rest = Vec::new();
        while self.is_word(Word::Else) {
            broken |= self.newline();
            rest.extend([Doc::line(), self.emit(), Doc::text(" ")]);
            if self.is_word(Word::If) {
                rest.push(arm(self));
            } else {
                rest.push(self.expr().doc(1));
                break;
            }
        }
        Piece::chain(Piece::plain(first), Doc::concat(rest), broken, 0)
    }

    /// Whether one of these operators is next and goes on with the expression.
    fn is_operator(&self, fits: impl Fn(&Token) -> bool) -> bool {
        // A line that starts with a minus is no part of the one before.
        fits(self.peek()) && !(self.is_sign(Sign::Sub) && self.breaks())
    }

    fn or(&mut self) -> Piece<'a> {
        self.leading(&Token::Word(Word::Or), Self::and)
    }

    fn and(&mut self) -> Piece<'a> {
        self.leading(&Token::Word(Word::And), Self::not)
    }

    fn not(&mut self) -> Piece<'a> {
        if !self.is_word(Word::Not) {
            return self.compare();
        }
        let word = self.emit();
        Piece::plain(Doc::concat([word, Doc::text(" "), self.not().doc(1)]))
    }

    fn compare(&mut self) -> Piece<'a> {
        let fits = |token: &Token| {
            matches!(
                token,
                Token::Word(Word::In | Word::Not)
                    | Token::Sign(
                        Sign::Equal
                            | Sign::NotEqual
                            | Sign::Less
                            | Sign::LessEqual
                            | Sign::More
                            | Sign::MoreEqual
                    )
            )
        };
        self.trailing(fits, Self::coalesce)
    }

    /// `a ?? b`
    pub(super) fn coalesce(&mut self) -> Piece<'a> {
        self.leading(&Token::Sign(Sign::Nil), Self::range)
    }

    /// `a..b`
    pub(super) fn range(&mut self) -> Piece<'a> {
        let from = self.sum();
        if !self.is_operator(|token| matches!(token, Token::Sign(Sign::Range | Sign::RangeTo))) {
            return from;
        }
        let sign = self.emit();
        Piece::plain(Doc::concat([from.doc(1), sign, self.sum().doc(1)]))
    }

    fn sum(&mut self) -> Piece<'a> {
        self.trailing(|token| matches!(token, Token::Sign(Sign::Add | Sign::Sub)), Self::product)
    }

    fn product(&mut self) -> Piece<'a> {
        let fits =
            |token: &Token| matches!(token, Token::Sign(Sign::Mul | Sign::Div | Sign::Floor | Sign::Mod));
        self.trailing(fits, Self::unary)
    }

    fn unary(&mut self) -> Piece<'a> {
        if !self.is_sign(Sign::Sub) {
            return self.power();
        }
        let sign = self.emit();
        // Two signs without a space would be a comment.
        let space = if self.is_sign(Sign::Sub) { Doc::text(" ") } else { Doc::nil() };
        Piece::plain(Doc::concat([sign, space, self.unary().doc(1)]))
    }

    fn power(&mut self) -> Piece<'a> {
        let base = self.postfix();
        if !self.is_operator(|token| *token == Token::Sign(Sign::Power)) {
            return base;
        }
        let sign = self.emit();
        let space = || Doc::text(" ");
        Piece::plain(Doc::concat([base.doc(1), space(), sign, space(), self.unary().doc(1)]))
    }

    /// Operands with words of logic between them: lines begin with the words, and all are broken or none.
    fn leading(&mut self, operator: &Token, operand: fn(&mut Self) -> Piece<'a>) -> Piece<'a> {
        let first = operand(self);
        let mut broken = false;
        let mut rest = Vec::new();
        while self.is_operator(|token| token == operator) {
            broken |= self.newline();
            let (word, above) = (self.emit_operator(), self.newline());
            broken |= above;
            // A comment behind the word ends the line above it, unless a comment is there already.
            let (suffix, mut comments) = (word.suffix, word.own);
            if comments.is_empty() {
                rest.push(Doc::suffix(suffix));
            } else {
                comments.extend(suffix.map(comment));
            }
            comments.extend(self.take_own());
            rest.extend([Doc::line(), Doc::comments(&comments), word.text, Doc::text(" ")]);
            rest.push(operand(self).doc(1));
        }
        if rest.is_empty() { first } else { Piece::chain(first, Doc::concat(rest), broken, 0) }
    }

    /// Operands with signs between them: lines end with the signs, because none may begin with a minus. As many as fit
    /// stand on a line.
    fn trailing(&mut self, fits: impl Fn(&Token) -> bool, operand: fn(&mut Self) -> Piece<'a>) -> Piece<'a> {
        let first = operand(self);
        let mut any_broken = false;
        let mut rest = Vec::new();
        while self.is_operator(&fits) {
            let mut broken = self.newline();
            let word = self.emit_operator();
            broken |= self.newline();
            let (suffix, mut comments) = (word.suffix, word.own);
            rest.extend([Doc::text(" "), word.text]);
            if comments.is_empty() {
                rest.push(Doc::suffix(suffix));
            } else {
                comments.extend(suffix.map(comment));
            }
            comments.extend(self.take_own());
            let next = Doc::concat([Doc::line(), Doc::comments(&comments), operand(self).doc(1)]);
            rest.push(Doc::group(next, broken));
            any_broken |= broken;
        }
        if rest.is_empty() { first } else { Piece::chain(first, Doc::concat(rest), any_broken, 0) }
    }

    fn emit_operator(&mut self) -> Operator<'a> {
        let own = self.take_own();
        let mut text = Doc::text(self.tok(self.at).map_or("", |tok| tok.text));
        if self.is_word(Word::Not) {
            // `not in`
            self.advance();
            text = Doc::text("not in");
        }
        let suffix = self.tok(self.at).and_then(|tok| tok.trailing);
        self.advance();
        Operator { own, text, suffix }
    }

    fn postfix(&mut self) -> Piece<'a> {
        let base = self.primary();
        // Parts, and whether a line may begin with each.
        let mut parts: Vec<(bool, Doc<'a>)> = Vec::new();
        let (mut calls, mut broken, mut bracketed) = (0, false, false);
        loop {
            match self.peek() {
                Token::Sign(Sign::Dot | Sign::NilDot) => {
                    let newline = self.newline();
                    let link = Doc::concat([self.emit(), self.emit()]);
                    let call = self.is_sign(Sign::Open) && !self.breaks();
                    calls += usize::from(call);
                    broken |= newline;
                    parts.push((call || newline, link));
                }
                Token::Sign(Sign::Open) if !self.breaks() => {
                    let arguments = self.sequence(Sign::Close, Self::expr).arguments();
                    parts.push((false, arguments));
                    bracketed = true;
                }
                Token::Sign(Sign::ListOpen | Sign::NilOpen) if !self.breaks() => {
                    parts.push((false, self.index()));
                    bracketed = true;
                }
                _ => break,
            }
        }
        if parts.is_empty() {
            return base;
        }
        let may_break = broken || calls >= LONG_CHAIN;
        let mut first = vec![base.doc(1)];
        let mut rest = Vec::new();
        for (begins, part) in parts {
            if may_break && begins {
                rest.push(Doc::soft_line());
            }
            if rest.is_empty() { first.push(part) } else { rest.push(part) }
        }
        let first = Piece::plain(Doc::concat(first));
        let piece = if may_break { Piece::chain(first, Doc::concat(rest), broken, 1) } else { first };
        Piece { is_bracketed: bracketed || base.is_bracketed, ..piece }
    }

    /// `[expr]` behind a value or as a key.
    fn index(&mut self) -> Doc<'a> {
        match self.sequence(Sign::ListClose, Self::expr).single() {
            Ok(piece) => piece.doc(1),
            Err(sequence) => sequence.plain(false).doc(1),
        }
    }

    fn primary(&mut self) -> Piece<'a> {
        match self.peek() {
            Token::Word(Word::Fn) => self.lambda(),
            Token::Sign(Sign::Open) => match self.sequence(Sign::Close, Self::expr).single() {
                Ok(piece) => piece,
                Err(vector) => vector.plain(false),
            },
            Token::Sign(Sign::ListOpen) => self.sequence(Sign::ListClose, Self::element).plain(true),
            Token::Sign(Sign::RecordOpen) => self.sequence(Sign::RecordClose, Self::field).plain(true),
            _ => Piece::plain(self.emit()),
        }
    }

    fn element(&mut self) -> Piece<'a> {
        if !self.is_sign(Sign::Spread) {
            return self.expr();
        }
        let sign = self.emit();
        Piece::plain(Doc::concat([sign, self.expr().doc(1)]))
    }

    fn field(&mut self) -> Piece<'a> {
        if self.is_sign(Sign::Spread) {
            return self.element();
        }
        let key = if self.is_sign(Sign::ListOpen) { self.index() } else { self.emit() };
        if !self.is_sign(Sign::Colon) {
            return Piece::plain(key);
        }
        let colon = self.emit();
        Piece::plain(Doc::concat([key, colon, Doc::text(" "), self.expr().doc(1)]))
    }

    fn lambda(&mut self) -> Piece<'a> {
        let start = self.at;
        let word = self.emit();
        let params = self.params();
        let head = Doc::concat([word, params]);
        if self.is_sign(Sign::Arrow) {
            let arrow = Doc::concat([head, Doc::text(" "), self.emit()]);
            if let Some(value) = self.value_below() {
                return Piece::bracket(Doc::concat([arrow, value]));
            }
            let value = self.expr();
            let hug = value.hug.as_ref();
            let hug = hug.map(|hug| Doc::concat([arrow.clone(), Doc::text(" "), hug.clone()]));
            let doc = Doc::concat([arrow, Doc::text(" "), value.doc(1)]);
            return Piece::bracket(doc).or_hug(hug);
        }
        let (doc, hug) = self.lambda_block(start, head);
        Piece { hug: Some(hug), is_block: true, ..Piece::bracket(doc) }
    }

    /// The parameters with their brackets.
    pub(super) fn params(&mut self) -> Doc<'a> {
        let param = |this: &mut Self| {
            let name = this.emit();
            if !this.is_sign(Sign::Set) {
                return Piece::plain(name);
            }
            let sign = this.emit();
            let space = || Doc::text(" ");
            Piece::plain(Doc::concat([name, space(), sign, space(), this.expr().doc(1)]))
        };
        self.sequence(Sign::Close, param).plain(false).doc(1)
    }

    /// The sign that is next and the value behind it.
    pub(super) fn assigned(&mut self) -> Doc<'a> {
        let sign = self.emit();
        if let Some(value) = self.value_below() {
            return Doc::concat([Doc::text(" "), sign, value]);
        }
        let value = self.expr();
        let doc = value.doc(1);
        let value = if value.is_bracketed { Doc::concat([Doc::text(" "), doc]) } else { Doc::value(doc) };
        Doc::concat([Doc::text(" "), sign, value])
    }

    /// The value that is next, where comments keep it from the line of the sign before it.
    fn value_below(&mut self) -> Option<Doc<'a>> {
        let own = self.take_own();
        if own.is_empty() && !self.is_commented() {
            return None;
        }
        let value = Doc::concat([Doc::hard_line(), Doc::comments(&own), self.expr().doc(1)]);
        Some(Doc::indent(1, value))
    }
}

/// An operator and the comments around it.
struct Operator<'a> {
    own: Vec<Comment<'a>>,
    text: Doc<'a>,
    suffix: Option<&'a str>,
}

/// The comment behind a word as one on a line of its own.
fn comment(text: &str) -> Comment<'_> {
    Comment { text, blank: false, column: 0 }
}
