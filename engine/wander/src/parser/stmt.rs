//! Statements and blocks.

use super::Parser;
use crate::ast::{AssignOp, BinaryOp, Block, Expr, ExprKind, Param, Stmt, StmtKind};
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::token::{Sign, Token, Word};

impl Parser<'_> {
    /// Statements up to one of the words that end or part a block.
    fn block(&mut self) -> Block {
        let mut statements = Vec::new();
        let start = self.last_span().end;
        loop {
            self.skip_breaks();
            let in_if = self.ifs > 0;
            match self.peek() {
                Token::End => break,
                Token::Word(Word::End | Word::Elif | Word::Else | Word::Case | Word::Catch) => break,
                // Inside of an `if` it is what `elif` is; elsewhere the statement says what is wrong.
                Token::Name(name) if name == "elseif" && in_if => break,
                _ => {}
            }
            let before = self.at;
            if let Some(statement) = self.statement() {
                statements.push(statement);
            }
            self.end_of_statement();
            if self.at == before {
                self.advance();
            }
        }
        let span = Span::new(start, self.span().start.max(start));
        Block { statements, span }
    }

    /// A block and its `end`.
    pub(super) fn block_until_end(&mut self, opener: Span, what: &str) -> Block {
        let block = self.nested(Self::block, Block::default);
        self.expect_end(opener, what);
        block
    }

    fn expect_end(&mut self, opener: Span, what: &str) {
        if self.eat_word(Word::End) {
            return;
        }
        // Only for the message: finding a line goes through the file.
        let (line, _) = opener.line_column(self.source);
        if !self.at_end() {
            self.unexpected(&format!("`end` of the `{what}` on line {line}"));
            return;
        }
        let hint = match self.suspect(opener) {
            Some(suspect) => {
                format!("judging by the indentation, the `end` is missing before line {suspect}")
            }
            None => "add `end`".to_owned(),
        };
        self.report(
            Diagnostic::error("E102", opener, format!("the `{what}` on line {line} has no `end`"))
                .label("opened here")
                .hint(hint),
        );
        self.gave_up = true;
    }

    /// The first line after `opener` that is indented no deeper than it and is no part of it.
    fn suspect(&self, opener: Span) -> Option<u32> {
        let (line, _) = opener.line_column(self.source);
        let indent = |text: &str| text.len() - text.trim_start().len();
        let own = self.source.lines().nth(line as usize - 1).map(indent)?;
        self.source
            .lines()
            .enumerate()
            .skip(line as usize)
            .find(|(_, text)| {
                let trimmed = text.trim_start();
                !trimmed.is_empty()
                    && indent(text) <= own
                    && !["end", "else", "elif", "case", "catch", "--"]
                        .iter()
                        .any(|word| trimmed.starts_with(word))
            })
            .map(|(index, _)| index as u32 + 1)
    }

    /// What must follow a statement; anything else is reported and skipped up to the next line.
    pub(super) fn end_of_statement(&mut self) {
        let ends = matches!(
            self.peek(),
            Token::Break
                | Token::End
                | Token::Word(Word::End | Word::Elif | Word::Else | Word::Case | Word::Catch)
        );
        if !ends {
            self.after_statement();
        }
        if self.panicking {
            while !matches!(self.peek(), Token::Break | Token::End) {
                self.advance();
            }
        }
        self.panicking = false;
    }

    /// Explains what stands behind a statement that should have ended.
    fn after_statement(&mut self) {
        let span = self.span();
        if self.is_sign(Sign::RecordOpen) {
            self.report(
                Diagnostic::error("E108", span, "blocks have no braces in Wander")
                    .hint("leave `{` out and close the block with `end`"),
            );
        } else if self.is_word(Word::Do) || self.is_word(Word::Then) {
            self.report(Diagnostic::error("E101", span, "this word opens no block here"));
        } else {
            self.unexpected("the end of the line");
        }
    }

    pub(super) fn statement(&mut self) -> Option<Stmt> {
        let start = self.span();
        let kind = match self.peek().clone() {
            Token::Word(word) => match word {
                Word::Let => self.let_statement(false),
                Word::Const => self.let_statement(true),
                Word::If => Some(self.if_statement()),
                Word::While => {
                    self.advance();
                    let condition = self.expr();
                    self.eat_word(Word::Do);
                    Some(StmtKind::While(condition, self.block_until_end(start, "while")))
                }
                Word::For => self.for_statement(),
                Word::Match => self.match_statement(),
                Word::Try => Some(self.try_statement()),
                Word::Do => {
                    self.advance();
                    Some(StmtKind::Do(self.block_until_end(start, "do")))
                }
                Word::Fn if matches!(self.peek_at(1), Token::Name(_)) => self.function_statement(),
                Word::Return => {
                    self.advance();
                    let bare = matches!(
                        self.peek(),
                        Token::Break
                            | Token::End
                            | Token::Word(Word::End | Word::Elif | Word::Else | Word::Case | Word::Catch)
                    );
                    Some(StmtKind::Return(if bare { None } else { Some(self.expr()) }))
                }
                Word::Break => {
                    self.advance();
                    Some(StmtKind::Break)
                }
                Word::Continue => {
                    self.advance();
                    Some(StmtKind::Continue)
                }
                _ => self.expression_statement(),
            },
            Token::Name(name) => match self.foreign_statement(&name) {
                Some(kind) => kind,
                None => self.expression_statement(),
            },
            _ => self.expression_statement(),
        };
        let span = start.to(self.last_span());
        kind.map(|kind| Stmt { kind, span })
    }

    fn let_statement(&mut self, constant: bool) -> Option<StmtKind> {
        self.advance();
        self.let_rest(constant)
    }

    fn let_rest(&mut self, constant: bool) -> Option<StmtKind> {
        let (name, name_span) = self.expect_name("the variable")?;
        if !self.eat_sign(Sign::Set) {
            self.unexpected("`=` and a value");
            return None;
        }
        self.skip_breaks();
        let value = self.expr();
        Some(StmtKind::Let { name, name_span, value, constant })
    }

    /// Another language's statement that begins with a word of its own: reported, then read as what was meant.
    fn foreign_statement(&mut self, name: &str) -> Option<Option<StmtKind>> {
        let span = self.span();
        let next_is_name = matches!(self.peek_at(1), Token::Name(_));
        match name {
            "local" | "var" if next_is_name || matches!(self.peek_at(1), Token::Word(Word::Fn)) => {
                self.note(
                    Diagnostic::error("E108", span, format!("`{name}` is not written in Wander"))
                        .hint("write `let`")
                        .fix("let"),
                );
                self.advance();
                Some(self.let_rest(false))
            }
            "function" | "def" | "func" if next_is_name => {
                self.note(
                    Diagnostic::error("E108", span, format!("`{name}` is not written in Wander"))
                        .hint("write `fn`")
                        .fix("fn"),
                );
                Some(self.function_statement())
            }
            "elseif" => {
                self.report(
                    Diagnostic::error("E101", span, "`elseif` without its `if`")
                        .hint("write `elif`")
                        .fix("elif"),
                );
                Some(None)
            }
            "import" | "require" if matches!(self.peek_at(1), Token::Text(_) | Token::Name(_)) => {
                self.report(
                    Diagnostic::error("E108", span, format!("`{name}` is not written in Wander"))
                        .hint("write `use \"lib/name\"` at the top of the file"),
                );
                Some(None)
            }
            "print" if matches!(self.peek_at(1), Token::Text(_)) => {
                self.report(
                    Diagnostic::error("E108", span, "calls need brackets in Wander")
                        .hint("write `print(\"…\")`"),
                );
                Some(None)
            }
            _ => None,
        }
    }

    fn if_statement(&mut self) -> StmtKind {
        let start = self.span();
        let mut arms = Vec::new();
        let mut otherwise = None;
        self.advance();
        self.ifs += 1;
        loop {
            let condition = self.expr();
            self.header_end("then");
            let block = self.nested(Self::block, Block::default);
            arms.push((condition, block));
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
                otherwise = Some(self.nested(Self::block, Block::default));
            } else if *self.peek() == Token::Name("elseif".to_owned()) {
                self.note(Diagnostic::warning("W101", span, "`elseif` is written `elif`").fix("elif"));
                self.advance();
                continue;
            }
            break;
        }
        self.ifs -= 1;
        self.expect_end(start, "if");
        StmtKind::If(arms, otherwise)
    }

    /// `then`, or the end of the line instead of it.
    fn header_end(&mut self, word: &str) {
        if self.eat_word(Word::Then) || matches!(self.peek(), Token::Break) {
            return;
        }
        let span = self.span();
        if self.is_sign(Sign::Set) {
            self.report(
                Diagnostic::error("E101", span, "`=` sets a variable; a condition compares with `==`")
                    .hint("did you mean `==`?")
                    .fix("=="),
            );
        } else if self.is_sign(Sign::RecordOpen) {
            self.report(
                Diagnostic::error("E108", span, "blocks have no braces in Wander")
                    .hint(format!("write `{word}` and close the block with `end`")),
            );
        } else if self.is_sign(Sign::Colon) {
            self.report(
                Diagnostic::error("E108", span, "`:` opens no block in Wander")
                    .hint(format!("write `{word}`"))
                    .fix(format!(" {word}")),
            );
        } else {
            self.unexpected(&format!("`{word}` or a new line"));
        }
        // The rest of the header's line is part of the same mistake.
        while !matches!(self.peek(), Token::Break | Token::End) {
            self.advance();
        }
        self.panicking = false;
    }

    fn for_statement(&mut self) -> Option<StmtKind> {
        let start = self.span();
        self.advance();
        if self.is_sign(Sign::Open) {
            self.report(
                Diagnostic::error("E108", start, "`for (…; …; …)` is not written in Wander")
                    .hint("write `for i in 0..10`"),
            );
            return None;
        }
        let mut names = vec![self.expect_name("the loop's variable")?];
        if self.eat_sign(Sign::Comma) {
            names.push(self.expect_name("the loop's second variable")?);
        }
        if self.is_sign(Sign::Set) {
            let span = self.span();
            self.report(Diagnostic::error("E108", span, "`for i = a, b` is not written in Wander").hint(
                format!("write `for {} in 1..=10`", names.first().map_or("i", |(name, _)| name.as_str())),
            ));
            return None;
        }
        if !self.eat_word(Word::In) {
            self.unexpected("`in` and what to go through");
            return None;
        }
        let things = self.expr();
        self.eat_word(Word::Do);
        if self.is_sign(Sign::Colon) || self.is_sign(Sign::RecordOpen) {
            self.header_end("a new line");
        }
        let body = self.block_until_end(start, "for");
        Some(StmtKind::For(names, things, body))
    }

    fn match_statement(&mut self) -> Option<StmtKind> {
        let start = self.span();
        self.advance();
        let subject = self.expr();
        self.skip_breaks();
        let mut cases = Vec::new();
        let mut otherwise = None;
        loop {
            self.skip_breaks();
            if self.eat_word(Word::Case) {
                let mut values = vec![self.expr()];
                while self.eat_sign(Sign::Comma) {
                    self.skip_breaks();
                    values.push(self.expr());
                }
                self.header_end("then");
                cases.push((values, self.nested(Self::block, Block::default)));
            } else if self.eat_word(Word::Else) {
                otherwise = Some(self.nested(Self::block, Block::default));
            } else {
                break;
            }
        }
        self.expect_end(start, "match");
        Some(StmtKind::Match(subject, cases, otherwise))
    }

    fn try_statement(&mut self) -> StmtKind {
        let start = self.span();
        self.advance();
        let body = self.nested(Self::block, Block::default);
        let mut name = None;
        let mut rescue = Block::default();
        if self.eat_word(Word::Catch) {
            if matches!(self.peek(), Token::Name(_)) {
                name = self.expect_name("the error");
            }
            rescue = self.nested(Self::block, Block::default);
        } else {
            self.unexpected("`catch` of the `try`");
        }
        self.expect_end(start, "try");
        StmtKind::Try(body, name, rescue)
    }

    pub(super) fn function_statement(&mut self) -> Option<StmtKind> {
        let start = self.span();
        let doc = self.doc_above(start);
        self.advance();
        let (name, name_span) = self.expect_name("the function")?;
        Some(StmtKind::Function(self.function_rest(name, name_span, doc)))
    }

    pub(super) fn params(&mut self) -> Vec<Param> {
        let mut params: Vec<Param> = Vec::new();
        if !self.expect_sign(Sign::Open, "before the parameters") {
            return params;
        }
        self.brackets += 1;
        while !self.is_sign(Sign::Close) {
            let Some((name, span)) = self.expect_name("a parameter") else { break };
            let default = if self.eat_sign(Sign::Set) { Some(self.expr()) } else { None };
            if default.is_none() && params.last().is_some_and(|last| last.default.is_some()) {
                self.note(
                    Diagnostic::error(
                        "E101",
                        span,
                        format!("`{name}` needs a default: the parameter before it has one"),
                    )
                    .hint("parameters with defaults come last"),
                );
            }
            params.push(Param { name, span, default });
            if !self.eat_sign(Sign::Comma) {
                break;
            }
        }
        self.expect_sign(Sign::Close, "after the parameters");
        self.brackets -= 1;
        params
    }

    /// A call or an assignment; anything else that yields a value stands there for nothing.
    fn expression_statement(&mut self) -> Option<StmtKind> {
        let start = self.span();
        let target = self.expr();
        if self.panicking {
            return None;
        }
        let op = match self.peek() {
            Token::Sign(Sign::Set) => None,
            Token::Sign(Sign::AddSet) => Some(AssignOp::Binary(BinaryOp::Add)),
            Token::Sign(Sign::SubSet) => Some(AssignOp::Binary(BinaryOp::Sub)),
            Token::Sign(Sign::MulSet) => Some(AssignOp::Binary(BinaryOp::Mul)),
            Token::Sign(Sign::DivSet) => Some(AssignOp::Binary(BinaryOp::Div)),
            Token::Sign(Sign::FloorSet) => Some(AssignOp::Binary(BinaryOp::FloorDiv)),
            Token::Sign(Sign::ModSet) => Some(AssignOp::Binary(BinaryOp::Mod)),
            Token::Sign(Sign::PowerSet) => Some(AssignOp::Binary(BinaryOp::Pow)),
            Token::Sign(Sign::NilSet) => Some(AssignOp::OrNil),
            _ => return self.bare_expression(target, start),
        };
        let is_place = matches!(
            target.kind,
            ExprKind::Name(_) | ExprKind::Field(_, _, _, false) | ExprKind::Index(_, _, false)
        );
        if !is_place {
            let hint = if matches!(target.kind, ExprKind::Binary(BinaryOp::Eq, ..)) {
                "compare with `==`"
            } else {
                "a variable, a field `a.b` or an element `a[i]` can be set"
            };
            self.note(Diagnostic::error("E101", target.span, "this cannot be set").hint(hint));
        }
        self.advance();
        self.skip_breaks();
        let value = self.expr();
        is_place.then_some(StmtKind::Assign(target, op, value))
    }

    fn bare_expression(&mut self, expr: Expr, start: Span) -> Option<StmtKind> {
        match &expr.kind {
            ExprKind::Call(..) => Some(StmtKind::Expr(expr)),
            ExprKind::Broken => None,
            kind => {
                let text = expr.span.text(self.source).lines().next().unwrap_or_default().to_owned();
                // A keyword is followed by something.
                let more = !matches!(self.peek(), Token::Break | Token::End);
                let hint = match kind {
                    ExprKind::Binary(BinaryOp::Eq, ..) => "did you mean `=`?".to_owned(),
                    ExprKind::Name(_) if matches!(self.peek(), Token::Text(_)) => {
                        format!("write `{text}(…)` to call it")
                    }
                    ExprKind::Name(name) if more && keyword_near(name).is_some() => {
                        format!("did you mean `{}`?", keyword_near(name).unwrap_or_default())
                    }
                    ExprKind::Name(_) | ExprKind::Field(..) => {
                        format!("write `{text}()` to call it, or `{text} = …` to set it")
                    }
                    _ => "only calls and assignments stand alone".to_owned(),
                };
                self.report(
                    Diagnostic::error("E106", start.to(expr.span), "this value is computed and thrown away")
                        .hint(hint),
                );
                None
            }
        }
    }
}

/// The keyword that a word was meant to be, if one is near.
fn keyword_near(name: &str) -> Option<String> {
    base::suggest::nearest(name, crate::token::KEYWORDS.iter().copied()).into_iter().next()
}
