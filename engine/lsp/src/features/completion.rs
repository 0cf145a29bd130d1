//! What can be written here.

use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionTextEdit, Documentation, MarkupContent, MarkupKind, Range,
    TextEdit,
};
use wander::index::{Definition, DefinitionKind, Index};
use wander::span::Span;
use wander::token::{Sign, Token, Word};

use crate::before::{Before, Inside, word_around};
use crate::features::hover::code_of;
use crate::known::{self, Entry, EntryKind};
use crate::meaning;
use crate::values::{self, ValueKind};
use crate::workspace::{Folder, Script};

/// A word that stands for the one that is being written, so that the statement around it can be read.
const STAND_IN: &str = "being_written_";

/// Items in the order in which editors should show them.
struct Items<'a> {
    folder: &'a Folder<'a>,
    script: &'a Script,
    /// What is replaced.
    range: Range,
    found: Vec<CompletionItem>,
}

pub(crate) fn completion(folder: &Folder<'_>, script: &Script, offset: u32) -> Vec<CompletionItem> {
    let source = script.source();
    let (start, end) = word_around(source, offset);
    // Once for all: a position is found by going through its line.
    let range =
        |start: u32| script.text.range(Span::new(start, offset.max(start)), folder.workspace.encoding);
    let mut items = Items { folder, script, range: range(start), found: Vec::new() };
    if let Before { inside: Inside::Text(text_start), mut tokens } = Before::new(source, offset) {
        tokens.pop();
        let before = Before { tokens, inside: Inside::Code };
        items.range = range(text_start + 1);
        items.in_text(&before);
        return items.found;
    }
    let before = Before::new(source, start);
    let is_number = source.as_bytes().get(start as usize).is_some_and(u8::is_ascii_digit) && start < offset;
    if before.inside != Inside::Code || is_number {
        return Vec::new();
    }
    // What stands behind the cursor in the same word is kept by editors that insert, and replaced by others.
    let with = |stand_in: &str| {
        let (before, behind) = (source.get(..start as usize), source.get(end as usize..));
        Index::new(&format!("{}{stand_in}{}", before.unwrap_or_default(), behind.unwrap_or_default()))
    };
    match before.last() {
        Some(Token::Word(Word::On)) => items.handlers(),
        Some(Token::Word(Word::Let | Word::Const | Word::Prop | Word::Fn | Word::For | Word::Catch)) => {}
        Some(Token::Name(name)) if name == "as" => {}
        Some(Token::Sign(Sign::Dot | Sign::NilDot)) => {
            // A value alone is no statement: a call is.
            let mut index = with(STAND_IN);
            if index.member_at(start + 1).is_none() {
                index = with(&format!("{STAND_IN}()"));
            }
            let owner = match index.member_at(start + 1) {
                Some(member) => member.owner.clone(),
                // The place of the word that is not there.
                None => {
                    meaning::shape_before(&before.tokens, before.tokens.len(), &index).unwrap_or_default()
                }
            };
            let written = with_index(script, index);
            let kind = values::kind_of(folder, &written, &owner);
            items.members(&kind);
        }
        _ => {
            let written = with_index(script, with(STAND_IN));
            items.names(&written, start);
        }
    }
    items.found
}

/// The script with the names of the text in which the stand-in is written.
fn with_index(script: &Script, index: Index) -> Script {
    Script { index: index.into(), ..script.clone() }
}

