//! What a script declares, as an outline.

use lsp_types::{DocumentSymbol, SymbolKind};
use wander::index::{Definition, DefinitionKind};
use wander::span::Span;

use crate::features::hover::{code_of, parameters};
use crate::workspace::{Folder, Script};

/// What stands at the top, functions within functions under them.
pub(crate) fn symbols(folder: &Folder<'_>, script: &Script) -> Vec<DocumentSymbol> {
    let shown: Vec<&Definition> = script.index.definitions.iter().filter(|known| is_shown(known)).collect();
    let mut order: Vec<&Definition> = shown;
    order.sort_by_key(|known| (known.whole.start, std::cmp::Reverse(known.whole.end)));
    let mut roots: Vec<DocumentSymbol> = Vec::new();
    // The open functions around, outermost first, each with its end.
    let mut open: Vec<(u32, DocumentSymbol)> = Vec::new();
    for known in order {
        close(&mut open, &mut roots, known.whole.start);
        open.push((known.whole.end, symbol(folder, script, known)));
    }
    close(&mut open, &mut roots, u32::MAX);
    roots
}

/// Ends the symbols that end before this byte: each goes to the one around it.
fn close(open: &mut Vec<(u32, DocumentSymbol)>, roots: &mut Vec<DocumentSymbol>, start: u32) {
    while open.last().is_some_and(|(end, _)| *end <= start) {
        let Some((_, done)) = open.pop() else { return };
        match open.last_mut() {
            Some((_, around)) => around.children.get_or_insert_default().push(done),
            None => roots.push(done),
        }
    }
}

fn is_shown(known: &Definition) -> bool {
    known.is_top || known.kind == DefinitionKind::Function
}

#[expect(deprecated, reason = "the type has a field that is not used any more")]
fn symbol(folder: &Folder<'_>, script: &Script, known: &Definition) -> DocumentSymbol {
    let encoding = folder.workspace.encoding;
    let (kind, detail) = match known.kind {
        DefinitionKind::Function => (SymbolKind::FUNCTION, Some(signature(script, known))),
        DefinitionKind::Handler => (SymbolKind::EVENT, Some(signature(script, known))),
        DefinitionKind::Prop => (SymbolKind::PROPERTY, Some(code_of(script, known))),
        DefinitionKind::Const => (SymbolKind::CONSTANT, Some(code_of(script, known))),
        DefinitionKind::Module => (SymbolKind::MODULE, Some(code_of(script, known))),
        _ => (SymbolKind::VARIABLE, Some(code_of(script, known))),
    };
    let name =
        if known.kind == DefinitionKind::Handler { format!("on {}", known.name) } else { known.name.clone() };
    // Editors want the name within the whole.
    let whole = Span::new(known.whole.start.min(known.span.start), known.whole.end.max(known.span.end));
    DocumentSymbol {
        name,
        detail,
        kind,
        tags: None,
        deprecated: None,
        range: script.text.range(whole, encoding),
        selection_range: script.text.range(known.span, encoding),
        children: None,
    }
}

fn signature(script: &Script, known: &Definition) -> String {
    format!("({})", parameters(&script.index, script.source(), known).join(", "))
}
