//! Statements and blocks.

use super::Parser;
use crate::ast::{AssignOp, BinaryOp, Expr, ExprKind, Param, Stmt, StmtKind};
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::token::{Sign, Token, Word};

impl Parser<'_> {
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
                    let condition = self.condition_end(condition, "do");
                    Some(StmtKind::While(condition, self.block_until_end(start, "while")))
                }
                Word::For => Some(self.for_statement()),
                Word::Match => Some(self.match_statement()),
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
                    Some(StmtKind::Return(if bare { None } else { Some(self.returned()) }))
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

    pub(super) fn let_rest(&mut self, constant: bool) -> Option<StmtKind> {
        if matches!(self.peek(), Token::Sign(Sign::RecordOpen | Sign::ListOpen)) {
            return self.unpacked(None, constant);
        }
        let (name, name_span) = self.expect_name("the variable")?;
        self.foreign_type();
        let colon = self.span();
        if self.is_sign(Sign::Colon) && *self.peek_at(1) == Token::Sign(Sign::Set) {
            self.note(
                Diagnostic::error("E108", colon, "`:=` is not written in Wander").hint("write `=`").fix(""),
            );
            self.advance();
        }
        if self.is_sign(Sign::Comma) {
            return self.unpacked(Some((name, name_span)), constant);
        }
        let value = self.declared_value(&name, name_span, constant);
        Some(StmtKind::Let { name, name_span, value, constant })
    }

    /// `= value` of a declaration; without it the variable is known all the same.
    fn declared_value(&mut self, name: &str, name_span: Span, constant: bool) -> Expr {
        if self.eat_sign(Sign::Set) {
            self.skip_breaks();
            return self.expr();
        }
        let end = self.last_span().end;
        if matches!(self.peek(), Token::Break | Token::End) {
            let diagnostic = Diagnostic::error("E101", name_span, format!("`{name}` has no value"));
            self.note(if constant {
                diagnostic.hint(format!("write `const {name} = …`"))
            } else {
                diagnostic.hint(format!("write `let {name} = nil`")).fix_at(Span::new(end, end), " = nil")
            });
        } else {
            self.unexpected("`=` and a value");
        }
        Expr { kind: ExprKind::Broken, span: name_span }
    }

    /// The value of a `return`; several are told of.
    fn returned(&mut self) -> Expr {
        let first = self.expr();
        if !self.is_sign(Sign::Comma) || self.panicking {
            return first;
        }
        let comma = self.span();
        let mut last = first.span;
        while self.eat_sign(Sign::Comma) {
            last = self.expr().span;
        }
        let whole = first.span.to(last);
        let text = whole.text(self.source).to_owned();
        self.note(
            Diagnostic::error("E108", comma, "a function returns one value")
                .hint(format!("write `return [{text}]`"))
                .fix_at(whole, format!("[{text}]")),
        );
        first
    }

    pub(super) fn function_statement(&mut self) -> Option<StmtKind> {
        let start = self.span();
        let doc = self.doc_above(start);
        self.advance();
        let name = self.expect_name("the function")?;
        let (name, name_span) = self.foreign_owner(name);
        Some(StmtKind::Function(self.function_rest(name, name_span, doc, "fn")))
    }

    pub(super) fn params(&mut self) -> Vec<Param> {
        let mut params: Vec<Param> = Vec::new();
        if !self.expect_sign(Sign::Open, "before the parameters") {
            return params;
        }
        self.brackets += 1;
        while !self.is_sign(Sign::Close) {
            if self.foreign_self() {
                continue;
            }
            self.foreign_type_before();
            let Some((name, span)) = self.expect_name("a parameter") else { break };
            self.foreign_type();
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

    /// Goes past Python's `self` among parameters.
    fn foreign_self(&mut self) -> bool {
        let span = self.span();
        if !self.eat_word(Word::SelfWord) {
            return false;
        }
        self.eat_sign(Sign::Comma);
        let next = self.span().start;
        self.note(
            Diagnostic::error("E108", span, "`self` is no parameter in Wander")
                .hint("leave it out: `self` is there by itself")
                .fix_at(Span::new(span.start, next), ""),
        );
        true
    }

    /// `x++`, `++x`.
    fn increment(&mut self, start: Span, target: Option<Expr>) -> Option<StmtKind> {
        let sign = self.span();
        self.advance();
        let before = target.is_some();
        let target = match target {
            Some(target) => target,
            None => self.postfix(),
        };
        let text = target.span.text(self.source).to_owned();
        let whole = start.to(if before { sign } else { target.span });
        self.note(
            Diagnostic::error("E108", sign, "`++` is not written in Wander")
                .hint(format!("write `{text} += 1`"))
                .fix_at(whole, format!("{text} += 1")),
        );
        let one = Expr { kind: ExprKind::Number(1.0), span: sign };
        let is_place = matches!(
            target.kind,
            ExprKind::Name(_) | ExprKind::Field(_, _, _, false) | ExprKind::Index(_, _, false)
        );
        is_place.then_some(StmtKind::Assign(target, Some(AssignOp::Binary(BinaryOp::Add)), one))
    }

    /// `x := 5`.
    fn declared_by_colon(&mut self, target: Expr) -> Option<StmtKind> {
        let colon = self.span();
        self.advance();
        let set = self.span();
        self.advance();
        let value = self.expr();
        let text = target.span.text(self.source).to_owned();
        self.note(
            Diagnostic::error("E108", colon, "`:=` is not written in Wander")
                .hint(format!("write `let {text} = …`"))
                .fix_at(target.span.to(set), format!("let {text} =")),
        );
        let ExprKind::Name(name) = target.kind else { return None };
        Some(StmtKind::Let { name, name_span: target.span, value, constant: false })
    }

    /// A call or an assignment; anything else that yields a value stands there for nothing.
    fn expression_statement(&mut self) -> Option<StmtKind> {
        let start = self.span();
        if self.is_sign(Sign::Increment) {
            return self.increment(start, None);
        }
        let target = self.expr();
        if self.panicking {
            return None;
        }
        if self.is_sign(Sign::Increment) {
            return self.increment(start, Some(target));
        }
        if self.is_sign(Sign::Colon) && *self.peek_at(1) == Token::Sign(Sign::Set) {
            return self.declared_by_colon(target);
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
