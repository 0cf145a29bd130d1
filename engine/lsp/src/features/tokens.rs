//! What each part of a script is, for editors that colour by meaning. They need no grammar then.

use lsp_types::{Position, SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokens};
use wander::index::{Definition, DefinitionKind, Shape, Target};
use wander::lexer::lex;
use wander::span::Span;
use wander::token::{Spanned, Token};

use crate::known;
use crate::workspace::{Folder, Script};

/// The kinds in the order of their numbers.
static KINDS: [SemanticTokenType; 11] = [
    SemanticTokenType::KEYWORD,
    SemanticTokenType::STRING,
    SemanticTokenType::NUMBER,
    SemanticTokenType::COMMENT,
    SemanticTokenType::VARIABLE,
    SemanticTokenType::PARAMETER,
    SemanticTokenType::PROPERTY,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::METHOD,
    SemanticTokenType::NAMESPACE,
    SemanticTokenType::EVENT,
];

/// The modifiers in the order of their bits.
static MODIFIERS: [SemanticTokenModifier; 4] = [
    SemanticTokenModifier::DECLARATION,
    SemanticTokenModifier::READONLY,
    SemanticTokenModifier::DEFAULT_LIBRARY,
    SemanticTokenModifier::DOCUMENTATION,
];

/// What the server tells editors about its tokens.
pub(crate) fn legend() -> lsp_types::SemanticTokensLegend {
    lsp_types::SemanticTokensLegend { token_types: KINDS.to_vec(), token_modifiers: MODIFIERS.to_vec() }
}

/// A part of a text with what it is.
#[derive(Debug, Clone)]
struct Part {
    span: Span,
    kind: SemanticTokenType,
    modifiers: Vec<SemanticTokenModifier>,
}

fn part(span: Span, kind: SemanticTokenType) -> Part {
    Part { span, kind, modifiers: Vec::new() }
}

pub(crate) fn tokens(folder: &Folder<'_>, script: &Script) -> SemanticTokens {
    let mut names = names(folder, script);
    names.sort_by_key(|part| part.span.start);
    names.dedup_by_key(|part| part.span.start);
    let source = script.source();
    let mut parts = Vec::new();
    let mut at = 0;
    for token in lex(source, 0).tokens {
        comments(source, Span::new(at, token.span.start), &mut parts);
        at = token.span.end.max(at);
        let first = names.partition_point(|name| name.span.start < token.span.start);
        let inside = names.get(first..).unwrap_or_default();
        let inside = inside.iter().take_while(|name| name.span.end <= token.span.end);
        lexical(&token, inside, &mut parts);
    }
    parts.sort_by_key(|part| part.span.start);
    SemanticTokens { result_id: None, data: encoded(folder, script, &parts) }
}

/// Everything that has a name.
fn names(folder: &Folder<'_>, script: &Script) -> Vec<Part> {
    let index = &script.index;
    let environment = folder.environment();
    let (free, areas) = (known::free(environment), known::areas(environment));
    let mut parts = Vec::new();
    for known in &index.definitions {
        let is_path = known.path.as_ref().is_some_and(|(_, span)| *span == known.span);
        if !is_path {
            let mut found = of_definition(known, known.span);
            found.modifiers.insert(0, SemanticTokenModifier::DECLARATION);
            parts.push(found);
        }
    }
    for reference in &index.references {
        match &reference.target {
            Target::Definition(number) => {
                parts
                    .extend(index.definitions.get(*number).map(|known| of_definition(known, reference.span)));
            }
            Target::Free(name) => {
                let kind = if free.iter().any(|entry| entry.name == name) {
                    SemanticTokenType::FUNCTION
                } else if areas.contains(&name.as_str()) {
                    SemanticTokenType::NAMESPACE
                } else {
                    continue;
                };
                let modifiers = vec![SemanticTokenModifier::DEFAULT_LIBRARY];
                parts.push(Part { span: reference.span, kind, modifiers });
            }
        }
    }
    for member in &index.members {
        let behind = script.source().get(member.span.end as usize..).unwrap_or_default();
        let is_called = behind.starts_with('(');
        let is_library = matches!(&member.owner, Shape::Free(area) if areas.contains(&area.as_str()));
        let kind = if is_called { SemanticTokenType::METHOD } else { SemanticTokenType::PROPERTY };
        let mut found = part(member.span, kind);
        if is_library {
            found.modifiers.push(SemanticTokenModifier::DEFAULT_LIBRARY);
        }
        parts.push(found);
    }
    parts
}

