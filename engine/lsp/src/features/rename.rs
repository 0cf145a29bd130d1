//! Another name for something, in every script that uses it; or the reason why not.

use std::collections::BTreeMap;

use lsp_types::{PrepareRenameResponse, TextEdit, Uri, WorkspaceEdit};
use wander::diagnostic::Fix;
use wander::index::{Definition, DefinitionKind, NoRename, check_name};
use wander::span::Span;

use crate::features::references;
use crate::meaning::{self, Meaning};
use crate::values;
use crate::workspace::{Folder, Script};

/// What could be renamed here.
struct Subject {
    span: Span,
    script: Script,
    number: usize,
}

impl Subject {
    fn definition(&self) -> Result<&Definition, NoRename> {
        self.script
            .index
            .definitions
            .get(self.number)
            .ok_or_else(|| refuse("there is nothing to rename here"))
    }
}

fn refuse(reason: impl Into<String>) -> NoRename {
    NoRename(reason.into())
}

fn subject(folder: &Folder<'_>, script: &Script, offset: u32) -> Result<Subject, NoRename> {
    let found =
        meaning::at(folder, script, offset).ok_or_else(|| refuse("there is nothing to rename here"))?;
    match found.meaning {
        Meaning::Definition(path, number) => {
            let script = folder.script(&path).ok_or_else(|| refuse("its file cannot be read"))?;
            Ok(Subject { span: found.span, script, number })
        }
        // The path of a module without `as` is where its name is declared.
        Meaning::ModulePath(path) => Err(refuse(format!(
            "`{path}` is the path of a file: rename the file, or give the module another name with `as`"
        ))),
        Meaning::Event(name) => Err(refuse(format!("`{name}` is an event, which is sent by that name"))),
        Meaning::EntityMember(name) if meaning::is_of_host(folder, &name) => {
            Err(refuse(format!("`{name}` is a property or method that all entities have")))
        }
        Meaning::EntityMember(name) => {
            Err(refuse(format!("`{name}` may be that of any entity: rename it where a script declares it")))
        }
        Meaning::Unknown(name) => Err(refuse(format!("nothing declares `{name}`"))),
        Meaning::Free(name)
        | Meaning::Area(name)
        | Meaning::AreaMember(_, name)
        | Meaning::ValueMember(_, name) => Err(refuse(format!("`{name}` belongs to the library"))),
    }
}

/// The place that a rename would begin with, and the name there.
pub(crate) fn prepare(
    folder: &Folder<'_>,
    script: &Script,
    offset: u32,
) -> Result<PrepareRenameResponse, NoRename> {
    let subject = subject(folder, script, offset)?;
    check_elsewhere(folder, &subject)?;
    Ok(PrepareRenameResponse::RangeWithPlaceholder {
        range: script.text.range(subject.span, folder.workspace.encoding),
        placeholder: subject.definition()?.name.clone(),
    })
}

pub(crate) fn rename(
    folder: &Folder<'_>,
    script: &Script,
    offset: u32,
    name: &str,
) -> Result<WorkspaceEdit, NoRename> {
    check_name(name)?;
    let subject = subject(folder, script, offset)?;
    check_elsewhere(folder, &subject)?;
    let known = subject.definition()?;
    let owner = &subject.script;
    let is_entity = values::has_self(folder, owner);
    let mut own = Vec::new();
    let mut others: BTreeMap<String, (Script, Vec<Span>)> = BTreeMap::new();
    if known.is_public() && is_entity {
        if meaning::is_of_host(folder, name) {
            return Err(refuse(format!("`{name}` is a property or method that all entities have")));
        }
        own.extend(owner.index.uses_of_self(&known.name).map(|member| member.span));
    } else if known.is_public() {
        for (user, span) in references::in_users(folder, owner, &known.name) {
            others.entry(user.path.clone()).or_insert((user, Vec::new())).1.push(span);
        }
        if !others.is_empty() && name.starts_with('_') {
            return Err(refuse(format!(
                "other files use `{}`, and names that begin with `_` cannot be used from outside",
                known.name
            )));
        }
    }
    let fixes = owner.index.rename(owner.source(), subject.number, name, &own)?;
    let mut changes = vec![changes_of(folder, owner, &fixes)?];
    for (user, spans) in others.into_values() {
        let in_file = |reason: NoRename| refuse(format!("{}: {}", user.path, reason.0));
        let fixes = user.index.rename_members(name, &spans).map_err(in_file)?;
        changes.push(changes_of(folder, &user, &fixes)?);
    }
    Ok(WorkspaceEdit::new(changes.into_iter().collect()))
}

/// What entities have is used in ways that names do not tell: through any entity, and in scenes.
fn check_elsewhere(folder: &Folder<'_>, subject: &Subject) -> Result<(), NoRename> {
    let known = subject.definition()?;
    let name = &known.name;
    if !known.is_public() || !values::has_self(folder, &subject.script) {
        return Ok(());
    }
    // Its own `self.name` is known; what another variable holds is not.
    let own: Vec<Span> = subject.script.index.uses_of_self(name).map(|member| member.span).collect();
    for script in folder.scripts() {
        for member in script.index.members.iter().filter(|member| member.name == *name) {
            let is_own = script.path == subject.script.path && own.contains(&member.span);
            let meaning = meaning::of_member(folder, &script, &member.owner, name);
            if !is_own && matches!(meaning, Meaning::EntityMember(_)) {
                let (line, _) = member.span.line_column(script.source());
                return Err(refuse(format!(
                    "`.{name}` of some entity is used in {}, line {line}: it may be this one",
                    script.path
                )));
            }
        }
    }
    if known.kind == DefinitionKind::Prop {
        for (path, text) in folder.scenes() {
            if sets_prop(text.as_str(), &subject.script.path, name) {
                return Err(refuse(format!("`{path}` sets this prop by its name")));
            }
        }
    }
    Ok(())
}

/// Whether some entity of a scene bears the script and sets the prop. Scenes that are broken say nothing.
fn sets_prop(scene: &str, script: &str, prop: &str) -> bool {
    let Ok(scene) = serde_json::from_str::<serde_json::Value>(scene) else { return false };
    let entities = scene.get("entities").and_then(|entities| entities.as_array());
    entities.into_iter().flatten().any(|entity| {
        let Some(component) = entity.pointer("/components/script") else { return false };
        component.get("file").and_then(|file| file.as_str()) == Some(script)
            && component.get("props").is_some_and(|props| props.get(prop).is_some())
    })
}

fn changes_of(folder: &Folder<'_>, script: &Script, fixes: &[Fix]) -> Result<(Uri, Vec<TextEdit>), NoRename> {
    let uri = folder.uri(&script.path).ok_or_else(|| refuse(format!("{} has no address", script.path)))?;
    let encoding = folder.workspace.encoding;
    let edits = fixes
        .iter()
        .map(|fix| TextEdit::new(script.text.range(fix.span, encoding), fix.text.clone()))
        .collect();
    Ok((uri, edits))
}
