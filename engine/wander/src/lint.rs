//! Warnings about programs that run and do not do what they seem to. Each is certain from the file alone.

mod conditions;
mod events;
mod facts;
mod handlers;
mod lists;
mod records;

use crate::ast::{BinaryOp, Expr, ExprKind, File, Function, Stmt, StmtKind};
use crate::diagnostic::Diagnostic;
use crate::environment::{Environment, Kind};
use crate::walk::{Visit, walk_expr, walk_file, walk_function, walk_statement};
pub(crate) use events::Events;
use facts::Facts;

/// What a file without errors is warned of, and its part in the events of its project. `arguments` are the keys that a
/// tool is given, where they are known.
pub(crate) fn lint(
    file: &File,
    kind: Kind,
    source: &str,
    environment: &Environment,
    arguments: Option<&[String]>,
) -> (Vec<Diagnostic>, Events) {
    let facts = Facts::of(file);
    let arguments = records::Arguments::of(file, kind, arguments);
    let mut lint = Lint { facts: &facts, source, environment, arguments, found: Vec::new(), tries: 0 };
    walk_file(&mut lint, file);
    lint.found.extend(handlers::unheard(file, kind, environment));
    (lint.found, Events::of(file, &facts, environment))
}

struct Lint<'a, 'b> {
    facts: &'b Facts<'a>,
    source: &'b str,
    environment: &'b Environment,
    arguments: records::Arguments<'b>,
    found: Vec<Diagnostic>,
    /// `try`s around this point: what fails there is foreseen.
    tries: u32,
}

impl Lint<'_, '_> {
    fn text(&self, expr: &Expr) -> &str {
        expr.span.text(self.source)
    }
}

impl<'a> Visit<'a> for Lint<'a, '_> {
    fn function(&mut self, function: &'a Function) {
        walk_function(self, function);
    }

    fn statement(&mut self, statement: &'a Stmt) {
        if let StmtKind::Try(body, _, rescue) = &statement.kind {
            self.tries += 1;
            self.block(body);
            self.tries -= 1;
            self.block(rescue);
            return;
        }
        walk_statement(self, statement);
    }

    fn condition(&mut self, expr: &'a Expr) {
        self.check_condition(expr, None);
        self.expr(expr);
    }

    fn expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), left, right) => {
                self.check_component(expr, *op, left, right);
                walk_expr(self, expr);
            }
            ExprKind::Field(..) | ExprKind::Index(..) => {
                self.check_key(expr);
                match self.check_list(expr) {
                    // What is inside was told of together with what is around it.
                    Some(inside) => self.expr(inside),
                    None => walk_expr(self, expr),
                }
            }
            _ => walk_expr(self, expr),
        }
    }
}
