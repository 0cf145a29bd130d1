//! Keys that a record never has.

use super::Lint;
use crate::ast::{Expr, ExprKind, Field, File, ItemDecl, StmtKind};
use crate::diagnostic::Diagnostic;
use crate::environment::Kind;
use crate::span::Span;

/// What a tool is given: the name of its parameter and the keys that a schema allows.
#[derive(Debug, Default)]
pub(super) struct Arguments<'b> {
    name: String,
    keys: Option<&'b [String]>,
}

impl<'b> Arguments<'b> {
    pub(super) fn of(file: &File, kind: Kind, keys: Option<&'b [String]>) -> Self {
        let name = file.items.iter().find_map(|item| match item {
            ItemDecl::Statement(statement) => match &statement.kind {
                StmtKind::Function(function) if function.name == "run" => {
                    function.params.first().map(|param| param.name.clone())
                }
                _ => None,
            },
            _ => None,
        });
        match name {
            Some(name) if kind == Kind::Tool => Self { name, keys },
            _ => Self::default(),
        }
    }
}

impl Lint<'_, '_> {
    /// Warns of a key that the record of a name never has.
    pub(super) fn check_key(&mut self, expr: &Expr) {
        let (object, key, span) = match &expr.kind {
            ExprKind::Field(object, key, span, _) => (object, key, *span),
            ExprKind::Index(object, index, _) => match &index.kind {
                ExprKind::Text(key) => (object, key, index.span),
                _ => return,
            },
            _ => return,
        };
        let ExprKind::Name(name) = &object.kind else { return };
        let Some(keys) = self.keys(name) else { return };
        let is_built_in = key == "length" || crate::library::method("record", key).is_some();
        if keys.contains(&key.as_str()) || is_built_in || self.facts.may_gain(name, key) {
            return;
        }
        let near = base::suggest::nearest(key, keys.iter().copied());
        let listed = base::suggest::list(keys.iter().copied(), 30);
        let diagnostic = Diagnostic::warning("W301", span, format!("`{name}` never has `{key}`"));
        let is_field = matches!(expr.kind, ExprKind::Field(..));
        let found = match near.first() {
            Some(first) => {
                let hint = format!("did you mean `{name}.{first}`?");
                let fix = if is_field { first.clone() } else { format!("\"{first}\"") };
                diagnostic.hint(hint).fix_at(Span::new(span.start, span.end), fix)
            }
            None if keys.is_empty() => diagnostic.hint(format!("set it first: `{name}.{key} = …`")),
            None => diagnostic.hint(format!("it has {listed}")),
        };
        self.found.push(found);
    }

    /// Every key of the record that a name stands for, where all are known.
    fn keys(&self, name: &str) -> Option<Vec<&str>> {
        if self.arguments.name == name {
            return self.arguments.keys.map(|keys| keys.iter().map(String::as_str).collect());
        }
        let ExprKind::Record(fields) = &self.facts.value(name)?.kind else { return None };
        fields
            .iter()
            .map(|field| match field {
                Field::Named(name, _) => Some(name.as_str()),
                _ => None,
            })
            .collect()
    }
}
