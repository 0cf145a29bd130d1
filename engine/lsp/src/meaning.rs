//! What stands at a place of a script: something declared, something of the library, an event, a module's path.

use wander::index::{Index, Shape, Target};
use wander::span::Span;
use wander::token::{Sign, Spanned, Token, Word};

use crate::known;
use crate::values::{self, ValueKind};
use crate::workspace::{Folder, Script};

/// Links of a chain that are looked at in statements that could not be read.
const MOST_LINKS: u32 = 6;

/// What something is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Meaning {
    /// Something that a script declares: the script's path, the position in its definitions.
    Definition(String, usize),
    /// A free function of the library or the host.
    Free(String),
    /// An area.
    Area(String),
    /// Something of an area.
    AreaMember(String, String),
    /// A method or property of a kind of value, or of any where the kind is not known.
    ValueMember(Option<&'static str>, String),
    /// A property or method of entities.
    EntityMember(String),
    /// A path behind `use`.
    ModulePath(String),
    /// An event, by its name in a text or behind `on`.
    Event(String),
    /// Nothing is known of it.
    Unknown(String),
}

/// A meaning and where it is written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Found {
    pub(crate) span: Span,
    pub(crate) meaning: Meaning,
}

/// What stands at a byte of a script.
pub(crate) fn at(folder: &Folder<'_>, script: &Script, offset: u32) -> Option<Found> {
    let index = &script.index;
    let own = |span: Span, number: usize| {
        Some(Found { span, meaning: Meaning::Definition(script.path.clone(), number) })
    };
    if let Some(event) = index.events.iter().find(|event| touches(event.span, offset)) {
        return Some(Found { span: event.span, meaning: Meaning::Event(event.name.clone()) });
    }
    for known in &index.definitions {
        if let Some((path, span)) = known.path.as_ref().filter(|(_, span)| touches(*span, offset)) {
            return Some(Found { span: *span, meaning: Meaning::ModulePath(path.clone()) });
        }
    }
    if let Some(number) = index.definition_at(offset) {
        let known = index.definitions.get(number)?;
        if known.kind == wander::index::DefinitionKind::Handler {
            return Some(Found { span: known.span, meaning: Meaning::Event(known.name.clone()) });
        }
        return own(known.span, number);
    }
    if let Some(reference) = index.reference_at(offset) {
        return match &reference.target {
            Target::Definition(number) => own(reference.span, *number),
            Target::Free(name) => Some(Found { span: reference.span, meaning: free(folder, name) }),
        };
    }
    if let Some(member) = index.member_at(offset) {
        let meaning = of_member(folder, script, &member.owner, &member.name);
        return Some(Found { span: member.span, meaning });
    }
    unread(folder, script, offset)
}

/// The meaning of a name that the script does not declare.
fn free(folder: &Folder<'_>, name: &str) -> Meaning {
    let environment = folder.environment();
    if known::free(environment).iter().any(|entry| entry.name == name) {
        return Meaning::Free(name.to_owned());
    }
    if known::areas(environment).contains(&name) {
        return Meaning::Area(name.to_owned());
    }
    Meaning::Unknown(name.to_owned())
}

/// The meaning of `owner.name`.
pub(crate) fn of_member(folder: &Folder<'_>, script: &Script, owner: &Shape, name: &str) -> Meaning {
    // `random` is a function and an area: behind it a dot makes it the area.
    if let Shape::Free(area) = owner
        && known::areas(folder.environment()).contains(&area.as_str())
    {
        return Meaning::AreaMember(area.clone(), name.to_owned());
    }
    match values::kind_of(folder, script, owner) {
        ValueKind::Area(area) => Meaning::AreaMember(area, name.to_owned()),
        ValueKind::Module(path) => {
            let module = folder.script(&path);
            let found = module.and_then(|module| {
                module.index.top(name).filter(|number| {
                    module.index.definitions.get(*number).is_some_and(wander::index::Definition::is_public)
                })
            });
            found
                .map_or_else(|| Meaning::Unknown(name.to_owned()), |number| Meaning::Definition(path, number))
        }
        ValueKind::SelfEntity if !is_of_host(folder, name) => match script.index.top(name) {
            Some(number) => Meaning::Definition(script.path.clone(), number),
            None => Meaning::EntityMember(name.to_owned()),
        },
        ValueKind::Entity | ValueKind::SelfEntity => Meaning::EntityMember(name.to_owned()),
        ValueKind::Receiver(receiver) => Meaning::ValueMember(Some(receiver), name.to_owned()),
        ValueKind::Entities => Meaning::ValueMember(Some("list"), name.to_owned()),
        ValueKind::Record(fields) if fields.iter().any(|field| field == name) => {
            Meaning::Unknown(name.to_owned())
        }
        ValueKind::Record(_) => Meaning::ValueMember(Some("record"), name.to_owned()),
        ValueKind::Unknown | ValueKind::Plain => {
            let is_entitys = is_of_host(folder, name) || entity_definitions(folder, name).next().is_some();
            let is_methods = known::RECEIVERS
                .iter()
                .any(|receiver| known::of_value(receiver).iter().any(|entry| entry.name == name));
            match (is_entitys, is_methods) {
                (true, _) => Meaning::EntityMember(name.to_owned()),
                (false, true) => Meaning::ValueMember(None, name.to_owned()),
                (false, false) => Meaning::Unknown(name.to_owned()),
            }
        }
    }
}

