//! What a file shows of its names: the value of those that are set once, and what is done with them. A name that is
//! declared at two places, or set again, says nothing: what is found here is certain.

use std::collections::{BTreeMap, BTreeSet};

use crate::ast::{BinaryOp, Expr, ExprKind, Field, File, Function, ItemDecl, Piece, Stmt, StmtKind};
use crate::walk::{Visit, walk_expr, walk_file, walk_function, walk_statement};

/// Functions that keep nothing of what they are given and change none of it.
const READERS: &[&str] = &["print", "log", "warn", "text", "type", "copy", "deep_copy", "assert", "error"];

/// What is known of the names of a file.
#[derive(Debug, Default)]
pub(super) struct Facts<'a> {
    /// The only value of a name; nothing where it may have another.
    values: BTreeMap<&'a str, Option<&'a Expr>>,
    /// Functions of the file.
    functions: BTreeSet<&'a str>,
    /// Names of fields that are set somewhere, of whatever.
    set: BTreeSet<&'a str>,
    /// Some element is set whose key is computed.
    sets_any: bool,
    /// Names of fields that records are made with.
    made: BTreeSet<&'a str>,
    /// Names whose value is handed on, so that others may change it.
    handed_on: BTreeSet<&'a str>,
    /// Names that some condition asks about, or that are filled.
    tested: BTreeSet<&'a str>,
}

impl<'a> Facts<'a> {
    pub(super) fn of(file: &'a File) -> Self {
        let mut facts = Self::default();
        for item in &file.items {
            match item {
                ItemDecl::Use { name, .. } | ItemDecl::Prop { name, .. } => facts.bind(name, None),
                _ => {}
            }
        }
        walk_file(&mut facts, file);
        facts
    }

    fn bind(&mut self, name: &'a str, value: Option<&'a Expr>) {
        self.values.entry(name).and_modify(|known| *known = None).or_insert(value);
    }

    /// The value that a name always has.
    pub(super) fn value(&self, name: &str) -> Option<&'a Expr> {
        self.values.get(name).copied().flatten()
    }

    /// Whether a name is a function of the file and nothing else.
    pub(super) fn is_function(&self, name: &str) -> bool {
        self.functions.contains(name) && !self.values.contains_key(name)
    }

    /// Whether a record of the file may have a field of this name.
    pub(super) fn is_field(&self, name: &str) -> bool {
        self.made.contains(name) || self.set.contains(name) || self.sets_any
    }

    /// Whether something may give the record of this name a field.
    pub(super) fn may_gain(&self, name: &str, field: &str) -> bool {
        self.sets_any || self.set.contains(field) || self.handed_on.contains(name)
    }

    /// Whether a condition asks about the name.
    pub(super) fn is_tested(&self, name: &str) -> bool {
        self.tested.contains(name)
    }

    fn test(&mut self, expr: &'a Expr) {
        let mut names = Names::default();
        names.expr(expr);
        self.tested.extend(names.found);
    }

    /// Looks at a value that stays where it is, as the operand of a comparison.
    fn look(&mut self, expr: &'a Expr) {
        if !matches!(expr.kind, ExprKind::Name(_)) {
            self.expr(expr);
        }
    }

    fn set_place(&mut self, place: &'a Expr) {
        match &place.kind {
            ExprKind::Name(name) => self.bind(name, None),
            ExprKind::Field(_, name, ..) => {
                self.set.insert(name);
            }
            ExprKind::Index(_, index, _) => match &index.kind {
                ExprKind::Text(name) => {
                    self.set.insert(name);
                }
                ExprKind::Number(_) => {}
                _ => self.sets_any = true,
            },
            _ => {}
        }
    }

    fn call(&mut self, callee: &'a Expr, args: &'a [Expr]) {
        if let ExprKind::Field(object, method, ..) = &callee.kind
            && let ExprKind::Name(name) = &object.kind
            && matches!(method.as_str(), "push" | "insert" | "merge" | "set" | "remove")
        {
            // A list that is filled, a record that is changed.
            self.tested.insert(name);
            self.handed_on.insert(name);
        }
        let reads = matches!(&callee.kind, ExprKind::Name(name) if READERS.contains(&name.as_str()));
        if matches!(&callee.kind, ExprKind::Name(name) if name == "assert") {
            args.iter().for_each(|arg| self.test(arg));
        }
        if !matches!(callee.kind, ExprKind::Name(_)) {
            self.expr(callee);
        }
        for arg in args {
            if reads { self.look(arg) } else { self.expr(arg) }
        }
    }
}

impl<'a> Visit<'a> for Facts<'a> {
    fn function(&mut self, function: &'a Function) {
        function.params.iter().for_each(|param| self.bind(&param.name, None));
        walk_function(self, function);
    }

    fn condition(&mut self, expr: &'a Expr) {
        self.test(expr);
        self.look(expr);
    }

    fn statement(&mut self, statement: &'a Stmt) {
        match &statement.kind {
            StmtKind::Let { name, value, .. } => self.bind(name, Some(value)),
            StmtKind::Assign(place, ..) => self.set_place(place),
            StmtKind::For(names, things, body) => {
                names.iter().for_each(|(name, _)| self.bind(name, None));
                self.look(things);
                self.block(body);
                return;
            }
            StmtKind::Try(_, Some((name, _)), _) => self.bind(name, None),
            StmtKind::Match(subject, ..) => self.test(subject),
            StmtKind::Function(function) => {
                self.functions.insert(&function.name);
            }
            StmtKind::Return(Some(value)) => {
                self.look(value);
                return;
            }
            _ => {}
        }
        walk_statement(self, statement);
    }

    fn expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Name(name) => {
                self.handed_on.insert(name);
            }
            ExprKind::Field(object, ..) => self.look(object),
            ExprKind::Index(object, index, _) => {
                self.look(object);
                self.expr(index);
            }
            ExprKind::Call(callee, args) => self.call(callee, args),
            ExprKind::Binary(
                BinaryOp::Eq
                | BinaryOp::Ne
                | BinaryOp::Lt
                | BinaryOp::Le
                | BinaryOp::Gt
                | BinaryOp::Ge
                | BinaryOp::In
                | BinaryOp::NotIn,
                left,
                right,
            ) => {
                self.look(left);
                self.look(right);
            }
            ExprKind::And(left, _) | ExprKind::Or(left, _) | ExprKind::OrNil(left, _) => {
                self.test(left);
                walk_expr(self, expr);
            }
            ExprKind::Format(pieces) => {
                for piece in pieces {
                    if let Piece::Value(value, _) = piece {
                        self.look(value);
                    }
                }
            }
            ExprKind::Record(fields) => {
                for field in fields {
                    match field {
                        Field::Named(name, value) => {
                            self.made.insert(name);
                            self.expr(value);
                        }
                        Field::Computed(key, value) => {
                            self.expr(key);
                            self.expr(value);
                        }
                        Field::Spread(value) => self.look(value),
                    }
                }
            }
            _ => walk_expr(self, expr),
        }
    }
}

/// Every name that an expression mentions.
#[derive(Default)]
struct Names<'a> {
    found: BTreeSet<&'a str>,
}

impl<'a> Visit<'a> for Names<'a> {
    fn expr(&mut self, expr: &'a Expr) {
        if let ExprKind::Name(name) = &expr.kind {
            self.found.insert(name);
        }
        walk_expr(self, expr);
    }
}
