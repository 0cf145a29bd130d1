//! Expressions, loosest operator first.

use super::Parser;
use crate::ast::{BinaryOp, Block, Expr, ExprKind, Function};
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::token::{Sign, Token, Word};

impl Parser<'_> {
    /// Any expression.
    pub(super) fn expr(&mut self) -> Expr {
        self.deeper(Self::expr_inner)
    }

    /// An expression of some kind, one level deeper. Whatever can stand within itself is read through this, or it would
    /// end the process.
    pub(super) fn deeper(&mut self, inner: impl FnOnce(&mut Self) -> Expr) -> Expr {
        let span = self.span();
        self.nested(inner, || Expr { kind: ExprKind::Broken, span })
    }

    fn expr_inner(&mut self) -> Expr {
        let start = self.span();
        if self.eat_word(Word::If) {
            let condition = self.expr();
            self.skip_breaks();
            if !self.eat_word(Word::Then) {
                self.unexpected("`then` of the `if` expression");
            }
            self.skip_breaks();
            let yes = self.expr();
            self.continue_line();
            if self.brackets > 0 || matches!(self.next_after_breaks(), Token::Word(Word::Else)) {
                self.skip_breaks();
            }
            if !self.eat_word(Word::Else) {
                self.unexpected("`else` of the `if` expression");
            }
            self.skip_breaks();
            let no = self.expr();
            let span = start.to(no.span);
            return Expr { kind: ExprKind::If(Box::new(condition), Box::new(yes), Box::new(no)), span };
        }
        let value = self.or();
        if self.panicking {
            return value;
        }
        match self.peek() {
            Token::Sign(Sign::Question) => self.choice(value),
            Token::Word(Word::If) => self.choice_behind(value),
            Token::Sign(Sign::Arrow) => self.arrow(value),
            _ => value,
        }
    }

    pub(super) fn next_after_breaks(&self) -> &Token {
        let mut ahead = 0;
        while matches!(self.peek_at(ahead), Token::Break) && !matches!(self.peek_at(ahead), Token::End) {
            ahead += 1;
        }
        self.peek_at(ahead)
    }

    /// Goes to the next line where that goes on with this expression.
    pub(super) fn continue_line(&mut self) {
        if !matches!(self.peek(), Token::Break) {
            return;
        }
        let goes_on = match self.next_after_breaks() {
            Token::Word(Word::And | Word::Or | Word::In) => true,
            // `not` begins a statement of its own nowhere, and `not in` goes on.
            Token::Word(Word::Not) => true,
            Token::Sign(sign) => matches!(
                sign,
                Sign::Dot
                    | Sign::NilDot
                    | Sign::Nil
                    | Sign::Add
                    | Sign::Mul
                    | Sign::Div
                    | Sign::Floor
                    | Sign::Mod
                    | Sign::Power
                    | Sign::Equal
                    | Sign::NotEqual
                    | Sign::Less
                    | Sign::LessEqual
                    | Sign::More
                    | Sign::MoreEqual
                    | Sign::Range
                    | Sign::RangeTo
            ),
            _ => false,
        };
        if goes_on {
            self.skip_breaks();
        }
    }

    pub(super) fn or(&mut self) -> Expr {
        let before = self.begin_height();
        let left = self.or_chain();
        self.end_height(before);
        left
    }

    fn or_chain(&mut self) -> Expr {
        let mut left = self.and();
        loop {
            self.continue_line();
            if !self.eat_word(Word::Or) {
                return left;
            }
            self.skip_breaks();
            let right = self.and();
            self.link();
            let span = left.span.to(right.span);
            left = Expr { kind: ExprKind::Or(Box::new(left), Box::new(right)), span };
        }
    }

    fn and(&mut self) -> Expr {
        let before = self.begin_height();
        let left = self.and_chain();
        self.end_height(before);
        left
    }

    fn and_chain(&mut self) -> Expr {
        let mut left = self.not();
        loop {
            self.continue_line();
            if !self.eat_word(Word::And) {
                return left;
            }
            self.skip_breaks();
            if self.is_word(Word::Then) {
                let span = self.span();
                let gap = Span::new(self.last_span().end, span.end);
                self.note(
                    Diagnostic::error("E108", span, "`and then` is not written in Wander")
                        .hint("write `and`")
                        .fix_at(gap, ""),
                );
                self.advance();
            }
            let right = self.not();
            self.link();
            let span = left.span.to(right.span);
            left = Expr { kind: ExprKind::And(Box::new(left), Box::new(right)), span };
        }
    }

    fn not(&mut self) -> Expr {
        let start = self.span();
        if !self.eat_word(Word::Not) {
            return self.compare();
        }
        let value = self.deeper(Self::not);
        let span = start.to(value.span);
        Expr { kind: ExprKind::Not(Box::new(value)), span }
    }

    fn comparison(&mut self) -> Option<BinaryOp> {
        let op = match self.peek().clone() {
            Token::Sign(Sign::Equal) => BinaryOp::Eq,
            Token::Sign(Sign::NotEqual) => BinaryOp::Ne,
            Token::Sign(Sign::Less) => BinaryOp::Lt,
            Token::Sign(Sign::LessEqual) => BinaryOp::Le,
            Token::Sign(Sign::More) => BinaryOp::Gt,
            Token::Sign(Sign::MoreEqual) => BinaryOp::Ge,
            Token::Word(Word::In) => BinaryOp::In,
            Token::Word(Word::Not) if *self.peek_at(1) == Token::Word(Word::In) => {
                self.advance();
                BinaryOp::NotIn
            }
            Token::Name(name) if name == "is" => return Some(self.foreign_is()),
            _ => return None,
        };
        self.advance();
        self.skip_breaks();
        Some(op)
    }

    fn compare(&mut self) -> Expr {
        let before = self.begin_height();
        let left = self.compare_chain();
        self.end_height(before);
        left
    }

    fn compare_chain(&mut self) -> Expr {
        let mut left = self.coalesce();
        let mut middle: Option<Span> = None;
        loop {
            self.continue_line();
            let Some(op) = self.comparison() else { return left };
            let right = self.coalesce();
            self.link();
            let span = left.span.to(right.span);
            if let Some(middle) = middle {
                let text = middle.text(self.source).to_owned();
                let first = left.span.text(self.source).to_owned();
                let last = Span::new(middle.start, right.span.end).text(self.source).to_owned();
                self.note(
                    Diagnostic::error("E107", span, "comparisons do not chain")
                        .label(format!("`{text}` is compared twice"))
                        .hint(format!("write `{first} and {last}`"))
                        .fix(format!("{first} and {last}")),
                );
            }
            middle = Some(right.span);
            left = Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span };
        }
    }

    pub(super) fn coalesce(&mut self) -> Expr {
        let before = self.begin_height();
        let left = self.coalesce_chain();
        self.end_height(before);
        left
    }

    fn coalesce_chain(&mut self) -> Expr {
        let mut left = self.range();
        loop {
            self.continue_line();
            if !self.eat_sign(Sign::Nil) {
                return left;
            }
            self.skip_breaks();
            let right = self.range();
            self.link();
            let span = left.span.to(right.span);
            left = Expr { kind: ExprKind::OrNil(Box::new(left), Box::new(right)), span };
        }
    }

    pub(super) fn range(&mut self) -> Expr {
        let left = self.sum();
        self.continue_line();
        let inclusive = match self.peek() {
            Token::Sign(Sign::Range) => false,
            Token::Sign(Sign::RangeTo) => true,
            _ => return left,
        };
        let mut signs = vec![self.span()];
        self.advance();
        self.skip_breaks();
        let right = self.sum();
        let mut span = left.span.to(right.span);
        let is_text = |expr: &Expr| matches!(expr.kind, ExprKind::Text(_) | ExprKind::Format(_));
        let mut joins = is_text(&left) || is_text(&right);
        // Lua joins on; a range has two ends.
        while matches!(self.peek(), Token::Sign(Sign::Range)) {
            signs.push(self.span());
            self.advance();
            self.skip_breaks();
            let next = self.sum();
            span = span.to(next.span);
            joins |= is_text(&next);
        }
        if let (false, [_, second, ..]) = (joins, signs.as_slice()) {
            let message = "a range has two ends";
            self.note(Diagnostic::error("E101", *second, message).hint("join text with `+`"));
            return Expr { kind: ExprKind::Broken, span };
        }
        if joins {
            let mut diagnostic =
                Diagnostic::error("E108", span, "`..` makes a range, not text").hint("join text with `+`");
            for sign in signs {
                diagnostic = match diagnostic.fix {
                    None => diagnostic.fix_at(sign, "+"),
                    Some(_) => diagnostic.also(sign, "+"),
                };
            }
            self.note(diagnostic);
            return Expr { kind: ExprKind::Broken, span };
        }
        Expr { kind: ExprKind::Range(Box::new(left), Box::new(right), inclusive), span }
    }

    fn sum(&mut self) -> Expr {
        let before = self.begin_height();
        let left = self.sum_chain();
        self.end_height(before);
        left
    }

    fn sum_chain(&mut self) -> Expr {
        let mut left = self.product();
        loop {
            self.continue_line();
            let op = match self.peek() {
                Token::Sign(Sign::Add) => BinaryOp::Add,
                Token::Sign(Sign::Sub) => BinaryOp::Sub,
                _ => return left,
            };
            self.advance();
            self.skip_breaks();
            let right = self.product();
            self.link();
            let span = left.span.to(right.span);
            left = Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span };
        }
    }

    fn product(&mut self) -> Expr {
        let before = self.begin_height();
        let left = self.product_chain();
        self.end_height(before);
        left
    }

    fn product_chain(&mut self) -> Expr {
        let mut left = self.unary();
        loop {
            self.continue_line();
            let op = match self.peek() {
                Token::Sign(Sign::Mul) => BinaryOp::Mul,
                Token::Sign(Sign::Div) => BinaryOp::Div,
                Token::Sign(Sign::Floor) => BinaryOp::FloorDiv,
                Token::Sign(Sign::Mod) => BinaryOp::Mod,
                _ => return left,
            };
            self.advance();
            self.skip_breaks();
            let right = self.unary();
            self.link();
            let span = left.span.to(right.span);
            left = Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span };
        }
    }

    fn unary(&mut self) -> Expr {
        let start = self.span();
        if self.eat_sign(Sign::Sub) {
            let value = self.deeper(Self::unary);
            let span = start.to(value.span);
            // -2 is a literal, so that it may stand where constants must.
            if let ExprKind::Number(number) = value.kind {
                return Expr { kind: ExprKind::Number(-number), span };
            }
            return Expr { kind: ExprKind::Negate(Box::new(value)), span };
        }
        self.power()
    }

    fn power(&mut self) -> Expr {
        let base = self.postfix();
        self.continue_line();
        if !self.eat_sign(Sign::Power) {
            return base;
        }
        self.skip_breaks();
        let exponent = self.deeper(Self::unary);
        let span = base.span.to(exponent.span);
        Expr { kind: ExprKind::Binary(BinaryOp::Pow, Box::new(base), Box::new(exponent)), span }
    }

    pub(super) fn postfix(&mut self) -> Expr {
        let before = self.begin_height();
        let mut value = self.primary();
        loop {
            self.continue_line();
            let start = value.span;
            match self.peek().clone() {
                Token::Sign(sign @ (Sign::Dot | Sign::NilDot)) => {
                    let safe = sign == Sign::NilDot;
                    self.advance();
                    let Some((name, name_span)) = self.word_after_dot() else { return value };
                    value = Expr {
                        kind: ExprKind::Field(Box::new(value), name, name_span, safe),
                        span: start.to(name_span),
                    };
                }
                Token::Sign(sign @ (Sign::ListOpen | Sign::NilOpen)) => {
                    let safe = sign == Sign::NilOpen;
                    self.advance();
                    self.brackets += 1;
                    let index = self.expr();
                    self.expect_sign(Sign::ListClose, "after the index");
                    self.brackets -= 1;
                    let span = start.to(self.last_span());
                    value = Expr { kind: ExprKind::Index(Box::new(value), Box::new(index), safe), span };
                }
                Token::Sign(Sign::Open) => {
                    self.advance();
                    let args = self.args();
                    let span = start.to(self.last_span());
                    value = Expr { kind: ExprKind::Call(Box::new(value), args), span };
                }
                Token::Sign(Sign::Colon) if self.is_method_colon() => {
                    let span = self.span();
                    self.note(
                        Diagnostic::error("E108", span, "`:` calls no method in Wander")
                            .hint("write `.`")
                            .fix("."),
                    );
                    self.advance();
                    let Some((name, name_span)) = self.word_after_dot() else { return value };
                    value = Expr {
                        kind: ExprKind::Field(Box::new(value), name, name_span, false),
                        span: start.to(name_span),
                    };
                }
                _ => {
                    self.end_height(before);
                    return value;
                }
            }
            self.link();
        }
    }

    /// Whether no space stands behind this token.
    fn touches_next(&self) -> bool {
        let end = self.tokens.get(self.at).map(|spanned| spanned.span.end);
        end == self.tokens.get(self.at + 1).map(|spanned| spanned.span.start)
    }

    /// `a:b(` outside of brackets is Lua's method call; `a: b(` is somebody's block.
    fn is_method_colon(&self) -> bool {
        self.brackets == 0
            && self.choices == 0
            && self.touches_next()
            && matches!(self.peek_at(1), Token::Name(_))
            && matches!(self.peek_at(2), Token::Sign(Sign::Open))
    }

    pub(super) fn primary(&mut self) -> Expr {
        let span = self.span();
        let simple = |kind| Expr { kind, span };
        match self.peek().clone() {
            Token::Number(number) => {
                self.advance();
                simple(ExprKind::Number(number))
            }
            Token::Text(text) => {
                self.advance();
                simple(ExprKind::Text(text))
            }
            Token::Format(raw, offset) => {
                self.advance();
                let pieces = self.format_pieces(&raw, offset);
                simple(ExprKind::Format(pieces))
            }
            Token::Color(color) => {
                self.advance();
                simple(ExprKind::Color(color))
            }
            Token::Name(name) => {
                self.advance();
                self.name(name, span)
            }
            Token::Word(Word::Nil) => {
                self.advance();
                simple(ExprKind::Nil)
            }
            Token::Word(Word::True) => {
                self.advance();
                simple(ExprKind::Bool(true))
            }
            Token::Word(Word::False) => {
                self.advance();
                simple(ExprKind::Bool(false))
            }
            Token::Word(Word::SelfWord) => {
                self.advance();
                simple(ExprKind::SelfEntity)
            }
            Token::Word(Word::Fn) => self.lambda(),
            Token::Sign(Sign::Open) => self.parenthesis(),
            Token::Sign(Sign::ListOpen) => self.list(),
            Token::Sign(Sign::RecordOpen) => self.record(),
            _ => {
                self.unexpected("a value");
                simple(ExprKind::Broken)
            }
        }
    }

    /// A name, unless it is another language's word.
    fn name(&mut self, name: String, span: Span) -> Expr {
        let foreign = match name.as_str() {
            "null" | "None" | "undefined" => Some(("nil", ExprKind::Nil)),
            "True" => Some(("true", ExprKind::Bool(true))),
            "False" => Some(("false", ExprKind::Bool(false))),
            _ => None,
        };
        if let Some((write, kind)) = foreign {
            self.note(
                Diagnostic::error("E108", span, format!("`{name}` is not written in Wander"))
                    .hint(format!("write `{write}`"))
                    .fix(write),
            );
            return Expr { kind, span };
        }
        self.foreign_value(&name, span).unwrap_or(Expr { kind: ExprKind::Name(name), span })
    }

    fn lambda(&mut self) -> Expr {
        let start = self.span();
        self.advance();
        let function = self.function_rest(String::new(), start, String::new(), "fn");
        let span = start.to(self.last_span());
        Expr { kind: ExprKind::Function(Box::new(function)), span }
    }

    /// Parameters and body, from the opening bracket on.
    pub(super) fn function_rest(
        &mut self,
        name: String,
        name_span: Span,
        doc: String,
        what: &'static str,
    ) -> Function {
        let params = self.params();
        self.foreign_type();
        let arrow = self.span();
        if self.eat_sign(Sign::Arrow) {
            let (body, is_expression) = self.arrow_body(arrow, name_span);
            return Function { name, name_span, params, body, is_expression, doc };
        }
        let body = self.function_block(name_span, what, None);
        Function { name, name_span, params, body, is_expression: false, doc }
    }

    /// A function's block. Lines end statements again in it, whatever brackets stand around it. A brace may follow an
    /// arrow, which goes with it.
    fn function_block(&mut self, opener: Span, what: &'static str, arrow: Option<Span>) -> Block {
        // A mistake among the parameters is told of; the block is read all the same.
        self.end_of_header();
        let brackets = std::mem::take(&mut self.brackets);
        let enclosing = self.enclosing;
        self.enclosing += brackets;
        self.begin_block(opener, what);
        self.opener_behind(arrow, "");
        let body = self.nested(Self::block, Block::default);
        self.finish_block();
        self.enclosing = enclosing;
        self.brackets = brackets;
        body
    }

    /// What stands behind `=>`: a value, or another language's block.
    pub(super) fn arrow_body(&mut self, arrow: Span, opener: Span) -> (Block, bool) {
        self.skip_breaks();
        if self.is_block_brace() {
            return (self.function_block(opener, "fn", Some(arrow)), false);
        }
        let value = self.expr();
        let span = value.span;
        let statement = crate::ast::Stmt { kind: crate::ast::StmtKind::Return(Some(value)), span };
        (Block { statements: vec![statement], span }, true)
    }
}