fn of_definition(known: &Definition, span: Span) -> Part {
    let kind = match known.kind {
        DefinitionKind::Module => SemanticTokenType::NAMESPACE,
        DefinitionKind::Prop => SemanticTokenType::PROPERTY,
        DefinitionKind::Function => SemanticTokenType::FUNCTION,
        DefinitionKind::Handler => SemanticTokenType::EVENT,
        DefinitionKind::Parameter => SemanticTokenType::PARAMETER,
        _ => SemanticTokenType::VARIABLE,
    };
    let mut found = part(span, kind);
    if known.kind == DefinitionKind::Const {
        found.modifiers.push(SemanticTokenModifier::READONLY);
    }
    found
}

/// A token by its looks, unless it is a name that is known. An f-string is text around the names in it.
fn lexical<'a>(token: &Spanned, names: impl Iterator<Item = &'a Part>, parts: &mut Vec<Part>) {
    let kind = match &token.token {
        Token::Word(_) => SemanticTokenType::KEYWORD,
        Token::Text(_) | Token::Format(..) => SemanticTokenType::STRING,
        Token::Number(_) | Token::Color(_) => SemanticTokenType::NUMBER,
        Token::Name(_) => {
            parts.extend(names.cloned());
            return;
        }
        Token::Sign(_) | Token::Break | Token::End => return,
    };
    // A keyword behind a dot is a name.
    let mut at = token.span.start;
    for name in names {
        if at < name.span.start {
            parts.push(part(Span::new(at, name.span.start), kind.clone()));
        }
        parts.push(name.clone());
        at = name.span.end;
    }
    if at < token.span.end {
        parts.push(part(Span::new(at, token.span.end), kind));
    }
}

/// The comments between two tokens.
fn comments(source: &str, gap: Span, parts: &mut Vec<Part>) {
    let mut start = gap.start;
    for line in gap.text(source).split_inclusive('\n') {
        if let Some(at) = line.find("--") {
            let from = start + at as u32;
            let mut comment =
                part(Span::new(from, start + line.trim_end().len() as u32), SemanticTokenType::COMMENT);
            if line.get(at..).is_some_and(|text| text.starts_with("---")) {
                comment.modifiers.push(SemanticTokenModifier::DOCUMENTATION);
            }
            parts.push(comment);
        }
        start += line.len() as u32;
    }
}

/// Each part relative to the one before, line by line.
fn encoded(folder: &Folder<'_>, script: &Script, parts: &[Part]) -> Vec<SemanticToken> {
    let encoding = folder.workspace.encoding;
    let mut data = Vec::new();
    let mut last = Position::default();
    for part in parts {
        let number = KINDS.iter().position(|kind| *kind == part.kind).unwrap_or_default();
        let bits = MODIFIERS.iter().enumerate().filter(|(_, modifier)| part.modifiers.contains(modifier));
        let bits = bits.map(|(bit, _)| 1 << bit).sum();
        let mut start = part.span.start;
        // Not every editor takes what goes over the end of a line.
        for line in part.span.text(script.source()).split_inclusive('\n') {
            let shown = line.trim_end_matches(['\r', '\n']);
            let range = script.text.range(Span::new(start, start + shown.len() as u32), encoding);
            start += line.len() as u32;
            if range.start.line != range.end.line || range.start == range.end {
                continue;
            }
            let is_same_line = range.start.line == last.line;
            data.push(SemanticToken {
                delta_line: range.start.line.saturating_sub(last.line),
                delta_start: if is_same_line {
                    range.start.character.saturating_sub(last.character)
                } else {
                    range.start.character
                },
                length: range.end.character.saturating_sub(range.start.character),
                token_type: number as u32,
                token_modifiers_bitset: bits,
            });
            last = range.start;
        }
    }
    data
}
