//! Values of other languages: told of once, and read as what was meant.

use super::Parser;
use crate::ast::{BinaryOp, Expr, ExprKind, Function, Param};
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::token::{Sign, Token, Word};

/// What makes a vector elsewhere.
const VECTORS: &[&str] =
    &["Vector2", "Vector3", "Vector4", "vec2", "vec3", "vec4", "Vector2i", "Vector3i", "float3"];

impl Parser<'_> {
    /// A name that begins another language's value.
    pub(super) fn foreign_value(&mut self, name: &str, span: Span) -> Option<Expr> {
        let next_is_name = matches!(self.peek(), Token::Name(_));
        match name {
            "await" | "yield" if next_is_name => {
                let gap = Span::new(span.start, self.span().start);
                self.note(
                    Diagnostic::error("E108", span, format!("`{name}` is not written in Wander"))
                        .hint("a call that takes time waits by itself; `wait(seconds)` waits")
                        .fix_at(gap, ""),
                );
                Some(self.deeper(Self::postfix))
            }
            "new" if next_is_name => Some(self.foreign_new(span)),
            "typeof" if next_is_name || self.is_word(Word::SelfWord) => {
                let value = self.deeper(Self::postfix);
                let text = value.span.text(self.source).to_owned();
                let whole = span.to(value.span);
                self.note(
                    Diagnostic::error("E108", span, "`typeof` is not written in Wander")
                        .hint(format!("write `type({text})`"))
                        .fix_at(whole, format!("type({text})")),
                );
                Some(Expr { kind: ExprKind::Broken, span: whole })
            }
            "function" | "func" | "def" | "fun" if self.is_sign(Sign::Open) => {
                self.note(
                    Diagnostic::error("E108", span, format!("`{name}` is not written in Wander"))
                        .hint("write `fn`")
                        .fix("fn"),
                );
                let function = self.function_rest(String::new(), span, String::new(), "fn");
                let span = span.to(self.last_span());
                Some(Expr { kind: ExprKind::Function(Box::new(function)), span })
            }
            "lambda" if next_is_name || self.is_sign(Sign::Colon) => Some(self.foreign_lambda(span)),
            _ if VECTORS.contains(&name) && self.is_sign(Sign::Open) => {
                Some(self.foreign_vector(name, span, span))
            }
            _ => None,
        }
    }

    /// `new Vector3(…)`, `new Enemy()`.
    fn foreign_new(&mut self, span: Span) -> Expr {
        let (name, name_span) = (self.span().text(self.source).to_owned(), self.span());
        if VECTORS.contains(&name.as_str()) && *self.peek_at(1) == Token::Sign(Sign::Open) {
            self.advance();
            return self.foreign_vector(&name, span, name_span);
        }
        let value = self.deeper(Self::postfix);
        self.note(
            Diagnostic::error("E108", span, "there is no `new` in Wander")
                .hint("write a record `{hp: 5}`, or `spawn_entity(\"Name\")` for an entity"),
        );
        Expr { kind: ExprKind::Broken, span: span.to(value.span) }
    }

    /// `Vector3(1, 2, 3)`: the brackets alone make the vector.
    fn foreign_vector(&mut self, name: &str, from: Span, name_span: Span) -> Expr {
        self.note(
            Diagnostic::error("E108", from.to(name_span), format!("`{name}` is not written in Wander"))
                .hint("a vector is its components in brackets: `(1, 2, 3)`")
                .fix(""),
        );
        self.deeper(Self::primary)
    }

    /// `lambda x: x * 2`.
    fn foreign_lambda(&mut self, span: Span) -> Expr {
        let mut params = Vec::new();
        while matches!(self.peek(), Token::Name(_)) {
            params.extend(self.expect_name("a parameter"));
            if !self.eat_sign(Sign::Comma) {
                break;
            }
        }
        self.eat_sign(Sign::Colon);
        let head = span.to(self.last_span());
        let names: Vec<&str> = params.iter().map(|(name, _)| name.as_str()).collect();
        let write = format!("fn({}) =>", names.join(", "));
        self.note(
            Diagnostic::error("E108", span, "`lambda` is not written in Wander")
                .hint(format!("write `{write} …`"))
                .fix_at(head, write),
        );
        self.function_of(params, head)
    }

    /// A function of these parameters whose body begins here.
    fn function_of(&mut self, names: Vec<(String, Span)>, arrow: Span) -> Expr {
        let start = names.first().map_or(arrow, |(_, span)| *span);
        let params = names.into_iter().map(|(name, span)| Param { name, span, default: None }).collect();
        let (body, is_expression) = self.arrow_body(arrow, start);
        let function = Function {
            name: String::new(),
            name_span: start,
            params,
            body,
            is_expression,
            doc: String::new(),
        };
        Expr { kind: ExprKind::Function(Box::new(function)), span: start.to(self.last_span()) }
    }

    /// `c ? a : b`.
    pub(super) fn choice(&mut self, condition: Expr) -> Expr {
        let sign = self.span();
        self.advance();
        self.skip_breaks();
        self.choices += 1;
        let yes = self.expr();
        self.choices -= 1;
        self.skip_breaks();
        if !self.eat_sign(Sign::Colon) {
            let span = condition.span.to(yes.span);
            self.report(
                Diagnostic::error("E108", sign, "`?` is not written in Wander")
                    .hint("write `if c then a else b`"),
            );
            return Expr { kind: ExprKind::Broken, span };
        }
        self.skip_breaks();
        let no = self.expr();
        self.told_choice(sign, "`? :` is not written in Wander", (condition, yes, no))
    }

    /// Python's `a if c else b`.
    pub(super) fn choice_behind(&mut self, yes: Expr) -> Expr {
        let sign = self.span();
        self.advance();
        let condition = self.deeper(Self::or);
        if !self.eat_word(Word::Else) {
            self.report(
                Diagnostic::error("E108", sign, "`if` stands in front of what it decides about")
                    .hint("write `if c then … end`, or `if c then a else b` for a value"),
            );
            return yes;
        }
        let no = self.expr();
        self.told_choice(sign, "`a if c else b` is not written in Wander", (condition, yes, no))
    }

    fn told_choice(&mut self, sign: Span, message: &str, (condition, yes, no): (Expr, Expr, Expr)) -> Expr {
        let span = condition.span.to(yes.span).to(no.span);
        let text = |expr: &Expr| expr.span.text(self.source);
        let write = format!("if {} then {} else {}", text(&condition), text(&yes), text(&no));
        self.note(
            Diagnostic::error("E108", sign, message)
                .hint(format!("choose by `if c then a else b`: `{write}`"))
                .fix_at(span, write),
        );
        Expr { kind: ExprKind::If(Box::new(condition), Box::new(yes), Box::new(no)), span }
    }

    /// `x => …` and `(x, y) => …`.
    pub(super) fn arrow(&mut self, head: Expr) -> Expr {
        let arrow = self.span();
        let name_of = |expr: &Expr| match &expr.kind {
            ExprKind::Name(name) => Some((name.clone(), expr.span)),
            _ => None,
        };
        let names: Option<Vec<(String, Span)>> = match &head.kind {
            ExprKind::Vector(parts) => parts.iter().map(name_of).collect(),
            _ => name_of(&head).map(|name| vec![name]),
        };
        let Some(names) = names else {
            self.unexpected("the end of the line");
            return head;
        };
        self.told_arrow(head.span, names, arrow)
    }

    /// `() => …`, whose brackets were read.
    pub(super) fn arrow_of_none(&mut self, head: Span) -> Expr {
        let arrow = self.span();
        self.told_arrow(head, Vec::new(), arrow)
    }

    fn told_arrow(&mut self, head: Span, names: Vec<(String, Span)>, arrow: Span) -> Expr {
        let shown: Vec<&str> = names.iter().map(|(name, _)| name.as_str()).collect();
        let write = format!("fn({})", shown.join(", "));
        self.advance();
        let is_block = self.is_block_brace();
        let shown = if is_block { format!("{write} … end") } else { format!("{write} => …") };
        let diagnostic = Diagnostic::error("E108", head, "a function begins with `fn`")
            .hint(format!("write `{shown}`"))
            .fix_at(head, write);
        // The braces of its block are part of the same mend.
        if is_block {
            self.carried = Some(diagnostic);
        } else {
            self.note(diagnostic);
        }
        self.function_of(names, arrow)
    }

    /// `is`, `is not`.
    pub(super) fn foreign_is(&mut self) -> BinaryOp {
        let start = self.span();
        self.advance();
        let negated = self.eat_word(Word::Not);
        let span = start.to(self.last_span());
        let write = if negated { "!=" } else { "==" };
        self.note(
            Diagnostic::error("E108", span, format!("`{}` is not written in Wander", span.text(self.source)))
                .hint(format!("write `{write}`"))
                .fix(write),
        );
        if negated { BinaryOp::Ne } else { BinaryOp::Eq }
    }

    /// Whether a `{` here opens a block and no record: what follows is no field.
    pub(super) fn is_block_brace(&mut self) -> bool {
        if !self.is_sign(Sign::RecordOpen) {
            return false;
        }
        let mut ahead = 1;
        while matches!(self.peek_at(ahead), Token::Break) {
            ahead += 1;
        }
        let is_field = match (self.peek_at(ahead), self.peek_at(ahead + 1)) {
            (Token::Sign(Sign::RecordClose | Sign::Spread | Sign::ListOpen), _) => true,
            (Token::Name(_) | Token::Text(_) | Token::Word(_), next) => {
                matches!(next, Token::Sign(Sign::Colon | Sign::Comma | Sign::RecordClose))
            }
            _ => false,
        };
        !is_field
    }

    /// `[x * 2 for x in xs if c]`, from the `for` on.
    pub(super) fn comprehension(&mut self, value: &Expr) {
        let span = self.span();
        self.advance();
        let name = self.expect_name("the loop's variable").map_or_else(|| "x".to_owned(), |(name, _)| name);
        self.eat_word(Word::In);
        let things = self.deeper(Self::or);
        let condition = if self.eat_word(Word::If) { Some(self.deeper(Self::or)) } else { None };
        let text = |expr: &Expr| expr.span.text(self.source).to_owned();
        let (shown, things) = (text(value), text(&things));
        let mut write = things;
        if let Some(condition) = condition {
            write.push_str(&format!(".filter(fn({name}) => {})", text(&condition)));
        }
        if shown != name {
            write.push_str(&format!(".map(fn({name}) => {shown})"));
        }
        let mut diagnostic = Diagnostic::error("E108", span, "a list has no `for` inside in Wander")
            .hint(format!("write `{write}`"));
        if *self.peek() == Token::Sign(Sign::ListClose) && !self.panicking {
            let open = self.source.get(..value.span.start as usize).and_then(|before| before.rfind('['));
            let end = self.span().end;
            if let Some(open) = open {
                diagnostic = diagnostic.fix_at(Span::new(open as u32, end), write);
            }
        }
        self.note(diagnostic);
    }
}
