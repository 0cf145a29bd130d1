//! What the library and the host offer, in the words of an editor: names with a signature and a line about them.

use wander::environment::{Acts, HostFunction};
use wander::library::{self, Native};
use wander::{Environment, Kind};

/// Letters that stand for parameters, whose names nobody keeps.
const LETTERS: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];

/// Properties of values, read without brackets.
const VALUE_PROPERTIES: &[(&str, &str, &str)] = &[
    ("string", "length", "how many characters it has"),
    ("list", "length", "how many elements it has"),
    ("list", "first", "the first element, or nil"),
    ("list", "last", "the last element, or nil"),
    ("record", "length", "how many fields it has"),
    ("vector", "length", "its length"),
    ("vector", "length2", "the square of its length"),
    ("vector", "normalized", "the vector of length 1 in its direction; zero stays zero"),
    ("vector", "list", "its components as a list"),
    ("vector", "x", "its first component"),
    ("vector", "y", "its second component"),
    ("vector", "z", "its third component"),
    ("vector", "w", "its fourth component"),
    ("color", "r", "red, 0 to 1"),
    ("color", "g", "green, 0 to 1"),
    ("color", "b", "blue, 0 to 1"),
    ("color", "a", "opacity, 0 to 1"),
    ("color", "hex", "its text, such as `#ff8800`"),
    ("task", "done", "whether it has ended"),
    ("task", "result", "what it gave"),
];

/// Kinds of values that have methods.
pub(crate) const RECEIVERS: [&str; 7] = ["string", "list", "record", "vector", "color", "range", "task"];

/// What a name is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EntryKind {
    Function,
    Method,
    /// Read without brackets.
    Value,
}

/// Something that the library or the host offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    /// How it is written: `math.clamp(a, b, c)`.
    pub(crate) signature: String,
    /// The parameters as the signature has them.
    pub(crate) parameters: Vec<String>,
    pub(crate) doc: String,
    pub(crate) kind: EntryKind,
}

fn parameters(least: u8, most: u8) -> Vec<String> {
    let most = usize::from(most).min(LETTERS.len());
    let letters = LETTERS.iter().take(most).enumerate();
    letters
        .map(|(at, letter)| if at < usize::from(least) { (*letter).to_owned() } else { format!("{letter}?") })
        .collect()
}

fn of_native(native: &Native) -> Entry {
    let receiver = u8::from(native.is_method);
    let parameters =
        parameters(native.arity.0.saturating_sub(receiver), native.arity.1.saturating_sub(receiver));
    let dot = if native.area.is_empty() { "" } else { "." };
    Entry {
        name: native.name,
        signature: format!("{}{dot}{}({})", native.area, native.name, parameters.join(", ")),
        parameters,
        doc: native.doc.to_owned(),
        kind: if native.is_method { EntryKind::Method } else { EntryKind::Function },
    }
}

fn of_host(function: &HostFunction, owner: &str, kind: EntryKind) -> Entry {
    let parameters = parameters(function.arity.0, function.arity.1);
    let dot = if owner.is_empty() { "" } else { "." };
    let brackets = if function.property { String::new() } else { format!("({})", parameters.join(", ")) };
    let waits = if function.acts == Acts::Waits { "; may take time" } else { "" };
    Entry {
        name: function.name,
        signature: format!("{owner}{dot}{}{brackets}", function.name),
        parameters,
        doc: format!("{}{waits}", function.doc),
        kind: if function.property { EntryKind::Value } else { kind },
    }
}

/// Free functions.
pub(crate) fn free(environment: &Environment) -> Vec<Entry> {
    area(environment, "")
}

/// What an area has; an empty name has the free functions. The host's come first, as they do in programs.
pub(crate) fn area(environment: &Environment, name: &str) -> Vec<Entry> {
    let host = environment.functions.iter().filter(|function| function.area == name);
    let mut entries: Vec<Entry> = host.map(|known| of_host(known, name, EntryKind::Function)).collect();
    let natives = library::all().filter(|native| !native.is_method && native.area == name);
    for native in natives {
        if entries.iter().all(|known| known.name != native.name) {
            entries.push(of_native(native));
        }
    }
    for constant in ["pi", "tau", "infinity", "up", "forward", "right", "zero", "one"] {
        let doc = match (library::constant(name, constant), library::vector_constant(name, constant)) {
            (Some(number), _) => number.to_string(),
            (None, Some([x, y, z])) => format!("({x}, {y}, {z})"),
            (None, None) => continue,
        };
        let signature = format!("{name}.{constant}");
        entries.push(Entry {
            name: constant,
            signature,
            parameters: Vec::new(),
            doc,
            kind: EntryKind::Value,
        });
    }
    entries
}

/// Names of areas, in order.
pub(crate) fn areas(environment: &Environment) -> Vec<&'static str> {
    let host = environment.functions.iter().map(|function| function.area).filter(|area| !area.is_empty());
    let mut names: Vec<&'static str> = host.chain(library::AREAS.iter().copied()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Methods and properties of a kind of value.
pub(crate) fn of_value(receiver: &str) -> Vec<Entry> {
    let hidden = |native: &&Native| library::methods(receiver).iter().any(|name| name == native.name);
    let natives = library::all().filter(|native| native.is_method && native.area == receiver);
    let mut entries: Vec<Entry> = natives.filter(hidden).map(of_native).collect();
    for (owner, name, doc) in VALUE_PROPERTIES.iter().filter(|(owner, ..)| *owner == receiver) {
        let signature = format!("{owner}.{name}");
        entries.retain(|known| known.name != *name);
        entries.push(Entry {
            name,
            signature,
            parameters: Vec::new(),
            doc: (*doc).to_owned(),
            kind: EntryKind::Value,
        });
    }
    entries
}

