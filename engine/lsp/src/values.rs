//! What kind of value an expression has, as far as its looks tell.

use wander::Kind;
use wander::index::{DefinitionKind, Shape};

use crate::known;
use crate::workspace::{Folder, Script};

/// Steps from a name to what it was set to, at most: definitions may lead in circles.
const MOST_STEPS: u32 = 12;

/// A kind of value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ValueKind {
    Unknown,
    /// A number, a flag, a function: nothing stands behind a dot.
    Plain,
    /// `string`, `list`, `vector` and so on, as the library calls receivers.
    Receiver(&'static str),
    /// A record with at least these fields.
    Record(Vec<String>),
    /// Some entity.
    Entity,
    /// The entity of this script.
    SelfEntity,
    /// A list of entities.
    Entities,
    /// A module, by the path of its file.
    Module(String),
    /// An area of the library or the host.
    Area(String),
}

/// What functions, methods and properties give: the area or the receiver, the name, the kind.
const GIVES: &[(&str, &str, &str)] = &[
    ("", "find", "entity"),
    ("", "nearest", "entity"),
    ("", "clone", "entity"),
    ("", "spawn_entity", "entity"),
    ("", "find_all", "entities"),
    ("", "find_near", "entities"),
    ("", "overlap", "entities"),
    ("", "direction", "vector"),
    ("", "text", "string"),
    ("", "type", "string"),
    ("", "spawn", "task"),
    ("", "distance", "number"),
    ("", "abs", "number"),
    ("", "floor", "number"),
    ("", "round", "number"),
    ("entity", "pos", "vector"),
    ("entity", "world_pos", "vector"),
    ("entity", "rot", "vector"),
    ("entity", "scale", "vector"),
    ("entity", "forward", "vector"),
    ("entity", "right", "vector"),
    ("entity", "velocity", "vector"),
    ("entity", "name", "string"),
    ("entity", "tag", "string"),
    ("entity", "tags", "list"),
    ("entity", "parent", "entity"),
    ("entity", "children", "entities"),
    ("entity", "vars", "record"),
    ("entity", "get", "record"),
    ("random", "in_circle", "vector"),
    ("random", "in_sphere", "vector"),
    ("random", "direction", "vector"),
    ("vec", "from_angle", "vector"),
    ("vec", "up", "vector"),
    ("vec", "forward", "vector"),
    ("vec", "right", "vector"),
    ("vec", "zero", "vector"),
    ("vec", "one", "vector"),
    ("rot", "look", "vector"),
    ("color", "rgb", "color"),
    ("color", "hsv", "color"),
    ("list", "of", "list"),
    ("list", "range", "list"),
    ("save", "keys", "list"),
    ("input", "mouse", "vector"),
    ("vector", "normalized", "vector"),
    ("vector", "cross", "vector"),
    ("vector", "lerp", "vector"),
    ("vector", "limit", "vector"),
    ("vector", "with_length", "vector"),
    ("vector", "rotated", "vector"),
    ("vector", "reflect", "vector"),
    ("vector", "list", "list"),
    ("vector", "dot", "number"),
    ("vector", "length", "number"),
    ("vector", "x", "number"),
    ("vector", "y", "number"),
    ("vector", "z", "number"),
    ("vector", "w", "number"),
    ("color", "lighten", "color"),
    ("color", "darken", "color"),
    ("color", "with_alpha", "color"),
    ("color", "lerp", "color"),
    ("color", "hex", "string"),
    ("list", "map", "list"),
    ("list", "filter", "list"),
    ("list", "slice", "list"),
    ("list", "sorted", "list"),
    ("list", "take", "list"),
    ("list", "drop", "list"),
    ("list", "unique", "list"),
    ("list", "join", "string"),
    ("list", "length", "number"),
    ("string", "upper", "string"),
    ("string", "lower", "string"),
    ("string", "trim", "string"),
    ("string", "replace", "string"),
    ("string", "slice", "string"),
    ("string", "split", "list"),
    ("string", "lines", "list"),
    ("string", "chars", "list"),
    ("string", "length", "number"),
    ("record", "keys", "list"),
    ("record", "values", "list"),
    ("range", "list", "list"),
    ("range", "by", "range"),
];

/// The kind that [`GIVES`] names.
fn named(kind: &str) -> ValueKind {
    match kind {
        "entity" => ValueKind::Entity,
        "entities" => ValueKind::Entities,
        "number" => ValueKind::Plain,
        "record" => ValueKind::Record(Vec::new()),
        other => known::RECEIVERS
            .iter()
            .find(|receiver| **receiver == other)
            .map_or(ValueKind::Unknown, |receiver| ValueKind::Receiver(receiver)),
    }
}

fn given(owner: &str, name: &str) -> ValueKind {
    let found = GIVES.iter().find(|(area, known, _)| *area == owner && *known == name);
    found.map_or(ValueKind::Unknown, |(.., kind)| named(kind))
}

/// The kind of value that something of this shape in this script has.
pub(crate) fn kind_of(folder: &Folder<'_>, script: &Script, shape: &Shape) -> ValueKind {
    Guess { folder, script }.kind(shape, 0)
}

struct Guess<'a> {
    folder: &'a Folder<'a>,
    script: &'a Script,
}

