//! Elements of lists that may have none.

use super::Lint;
use crate::ast::{Expr, ExprKind};
use crate::diagnostic::Diagnostic;
use crate::span::Span;

impl<'a> Lint<'a, '_> {
    /// Warns where an element of a list that may be empty is used as if it were there, and gives the list.
    pub(super) fn check_list(&mut self, expr: &'a Expr) -> Option<&'a Expr> {
        if self.tries > 0 {
            return None;
        }
        match &expr.kind {
            // `l.first.x`, `l[0].x`
            ExprKind::Field(element, _, name_span, false) => {
                let (list, word) = self.element(element)?;
                let dot = Span::new(element.span.end, name_span.start);
                let is_dot = dot.text(self.source) == ".";
                let mut found = self.told(list, element, word);
                if is_dot {
                    let place = Span::new(list.span.end, name_span.start);
                    let write = format!(".{word}?.");
                    let shown = format!("{}{write}{}", self.text(list), name_span.text(self.source));
                    found = found.hint(format!("write `{shown}`, or test it first")).fix_at(place, write);
                }
                self.found.push(found);
                Some(list)
            }
            // `l[0]`
            ExprKind::Index(..) => {
                let (list, word) = self.element(expr)?;
                let place = Span::new(list.span.end, expr.span.end);
                let shown = format!("{}.{word}", self.text(list));
                let found = self
                    .told(list, expr, word)
                    .hint(format!("write `{shown}`, which is nil then"))
                    .fix_at(place, format!(".{word}"));
                self.found.push(found);
                Some(list)
            }
            _ => None,
        }
    }

    fn told(&self, list: &Expr, element: &Expr, word: &str) -> Diagnostic {
        let list_text = self.text(list);
        let is_index = matches!(element.kind, ExprKind::Index(..));
        let then = if is_index {
            format!("`{}` is an error", Span::new(list.span.end, element.span.end).text(self.source))
        } else {
            format!("`.{word}` is nil")
        };
        Diagnostic::warning("W410", element.span, format!("`{list_text}` may be empty, and then {then}"))
    }

    /// The list whose first or last element this is, where it may be empty, and which of the two it is.
    fn element(&self, expr: &'a Expr) -> Option<(&'a Expr, &'static str)> {
        let (list, word) = match &expr.kind {
            ExprKind::Field(list, name, _, false) if name == "first" => (list, "first"),
            ExprKind::Field(list, name, _, false) if name == "last" => (list, "last"),
            ExprKind::Index(list, index, false) => match index.kind {
                ExprKind::Number(0.0) => (list, "first"),
                ExprKind::Number(-1.0) => (list, "last"),
                _ => return None,
            },
            _ => return None,
        };
        let may_be_empty = match &list.kind {
            ExprKind::Name(name) => {
                !self.facts.is_tested(name)
                    && self.facts.value(name).is_some_and(|value| self.may_be_empty(value))
            }
            _ => self.may_be_empty(list),
        };
        may_be_empty.then_some((&**list, word))
    }

    /// Whether it is a search, or what is left of a list.
    fn may_be_empty(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Call(callee, _) => match &callee.kind {
                ExprKind::Name(name) => {
                    matches!(name.as_str(), "find_all" | "find_near" | "overlap")
                        && self.environment.function("", name).is_some()
                        && !self.facts.is_function(name)
                }
                ExprKind::Field(_, name, ..) if name == "filter" => true,
                ExprKind::Field(list, name, ..) => {
                    matches!(name.as_str(), "map" | "sorted" | "reverse" | "unique")
                        && self.may_be_empty(list)
                }
                _ => false,
            },
            ExprKind::Field(_, name, ..) => name == "children" && self.environment.property(name).is_some(),
            _ => false,
        }
    }
}
