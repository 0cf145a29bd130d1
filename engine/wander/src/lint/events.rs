//! Events: which a file raises, and which it waits for.

use std::collections::BTreeSet;

use super::facts::Facts;
use crate::ast::{Expr, ExprKind, File, ItemDecl};
use crate::diagnostic::Diagnostic;
use crate::environment::Environment;
use crate::span::Span;
use crate::walk::{Visit, walk_expr, walk_file};

/// A file's part in the events of its project.
#[derive(Debug, Clone, Default)]
pub(crate) struct Events {
    /// Handlers of events that are not the host's own.
    handled: Vec<(String, Span)>,
    /// Events that the file raises.
    raised: BTreeSet<String>,
    /// It raises events whose names are computed.
    raises_any: bool,
}

impl Events {
    pub(super) fn of(file: &File, facts: &Facts<'_>, environment: &Environment) -> Self {
        let mut events = Self::default();
        for item in &file.items {
            if let ItemDecl::Handler(function) = item
                && !environment.handlers.iter().any(|known| known.name == function.name)
            {
                events.handled.push((function.name.clone(), function.name_span));
            }
        }
        walk_file(&mut Raised { events: &mut events, facts }, file);
        events
    }

    /// Handlers of this file whose event no file of the project raises.
    pub(crate) fn unheard<'a>(&'a self, project: &'a [&Self]) -> impl Iterator<Item = Diagnostic> + 'a {
        let raises_any = project.iter().any(|events| events.raises_any);
        let is_raised = |name: &str| project.iter().any(|events| events.raised.contains(name));
        let names: BTreeSet<&str> =
            project.iter().flat_map(|events| events.raised.iter().map(String::as_str)).collect();
        self.handled.iter().filter(move |(name, _)| !raises_any && !is_raised(name)).map(
            move |(name, span)| {
                let diagnostic =
                    Diagnostic::warning("W310", *span, format!("no script raises the event `{name}`"));
                match base::suggest::nearest(name, names.iter().copied()).as_slice() {
                [first, ..] => diagnostic.hint(format!("did you mean `{first}`?")).fix(first.clone()),
                [] => diagnostic.hint(format!(
                    "raise it with `emit(\"{name}\")` or `send(entity, \"{name}\")`, or take the handler out"
                )),
            }
            },
        )
    }
}

struct Raised<'f, 'b> {
    events: &'b mut Events,
    facts: &'b Facts<'f>,
}

impl<'a> Visit<'a> for Raised<'_, '_> {
    fn expr(&mut self, expr: &'a Expr) {
        if let ExprKind::Call(callee, args) = &expr.kind
            && let ExprKind::Name(name) = &callee.kind
        {
            let event = match name.as_str() {
                "emit" => args.first(),
                "send" => args.get(1),
                _ => None,
            };
            let kind = event.map(|event| match &event.kind {
                ExprKind::Name(name) => self.facts.value(name).map_or(&event.kind, |value| &value.kind),
                kind => kind,
            });
            match kind {
                Some(ExprKind::Text(name)) => {
                    self.events.raised.insert(name.clone());
                }
                Some(_) => self.events.raises_any = true,
                None => {}
            }
        }
        walk_expr(self, expr);
    }
}
