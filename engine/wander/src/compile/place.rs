//! Assignment: to variables, fields and elements, and through vectors to where they came from.

use super::Compiler;
use super::scope::Meaning;
use crate::ast::{AssignOp, BinaryOp, Expr, ExprKind};
use crate::code::{Constant, GlobalKind, Op};
use crate::diagnostic::Diagnostic;
use crate::span::Span;

/// A place whose parts are computed already, so that reading and writing it computes nothing twice.
enum Place {
    Name(String),
    Field { object: u8, name: String, owner: Option<Box<Place>>, object_span: Span },
    Index { object: u8, index: u8 },
    Broken,
}

impl Compiler<'_> {
    /// A variable at the top of the file gets its first value.
    pub(super) fn set_global(&mut self, name: &str, value: &Expr) {
        let mark = self.mark();
        let register = self.operand(value);
        if let Some(index) = self.program.global(name) {
            self.emit(Op::SetGlobal, register, 0, 0, index as i32, value.span);
        }
        self.release(mark);
    }

    pub(super) fn assign(&mut self, target: &Expr, op: Option<AssignOp>, value: &Expr, span: Span) {
        let mark = self.mark();
        if let ExprKind::Name(name) = &target.kind
            && self.find(name).is_none()
        {
            self.assign_unknown(name, op.is_none(), value, target.span);
            return;
        }
        if op.is_none()
            && let ExprKind::Name(name) = &target.kind
            && let Some(Meaning::Local { register, is_cell: false, constant: false }) = self.find(name)
        {
            // A variable's own register is written only once the value is whole.
            if let ExprKind::Binary(op, left, right) = &value.kind {
                self.binary(*op, left, right, register, true, value.span);
            } else if mentions(value, name) {
                let temporary = self.operand(value);
                self.emit(Op::Move, register, temporary, 0, 0, span);
            } else {
                self.expr_into(value, register);
            }
            self.release(mark);
            return;
        }
        let place = self.place(target);
        match op {
            None => {
                let register = self.operand(value);
                self.store(&place, register, target.span, span);
            }
            Some(AssignOp::Binary(op)) => {
                let old = self.temporary(span);
                self.load(&place, old, target.span);
                if let (Some(op), ExprKind::Number(number)) = (constant_form(op), &value.kind) {
                    let constant = self.constant(Constant::Number(*number));
                    self.emit(op, old, old, 0, constant, span);
                } else {
                    let right = self.operand(value);
                    self.emit(arithmetic(op), old, old, right, 0, span);
                }
                self.store(&place, old, target.span, span);
            }
            Some(AssignOp::OrNil) => {
                let old = self.temporary(span);
                self.load(&place, old, target.span);
                let done = self.emit(Op::JumpIfSome, old, 0, 0, 0, span);
                self.expr_into(value, old);
                self.store(&place, old, target.span, span);
                self.patch(done);
            }
        }
        self.release(mark);
    }

    /// A component of a constant that surely is a vector: the constant would have to change.
    fn check_constant_vector(&mut self, object: &Expr, field: &str, span: Span) {
        let ExprKind::Name(name) = &object.kind else { return };
        if is_component(field) && self.constant_vectors.contains(name) && self.is_constant(name) {
            self.error(
                Diagnostic::error(
                    "E204",
                    span,
                    format!("`{name}` is a `const`, and `.{field}` is part of it"),
                )
                .hint("declare it with `let` if it changes"),
            );
        }
    }

    fn is_constant(&mut self, name: &str) -> bool {
        match self.find(name) {
            Some(Meaning::Local { constant, .. } | Meaning::Capture { constant, .. }) => constant,
            Some(Meaning::Global { kind, .. }) => kind == GlobalKind::Const,
            _ => false,
        }
    }

    /// A name that nothing declares is set: it was forgotten to declare it, or it is misspelt.
    fn assign_unknown(&mut self, name: &str, is_plain: bool, value: &Expr, span: Span) {
        let register = self.temporary(span);
        self.expr_into(value, register);
        self.release(u16::from(register) + 1);
        self.unknown_name(name, span);
        let Some(found) = self.diagnostics.last_mut() else { return };
        if is_plain && found.fix.is_none() {
            let start = Span::new(span.start, span.start);
            found.hint = Some(format!("declare it with `let {name} = …`"));
            found.fix = Some(crate::diagnostic::Fix { span: start, text: "let ".to_owned() });
            // Known from here on, so that each use of it is not one more error.
            self.declare_local(name, span, register, false);
        }
    }

    fn place(&mut self, target: &Expr) -> Place {
        match &target.kind {
            ExprKind::Name(name) => Place::Name(name.clone()),
            ExprKind::Field(object, field, _, _) => {
                if let ExprKind::Name(owner) = &object.kind
                    && matches!(self.find(owner), Some(Meaning::Module(_) | Meaning::Area))
                {
                    self.error(
                        Diagnostic::error(
                            "E204",
                            target.span,
                            format!("`{owner}.{field}` can only be read from here"),
                        )
                        .hint("give the module a function that sets it"),
                    );
                    return Place::Broken;
                }
                // What the object came from, in case it turns out to be a vector.
                self.check_constant_vector(object, field, target.span);
                let owner = match &object.kind {
                    ExprKind::Name(_) => Some(Place::Name(object.span.text(self.source).to_owned())),
                    ExprKind::Field(_, _, _, false) | ExprKind::Index(_, _, false) => {
                        Some(self.place(object))
                    }
                    _ => None,
                };
                // A variable of the function itself stays where it is: no expression can set it meanwhile, and a vector in
                // it is changed in place. A constant must not be.
                if let ExprKind::Name(name) = &object.kind
                    && let Some(Meaning::Local { register, is_cell: false, constant: false }) =
                        self.find(name)
                {
                    return Place::Field {
                        object: register,
                        name: field.clone(),
                        owner: owner.map(Box::new),
                        object_span: object.span,
                    };
                }
                let register = self.temporary(object.span);
                match &owner {
                    Some(owner @ (Place::Field { .. } | Place::Index { .. })) => {
                        self.load(owner, register, object.span)
                    }
                    _ => self.expr_into(object, register),
                }
                Place::Field {
                    object: register,
                    name: field.clone(),
                    owner: owner.map(Box::new),
                    object_span: object.span,
                }
            }
            ExprKind::Index(object, index, _) => {
                let object_register = self.operand(object);
                let index_register = self.operand(index);
                Place::Index { object: object_register, index: index_register }
            }
            _ => Place::Broken,
        }
    }

    fn load(&mut self, place: &Place, to: u8, span: Span) {
        match place {
            Place::Name(name) => {
                let expr = Expr { kind: ExprKind::Name(name.clone()), span };
                self.expr_into(&expr, to);
            }
            Place::Field { object, name, object_span, .. } => {
                let name = self.site(name);
                self.emit(Op::GetField, to, *object, 0, name, *object_span);
            }
            Place::Index { object, index } => {
                self.emit(Op::GetIndex, to, *object, *index, 0, span);
            }
            Place::Broken => {}
        }
    }

    fn store(&mut self, place: &Place, from: u8, target: Span, span: Span) {
        match place {
            Place::Name(name) => self.store_name(name, from, target, span),
            Place::Index { object, index } => {
                self.emit(Op::SetIndex, *object, *index, from, 0, span);
            }
            Place::Field { object, name, owner, object_span } => {
                let name_index = self.site(name);
                match owner {
                    // Components of vectors alone are changed through their place.
                    Some(owner) if is_component(name) => {
                        let at = self.emit(Op::SetFieldThrough, *object, from, 0, name_index, *object_span);
                        self.store_owner(owner, *object, target, span);
                        let skipped = self.here() - at as i32 - 1;
                        if let Some(instruction) = self.state().code.get_mut(at) {
                            instruction.c = skipped.clamp(0, 255) as u8;
                        }
                    }
                    _ => {
                        self.emit(Op::SetField, *object, from, 0, name_index, *object_span);
                    }
                }
            }
            Place::Broken => {}
        }
    }

    /// Writes a changed vector back; a constant that held it is no error unless it really was a vector.
    fn store_owner(&mut self, owner: &Place, from: u8, target: Span, span: Span) {
        if let Place::Name(name) = owner {
            let writable = match self.find(name) {
                Some(Meaning::Local { constant, .. } | Meaning::Capture { constant, .. }) => !constant,
                Some(Meaning::Global { kind, .. }) => kind != GlobalKind::Const,
                _ => false,
            };
            if !writable {
                return;
            }
        }
        self.store(owner, from, target, span);
    }

    fn store_name(&mut self, name: &str, from: u8, target: Span, span: Span) {
        let meaning = self.lookup(name, target);
        let constant = match &meaning {
            Meaning::Local { constant, .. } | Meaning::Capture { constant, .. } => *constant,
            Meaning::Global { kind, .. } => *kind == GlobalKind::Const,
            Meaning::Unknown => return,
            _ => {
                self.error(
                    Diagnostic::error(
                        "E204",
                        target,
                        format!("`{name}` is built in or a function and cannot be set"),
                    )
                    .hint("use a variable of another name"),
                );
                return;
            }
        };
        if constant {
            self.error(
                Diagnostic::error("E204", target, format!("`{name}` is a `const` and cannot be set"))
                    .hint("declare it with `let` if it changes"),
            );
        }
        match meaning {
            Meaning::Local { register, is_cell: true, .. } => {
                self.emit(Op::SetCell, register, from, 0, 0, span);
            }
            Meaning::Local { register, .. } if register != from => {
                self.emit(Op::Move, register, from, 0, 0, span);
            }
            Meaning::Capture { index, .. } => {
                self.emit(Op::SetCapture, from, 0, 0, i32::from(index), span);
            }
            Meaning::Global { index, .. } => {
                self.emit(Op::SetGlobal, from, 0, 0, index as i32, span);
            }
            _ => {}
        }
    }
}

