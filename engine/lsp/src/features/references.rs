//! Everywhere that something is used.

use lsp_types::Location;
use wander::index::DefinitionKind;
use wander::span::Span;

use crate::meaning::{self, Meaning};
use crate::values;
use crate::workspace::{Folder, Script};

pub(crate) fn references(
    folder: &Folder<'_>,
    script: &Script,
    offset: u32,
    with_declaration: bool,
) -> Vec<Location> {
    let Some(found) = meaning::at(folder, script, offset) else { return Vec::new() };
    let places = match found.meaning {
        Meaning::Definition(path, number) => {
            let Some(owner) = folder.script(&path) else { return Vec::new() };
            let mut places = of_definition(folder, &owner, number);
            if with_declaration && let Some(known) = owner.index.definitions.get(number) {
                places.push((owner.clone(), known.span));
            }
            places
        }
        Meaning::Event(name) => of_event(folder, &name, with_declaration),
        Meaning::EntityMember(name) if !meaning::is_of_host(folder, &name) => {
            let mut places = members(folder, &name);
            for (owner, number) in meaning::entity_definitions(folder, &name) {
                places.extend(in_script(&owner, number));
                if with_declaration && let Some(known) = owner.index.definitions.get(number) {
                    places.push((owner.clone(), known.span));
                }
            }
            places
        }
        other => in_all(folder, &other),
    };
    let mut places: Vec<(Script, Span)> = places;
    places.sort_by(|a, b| (&a.0.path, a.1.start).cmp(&(&b.0.path, b.1.start)));
    places.dedup_by(|a, b| a.0.path == b.0.path && a.1 == b.1);
    places.into_iter().filter_map(|(script, span)| folder.location(&script, span)).collect()
}

fn in_script(script: &Script, number: usize) -> Vec<(Script, Span)> {
    script.index.uses(number).map(|used| (script.clone(), used.span)).collect()
}

/// Uses of a definition: by name, as `self.name`, as `module.name` and as `e.name`.
fn of_definition(folder: &Folder<'_>, owner: &Script, number: usize) -> Vec<(Script, Span)> {
    let mut places = in_script(owner, number);
    let Some(known) = owner.index.definitions.get(number) else { return places };
    if !known.is_public() {
        return places;
    }
    if values::has_self(folder, owner) {
        let own = |member: &&wander::index::Member| !meaning::is_of_host(folder, &member.name);
        let own = owner.index.uses_of_self(&known.name).filter(own);
        places.extend(own.map(|member| (owner.clone(), member.span)));
        let others = members(folder, &known.name).into_iter();
        places.extend(others.filter(|(script, _)| script.path != owner.path));
    } else {
        places.extend(in_users(folder, owner, &known.name));
    }
    places
}

/// Uses of something of a module in the scripts that use the module.
pub(crate) fn in_users(folder: &Folder<'_>, module: &Script, name: &str) -> Vec<(Script, Span)> {
    let mut places = Vec::new();
    for script in folder.scripts() {
        for (number, known) in script.index.definitions.iter().enumerate() {
            let Some((path, _)) = known.path.as_ref().filter(|_| known.kind == DefinitionKind::Module) else {
                continue;
            };
            if folder.find_path(path).as_deref() == Some(module.path.as_str()) {
                let uses = script.index.uses_of_module(number, name);
                places.extend(uses.map(|member| (script.clone(), member.span)));
            }
        }
    }
    places
}

/// Every `e.name` whose `e` may be an entity.
pub(crate) fn members(folder: &Folder<'_>, name: &str) -> Vec<(Script, Span)> {
    let mut places = Vec::new();
    for script in folder.scripts() {
        for member in script.index.members.iter().filter(|member| member.name == name) {
            let meaning = meaning::of_member(folder, &script, &member.owner, name);
            if matches!(meaning, Meaning::EntityMember(_)) {
                places.push((script.clone(), member.span));
            }
        }
    }
    places
}

fn of_event(folder: &Folder<'_>, name: &str, with_declaration: bool) -> Vec<(Script, Span)> {
    let mut places = Vec::new();
    for script in folder.scripts() {
        let uses = script.index.events.iter().filter(|event| event.name == name);
        places.extend(uses.map(|event| (script.clone(), event.span)));
    }
    if with_declaration {
        places.extend(meaning::handlers(folder, name));
    }
    places
}

/// Every place that means the same as something that no script declares.
fn in_all(folder: &Folder<'_>, wanted: &Meaning) -> Vec<(Script, Span)> {
    let mut places = Vec::new();
    if matches!(wanted, Meaning::Unknown(_) | Meaning::ValueMember(None, _)) {
        return places;
    }
    for script in folder.scripts() {
        let names = script.index.references.iter().map(|reference| reference.span);
        let members = script.index.members.iter().map(|member| member.span);
        let paths = script.index.definitions.iter().filter_map(|known| known.path.as_ref());
        let text = match wanted {
            Meaning::Free(name)
            | Meaning::Area(name)
            | Meaning::AreaMember(_, name)
            | Meaning::ValueMember(_, name)
            | Meaning::EntityMember(name)
            | Meaning::ModulePath(name) => name.as_str(),
            _ => return places,
        };
        for span in names.chain(members).chain(paths.map(|(_, span)| *span)) {
            // Asking what something means takes time: only for what is written the same.
            if !span.text(script.source()).contains(text) {
                continue;
            }
            if meaning::at(folder, &script, span.end).is_some_and(|found| found.meaning == *wanted) {
                places.push((script.clone(), span));
            }
        }
    }
    places
}
