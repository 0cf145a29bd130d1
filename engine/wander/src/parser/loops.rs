//! `for`, and what other languages write for it.

use super::Parser;
use crate::ast::{BinaryOp, Expr, ExprKind, StmtKind};
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::token::{Sign, Token, Word};

impl Parser<'_> {
    pub(super) fn for_statement(&mut self) -> StmtKind {
        let start = self.span();
        self.advance();
        let (names, things) =
            if self.is_sign(Sign::Open) { self.bracketed_header(start) } else { self.for_header() };
        self.end_of_header();
        self.header_end("do");
        let body = self.block_until_end(start, "for");
        StmtKind::For(names, things, body)
    }

    /// `i in things`, or `i = 1, 10`.
    fn for_header(&mut self) -> (Vec<(String, Span)>, Expr) {
        let start = self.span();
        let broken = Expr { kind: ExprKind::Broken, span: start };
        let mut names = Vec::new();
        let Some(name) = self.expect_name("the loop's variable") else { return (names, broken) };
        names.push(name);
        while self.eat_sign(Sign::Comma) {
            let Some(name) = self.expect_name("the loop's second variable") else { return (names, broken) };
            names.push(name);
        }
        if self.is_sign(Sign::Set) {
            let things = self.counted_header(&names);
            return (names, things);
        }
        let span = self.span();
        if *self.peek() == Token::Name("of".to_owned()) {
            self.note(
                Diagnostic::error("E108", span, "`of` is not written in Wander").hint("write `in`").fix("in"),
            );
            self.advance();
        } else if !self.eat_word(Word::In) {
            self.unexpected("`in` and what to go through");
            return (names, broken);
        }
        if names.len() > 2 {
            let hint = "write `for k, v in record` or `for i, x in list`";
            self.note(Diagnostic::error("E101", start, "a loop has one or two variables").hint(hint));
        }
        let things = self.expr();
        (names, things)
    }

    /// `= 1, 10` of Lua's `for i = 1, 10`.
    fn counted_header(&mut self, names: &[(String, Span)]) -> Expr {
        let set = self.span();
        self.advance();
        let mut parts = vec![self.expr()];
        while self.eat_sign(Sign::Comma) {
            parts.push(self.expr());
        }
        let span = set.to(self.last_span());
        let text = |index: usize| parts.get(index).map_or("", |part: &Expr| part.span.text(self.source));
        let name = names.first().map_or("i", |(name, _)| name.as_str());
        let range = match parts.len() {
            2 => format!("{}..={}", text(0), text(1)),
            3 => format!("({}..={}).by({})", text(0), text(1), text(2)),
            _ => String::new(),
        };
        let mut diagnostic = Diagnostic::error("E108", set, "`for i = a, b` is not written in Wander");
        diagnostic = match range.as_str() {
            "" => diagnostic.hint("write `for i in 1..=10`"),
            _ => {
                diagnostic.hint(format!("write `for {name} in {range}`")).fix_at(span, format!("in {range}"))
            }
        };
        self.note(diagnostic);
        Expr { kind: ExprKind::Broken, span }
    }

    /// `(let i = 0; i < 10; i++)`, `(const x of xs)` and their kin.
    fn bracketed_header(&mut self, start: Span) -> (Vec<(String, Span)>, Expr) {
        let open = self.span();
        self.advance();
        let next_is_name = matches!(self.peek_at(1), Token::Name(_));
        if matches!(self.peek(), Token::Name(_) | Token::Word(Word::Let | Word::Const)) && next_is_name {
            self.advance();
        }
        let mut names = Vec::new();
        names.extend(self.expect_name("the loop's variable"));
        let name = names.first().map(|(name, _)| name.clone()).unwrap_or_default();
        let in_word = self.eat_word(Word::In) || *self.peek() == Token::Name("of".to_owned());
        let (shown, things) = if in_word {
            if matches!(self.peek(), Token::Name(word) if word == "of") {
                self.advance();
            }
            ("`for (… of …)`", self.for_each_header(&name))
        } else {
            ("`for (…; …; …)`", self.three_part_header(&name))
        };
        // What counts on is skipped with its bracket; `--` hid that behind a comment.
        let mut depth = 0_i32;
        while !matches!(self.peek(), Token::Break | Token::End) {
            match self.peek() {
                Token::Sign(Sign::Open) => depth += 1,
                Token::Sign(Sign::Close) if depth == 0 => break,
                Token::Sign(Sign::Close) => depth -= 1,
                _ => {}
            }
            self.advance();
        }
        self.eat_sign(Sign::Close);
        self.panicking = false;
        let mut diagnostic = Diagnostic::error("E108", start, format!("{shown} is not written in Wander"));
        diagnostic = match things {
            Some(things) => diagnostic
                .hint(format!("write `for {name} in {things}`"))
                .fix_at(open.to(self.last_span()), format!("{name} in {things}")),
            None => diagnostic.hint("write `for i in 0..10`"),
        };
        self.note(diagnostic);
        (names, Expr { kind: ExprKind::Broken, span: open })
    }

    fn for_each_header(&mut self, name: &str) -> Option<String> {
        let things = self.expr();
        (!self.panicking && !name.is_empty()).then(|| things.span.text(self.source).to_owned())
    }

    /// The range that `i = 0; i < 10; i++` goes through, where that is plain to see.
    fn three_part_header(&mut self, name: &str) -> Option<String> {
        if !self.eat_sign(Sign::Set) {
            return None;
        }
        let first = self.expr();
        self.skip_breaks();
        let condition = self.expr();
        self.skip_breaks();
        let ExprKind::Binary(op, left, bound) = &condition.kind else { return None };
        let sign = match (op, &left.kind) {
            (BinaryOp::Lt, ExprKind::Name(own)) if own == name => "..",
            (BinaryOp::Le, ExprKind::Name(own)) if own == name => "..=",
            (BinaryOp::Gt, ExprKind::Name(own)) if own == name => "..",
            (BinaryOp::Ge, ExprKind::Name(own)) if own == name => "..=",
            _ => return None,
        };
        let range = format!("{}{sign}{}", first.span.text(self.source), bound.span.text(self.source));
        if matches!(op, BinaryOp::Gt | BinaryOp::Ge) {
            // The lexer took `--) {` for a comment.
            let rest = self.source.get(bound.span.end as usize..).unwrap_or_default();
            let counts_down = rest.lines().next().is_some_and(|line| line.contains("--"));
            return counts_down.then(|| format!("({range}).by(-1)"));
        }
        let counts_up = *self.peek() == Token::Sign(Sign::Increment)
            || *self.peek_at(1) == Token::Sign(Sign::Increment)
            || (*self.peek_at(1) == Token::Sign(Sign::AddSet) && *self.peek_at(2) == Token::Number(1.0));
        if counts_up {
            return Some(range);
        }
        if *self.peek_at(1) == Token::Sign(Sign::AddSet) {
            self.advance();
            self.advance();
            let step = self.expr();
            return Some(format!("({range}).by({})", step.span.text(self.source)));
        }
        None
    }
}
