//! Other names for what a text declares. A rename is made only where the text means the same afterwards: the changed
//! text is indexed again and every name in it must mean what it meant.

use std::collections::BTreeSet;

use super::{Definition, DefinitionKind, Index, Reference};
use crate::diagnostic::Fix;
use crate::span::Span;
use crate::token::KEYWORDS;

/// Why something keeps its name, as a sentence for whoever asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoRename(pub String);

/// Whether a text can be a name.
pub fn check_name(name: &str) -> Result<(), NoRename> {
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if !begins || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return Err(NoRename(format!(
            "`{name}` is no name: names have letters a to z, digits and `_`, and begin with no digit"
        )));
    }
    if KEYWORDS.contains(&name) {
        return Err(NoRename(format!("`{name}` is a keyword")));
    }
    Ok(())
}

impl Index {
    /// The changes of this text that give a definition another name, in order of place. `members` are places behind
    /// dots that mean the definition too.
    pub fn rename(
        &self,
        source: &str,
        definition: usize,
        name: &str,
        members: &[Span],
    ) -> Result<Vec<Fix>, NoRename> {
        check_name(name)?;
        let Some(known) = self.definitions.get(definition) else {
            return Err(NoRename("there is nothing to rename here".to_owned()));
        };
        if known.kind == DefinitionKind::Handler {
            return Err(NoRename(
                "a handler is named after its event, which is sent by that name".to_owned(),
            ));
        }
        self.check_whole()?;
        let mut fixes = vec![declared_as(known, name)];
        fixes.extend(self.uses(definition).map(|used| used_as(used, &known.name, name)));
        fixes.extend(members.iter().map(|span| Fix { span: *span, text: name.to_owned() }));
        fixes.sort_by_key(|fix| (fix.span.start, fix.span.end));
        fixes.dedup();
        self.check_renamed(&apply(source, &fixes), name)?;
        Ok(fixes)
    }

    /// The changes of this text that give what it uses from a module another name: `module.old` at these places.
    pub fn rename_members(&self, name: &str, members: &[Span]) -> Result<Vec<Fix>, NoRename> {
        check_name(name)?;
        self.check_whole()?;
        Ok(members.iter().map(|span| Fix { span: *span, text: name.to_owned() }).collect())
    }

    /// Uses inside of statements that could not be read are not known.
    fn check_whole(&self) -> Result<(), NoRename> {
        if self.is_broken() {
            return Err(NoRename(
                "the text has errors: mend them first, so that no use is missed".to_owned(),
            ));
        }
        Ok(())
    }

    fn check_renamed(&self, text: &str, name: &str) -> Result<(), NoRename> {
        let new = Self::new(text);
        let taken = || NoRename(format!("`{name}` already means something else here"));
        let same = self.references.len() == new.references.len()
            && self.references.iter().zip(&new.references).all(|(old, new)| old.target == new.target);
        if new.is_broken() || !same || self.members.len() != new.members.len() {
            return Err(taken());
        }
        if new.twice_declared() > self.twice_declared() {
            return Err(NoRename(format!("`{name}` is already declared in this block")));
        }
        Ok(())
    }

    /// How many definitions stand beside an earlier one of the same name.
    fn twice_declared(&self) -> usize {
        let in_scope = |scope: &super::Scope| {
            let mut names = BTreeSet::new();
            let known = scope.definitions.iter().filter_map(|(number, _)| self.definitions.get(*number));
            known.filter(|definition| !names.insert(definition.name.as_str())).count()
        };
        self.scopes.iter().map(in_scope).sum()
    }
}

/// A module without `as` is named by its path, which stays.
fn declared_as(known: &Definition, name: &str) -> Fix {
    match &known.path {
        Some((_, path)) if *path == known.span => {
            Fix { span: Span::new(path.end, path.end), text: format!(" as {name}") }
        }
        _ => Fix { span: known.span, text: name.to_owned() },
    }
}

fn used_as(used: &Reference, old: &str, name: &str) -> Fix {
    let text = if used.is_shorthand { format!("{old}: {name}") } else { name.to_owned() };
    Fix { span: used.span, text }
}

/// A text with changes that are in order and do not overlap.
pub fn apply(source: &str, fixes: &[Fix]) -> String {
    let mut text = String::with_capacity(source.len());
    let mut at = 0;
    for fix in fixes {
        text.push_str(source.get(at..fix.span.start as usize).unwrap_or_default());
        text.push_str(&fix.text);
        at = fix.span.end as usize;
    }
    text.push_str(source.get(at..).unwrap_or_default());
    text
}
