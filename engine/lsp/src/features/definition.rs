//! Where something is declared.

use lsp_types::Location;
use wander::span::Span;

use crate::meaning::{self, Meaning};
use crate::workspace::{Folder, Script};

pub(crate) fn definition(folder: &Folder<'_>, script: &Script, offset: u32) -> Vec<Location> {
    let Some(found) = meaning::at(folder, script, offset) else { return Vec::new() };
    let locations = match found.meaning {
        Meaning::Definition(path, number) => {
            let Some(script) = folder.script(&path) else { return Vec::new() };
            let span = script.index.definitions.get(number).map(|known| known.span);
            vec![span.and_then(|span| folder.location(&script, span))]
        }
        Meaning::ModulePath(name) => {
            let module = folder.find_path(&name).and_then(|path| folder.script(&path));
            vec![module.and_then(|module| folder.location(&module, Span::default()))]
        }
        Meaning::EntityMember(name) if !meaning::is_of_host(folder, &name) => {
            meaning::entity_definitions(folder, &name)
                .map(|(script, number)| {
                    let span = script.index.definitions.get(number).map(|known| known.span);
                    span.and_then(|span| folder.location(&script, span))
                })
                .collect()
        }
        Meaning::Event(name) => {
            meaning::handlers(folder, &name).map(|(script, span)| folder.location(&script, span)).collect()
        }
        _ => Vec::new(),
    };
    locations.into_iter().flatten().collect()
}
