//! What stands in brackets: arguments, vectors, lists, records.

use super::Parser;
use crate::ast::{Expr, ExprKind, Field, Item};
use crate::diagnostic::Diagnostic;
use crate::token::{Sign, Token, Word};

impl Parser<'_> {
    /// The arguments after the opening bracket, the closing one included.
    pub(super) fn args(&mut self) -> Vec<Expr> {
        self.brackets += 1;
        let mut args = Vec::new();
        while !self.is_sign(Sign::Close) {
            args.push(self.expr());
            if self.panicking || !self.eat_sign(Sign::Comma) {
                break;
            }
        }
        self.expect_sign(Sign::Close, "after the arguments");
        self.brackets -= 1;
        args
    }

    pub(super) fn parenthesis(&mut self) -> Expr {
        let start = self.span();
        self.advance();
        self.brackets += 1;
        if self.is_sign(Sign::Close) && *self.peek_at(1) == Token::Sign(Sign::Arrow) {
            self.advance();
            self.brackets -= 1;
            return self.arrow_of_none(start.to(self.last_span()));
        }
        let first = self.expr();
        let mut parts = vec![first];
        while self.eat_sign(Sign::Comma) {
            if self.is_sign(Sign::Close) {
                break;
            }
            parts.push(self.expr());
        }
        self.expect_sign(Sign::Close, "after the value");
        self.brackets -= 1;
        let span = start.to(self.last_span());
        match parts.len() {
            1 => match parts.pop() {
                Some(inner) => Expr { kind: inner.kind, span },
                None => Expr { kind: ExprKind::Broken, span },
            },
            2..=4 => Expr { kind: ExprKind::Vector(parts), span },
            count => {
                self.note(
                    Diagnostic::error(
                        "E101",
                        span,
                        format!("a vector has 2 to 4 components, this has {count}"),
                    )
                    .hint("write a list: `[a, b, c]`"),
                );
                Expr { kind: ExprKind::Broken, span }
            }
        }
    }

    pub(super) fn list(&mut self) -> Expr {
        let start = self.span();
        self.advance();
        self.brackets += 1;
        let mut items = Vec::new();
        while !self.is_sign(Sign::ListClose) {
            items.push(if self.eat_sign(Sign::Spread) {
                Item::Spread(self.expr())
            } else {
                Item::One(self.expr())
            });
            if self.is_word(Word::For)
                && let Some(Item::One(value)) = items.pop()
            {
                self.comprehension(&value);
            }
            if self.panicking || !self.eat_sign(Sign::Comma) {
                break;
            }
        }
        self.expect_sign(Sign::ListClose, "after the elements");
        self.brackets -= 1;
        Expr { kind: ExprKind::List(items), span: start.to(self.last_span()) }
    }

    pub(super) fn record(&mut self) -> Expr {
        let start = self.span();
        self.advance();
        self.brackets += 1;
        let mut fields = Vec::new();
        while !self.is_sign(Sign::RecordClose) {
            let Some(field) = self.field() else { break };
            fields.push(field);
            if self.panicking || !self.eat_sign(Sign::Comma) {
                break;
            }
        }
        self.expect_sign(Sign::RecordClose, "after the fields");
        self.brackets -= 1;
        Expr { kind: ExprKind::Record(fields), span: start.to(self.last_span()) }
    }

    fn field(&mut self) -> Option<Field> {
        if self.eat_sign(Sign::Spread) {
            return Some(Field::Spread(self.expr()));
        }
        let span = self.span();
        if self.eat_sign(Sign::ListOpen) {
            let key = self.expr();
            self.expect_sign(Sign::ListClose, "after the key");
            self.expect_sign(Sign::Colon, "between key and value");
            return Some(Field::Computed(key, self.expr()));
        }
        let (name, plain) = match self.peek().clone() {
            Token::Name(name) => (name, true),
            Token::Text(text) => (text, false),
            Token::Word(word) => (word.text().to_owned(), false),
            _ => {
                self.unexpected("a field such as `name: value`");
                return None;
            }
        };
        self.advance();
        if self.is_sign(Sign::Set) {
            let at = self.span();
            self.note(
                Diagnostic::error("E108", at, "fields are set with `:` in Wander").hint("write `:`").fix(":"),
            );
            self.advance();
            return Some(Field::Named(name, self.expr()));
        }
        if self.eat_sign(Sign::Colon) {
            return Some(Field::Named(name, self.expr()));
        }
        if plain {
            let value = Expr { kind: ExprKind::Name(name.clone()), span };
            return Some(Field::Named(name, value));
        }
        self.unexpected("`:` and the field's value");
        None
    }
}