/// Methods and properties of entities that the host has.
pub(crate) fn of_entity(environment: &Environment) -> Vec<Entry> {
    let properties = environment.properties.iter().map(|property| Entry {
        name: property.name,
        signature: format!("entity.{}", property.name),
        parameters: Vec::new(),
        doc: if property.writable {
            property.doc.to_owned()
        } else {
            format!("{}; cannot be set", property.doc)
        },
        kind: EntryKind::Value,
    });
    let methods = environment.methods.iter().map(|method| of_host(method, "entity", EntryKind::Method));
    properties.chain(methods).collect()
}

/// How an event's handler is written, and what it is about.
pub(crate) fn handler(environment: &Environment, name: &str) -> Option<(String, &'static str)> {
    let known = environment.handlers.iter().find(|handler| handler.name == name)?;
    Some((format!("on {}({})", known.name, known.params.join(", ")), known.doc))
}

/// Keywords that may begin or go on something in a program of this kind.
pub(crate) fn keywords(kind: Kind) -> impl Iterator<Item = &'static str> {
    let is_entity = kind == Kind::Entity;
    let fits = move |word: &&str| is_entity || !matches!(*word, "self" | "on" | "prop");
    wander::token::KEYWORDS.iter().copied().filter(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_the_library_offers_is_told() {
        let environment = sim::script_environment();
        let mut told = free(&environment).len();
        for name in areas(&environment) {
            told += area(&environment, name).iter().filter(|entry| entry.kind == EntryKind::Function).count();
        }
        let hosts = environment.functions.iter().filter(|function| !function.property).count();
        let natives = library::all().filter(|native| !native.is_method).count();
        // Names that both have are the host's.
        let twice = library::all()
            .filter(|native| !native.is_method && environment.function(native.area, native.name).is_some());
        assert_eq!(told, hosts + natives - twice.count());
        for receiver in RECEIVERS {
            let names = library::methods(receiver);
            let told = of_value(receiver);
            assert!(names.iter().all(|name| told.iter().any(|entry| entry.name == name)), "{receiver}");
        }
    }

    #[test]
    fn signatures_show_what_may_be_left_out() {
        let environment = sim::script_environment();
        let one = |area_name: &str, name: &str| {
            area(&environment, area_name).into_iter().find(|entry| entry.name == name).unwrap().signature
        };
        assert_eq!(one("", "clamp"), "clamp(a, b, c)");
        assert_eq!(one("math", "approx"), "math.approx(a, b, c?)");
        assert_eq!(one("time", "dt"), "time.dt");
        assert_eq!(one("math", "pi"), "math.pi");
        assert_eq!(handler(&environment, "collide").unwrap().0, "on collide(other, hit)");
    }

    #[test]
    fn properties_of_values_are_what_programs_can_read() {
        let values = [
            ("string", "\"text\""),
            ("list", "[1]"),
            ("record", "{a: 1}"),
            ("vector", "(1, 2, 3, 4)"),
            ("color", "#fff"),
            ("task", "spawn(fn() => 1)"),
        ];
        let mut tried = 0;
        for (receiver, value) in values {
            for (_, name, _) in VALUE_PROPERTIES.iter().filter(|(owner, ..)| *owner == receiver) {
                let source = format!("fn run(args)\n  let value = {value}\n  return value.{name}\nend\n");
                let environment = std::sync::Arc::new(Environment::default());
                let read = |_: &str| None;
                let mut loader = wander::Loader::new(&environment, &read);
                let program = loader.compile(Kind::Tool, "t.wander", &source).unwrap();
                let mut machine = wander::Machine::new(environment.clone(), 1, 60.0);
                let mut fuel = 100_000;
                let ran =
                    machine.run_function(&program, "run", &[wander::Value::Nil], &mut Nobody, &mut fuel);
                assert!(ran.is_ok(), "{receiver}.{name}: {ran:?}");
                tried += 1;
            }
        }
        assert_eq!(tried, VALUE_PROPERTIES.len());
    }

    /// A world without anything.
    struct Nobody;

    impl wander::Host for Nobody {
        fn is_alive(&self, _: base::EntityId) -> bool {
            false
        }

        fn get(&mut self, _: &mut wander::Heap, _: base::EntityId, _: u16) -> wander::Outcome<wander::Value> {
            Ok(wander::Value::Nil)
        }

        fn set(
            &mut self,
            _: &mut wander::Heap,
            _: base::EntityId,
            _: u16,
            _: &wander::Value,
        ) -> wander::Outcome<()> {
            Ok(())
        }

        fn get_variable(
            &mut self,
            _: &mut wander::Heap,
            _: base::EntityId,
            _: &str,
        ) -> wander::Outcome<Option<wander::Value>> {
            Ok(None)
        }

        fn set_variable(
            &mut self,
            _: &mut wander::Heap,
            _: base::EntityId,
            _: &str,
            _: wander::Value,
        ) -> wander::Outcome<bool> {
            Ok(false)
        }

        fn knows_variable(&self, _: &str) -> bool {
            false
        }

        fn call(
            &mut self,
            _: &mut wander::CallContext<'_>,
            _: u16,
            _: &[wander::Value],
        ) -> wander::Outcome<wander::Answer> {
            Ok(wander::Answer::Value(wander::Value::Nil))
        }

        fn entity_name(&self, _: base::EntityId) -> String {
            String::new()
        }
    }
}