impl Items<'_> {
    fn push(&mut self, rank: u8, name: &str, kind: CompletionItemKind, detail: String, doc: String) {
        let doc = Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value: doc });
        let documentation = Some(doc)
            .filter(|doc| !matches!(doc, Documentation::MarkupContent(text) if text.value.is_empty()));
        self.found.push(CompletionItem {
            label: name.to_owned(),
            kind: Some(kind),
            detail: (!detail.is_empty()).then_some(detail),
            documentation,
            sort_text: Some(format!("{rank}{name}")),
            text_edit: Some(CompletionTextEdit::Edit(TextEdit::new(self.range, name.to_owned()))),
            ..CompletionItem::default()
        });
    }

    fn entry(&mut self, rank: u8, entry: Entry) {
        let kind = match entry.kind {
            EntryKind::Function => CompletionItemKind::FUNCTION,
            EntryKind::Method => CompletionItemKind::METHOD,
            EntryKind::Value => CompletionItemKind::PROPERTY,
        };
        self.push(rank, entry.name, kind, entry.signature, entry.doc);
    }

    fn definition(&mut self, rank: u8, script: &Script, known: &Definition) {
        let kind = match known.kind {
            DefinitionKind::Module => CompletionItemKind::MODULE,
            DefinitionKind::Prop => CompletionItemKind::PROPERTY,
            DefinitionKind::Const => CompletionItemKind::CONSTANT,
            DefinitionKind::Function => CompletionItemKind::FUNCTION,
            DefinitionKind::Handler => CompletionItemKind::EVENT,
            _ => CompletionItemKind::VARIABLE,
        };
        self.push(rank, &known.name, kind, code_of(script, known), known.doc.clone());
    }

    /// Names in sight, then what the library and the host have, then keywords.
    fn names(&mut self, written: &Script, offset: u32) {
        let environment = self.folder.environment();
        let visible = written.index.visible(offset);
        let visible = visible.into_iter().filter_map(|number| written.index.definitions.get(number));
        // What a definition says is in the text with the stand-in, which starts where it started.
        let mut taken: Vec<&str> = Vec::new();
        for known in visible.filter(|known| known.name != STAND_IN) {
            let rank = if known.is_top { 1 } else { 0 };
            let shown = self.script.index.definitions.iter().find(|own| own.span == known.span);
            self.definition(rank, self.script, shown.unwrap_or(known));
            taken.push(&known.name);
        }
        for entry in known::free(environment).into_iter().filter(|entry| !taken.contains(&entry.name)) {
            self.entry(2, entry);
        }
        for area in known::areas(environment).into_iter().filter(|area| !taken.contains(area)) {
            // `random` is both; its function is there already.
            if self.found.iter().all(|item| item.label != area) {
                self.push(2, area, CompletionItemKind::MODULE, String::new(), String::new());
            }
        }
        for word in known::keywords(self.folder.kind(self.script)) {
            self.push(3, word, CompletionItemKind::KEYWORD, String::new(), String::new());
        }
    }

    fn members(&mut self, kind: &ValueKind) {
        let environment = self.folder.environment();
        match kind {
            ValueKind::Plain => {}
            ValueKind::Area(area) => {
                known::area(environment, area).into_iter().for_each(|e| self.entry(1, e))
            }
            ValueKind::Receiver(receiver) => self.of_value(1, receiver),
            ValueKind::Entities => self.of_value(1, "list"),
            ValueKind::Record(fields) => {
                for field in fields {
                    self.push(0, field, CompletionItemKind::FIELD, String::new(), String::new());
                }
                self.of_value(1, "record");
            }
            ValueKind::Module(path) => {
                let Some(module) = self.folder.script(path) else { return };
                for known in module.index.definitions.iter().filter(|known| known.is_public()) {
                    self.definition(0, &module, known);
                }
            }
            ValueKind::SelfEntity => {
                let script = self.script;
                for known in script.index.definitions.iter().filter(|known| known.is_public()) {
                    self.definition(0, script, known);
                }
                self.of_entities();
            }
            ValueKind::Entity => {
                self.of_scripts();
                self.of_entities();
            }
            ValueKind::Unknown => {
                self.of_scripts();
                self.of_entities();
                known::RECEIVERS.iter().for_each(|receiver| self.of_value(2, receiver));
                let mut seen = std::collections::BTreeSet::new();
                self.found.retain(|item| seen.insert(item.label.clone()));
            }
        }
    }

    fn of_value(&mut self, rank: u8, receiver: &str) {
        known::of_value(receiver).into_iter().for_each(|entry| self.entry(rank, entry));
    }

    fn of_entities(&mut self) {
        known::of_entity(self.folder.environment()).into_iter().for_each(|entry| self.entry(1, entry));
    }

    /// What any script of the game gives its entity.
    fn of_scripts(&mut self) {
        let mut seen = std::collections::BTreeSet::new();
        for script in self.folder.scripts() {
            if !values::has_self(self.folder, &script) {
                continue;
            }
            for known in script.index.definitions.iter().filter(|known| known.is_public()) {
                if seen.insert(known.name.clone()) {
                    self.definition(0, &script, known);
                }
            }
        }
    }

    /// Events of the host, and those that some script sends.
    fn handlers(&mut self) {
        for handler in &self.folder.environment().handlers {
            let code = format!("on {}({})", handler.name, handler.params.join(", "));
            self.push(1, handler.name, CompletionItemKind::EVENT, code, handler.doc.to_owned());
        }
        self.events(true);
    }

    /// Events that scripts send, or those that they handle.
    fn events(&mut self, sent: bool) {
        let mut names = std::collections::BTreeSet::new();
        let host = &self.folder.environment().handlers;
        for script in self.folder.scripts() {
            let handlers = script.index.definitions.iter();
            let handlers = handlers.filter(|known| known.kind == DefinitionKind::Handler && !sent);
            names.extend(handlers.map(|known| known.name.clone()));
            let events = script.index.events.iter().filter(|event| !event.is_waited_for || !sent);
            names.extend(events.map(|event| event.name.clone()));
        }
        for name in names.iter().filter(|name| host.iter().all(|handler| handler.name != name.as_str())) {
            self.push(0, name, CompletionItemKind::EVENT, String::new(), String::new());
        }
    }

    fn in_text(&mut self, before: &Before) {
        if matches!(before.last(), Some(Token::Word(Word::Use))) {
            return self.modules();
        }
        let Some(call) = before.open_call() else { return };
        let name = before.tokens.get(call.callee).map(|token| &token.token);
        match (name, call.argument) {
            (Some(Token::Name(name)), 0) if name == "emit" || name == "wait_event" => self.events(false),
            (Some(Token::Name(name)), 1) if name == "send" => self.events(false),
            _ => {}
        }
    }

    /// Modules by the names that `use` takes.
    fn modules(&mut self) {
        for script in self.folder.scripts() {
            if values::has_self(self.folder, &script) || script.path == self.script.path {
                continue;
            }
            let name = script.path.strip_suffix(".wander").unwrap_or(&script.path);
            let name = name.strip_prefix("scripts/").unwrap_or(name);
            let public = script.index.definitions.iter().filter(|known| known.is_public());
            let names: Vec<String> = public.map(|known| format!("`{}`", known.name)).collect();
            self.push(0, name, CompletionItemKind::MODULE, script.path.clone(), names.join(" "));
        }
    }
}
