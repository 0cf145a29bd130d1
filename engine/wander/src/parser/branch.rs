//! `if`, `match` and `try`, and what stands between a condition and its block.

use super::Parser;
use crate::ast::{BinaryOp, Block, Expr, ExprKind, StmtKind};
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::token::{Sign, Token, Word};

impl Parser<'_> {
    pub(super) fn if_statement(&mut self) -> StmtKind {
        let start = self.span();
        let mut arms = Vec::new();
        let mut otherwise = None;
        self.advance();
        self.begin_block(start, "if");
        loop {
            let condition = self.expr();
            let condition = self.condition_end(condition, "then");
            if self.is_bare_body() {
                return self.bare_body(condition);
            }
            let block = self.nested(Self::block, Block::default);
            arms.push((condition, block));
            self.part_sign();
            let span = self.span();
            if self.eat_word(Word::Elif) {
                continue;
            }
            if self.eat_word(Word::Else) {
                if self.is_word(Word::If) {
                    // `else if` opens no second block here: it is `elif` in two words.
                    let span = span.to(self.span());
                    self.note(Diagnostic::warning("W101", span, "`else if` is written `elif`").fix("elif"));
                    self.advance();
                    continue;
                }
                self.opener_sign("");
                otherwise = Some(self.nested(Self::block, Block::default));
            } else if *self.peek() == Token::Name("elseif".to_owned()) {
                self.note(Diagnostic::warning("W101", span, "`elseif` is written `elif`").fix("elif"));
                self.advance();
                continue;
            }
            break;
        }
        self.finish_block();
        StmtKind::If(arms, otherwise)
    }

    /// Whether a condition in brackets is followed by a statement on its line, as in `if (c) f();`.
    fn is_bare_body(&mut self) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        let closed = before.is_some_and(|before| before.token == Token::Sign(Sign::Close));
        closed
            && matches!(
                self.peek(),
                Token::Name(_) | Token::Word(Word::Return | Word::Break | Word::Continue | Word::SelfWord)
            )
    }

    fn bare_body(&mut self, condition: Expr) -> StmtKind {
        let span = self.span();
        let before = self.last_span().end;
        let statement = self.nested(Self::statement, || None);
        let end = self.last_span().end;
        let whole = span.to(self.last_span());
        let body = whole.text(self.source).to_owned();
        self.note(
            Diagnostic::error("E108", span, "a block begins with `then` and ends with `end`")
                .hint(format!("write `then {body} end`"))
                .fix_at(Span::new(before, before), " then")
                .also(Span::new(end, end), " end"),
        );
        self.open.pop();
        StmtKind::If(
            vec![(condition, Block { statements: statement.into_iter().collect(), span: whole })],
            None,
        )
    }

    /// What stands between a condition and its block: the word, a new line, or a mistake.
    pub(super) fn condition_end(&mut self, condition: Expr, word: &str) -> Expr {
        let span = self.span();
        let mut whole = condition;
        if self.is_sign(Sign::Set) && !self.panicking {
            self.note(
                Diagnostic::error("E101", span, "`=` sets a variable; a condition compares with `==`")
                    .hint("did you mean `==`?")
                    .fix("=="),
            );
            self.advance();
            let right = self.expr();
            let span = whole.span.to(right.span);
            whole = Expr { kind: ExprKind::Binary(BinaryOp::Eq, Box::new(whole), Box::new(right)), span };
        }
        self.end_of_header();
        self.header_end(word);
        whole
    }

    /// After a mistake in it, goes to the end of a header.
    pub(super) fn end_of_header(&mut self) {
        if !self.panicking || self.gave_up {
            return;
        }
        while !matches!(self.peek(), Token::Break | Token::End | Token::Word(Word::Then | Word::Do)) {
            self.advance();
        }
        self.panicking = false;
    }

    /// `then` or `do`, or the end of the line instead of it. After `if` and its kin, nothing else is allowed; a loop's
    /// block may begin at once.
    pub(super) fn header_end(&mut self, word: &str) {
        let span = self.span();
        let is_then = word == "then";
        let (own, other) = if is_then { (Word::Then, Word::Do) } else { (Word::Do, Word::Then) };
        if self.eat_word(own) {
            return;
        }
        if self.eat_word(other) {
            self.note(
                Diagnostic::error("E101", span, format!("`{}` does not belong here", other.text()))
                    .hint(format!("write `{word}`"))
                    .fix(word),
            );
            return;
        }
        let may_follow = !is_then || matches!(self.peek(), Token::Break) || self.is_bare_body();
        if is_then && self.opener_sign(word) || may_follow {
            return;
        }
        self.unexpected(&format!("`{word}` or a new line"));
        // The rest of the header's line is part of the same mistake.
        while !matches!(self.peek(), Token::Break | Token::End) {
            self.advance();
        }
        self.panicking = false;
    }

    pub(super) fn match_statement(&mut self) -> StmtKind {
        let start = self.span();
        self.advance();
        let is_foreign = start.text(self.source) == "switch";
        let subject = self.expr();
        self.end_of_header();
        self.begin_block(start, "match");
        self.opener_sign("");
        let mut cases = Vec::new();
        let mut otherwise = None;
        loop {
            self.skip_breaks();
            if self.eat_word(Word::Case) || self.bare_case() {
                let mut values = vec![self.expr()];
                while self.eat_sign(Sign::Comma) {
                    self.skip_breaks();
                    values.push(self.expr());
                }
                self.case_end();
                cases.push((values, self.case_block(is_foreign)));
            } else if self.is_word(Word::Else) || self.is_default() {
                self.else_of_match();
                otherwise = Some(self.case_block(is_foreign));
            } else {
                break;
            }
        }
        self.finish_block();
        StmtKind::Match(subject, cases, otherwise)
    }

    /// A case without its `case`, as `"idle": …`.
    fn bare_case(&mut self) -> bool {
        let is_value = matches!(
            self.peek(),
            Token::Text(_) | Token::Number(_) | Token::Word(Word::True | Word::False | Word::Nil)
        );
        if is_value {
            let span = self.span();
            self.note(
                Diagnostic::error("E108", span, "a case begins with `case`")
                    .hint(format!("write `case {}`", span.text(self.source)))
                    .fix_at(Span::new(span.start, span.start), "case "),
            );
        }
        is_value
    }

    /// Another language's word for the `else` of a `match`.
    fn is_default(&mut self) -> bool {
        matches!(self.peek(), Token::Name(name) if name == "default" || name == "_")
    }

    /// `then` behind a case, or the end of its line.
    fn case_end(&mut self) {
        self.end_of_header();
        let span = self.span();
        if self.eat_sign(Sign::Colon) {
            let is_line = matches!(self.peek(), Token::Break);
            self.note(
                Diagnostic::error("E108", span, "`:` opens no block in Wander")
                    .hint("write `then`")
                    .fix(if is_line { "" } else { " then" }),
            );
            return;
        }
        self.header_end("then");
    }

    /// `else` of a `match`, or `default:`.
    fn else_of_match(&mut self) {
        let span = self.span();
        if self.eat_word(Word::Else) {
            return;
        }
        let word = span.text(self.source).to_owned();
        self.advance();
        self.eat_sign(Sign::Colon);
        self.note(
            Diagnostic::error("E108", span, format!("`{word}` is not written in Wander"))
                .hint("write `else`")
                .fix_at(span.to(self.last_span()), "else"),
        );
    }

    /// What a case does. The `break` that ends a case elsewhere is told of here: it would leave a loop.
    fn case_block(&mut self, is_foreign: bool) -> Block {
        let mut block = self.nested(Self::block, Block::default);
        if is_foreign && block.statements.last().is_some_and(|last| matches!(last.kind, StmtKind::Break)) {
            let span = block.statements.pop().map_or(Span::default(), |last| last.span);
            self.note(
                Diagnostic::error("E108", span, "a case ends where the next one begins")
                    .hint("leave `break` out")
                    .fix_at(span, ""),
            );
        }
        block
    }

    pub(super) fn try_statement(&mut self) -> StmtKind {
        let start = self.span();
        self.advance();
        self.begin_block(start, "try");
        self.opener_sign("");
        let body = self.nested(Self::block, Block::default);
        self.part_sign();
        let mut name = None;
        let mut rescue = Block::default();
        let is_except = *self.peek() == Token::Name("except".to_owned());
        if is_except || self.is_word(Word::Catch) {
            name = if is_except { self.excepted() } else { self.caught() };
            self.opener_sign("");
            rescue = self.nested(Self::block, Block::default);
        } else {
            self.unexpected("`catch` of the `try`");
        }
        self.part_sign();
        if *self.peek() == Token::Name("finally".to_owned()) {
            let span = self.span();
            self.note(
                Diagnostic::error("E108", span, "`finally` is not written in Wander")
                    .hint("write what it does behind the `end` of the `try`"),
            );
            self.advance();
            self.opener_sign("");
            self.nested(Self::block, Block::default);
        }
        self.finish_block();
        StmtKind::Try(body, name, rescue)
    }

    /// `catch` and the name behind it, in brackets or not.
    fn caught(&mut self) -> Option<(String, Span)> {
        self.advance();
        let open = self.span();
        if self.eat_sign(Sign::Open) {
            let name = self.expect_name("the error");
            self.eat_sign(Sign::Close);
            let shown = name.as_ref().map_or("e", |(name, _)| name.as_str()).to_owned();
            self.note(
                Diagnostic::error("E108", open, "`catch` has no brackets in Wander")
                    .hint(format!("write `catch {shown}`"))
                    .fix_at(open.to(self.last_span()), shown),
            );
            return name;
        }
        if matches!(self.peek(), Token::Name(_)) { self.expect_name("the error") } else { None }
    }

    /// `except Exception as e`.
    fn excepted(&mut self) -> Option<(String, Span)> {
        let span = self.span();
        self.advance();
        let mut name = None;
        while matches!(self.peek(), Token::Name(_) | Token::Sign(Sign::Dot)) {
            let is_as = *self.peek() == Token::Name("as".to_owned());
            self.advance();
            if is_as {
                name = self.expect_name("the error");
            }
        }
        let shown = name.as_ref().map_or(String::new(), |(name, _)| format!(" {name}"));
        self.note(
            Diagnostic::error("E108", span, "`except` is not written in Wander")
                .hint(format!("write `catch{shown}`"))
                .fix_at(span.to(self.last_span()), format!("catch{shown}")),
        );
        name
    }
}
