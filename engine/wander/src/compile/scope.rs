//! What a name means here, and what it should have been where it means nothing.

use std::collections::BTreeMap;

use super::Compiler;
use super::function::Local;
use crate::code::{Capture, GlobalKind};
use crate::diagnostic::Diagnostic;
use crate::span::Span;

/// What a name means.
#[derive(Debug, Clone)]
pub(super) enum Meaning {
    /// A variable of this function.
    Local { register: u8, is_cell: bool, constant: bool },
    /// A variable of a function around this one.
    Capture { index: u8, constant: bool },
    /// A variable of the instance.
    Global { index: usize, kind: GlobalKind },
    /// A function at the top of the file.
    Function(usize),
    /// A module; the number is out of range where it failed to load.
    Module(usize),
    /// A function of the library.
    Native(u16),
    /// A function of the host.
    Host(u16),
    /// An area of the library or the host.
    Area,
    /// Nothing; reported.
    Unknown,
}

/// Unknown names of a file that are compared with what is known.
const MOST_SUGGESTED: usize = 50;

impl Compiler<'_> {
    pub(super) fn lookup(&mut self, name: &str, span: Span) -> Meaning {
        if let Some(meaning) = self.find(name) {
            return meaning;
        }
        self.unknown_name(name, span);
        Meaning::Unknown
    }

    pub(super) fn find(&mut self, name: &str) -> Option<Meaning> {
        let innermost = self.states.len().checked_sub(1)?;
        if let Some(local) = self.find_local(innermost, name) {
            return Some(Meaning::Local {
                register: local.register,
                is_cell: local.is_cell,
                constant: local.constant,
            });
        }
        if let Some((index, constant)) = self.find_capture(innermost, name) {
            return Some(Meaning::Capture { index, constant });
        }
        if let Some(index) = self.program.global(name) {
            let kind = self.program.globals.get(index).map_or(GlobalKind::Let, |global| global.kind);
            return Some(Meaning::Global { index, kind });
        }
        if let Some(declared) = self.declared.get(name) {
            return Some(Meaning::Function(declared.index));
        }
        if let Some(module) = self.aliases.get(name) {
            return Some(Meaning::Module(*module));
        }
        if let Some((number, _)) = self.environment.function("", name) {
            return Some(Meaning::Host(number));
        }
        if let Some(number) = crate::library::find("", name) {
            return Some(Meaning::Native(number));
        }
        if self.environment.has_area(name) || crate::library::has_area(name) {
            return Some(Meaning::Area);
        }
        None
    }

    fn find_local(&mut self, state: usize, name: &str) -> Option<&Local> {
        let scopes = &mut self.states.get_mut(state)?.scopes;
        let local = scopes
            .iter_mut()
            .rev()
            .find_map(|scope| scope.iter_mut().rev().find(|local| local.name == name))?;
        local.used = true;
        Some(local)
    }

    /// Closes the innermost scope, and tells of its variables that nothing mentions.
    pub(super) fn end_scope(&mut self) {
        let scope = self.state().scopes.pop().unwrap_or_default();
        self.warn_unused(&scope);
    }

    pub(super) fn warn_unused(&mut self, scope: &[Local]) {
        for local in scope {
            if let (Some(span), false, false) = (local.let_at, local.used, local.name.starts_with('_')) {
                let name = &local.name;
                self.diagnostics.push(
                    Diagnostic::warning("W203", span, format!("nothing uses `{name}`"))
                        .hint(format!("take it out, or call it `_{name}`")),
                );
            }
        }
    }

    /// The capture through which `state` reaches a variable further out, made where it is new.
    fn find_capture(&mut self, state: usize, name: &str) -> Option<(u8, bool)> {
        if let Some(found) = self.states.get(state)?.captures.iter().position(|(own, ..)| own == name) {
            let constant =
                self.states.get(state)?.captures.get(found).is_some_and(|(.., constant)| *constant);
            return Some((found as u8, constant));
        }
        let outer = state.checked_sub(1)?;
        let (capture, constant) = match self.find_local(outer, name) {
            Some(local) => (Capture::Register(local.register), local.constant),
            None => {
                let (index, constant) = self.find_capture(outer, name)?;
                (Capture::Outer(index), constant)
            }
        };
        let captures = &mut self.states.get_mut(state)?.captures;
        let Ok(index) = u8::try_from(captures.len()) else {
            let function = self.states.get(state).map_or("", |state| &state.name);
            self.error(
                Diagnostic::error(
                    "E508",
                    Span::default(),
                    format!("`{function}` uses more than 256 variables of the functions around it"),
                )
                .hint("keep them in a record"),
            );
            return Some((0, constant));
        };
        captures.push((name.to_owned(), capture, constant));
        Some((index, constant))
    }

    /// Declares a variable in the innermost scope; the register already holds its value.
    pub(super) fn declare_local(&mut self, name: &str, span: Span, register: u8, constant: bool) {
        let state = self.state();
        let taken = state.scopes.last().is_some_and(|scope| scope.iter().any(|local| local.name == name));
        let is_cell = state.seen_inside.contains(name);
        if let Some(scope) = state.scopes.last_mut() {
            scope.push(Local {
                name: name.to_owned(),
                register,
                is_cell,
                constant,
                let_at: None,
                used: false,
            });
        }
        if taken {
            self.error(
                Diagnostic::error("E202", span, format!("`{name}` is already declared in this block"))
                    .hint(format!("set it without `let`: `{name} = …`")),
            );
        }
        self.warn_shadow(name, span);
        if is_cell {
            self.emit(crate::code::Op::NewCell, register, 0, 0, 0, span);
        }
    }

    /// Whether one more unknown name is compared with those that there are. Who has so many mends the first ones first,
    /// and comparing all with all takes minutes.
    pub(super) fn may_suggest(&mut self) -> bool {
        self.unknown += 1;
        self.unknown <= MOST_SUGGESTED
    }

    /// The finding of a name that means nothing here.
    pub(super) fn unknown_name(&mut self, name: &str, span: Span) {
        let diagnostic = self.unknown(name, span);
        self.error(diagnostic);
    }

    fn unknown(&mut self, name: &str, span: Span) -> Diagnostic {
        let is_called = self.source.get(span.end as usize..).is_some_and(|rest| rest.starts_with('('));
        let diagnostic =
            Diagnostic::error("E201", span, format!("unknown name `{name}`")).label("not declared here");
        if let Some(found) = self.foreign_value(name, span) {
            return found;
        }
        if let Some(comment) = self.slash_before(span) {
            return diagnostic.hint("comments start with `--`").fix_at(comment, "--");
        }
        if let Some(place) = self.place_of_name(name, is_called) {
            return diagnostic.hint(format!("did you mean `{place}`?")).fix(place);
        }
        let near = if self.may_suggest() { self.names_near(name) } else { Vec::new() };
        if let [first, ..] = near.as_slice() {
            let declared = self.line_of(first);
            let mut hint = base::suggest::did_you_mean(&near).unwrap_or_default();
            if let Some(line) = declared {
                hint.push_str(&format!(" (declared on line {line})"));
            }
            return diagnostic.hint(hint).fix(first.clone());
        }
        if is_called {
            diagnostic.hint(format!("declare it: `fn {name}(…) … end`"))
        } else {
            diagnostic.hint(format!("declare it with `let {name} = …`"))
        }
    }

    /// The `//` in front of a lone last word of a line: somebody's comment.
    fn slash_before(&self, span: Span) -> Option<Span> {
        let before = self.source.get(..span.start as usize)?.trim_end_matches(' ');
        let rest = self.source.get(span.end as usize..)?.lines().next().unwrap_or_default();
        let end = before.len() as u32;
        (before.ends_with("//") && rest.trim().is_empty()).then(|| Span::new(end.saturating_sub(2), end))
    }

    /// What is known here under a name like this one.
    fn names_near(&self, name: &str) -> Vec<String> {
        let mut known: Vec<String> = Vec::new();
        for state in self.states.iter().rev() {
            for local in state.scopes.iter().rev().flatten() {
                known.push(local.name.clone());
            }
        }
        known.extend(self.program.globals.iter().map(|global| global.name.clone()));
        known.extend(self.declared.keys().cloned());
        known.extend(self.aliases.keys().cloned());
        known.extend(
            self.environment.functions.iter().filter(|f| f.area.is_empty()).map(|f| f.name.to_owned()),
        );
        known.extend(
            self.environment.functions.iter().map(|f| f.area.to_owned()).filter(|area| !area.is_empty()),
        );
        known.extend(crate::library::names(""));
        known.extend(crate::library::AREAS.iter().map(|area| (*area).to_owned()));
        known.sort();
        known.dedup();
        base::suggest::nearest(name, known.iter().map(String::as_str))
    }

    /// The line on which a name of this file is declared, found in the text: only for messages.
    fn line_of(&self, name: &str) -> Option<u32> {
        let is_local =
            self.states.iter().any(|state| state.scopes.iter().flatten().any(|local| local.name == name));
        let is_top = self.program.global(name).is_some() || self.declared.contains_key(name);
        if !is_local && !is_top {
            return None;
        }
        self.declared_lines.get_or_init(|| declared_lines(self.source)).get(name).copied()
    }
}

/// The first line that declares each name, found in the text.
fn declared_lines(source: &str) -> BTreeMap<String, u32> {
    let mut lines = BTreeMap::new();
    for (index, line) in source.lines().enumerate() {
        let words: Vec<&str> = line
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .filter(|word| !word.is_empty())
            .collect();
        let declared = words
            .windows(2)
            .filter(|pair| matches!(pair, ["let" | "const" | "prop" | "fn" | "for", _]))
            .filter_map(|pair| pair.get(1));
        let is_head = matches!(words.first(), Some(&("fn" | "on")));
        let params = words.iter().skip(2).filter(|_| is_head);
        for name in declared.chain(params) {
            lines.entry((*name).to_owned()).or_insert(index as u32 + 1);
        }
    }
    lines
}