impl Guess<'_> {
    fn kind(&self, shape: &Shape, steps: u32) -> ValueKind {
        if steps > MOST_STEPS {
            return ValueKind::Unknown;
        }
        match shape {
            Shape::Unknown => ValueKind::Unknown,
            Shape::Bool | Shape::Number | Shape::Function => ValueKind::Plain,
            Shape::Text => ValueKind::Receiver("string"),
            Shape::Vector(_) => ValueKind::Receiver("vector"),
            Shape::Color => ValueKind::Receiver("color"),
            Shape::Range => ValueKind::Receiver("range"),
            Shape::List => ValueKind::Receiver("list"),
            Shape::Record(fields) => ValueKind::Record(fields.clone()),
            Shape::SelfEntity => ValueKind::SelfEntity,
            Shape::Definition(number) => self.definition(*number, steps),
            Shape::Free(name) => self.free(name),
            Shape::Member(owner, name) => self.member(&self.kind(owner, steps + 1), name, steps),
            Shape::Call(callee) => self.call(callee, steps),
            Shape::Element(owner) => match self.kind(owner, steps + 1) {
                ValueKind::Entities => ValueKind::Entity,
                ValueKind::Receiver("range") => ValueKind::Plain,
                _ => ValueKind::Unknown,
            },
            // A number scales a vector, so the other one decides.
            Shape::Either(left, right) => match self.kind(left, steps + 1) {
                ValueKind::Unknown | ValueKind::Plain => match self.kind(right, steps + 1) {
                    ValueKind::Unknown => self.kind(left, steps + 1),
                    right => right,
                },
                left => left,
            },
        }
    }

    fn definition(&self, number: usize, steps: u32) -> ValueKind {
        let Some(known) = self.script.index.definitions.get(number) else { return ValueKind::Unknown };
        match known.kind {
            DefinitionKind::Module => {
                let path = known.path.as_ref().and_then(|(name, _)| self.folder.find_path(name));
                path.map_or(ValueKind::Unknown, ValueKind::Module)
            }
            DefinitionKind::Parameter if known.shape == Shape::Unknown => self.parameter(known),
            _ => self.kind(&known.shape, steps + 1),
        }
    }

    /// What the host gives to its handlers is told by its names for it.
    fn parameter(&self, known: &wander::index::Definition) -> ValueKind {
        let definitions = &self.script.index.definitions;
        let Some(handler) = known.owner.and_then(|owner| definitions.get(owner)) else {
            return ValueKind::Unknown;
        };
        if handler.kind != DefinitionKind::Handler {
            return ValueKind::Unknown;
        }
        let host = self.folder.environment().handlers.iter().find(|host| host.name == handler.name);
        let at = handler.parameters.iter().position(|number| {
            definitions.get(*number).is_some_and(|parameter| parameter.span == known.span)
        });
        match host.zip(at).and_then(|(host, at)| host.params.get(at).copied()) {
            Some("other") => ValueKind::Entity,
            Some("hit") => ValueKind::Record(vec!["point".to_owned(), "normal".to_owned()]),
            Some("dt") => ValueKind::Plain,
            Some("name") => ValueKind::Receiver("string"),
            _ => ValueKind::Unknown,
        }
    }

    fn free(&self, name: &str) -> ValueKind {
        if known::areas(self.folder.environment()).contains(&name) {
            return ValueKind::Area(name.to_owned());
        }
        ValueKind::Unknown
    }

    fn member(&self, owner: &ValueKind, name: &str, steps: u32) -> ValueKind {
        match owner {
            ValueKind::Area(area) => given(area, name),
            ValueKind::Receiver("vector")
                if name.len() > 1 && name.bytes().all(|c| b"xyzw0".contains(&c)) =>
            {
                ValueKind::Receiver("vector")
            }
            ValueKind::Receiver(receiver) => given(receiver, name),
            ValueKind::Record(_) => given("record", name),
            ValueKind::Entities => given("list", name),
            ValueKind::Entity => given("entity", name),
            ValueKind::SelfEntity => match (given("entity", name), self.script.index.top(name)) {
                (ValueKind::Unknown, Some(number)) => self.definition(number, steps + 1),
                (kind, _) => kind,
            },
            ValueKind::Module(path) => match self.folder.script(path) {
                Some(module) if steps < MOST_STEPS => match module.index.top(name) {
                    Some(number) => {
                        Guess { folder: self.folder, script: &module }.definition(number, steps + 1)
                    }
                    None => ValueKind::Unknown,
                },
                _ => ValueKind::Unknown,
            },
            ValueKind::Unknown | ValueKind::Plain => ValueKind::Unknown,
        }
    }

    fn call(&self, callee: &Shape, steps: u32) -> ValueKind {
        match callee {
            Shape::Free(name) => given("", name),
            Shape::Member(owner, name) => match self.kind(owner, steps + 1) {
                ValueKind::Module(_) => ValueKind::Unknown,
                ValueKind::SelfEntity => given("entity", name),
                owner => self.member(&owner, name, steps + 1),
            },
            _ => ValueKind::Unknown,
        }
    }
}

/// Whether a script belongs to an entity, so that `self` is one.
pub(crate) fn has_self(folder: &Folder<'_>, script: &Script) -> bool {
    folder.kind(script) == Kind::Entity
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_to_give_something_exists() {
        let environment = sim::script_environment();
        for (owner, name, kind) in GIVES {
            let mut entries = if *owner == "entity" {
                known::of_entity(&environment)
            } else {
                known::area(&environment, owner)
            };
            entries.extend(known::of_value(owner));
            assert!(entries.iter().any(|entry| entry.name == *name), "there is no {owner}.{name}");
            assert_ne!(named(kind), ValueKind::Unknown, "{kind}");
        }
    }
}
