//! Conditions that are always true or false, and comparisons that never hold.

use super::Lint;
use crate::ast::{BinaryOp, Expr, ExprKind};
use crate::diagnostic::Diagnostic;

/// A type that an expression certainly has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Nil,
    Bool,
    Number,
    Text,
    Vector,
    Color,
    Range,
    List,
    Record,
    Function,
    Entity,
}

impl Type {
    const fn name(self) -> &'static str {
        match self {
            Self::Nil => "nil",
            Self::Bool => "a bool",
            Self::Number => "a number",
            Self::Text => "a string",
            Self::Vector => "a vector",
            Self::Color => "a color",
            Self::Range => "a range",
            Self::List => "a list",
            Self::Record => "a record",
            Self::Function => "a function",
            Self::Entity => "an entity",
        }
    }
}

impl<'a> Lint<'a, '_> {
    /// The type that a value certainly has.
    pub(super) fn type_of(&self, expr: &Expr) -> Option<Type> {
        Some(match &expr.kind {
            ExprKind::Nil => Type::Nil,
            ExprKind::Bool(_) | ExprKind::Not(_) => Type::Bool,
            ExprKind::Number(_) => Type::Number,
            ExprKind::Text(_) | ExprKind::Format(_) => Type::Text,
            ExprKind::Vector(_) => Type::Vector,
            ExprKind::Color(_) => Type::Color,
            ExprKind::Range(..) => Type::Range,
            ExprKind::List(_) => Type::List,
            ExprKind::Record(_) => Type::Record,
            ExprKind::Function(_) => Type::Function,
            ExprKind::SelfEntity => Type::Entity,
            ExprKind::Name(name) if self.facts.is_function(name) => Type::Function,
            ExprKind::Name(name) => return self.facts.value(name).and_then(|value| self.literal_type(value)),
            ExprKind::Field(_, name, _, false) if name == "length" && !self.facts.is_field(name) => {
                Type::Number
            }
            ExprKind::Binary(op, left, right) => return self.binary_type(*op, left, right),
            _ => return None,
        })
    }

    /// The same for the value of a name, without looking at further names.
    fn literal_type(&self, value: &Expr) -> Option<Type> {
        if matches!(value.kind, ExprKind::Name(_) | ExprKind::Binary(..)) {
            None
        } else {
            self.type_of(value)
        }
    }

    fn binary_type(&self, op: BinaryOp, left: &Expr, right: &Expr) -> Option<Type> {
        match op {
            BinaryOp::Mod | BinaryOp::FloorDiv | BinaryOp::Pow => Some(Type::Number),
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div => {
                let is_number = |side| self.type_of(side) == Some(Type::Number);
                (is_number(left) && is_number(right)).then_some(Type::Number)
            }
            _ => Some(Type::Bool),
        }
    }

    /// Warns where a condition, or a part of it, cannot decide. `beside` is what stands left of an `or`.
    pub(super) fn check_condition(&mut self, expr: &'a Expr, beside: Option<&'a Expr>) {
        match &expr.kind {
            ExprKind::And(left, right) => {
                self.check_condition(left, None);
                self.check_condition(right, None);
            }
            ExprKind::Or(left, right) => {
                self.check_condition(left, None);
                self.check_condition(right, Some(left));
            }
            ExprKind::Not(value) => self.check_condition(value, None),
            ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), left, right) => {
                self.check_types(expr, *op == BinaryOp::Eq, left, right);
            }
            ExprKind::Nil => {
                self.found.push(
                    Diagnostic::warning("W205", expr.span, "`nil` is always false")
                        .hint("compare with it: `x == nil`"),
                );
            }
            _ => self.check_truth(expr, beside),
        }
    }

    fn check_truth(&mut self, expr: &Expr, beside: Option<&Expr>) {
        let Some(kind) = self.type_of(expr) else { return };
        if matches!(kind, Type::Nil | Type::Bool | Type::Entity) {
            return;
        }
        let text = self.text(expr).to_owned();
        let diagnostic =
            Diagnostic::warning("W205", expr.span, format!("`{text}` is {} and always true", kind.name()));
        let compared = beside.and_then(|beside| match &beside.kind {
            ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), left, _) => Some((*op, left)),
            ExprKind::Or(_, last) => match &last.kind {
                ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), left, _) => Some((*op, left)),
                _ => None,
            },
            _ => None,
        });
        let is_literal = matches!(expr.kind, ExprKind::Number(_) | ExprKind::Text(_));
        let write = match (compared, kind) {
            // `x == "a" or "b"`
            (Some((op, left)), _) if is_literal => {
                let sign = if op == BinaryOp::Eq { "==" } else { "!=" };
                format!("{} {sign} {text}", self.text(left))
            }
            (_, Type::Function) if matches!(expr.kind, ExprKind::Name(_)) => format!("{text}()"),
            (_, Type::Number) if is_literal => if text == "0" { "false" } else { "true" }.to_owned(),
            (_, Type::Number) if text.ends_with(".length") => format!("{text} > 0"),
            (_, Type::Number) => format!("{text} != 0"),
            (_, Type::Text) => format!("{text} != \"\""),
            (_, Type::List | Type::Record) => format!("{text}.length > 0"),
            _ => {
                self.found.push(diagnostic.hint("compare it with something"));
                return;
            }
        };
        let why = match kind {
            Type::Number => "0 is true, too: ",
            Type::Text => "\"\" is true, too: ",
            Type::List | Type::Record => "an empty one is true, too: ",
            _ => "",
        };
        self.found.push(diagnostic.hint(format!("{why}write `{write}`")).fix(write));
    }

    /// Values of two types are never equal.
    fn check_types(&mut self, expr: &Expr, is_equal: bool, left: &Expr, right: &Expr) {
        let (Some(a), Some(b)) = (self.type_of(left), self.type_of(right)) else { return };
        if a == b || (a == Type::Entity && b == Type::Nil) {
            return;
        }
        let truth = if is_equal { "false" } else { "true" };
        let text = self.text(expr);
        let message = format!("`{text}` is always {truth}: {} never equals {}", a.name(), b.name());
        let diagnostic = Diagnostic::warning("W205", expr.span, message);
        let found = match (a, b, &right.kind) {
            (Type::Number, Type::Text, ExprKind::Text(text)) if text.parse::<f64>().is_ok() => {
                diagnostic.hint(format!("write `{text}` without quotes")).fix_at(right.span, text.clone())
            }
            (Type::Entity, Type::Text, _) => {
                let name = format!("{}.name", self.text(left));
                diagnostic.hint(format!("compare its name: `{name}`")).fix_at(left.span, name)
            }
            _ => diagnostic.hint("compare values of one type: `number(x)` and `text(x)` convert"),
        };
        self.found.push(found);
    }

    /// Warns where a vector's component, which has 32 bits, is compared with a decimal that 32 bits cannot hold.
    pub(super) fn check_component(&mut self, expr: &Expr, op: BinaryOp, left: &Expr, right: &Expr) {
        let (component, number) = match (&left.kind, &right.kind) {
            (_, ExprKind::Number(number)) => (left, *number),
            (ExprKind::Number(number), _) => (right, *number),
            _ => return,
        };
        if f64::from(number as f32) == number || !self.is_component(component) {
            return;
        }
        let (a, b) = (self.text(left), self.text(right));
        let write = format!("{}math.approx({a}, {b})", if op == BinaryOp::Ne { "not " } else { "" });
        let (component, literal) = if std::ptr::eq(component, left) { (a, b) } else { (b, a) };
        let message = format!("`{component}` has 32 bits and never equals {literal}");
        self.found.push(
            Diagnostic::warning("W206", expr.span, message).hint(format!("write `{write}`")).fix(write),
        );
    }

    fn is_component(&self, expr: &Expr) -> bool {
        const OF_ENTITIES: &[&str] = &["pos", "world_pos", "rot", "scale", "forward", "right", "velocity"];
        let ExprKind::Field(object, name, _, false) = &expr.kind else { return false };
        if !matches!(name.as_str(), "x" | "y" | "z" | "w" | "r" | "g" | "b" | "a") {
            return false;
        }
        match &object.kind {
            ExprKind::Field(_, name, _, _) => {
                OF_ENTITIES.contains(&name.as_str())
                    && self.environment.property(name).is_some()
                    && !self.facts.is_field(name)
            }
            _ => matches!(self.type_of(object), Some(Type::Vector | Type::Color)),
        }
    }
}
