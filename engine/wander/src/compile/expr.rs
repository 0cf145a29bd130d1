//! Expressions to instructions.

use super::Compiler;
use super::scope::Meaning;
use crate::ast::{BinaryOp, Expr, ExprKind, Field, Item, Piece};
use crate::code::{Constant, Instruction, Op};
use crate::diagnostic::Diagnostic;
use crate::environment::Kind;
use crate::span::Span;

impl Compiler<'_> {
    /// The register that holds the value: a variable's own where it is one, else a temporary.
    pub(super) fn operand(&mut self, expr: &Expr) -> u8 {
        if let ExprKind::Name(name) = &expr.kind
            && let Some(Meaning::Local { register, is_cell: false, .. }) = self.find(name)
        {
            return register;
        }
        let register = self.temporary(expr.span);
        self.expr_into(expr, register);
        register
    }

    /// Computes into a register.
    pub(super) fn expr_into(&mut self, expr: &Expr, to: u8) {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Nil | ExprKind::Broken => {
                self.emit(Op::Nil, to, 0, 0, 0, span);
            }
            ExprKind::Bool(flag) => {
                self.emit(Op::Bool, to, 0, 0, i32::from(*flag), span);
            }
            ExprKind::Number(number) => {
                let constant = self.constant(Constant::Number(*number));
                self.emit(Op::Constant, to, 0, 0, constant, span);
            }
            ExprKind::Text(text) => {
                self.warn_braces(text, span);
                let constant = self.constant(Constant::Text(text.clone()));
                self.emit(Op::Constant, to, 0, 0, constant, span);
            }
            ExprKind::Color(color) => {
                let constant = self.constant(Constant::Color(*color));
                self.emit(Op::Constant, to, 0, 0, constant, span);
            }
            ExprKind::Format(pieces) => self.format(pieces, to, span),
            ExprKind::Name(name) => self.name_into(name, to, span),
            ExprKind::SelfEntity => self.self_into(to, span),
            ExprKind::Vector(parts) => {
                let first = self.consecutive(parts);
                self.emit(Op::Vector, to, first, 0, parts.len() as i32, span);
            }
            ExprKind::List(items) => self.list(items, to, span),
            ExprKind::Record(fields) => self.record(fields, to, span),
            ExprKind::Function(function) => {
                if self.kind() == Kind::Template {
                    self.error(
                        Diagnostic::error("E412", span, "a template has no functions of its own")
                            .hint("compute it in a step or a script, and use what comes of it here"),
                    );
                }
                let index = self.function(function);
                self.emit(Op::Closure, to, 0, 0, index as i32, span);
            }
            ExprKind::Negate(value) => self.unary(Op::Negate, value, to, span),
            ExprKind::Not(value) => self.unary(Op::Not, value, to, span),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, to, false, span),
            ExprKind::And(left, right) => self.short(Op::JumpIfNot, left, right, to),
            ExprKind::Or(left, right) => self.short(Op::JumpIf, left, right, to),
            ExprKind::OrNil(left, right) => self.short(Op::JumpIfSome, left, right, to),
            ExprKind::Range(start, end, inclusive) => {
                let mark = self.mark();
                let b = self.operand(start);
                let c = self.operand(end);
                self.emit(Op::Range, to, b, c, i32::from(*inclusive), span);
                self.release(mark);
            }
            ExprKind::If(condition, yes, no) => {
                let skip = self.jump_unless(condition);
                self.expr_into(yes, to);
                let done = self.emit(Op::Jump, 0, 0, 0, 0, span);
                self.patch_all(&skip);
                self.expr_into(no, to);
                self.patch(done);
            }
            ExprKind::Field(..) | ExprKind::Index(..) | ExprKind::Call(..) => {
                let mut nils = Vec::new();
                self.chain(expr, to, &mut nils);
                self.patch_all(&nils);
            }
        }
    }

    pub(super) fn patch_all(&mut self, jumps: &[usize]) {
        for jump in jumps {
            self.patch(*jump);
        }
    }

    /// Values in registers one after the other; the first of them. Released after the statement.
    pub(super) fn consecutive(&mut self, exprs: &[Expr]) -> u8 {
        let span = exprs.first().map_or(Span::default(), |expr| expr.span);
        let first = self.mark();
        for expr in exprs {
            let register = self.temporary(expr.span);
            self.expr_into(expr, register);
            // What the expression itself needed lies above and is free again.
            self.release(u16::from(register) + 1);
        }
        if exprs.is_empty() {
            self.temporary(span);
        }
        self.release(first);
        first.min(255) as u8
    }

    fn unary(&mut self, op: Op, value: &Expr, to: u8, span: Span) {
        let mark = self.mark();
        let b = self.operand(value);
        self.emit(op, to, b, 0, 0, span);
        self.release(mark);
    }

    /// Where `aside`, `to` may be a variable that the operands read: it is written by the last instruction alone.
    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        to: u8,
        aside: bool,
        span: Span,
    ) {
        let mark = self.mark();
        // Long chains lean to the left: each step goes on in the register of the result.
        let mut b = if is_variable(left) || aside {
            self.operand(left)
        } else {
            self.expr_into(left, to);
            to
        };
        // A call on the right may set the variable on the left: its value now is what counts.
        if is_variable(left) && !is_quiet(right) {
            let copy = self.temporary(left.span);
            self.emit(Op::Move, copy, b, 0, 0, left.span);
            b = copy;
        }
        if let (Some(op), ExprKind::Number(number)) = (super::place::constant_form(op), &right.kind) {
            let constant = self.constant(Constant::Number(*number));
            if op == Op::AddK && is_product(left) {
                self.fuse_constant(to, b, constant, span);
            }
            self.emit(op, to, b, 0, constant, span);
            self.release(mark);
            return;
        }
        let c = self.operand(right);
        if is_product(right) {
            self.fuse(op, to, c, b, false, span);
        } else if is_product(left) {
            self.fuse(op, to, b, c, true, span);
        }
        let negated = op == BinaryOp::NotIn;
        let swapped = matches!(op, BinaryOp::Gt | BinaryOp::Ge);
        let (op, b, c) = match op {
            BinaryOp::Add => (Op::Add, b, c),
            BinaryOp::Sub => (Op::Sub, b, c),
            BinaryOp::Mul => (Op::Mul, b, c),
            BinaryOp::Div => (Op::Div, b, c),
            BinaryOp::FloorDiv => (Op::FloorDiv, b, c),
            BinaryOp::Mod => (Op::Mod, b, c),
            BinaryOp::Pow => (Op::Pow, b, c),
            BinaryOp::Eq => (Op::Equal, b, c),
            BinaryOp::Ne => (Op::NotEqual, b, c),
            BinaryOp::Lt => (Op::Less, b, c),
            BinaryOp::Le => (Op::LessEqual, b, c),
            BinaryOp::Gt => (Op::Less, c, b),
            BinaryOp::Ge => (Op::LessEqual, c, b),
            BinaryOp::In | BinaryOp::NotIn => (Op::In, b, c),
        };
        self.emit(op, to, b, c, i32::from(swapped), span);
        if negated {
            // `to` is whole here, whether it is a variable or not.
            self.emit(Op::Not, to, to, 0, 0, span);
        }
        self.release(mark);
    }

    /// Puts an instruction before a product, the one just emitted, that adds `other` to it or subtracts one from the
    /// other at once. The product and what is emitted next stay: they are what is done where these are no numbers.
    fn fuse(&mut self, op: BinaryOp, to: u8, product: u8, other: u8, product_first: bool, span: Span) {
        let Some(&last) = self.state().code.last() else { return };
        let fused = match (op, last.op, product_first) {
            (BinaryOp::Add, Op::Mul, _) => Op::MulAdd,
            (BinaryOp::Add, Op::MulK, _) => Op::MulKAdd,
            (BinaryOp::Sub, Op::Mul, false) => Op::SubMul,
            (BinaryOp::Sub, Op::Mul, true) => Op::MulSub,
            (BinaryOp::Sub, Op::MulK, false) => Op::SubMulK,
            _ => return,
        };
        if last.a == product {
            let factor = if last.op == Op::Mul { i32::from(last.c) } else { last.d };
            self.emit_before_last(Instruction { op: fused, a: to, b: last.b, c: other, d: factor }, span);
        }
    }

    /// The same for a constant that is added to a product with a constant.
    fn fuse_constant(&mut self, to: u8, product: u8, constant: i32, span: Span) {
        let Some(&last) = self.state().code.last() else { return };
        let half = 1 << 15;
        if last.op == Op::MulK && last.a == product && last.d < half && constant < half {
            let both = last.d | constant << 16;
            self.emit_before_last(Instruction { op: Op::MulKAddK, a: to, b: last.b, c: 0, d: both }, span);
        }
    }

    fn short(&mut self, op: Op, left: &Expr, right: &Expr, to: u8) {
        // The left value must not overwrite a variable that the right one reads.
        let mark = self.mark();
        let value = self.temporary(left.span);
        self.expr_into(left, value);
        let done = self.emit(op, value, 0, 0, 0, left.span);
        self.expr_into(right, value);
        self.patch(done);
        self.emit(Op::Move, to, value, 0, 0, right.span);
        self.release(mark);
    }

    /// Jumps that are taken where the condition is false, for patching.
    pub(super) fn jump_unless(&mut self, condition: &Expr) -> Vec<usize> {
        let mark = self.mark();
        let span = condition.span;
        let jumps = match &condition.kind {
            ExprKind::And(left, right) => {
                let mut jumps = self.jump_unless(left);
                jumps.extend(self.jump_unless(right));
                jumps
            }
            ExprKind::Binary(
                op @ (BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge),
                left,
                right,
            ) => {
                let mut b = self.operand(left);
                if is_variable(left) && !is_quiet(right) {
                    let copy = self.temporary(left.span);
                    self.emit(Op::Move, copy, b, 0, 0, left.span);
                    b = copy;
                }
                if let ExprKind::Number(number) = &right.kind
                    && let Ok(constant) = u8::try_from(self.constant(Constant::Number(*number)))
                {
                    let op = match op {
                        BinaryOp::Lt => Op::JumpUnlessLessK,
                        BinaryOp::Le => Op::JumpUnlessLessEqualK,
                        BinaryOp::Gt => Op::JumpUnlessMoreK,
                        _ => Op::JumpUnlessMoreEqualK,
                    };
                    let jump = self.emit(op, 0, b, constant, 0, span);
                    self.release(mark);
                    return vec![jump];
                }
                let c = self.operand(right);
                let swapped = matches!(op, BinaryOp::Gt | BinaryOp::Ge);
                let (op, b, c) = match op {
                    BinaryOp::Lt => (Op::JumpUnlessLess, b, c),
                    BinaryOp::Le => (Op::JumpUnlessLessEqual, b, c),
                    BinaryOp::Gt => (Op::JumpUnlessLess, c, b),
                    _ => (Op::JumpUnlessLessEqual, c, b),
                };
                vec![self.emit(op, u8::from(swapped), b, c, 0, span)]
            }
            _ => {
                let register = self.operand(condition);
                vec![self.emit(Op::JumpIfNot, register, 0, 0, 0, span)]
            }
        };
        self.release(mark);
        jumps
    }

    fn format(&mut self, pieces: &[Piece], to: u8, span: Span) {
        let mark = self.mark();
        let first = mark.min(255) as u8;
        for piece in pieces {
            let register = self.temporary(span);
            match piece {
                Piece::Text(text) => {
                    let constant = self.constant(Constant::Text(text.clone()));
                    self.emit(Op::Constant, register, 0, 0, constant, span);
                }
                Piece::Value(value, spec) => {
                    self.expr_into(value, register);
                    self.release(u16::from(register) + 1);
                    let spec = match spec {
                        Some(spec) => self.constant(Constant::Text(spec.clone())),
                        None => -1,
                    };
                    self.emit(Op::Format, register, register, 0, spec, value.span);
                }
            }
        }
        self.emit(Op::Concat, to, first, 0, pieces.len() as i32, span);
        self.release(mark);
    }

    fn list(&mut self, items: &[Item], to: u8, span: Span) {
        let plain: Option<Vec<&Expr>> = items
            .iter()
            .map(|item| match item {
                Item::One(value) => Some(value),
                Item::Spread(_) => None,
            })
            .collect();
        let mark = self.mark();
        // Short plain lists are made at once; long ones would need too many registers.
        if let Some(values) = plain.filter(|values| values.len() <= 50) {
            let first = mark.min(255) as u8;
            for value in &values {
                let register = self.temporary(value.span);
                self.expr_into(value, register);
                self.release(u16::from(register) + 1);
            }
            self.emit(Op::List, to, first, 0, values.len() as i32, span);
        } else {
            let list = self.temporary(span);
            self.emit(Op::List, list, 0, 0, 0, span);
            for item in items {
                let inner = self.mark();
                let (Item::One(value) | Item::Spread(value)) = item;
                let register = self.operand(value);
                let op = if matches!(item, Item::One(_)) { Op::Push } else { Op::Extend };
                self.emit(op, list, register, 0, 0, value.span);
                self.release(inner);
            }
            self.emit(Op::Move, to, list, 0, 0, span);
        }
        self.release(mark);
    }

    fn record(&mut self, fields: &[Field], to: u8, span: Span) {
        if let Some(layout) = self.layout(fields) {
            let first = self.mark().min(255) as u8;
            for field in fields {
                let Field::Named(_, value) = field else { continue };
                let register = self.temporary(value.span);
                self.expr_into(value, register);
                self.release(u16::from(register) + 1);
            }
            self.emit(Op::Fields, to, first, 0, layout, span);
            self.release(u16::from(first));
            return;
        }
        let mark = self.mark();
        // Built aside: a field's value may read the variable that the record goes to.
        let record = self.temporary(span);
        self.emit(Op::Record, record, 0, 0, 0, span);
        for field in fields {
            let inner = self.mark();
            match field {
                Field::Named(name, value) => {
                    let register = self.operand(value);
                    let name = self.site(name);
                    self.emit(Op::InitField, record, register, 0, name, value.span);
                }
                Field::Computed(key, value) => {
                    let key = self.operand(key);
                    let register = self.operand(value);
                    self.emit(Op::SetIndex, record, key, register, 0, value.span);
                }
                Field::Spread(value) => {
                    let register = self.operand(value);
                    self.emit(Op::Spread, record, register, 0, 0, value.span);
                }
            }
            self.release(inner);
        }
        self.emit(Op::Move, to, record, 0, 0, span);
        self.release(mark);
    }

    /// `"hello {name}"` where a variable has that name was meant to be filled in.
    fn warn_braces(&mut self, text: &str, span: Span) {
        let inside =
            text.split('{').skip(1).filter_map(|part| part.split_once('}')).map(|(inside, _)| inside);
        let names: Vec<&str> = inside
            .filter(|name| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
            .collect();
        for name in names {
            if matches!(
                self.find(name),
                Some(Meaning::Local { .. } | Meaning::Capture { .. } | Meaning::Global { .. })
            ) {
                let source = span.text(self.source).to_owned();
                self.diagnostics.push(
                    Diagnostic::warning(
                        "W201",
                        span,
                        format!("`{{{name}}}` stays as it is in a plain string"),
                    )
                    .hint("write `f\"…\"` to fill it in")
                    .fix(format!("f{source}")),
                );
                return;
            }
        }
    }

    /// The layout of a literal whose fields are few, named, and each there once.
    fn layout(&mut self, fields: &[Field]) -> Option<i32> {
        if fields.is_empty() || fields.len() > 50 {
            return None;
        }
        let mut names = Vec::with_capacity(fields.len());
        for field in fields {
            let Field::Named(name, _) = field else { return None };
            let name = self.name(name) as u32;
            if names.contains(&name) {
                return None;
            }
            names.push(name);
        }
        let known = self.program.layouts.iter().position(|layout| *layout == names);
        Some(known.unwrap_or_else(|| {
            self.program.layouts.push(names);
            self.program.layouts.len() - 1
        }) as i32)
    }

    pub(super) fn self_into(&mut self, to: u8, span: Span) {
        if self.kind() != Kind::Entity {
            self.error(
                Diagnostic::error("E210", span, "`self` exists in entity scripts only")
                    .hint("pass the entity to the function"),
            );
        }
        self.emit(Op::SelfEntity, to, 0, 0, 0, span);
    }

    fn name_into(&mut self, name: &str, to: u8, span: Span) {
        match self.lookup(name, span) {
            Meaning::Local { register, is_cell: true, .. } => {
                self.emit(Op::GetCell, to, register, 0, 0, span);
            }
            Meaning::Local { register, .. } => {
                if register != to {
                    self.emit(Op::Move, to, register, 0, 0, span);
                }
            }
            Meaning::Capture { index, .. } => {
                self.emit(Op::GetCapture, to, 0, 0, i32::from(index), span);
            }
            Meaning::Global { index, .. } => {
                self.emit(Op::GetGlobal, to, 0, 0, index as i32, span);
            }
            Meaning::Function(index) => {
                self.emit(Op::Closure, to, 0, 0, index as i32, span);
            }
            Meaning::Host(number) if self.environment.by_number(number).is_some_and(|f| f.property) => {
                self.emit(Op::CallHost, to, 0, 0, i32::from(number), span);
            }
            Meaning::Native(_) | Meaning::Host(_) => {
                self.error(
                    Diagnostic::error("E204", span, format!("`{name}` is a built-in function, not a value"))
                        .hint(format!("call it, or wrap it: `fn(x) => {name}(x)`")),
                );
            }
            Meaning::Module(_) | Meaning::Area => {
                self.error(
                    Diagnostic::error(
                        "E204",
                        span,
                        format!("`{name}` is a collection of functions, not a value"),
                    )
                    .hint(format!("use something of it: `{name}.…`")),
                );
            }
            Meaning::Unknown => {}
        }
    }
}

/// Whether it names a variable.
fn is_product(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Binary(BinaryOp::Mul, ..))
}

fn is_variable(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Name(_))
}

/// Whether computing it can set no variable.
fn is_quiet(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Name(_)
        | ExprKind::Number(_)
        | ExprKind::Text(_)
        | ExprKind::Nil
        | ExprKind::Bool(_)
        | ExprKind::SelfEntity
        | ExprKind::Color(_) => true,
        ExprKind::Field(value, ..) | ExprKind::Negate(value) | ExprKind::Not(value) => is_quiet(value),
        ExprKind::Binary(_, a, b) | ExprKind::Index(a, b, _) => is_quiet(a) && is_quiet(b),
        ExprKind::Vector(parts) => parts.iter().all(is_quiet),
        _ => false,
    }
}
