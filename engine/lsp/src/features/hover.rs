//! What a name is, with its docs.

use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind};
use wander::index::{Definition, DefinitionKind, Index};

use crate::known::{self, Entry};
use crate::meaning::{self, Meaning};
use crate::workspace::{Folder, Script};

pub(crate) fn hover(folder: &Folder<'_>, script: &Script, offset: u32) -> Option<Hover> {
    let found = meaning::at(folder, script, offset)?;
    let (code, doc) = told(folder, &found.meaning)?;
    let value = if doc.is_empty() {
        format!("```wander\n{code}\n```")
    } else {
        format!("```wander\n{code}\n```\n\n{doc}")
    };
    Some(Hover {
        contents: HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value }),
        range: Some(script.text.range(found.span, folder.workspace.encoding)),
    })
}

/// The code and the doc of a meaning; nothing where nothing is known.
fn told(folder: &Folder<'_>, meaning: &Meaning) -> Option<(String, String)> {
    let environment = folder.environment();
    let one = |entries: Vec<Entry>, name: &str| entries.into_iter().find(|entry| entry.name == name);
    let entry = |entry: Entry| (entry.signature, entry.doc);
    match meaning {
        Meaning::Definition(path, number) => {
            let script = folder.script(path)?;
            let known = script.index.definitions.get(*number)?;
            Some((code_of(&script, known), known.doc.clone()))
        }
        Meaning::Free(name) => one(known::free(environment), name).map(entry),
        Meaning::Area(name) => {
            let names: Vec<&str> = known::area(environment, name).iter().map(|entry| entry.name).collect();
            Some((name.clone(), names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" ")))
        }
        Meaning::AreaMember(area, name) => one(known::area(environment, area), name).map(entry),
        Meaning::ValueMember(Some(receiver), name) => one(known::of_value(receiver), name).map(entry),
        Meaning::ValueMember(None, name) => {
            // Every kind of value that has it.
            let all: Vec<Entry> =
                known::RECEIVERS.iter().filter_map(|receiver| one(known::of_value(receiver), name)).collect();
            let code: Vec<&str> = all.iter().map(|entry| entry.signature.as_str()).collect();
            let mut docs: Vec<&str> = all.iter().map(|entry| entry.doc.as_str()).collect();
            docs.dedup();
            (!all.is_empty()).then(|| (code.join("\n"), docs.join("; ")))
        }
        Meaning::EntityMember(name) => {
            if let Some(found) = one(known::of_entity(environment), name) {
                return Some(entry(found));
            }
            let all: Vec<(Script, usize)> = meaning::entity_definitions(folder, name).collect();
            let lines = all.iter().filter_map(|(script, number)| {
                let known = script.index.definitions.get(*number)?;
                let doc = if known.doc.is_empty() { String::new() } else { format!(" — {}", known.doc) };
                Some((code_of(script, known), format!("`{}`{doc}", script.path)))
            });
            let (code, docs): (Vec<String>, Vec<String>) = lines.unzip();
            (!code.is_empty()).then(|| (code.join("\n"), docs.join("\n\n")))
        }
        Meaning::ModulePath(name) => {
            let path = folder.find_path(name)?;
            let script = folder.script(&path)?;
            let public = script.index.definitions.iter().filter(|known| known.is_public());
            let names: Vec<String> = public.map(|known| format!("`{}`", known.name)).collect();
            Some((format!("use \"{name}\""), format!("`{path}`\n\n{}", names.join(" "))))
        }
        Meaning::Event(name) => Some(event(folder, name)),
        Meaning::Unknown(_) => None,
    }
}

fn event(folder: &Folder<'_>, name: &str) -> (String, String) {
    if let Some((code, doc)) = known::handler(folder.environment(), name) {
        return (code, doc.to_owned());
    }
    let handled = meaning::handlers(folder, name).count();
    let sent: usize = folder
        .scripts()
        .iter()
        .map(|script| script.index.events.iter().filter(|event| event.name == name).count())
        .sum();
    let times = |count: usize| if count == 1 { "1 place".to_owned() } else { format!("{count} places") };
    (format!("on {name}(data)"), format!("an event: sent in {}, handled in {}", times(sent), times(handled)))
}

/// A declaration as it would be written on one line.
pub(crate) fn code_of(script: &Script, known: &Definition) -> String {
    let name = &known.name;
    let source = script.source();
    match known.kind {
        DefinitionKind::Function | DefinitionKind::Handler => {
            let word = if known.kind == DefinitionKind::Handler { "on" } else { "fn" };
            format!("{word} {name}({})", parameters(&script.index, source, known).join(", "))
        }
        DefinitionKind::Parameter => known.whole.text(source).to_owned(),
        DefinitionKind::Loop => format!("for {name}"),
        DefinitionKind::Caught => format!("catch {name}"),
        DefinitionKind::Module => format!("use \"{}\"", known.path.as_ref().map_or("", |(path, _)| path)),
        DefinitionKind::Prop | DefinitionKind::Const | DefinitionKind::Let => {
            let text = known.whole.text(source);
            let line = text.lines().next().unwrap_or_default().trim_end();
            if line.len() == text.trim_end().len() { line.to_owned() } else { format!("{line} …") }
        }
    }
}

/// The parameters of a function as they are written, defaults included.
pub(crate) fn parameters(index: &Index, source: &str, known: &Definition) -> Vec<String> {
    let parameters = known.parameters.iter().filter_map(|number| index.definitions.get(*number));
    parameters.map(|parameter| parameter.whole.text(source).to_owned()).collect()
}
