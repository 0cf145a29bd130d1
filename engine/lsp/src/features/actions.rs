//! Mends that the compiler is sure of.

use lsp_types::{CodeAction, CodeActionKind, CodeActionOrCommand, TextEdit, WorkspaceEdit};
use wander::span::Span;

use crate::findings::{self, Pages};
use crate::workspace::{Folder, Script};

/// Findings that are looked at: nobody chooses from more.
const MOST_LOOKED_AT: usize = 500;

/// A quick fix for every finding in a part of a script that has one.
pub(crate) fn actions(
    folder: &Folder<'_>,
    script: &Script,
    pages: &Pages,
    wanted: Span,
) -> Vec<CodeActionOrCommand> {
    let Some(uri) = folder.uri(&script.path) else { return Vec::new() };
    let found = findings::check(folder, script).remove(&script.path).unwrap_or_default();
    let touched = found.iter().filter(|one| one.span.start <= wanted.end && wanted.start <= one.span.end);
    let mut actions = Vec::new();
    for one in touched.take(MOST_LOOKED_AT) {
        let Some(fix) = &one.fix else { continue };
        let range = script.text.range(fix.span, folder.workspace.encoding);
        let old = fix.span.text(script.source());
        let title = match (old, fix.text.trim()) {
            ("", new) => format!("Insert `{new}`"),
            (old, new) => format!("Write `{new}` instead of `{old}`"),
        };
        let edit = TextEdit::new(range, fix.text.clone());
        actions.push(CodeActionOrCommand::CodeAction(CodeAction {
            title,
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![findings::to_editor(folder, script, pages, one)]),
            edit: Some(WorkspaceEdit::new([(uri.clone(), vec![edit])].into())),
            is_preferred: Some(true),
            ..CodeAction::default()
        }));
    }
    actions
}
