//! The parameters of the call that is being written.

use lsp_types::{
    Documentation, MarkupContent, MarkupKind, ParameterInformation, ParameterLabel, SignatureHelp,
    SignatureInformation,
};
use wander::token::Token;

use crate::before::Before;
use crate::features::hover::{code_of, parameters};
use crate::known::{self, Entry};
use crate::meaning::{self, Meaning};
use crate::workspace::{Folder, Script};

pub(crate) fn signature(folder: &Folder<'_>, script: &Script, offset: u32) -> Option<SignatureHelp> {
    let before = Before::new(script.source(), offset);
    let call = before.open_call()?;
    let callee = before.tokens.get(call.callee)?;
    let name = match &callee.token {
        Token::Name(name) => name.clone(),
        Token::Word(word) => word.text().to_owned(),
        _ => return None,
    };
    let meaning = match meaning::shape_before(&before.tokens, call.callee, &script.index) {
        Some(owner) => meaning::of_member(folder, script, &owner, &name),
        None => match script.index.find(&name, callee.span.start) {
            Some(number) => Meaning::Definition(script.path.clone(), number),
            None => Meaning::Free(name),
        },
    };
    let signatures = signatures(folder, &meaning);
    (!signatures.is_empty()).then_some(SignatureHelp {
        signatures,
        active_signature: Some(0),
        active_parameter: u32::try_from(call.argument).ok(),
    })
}

fn signatures(folder: &Folder<'_>, meaning: &Meaning) -> Vec<SignatureInformation> {
    let environment = folder.environment();
    let of = |entries: Vec<Entry>, name: &str| {
        let found = entries.into_iter().filter(|entry| entry.name == name && entry.signature.ends_with(')'));
        found.map(of_entry).collect::<Vec<_>>()
    };
    match meaning {
        Meaning::Definition(path, number) => {
            let Some(script) = folder.script(path) else { return Vec::new() };
            of_definition(&script, *number).into_iter().collect()
        }
        Meaning::Free(name) => of(known::free(environment), name),
        Meaning::AreaMember(area, name) => of(known::area(environment, area), name),
        Meaning::ValueMember(Some(receiver), name) => of(known::of_value(receiver), name),
        Meaning::ValueMember(None, name) => {
            known::RECEIVERS.iter().flat_map(|receiver| of(known::of_value(receiver), name)).collect()
        }
        Meaning::EntityMember(name) => {
            let mut found = of(known::of_entity(environment), name);
            if found.is_empty() {
                let scripts = meaning::entity_definitions(folder, name);
                found.extend(scripts.filter_map(|(script, number)| of_definition(&script, number)));
            }
            found
        }
        _ => Vec::new(),
    }
}

fn of_definition(script: &Script, number: usize) -> Option<SignatureInformation> {
    let known = script.index.definitions.get(number)?;
    if known.kind != wander::index::DefinitionKind::Function {
        return None;
    }
    let parameters = parameters(&script.index, script.source(), known);
    Some(information(code_of(script, known), parameters, &known.doc))
}

fn of_entry(entry: Entry) -> SignatureInformation {
    information(entry.signature, entry.parameters, &entry.doc)
}

fn information(label: String, parameters: Vec<String>, doc: &str) -> SignatureInformation {
    let parameters = parameters
        .into_iter()
        .map(|label| ParameterInformation { label: ParameterLabel::Simple(label), documentation: None })
        .collect();
    let documentation = (!doc.is_empty()).then(|| {
        Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value: doc.to_owned() })
    });
    SignatureInformation { label, documentation, parameters: Some(parameters), active_parameter: None }
}