fn is_component(name: &str) -> bool {
    matches!(name, "x" | "y" | "z" | "w" | "r" | "g" | "b" | "a")
}

/// The instruction that does the same with a constant on the right, if there is one.
pub(super) fn constant_form(op: BinaryOp) -> Option<Op> {
    Some(match op {
        BinaryOp::Add => Op::AddK,
        BinaryOp::Sub => Op::SubK,
        BinaryOp::Mul => Op::MulK,
        BinaryOp::Div => Op::DivK,
        _ => return None,
    })
}

fn arithmetic(op: BinaryOp) -> Op {
    match op {
        BinaryOp::Sub => Op::Sub,
        BinaryOp::Mul => Op::Mul,
        BinaryOp::Div => Op::Div,
        BinaryOp::FloorDiv => Op::FloorDiv,
        BinaryOp::Mod => Op::Mod,
        BinaryOp::Pow => Op::Pow,
        _ => Op::Add,
    }
}

/// Whether a value could read the variable while it is being computed. Calls cannot: the variable lives in a
/// register that only this function sees.
fn mentions(expr: &Expr, name: &str) -> bool {
    !matches!(
        &expr.kind,
        ExprKind::Number(_) | ExprKind::Text(_) | ExprKind::Nil | ExprKind::Bool(_) | ExprKind::Color(_)
    ) && !matches!(&expr.kind, ExprKind::Name(other) if other != name)
}