/// Whether entities have this property or method by themselves.
pub(crate) fn is_of_host(folder: &Folder<'_>, name: &str) -> bool {
    let environment = folder.environment();
    environment.property(name).is_some() || environment.method(name).is_some()
}

/// Everything of this name at the top of entity scripts: what `e.name` may mean.
pub(crate) fn entity_definitions<'a>(
    folder: &'a Folder<'a>,
    name: &'a str,
) -> impl Iterator<Item = (Script, usize)> + 'a {
    let scripts = folder.scripts().into_iter().filter(|script| values::has_self(folder, script));
    scripts.filter_map(move |script| {
        let number = script.index.top(name)?;
        let known = script.index.definitions.get(number)?;
        known.is_public().then_some((script, number))
    })
}

/// The handlers of an event in all scripts.
pub(crate) fn handlers<'a>(
    folder: &'a Folder<'a>,
    name: &'a str,
) -> impl Iterator<Item = (Script, Span)> + 'a {
    folder.scripts().into_iter().flat_map(move |script| {
        let handlers = script.index.definitions.iter();
        let handlers = handlers
            .filter(|known| known.kind == wander::index::DefinitionKind::Handler && known.name == name);
        let spans: Vec<Span> = handlers.map(|known| known.span).collect();
        spans.into_iter().map(move |span| (script.clone(), span))
    })
}

/// The name at a byte of a statement that the parser could not read.
fn unread(folder: &Folder<'_>, script: &Script, offset: u32) -> Option<Found> {
    let tokens = wander::lexer::lex(script.source(), 0).tokens;
    let at = tokens.iter().position(|token| {
        matches!(token.token, Token::Name(_) | Token::Word(Word::SelfWord)) && touches(token.span, offset)
    })?;
    let span = tokens.get(at)?.span;
    let Token::Name(name) = &tokens.get(at)?.token else { return None };
    let meaning = match shape_before(&tokens, at, &script.index) {
        Some(owner) => of_member(folder, script, &owner, name),
        None => match script.index.find(name, span.start) {
            Some(number) => Meaning::Definition(script.path.clone(), number),
            None => free(folder, name),
        },
    };
    Some(Found { span, meaning })
}

/// What stands before the dot before a token: names and `self` alone are understood, everything else is unknown.
pub(crate) fn shape_before(tokens: &[Spanned], at: usize, index: &Index) -> Option<Shape> {
    shape_of_links(tokens, at, index, MOST_LINKS)
}

fn shape_of_links(tokens: &[Spanned], at: usize, index: &Index, links: u32) -> Option<Shape> {
    let dot = at.checked_sub(1)?;
    if !matches!(tokens.get(dot)?.token, Token::Sign(Sign::Dot | Sign::NilDot)) {
        return None;
    }
    let Some(owner) = dot.checked_sub(1).filter(|_| links > 0).and_then(|before| tokens.get(before)) else {
        return Some(Shape::Unknown);
    };
    Some(match &owner.token {
        Token::Word(Word::SelfWord) => Shape::SelfEntity,
        Token::Name(name) => match shape_of_links(tokens, dot - 1, index, links - 1) {
            Some(further) => Shape::Member(Box::new(further), name.clone()),
            None => match index.find(name, owner.span.start) {
                Some(number) => Shape::Definition(number),
                None => Shape::Free(name.clone()),
            },
        },
        _ => Shape::Unknown,
    })
}

fn touches(span: Span, offset: u32) -> bool {
    span.start <= offset && offset <= span.end
}
