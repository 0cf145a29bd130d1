//! Functions that were meant to be handlers: `fn update(dt)` is not run by anybody.

use std::collections::BTreeSet;

use crate::ast::{Expr, ExprKind, File, ItemDecl, StmtKind};
use crate::diagnostic::Diagnostic;
use crate::environment::{Environment, Kind};
use crate::span::Span;
use crate::walk::{Visit, walk_expr, walk_file};

/// Functions at the top of an entity's script that are named like a handler of the host and that the file never names.
pub(super) fn unheard(file: &File, kind: Kind, environment: &Environment) -> Vec<Diagnostic> {
    if kind != Kind::Entity {
        return Vec::new();
    }
    let mut named = Named::default();
    walk_file(&mut named, file);
    let mut found = Vec::new();
    for item in &file.items {
        let ItemDecl::Statement(statement) = item else { continue };
        let StmtKind::Function(function) = &statement.kind else { continue };
        let name = function.name.as_str();
        if named.0.contains(name) || !environment.handlers.iter().any(|known| known.name == name) {
            continue;
        }
        let head = Span::new(statement.span.start, function.name_span.end);
        found.push(
            Diagnostic::warning("W311", head, format!("nothing calls the function `{name}`"))
                .hint(format!("handlers start with `on`: write `on {name}`"))
                .fix(format!("on {name}")),
        );
    }
    found
}

#[derive(Default)]
struct Named<'a>(BTreeSet<&'a str>);

impl<'a> Visit<'a> for Named<'a> {
    fn expr(&mut self, expr: &'a Expr) {
        if let ExprKind::Name(name) = &expr.kind {
            self.0.insert(name);
        }
        walk_expr(self, expr);
    }
}
