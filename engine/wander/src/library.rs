//! The library that needs no engine: functions, areas and methods, one file an area. The tables here are what the
//! compiler resolves against and what the reference is printed from.

mod color;
mod free;
mod list;
mod math;
mod random;
mod record;
mod rotation;
mod string;
mod vector;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::environment::Acts;
use crate::fault::{Fault, Outcome};
use crate::host::Host;
use crate::machine::{Machine, Task};
use crate::value::Value;

/// What a native may use.
pub struct Call<'a, 'b> {
    /// The machine, whose heap holds the values.
    pub machine: &'a mut Machine,
    /// The world.
    pub host: &'a mut dyn Host,
    /// The task that calls.
    pub task: &'b mut Task,
    /// Instructions left; work on many elements pays here.
    pub fuel: &'a mut i64,
}

/// Bytes of a small thing and of its place in a list, about.
const THING: usize = 96;

/// What a native does with plain numbers and vectors, without the machine.
pub type Plain = fn(&[Value]) -> Option<Value>;

/// A native function or method (whose first argument is the receiver).
pub struct Native {
    /// `math`, or `list` and so on for methods; empty for free functions.
    pub area: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Fewest and most arguments, the receiver counted.
    pub arity: (u8, u8),
    /// Whether it is called on a value of the type that `area` names.
    pub is_method: bool,
    /// One line for whoever writes scripts.
    pub doc: &'static str,
    /// The function of the prelude that does it instead, where it calls back into scripts.
    pub prelude: Option<&'static str>,
    /// What calling it does; natives touch only values, but some start or put off something.
    pub acts: Acts,
    /// Does it.
    pub run: fn(&mut Call<'_, '_>, &[Value]) -> Outcome<Value>,
    /// Does the same for numbers and vectors that make no trouble, and gives nothing for everything else.
    pub plain: Option<Plain>,
    /// What the machine does by itself where the one argument is a number.
    pub shortcut: Shortcut,
}

/// Functions of one number that are a single step of the processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Shortcut {
    /// It is none of them.
    None,
    /// `sqrt`.
    SquareRoot,
    /// `abs`.
    Absolute,
    /// `floor`.
    Floor,
}

impl Native {
    /// Its name as scripts write it.
    pub(crate) fn full_name(&self) -> String {
        match (self.is_method, self.area) {
            (true, _) | (_, "") => self.name.to_owned(),
            (false, area) => format!("{area}.{}", self.name),
        }
    }

    /// With a shortcut for plain numbers and vectors.
    const fn plain(mut self, plain: Plain) -> Self {
        self.plain = Some(plain);
        self
    }

    /// With one that the machine does by itself.
    const fn shortcut(mut self, shortcut: Shortcut) -> Self {
        self.shortcut = shortcut;
        self
    }

    /// With what calling it does.
    const fn acts(mut self, acts: Acts) -> Self {
        self.acts = acts;
        self
    }
}

/// A shortcut for a function of one number.
macro_rules! of_number {
    (|$x:ident| $result:expr) => {
        |arguments| match arguments {
            &[Value::Number($x)] => $result,
            _ => None,
        }
    };
}
pub(super) use of_number;

/// A free function, or one of an area.
const fn function(
    area: &'static str,
    name: &'static str,
    arity: (u8, u8),
    doc: &'static str,
    run: fn(&mut Call<'_, '_>, &[Value]) -> Outcome<Value>,
) -> Native {
    Native {
        area,
        name,
        arity,
        is_method: false,
        doc,
        prelude: None,
        acts: Acts::Reads,
        run,
        plain: None,
        shortcut: Shortcut::None,
    }
}

/// A method of a type; the arity counts the receiver.
const fn on(
    area: &'static str,
    name: &'static str,
    arity: (u8, u8),
    doc: &'static str,
    run: fn(&mut Call<'_, '_>, &[Value]) -> Outcome<Value>,
) -> Native {
    Native {
        area,
        name,
        arity,
        is_method: true,
        doc,
        prelude: None,
        acts: Acts::Reads,
        run,
        plain: None,
        shortcut: Shortcut::None,
    }
}

/// A method or function that the prelude does.
const fn prelude(
    area: &'static str,
    name: &'static str,
    arity: (u8, u8),
    is_method: bool,
    doc: &'static str,
    target: &'static str,
) -> Native {
    Native {
        area,
        name,
        arity,
        is_method,
        doc,
        prelude: Some(target),
        acts: Acts::Reads,
        run: never,
        plain: None,
        shortcut: Shortcut::None,
    }
}

fn never(_: &mut Call<'_, '_>, _: &[Value]) -> Outcome<Value> {
    Err(Fault::new("E216", "this function is done by the prelude"))
}

/// Areas of the library.
pub const AREAS: &[&str] = &["math", "bits", "vec", "rot", "color", "list", "record", "random"];

const TABLES: &[&[Native]] = &[
    free::TABLE,
    math::TABLE,
    vector::TABLE,
    color::TABLE,
    list::TABLE,
    string::TABLE,
    record::TABLE,
    random::TABLE,
    rotation::TABLE,
];

/// All natives in the order of their numbers.
pub fn all() -> impl Iterator<Item = &'static Native> {
    TABLES.iter().flat_map(|table| table.iter())
}

/// The native of this number.
pub fn get(number: u16) -> Option<&'static Native> {
    static FLAT: LazyLock<Vec<&'static Native>> = LazyLock::new(|| all().collect());
    FLAT.get(usize::from(number)).copied()
}

/// Kinds of receivers that have methods written in Rust.
const KINDS: [&str; 8] = ["string", "list", "record", "vector", "color", "range", "task", "stream"];

/// The natives that are methods of one name, by kind of receiver.
pub(crate) type Methods = [Option<u16>; KINDS.len()];

/// The natives that are methods of this name.
pub(crate) fn methods_called(name: &str) -> Methods {
    static BY_NAME: LazyLock<BTreeMap<&'static str, Methods>> = LazyLock::new(|| {
        let mut found: BTreeMap<&'static str, Methods> = BTreeMap::new();
        for (number, native) in all().enumerate().filter(|(_, native)| native.is_method) {
            for (kind, slot) in KINDS.iter().zip(found.entry(native.name).or_default()) {
                if *kind == native.area && slot.is_none() {
                    *slot = Some(number as u16);
                }
            }
        }
        found
    });
    BY_NAME.get(name).copied().unwrap_or_default()
}

/// The kind of a value among those of [`Methods`].
pub(crate) fn kind_of(value: &Value) -> Option<usize> {
    Some(match value {
        Value::Text(_) => 0,
        Value::List(_) => 1,
        Value::Record(_) => 2,
        Value::Vec2(_) | Value::Vec3(_) | Value::Vec4(_) => 3,
        Value::Color(_) => 4,
        Value::Range(_) => 5,
        Value::Task(_) => 6,
        Value::Stream(_) => 7,
        _ => return None,
    })
}

/// The number of a function of an area (empty: a free one).
pub fn find(area: &str, name: &str) -> Option<u16> {
    static BY_NAME: LazyLock<BTreeMap<(&'static str, &'static str), u16>> = LazyLock::new(|| {
        let functions = all().enumerate().filter(|(_, native)| !native.is_method);
        functions.map(|(number, native)| ((native.name, native.area), number as u16)).collect()
    });
    BY_NAME.get(&(name, area)).copied()
}

/// The number of a method of a type.
pub fn method(type_name: &str, name: &str) -> Option<u16> {
    all()
        .position(|native| native.is_method && native.area == type_name && native.name == name)
        .map(|at| at as u16)
}

/// The methods of a type.
pub fn methods(type_name: &str) -> Vec<String> {
    all()
        // What only the prelude calls is nobody's to write.
        .filter(|native| native.is_method && native.area == type_name && native.name != "order_by")
        .map(|native| native.name.to_owned())
        .collect()
}

/// Whether the library has such an area.
pub fn has_area(name: &str) -> bool {
    AREAS.contains(&name)
}

/// The functions of an area.
pub fn names(area: &str) -> Vec<String> {
    all()
        .filter(|native| !native.is_method && native.area == area)
        .map(|native| native.name.to_owned())
        .collect()
}

/// A number that an area names.
pub fn constant(area: &str, name: &str) -> Option<f64> {
    match (area, name) {
        ("math", "pi") => Some(std::f64::consts::PI),
        ("math", "tau") => Some(std::f64::consts::TAU),
        ("math", "infinity") => Some(f64::INFINITY),
        _ => None,
    }
}

/// A vector that an area names.
pub fn vector_constant(area: &str, name: &str) -> Option<[f32; 3]> {
    match (area, name) {
        ("vec", "up") => Some([0.0, 1.0, 0.0]),
        ("vec", "forward") => Some([0.0, 0.0, -1.0]),
        ("vec", "right") => Some([1.0, 0.0, 0.0]),
        ("vec", "zero") => Some([0.0, 0.0, 0.0]),
        ("vec", "one") => Some([1.0, 1.0, 1.0]),
        _ => None,
    }
}

impl Call<'_, '_> {
    /// Pays for looking at so many elements or bytes. Every native does so before it looks.
    fn pay(&mut self, touched: usize) -> Outcome<()> {
        self.machine.pay(self.fuel, touched)
    }

    /// Pays for a new list of so many elements and makes sure that it has room.
    fn pay_for_list(&mut self, count: usize) -> Outcome<()> {
        self.pay(count)?;
        self.machine.reserve(self.task, count.saturating_mul(size_of::<Value>()))
    }

    /// Pays for a new list of so many new things, texts or lists or records, and makes sure that it has room.
    fn pay_for_things(&mut self, count: usize) -> Outcome<()> {
        self.pay(count.saturating_mul(8))?;
        self.machine.reserve(self.task, count.saturating_mul(THING))
    }

    fn argument(&self, arguments: &[Value], index: usize) -> Value {
        arguments.get(index).copied().unwrap_or_default()
    }

    fn number(&self, arguments: &[Value], index: usize, what: &str) -> Outcome<f64> {
        match self.argument(arguments, index) {
            Value::Number(number) => Ok(number),
            other => Err(wrong(what, "a number", other)),
        }
    }

    fn number_or(&self, arguments: &[Value], index: usize, what: &str, default: f64) -> Outcome<f64> {
        if arguments.len() <= index { Ok(default) } else { self.number(arguments, index, what) }
    }

    fn whole(&self, arguments: &[Value], index: usize, what: &str) -> Outcome<i64> {
        let number = self.number(arguments, index, what)?;
        if number.fract() != 0.0 || number.abs() > 9_007_199_254_740_992.0 {
            return Err(Fault::new(
                "E304",
                format!("{what} {} is not a whole number", crate::number::text(number)),
            ));
        }
        Ok(number as i64)
    }

    /// A text where it lies. What goes through it pays for it before.
    fn text(&self, arguments: &[Value], index: usize, what: &str) -> Outcome<&str> {
        let value = self.argument(arguments, index);
        self.machine.heap.get_text(value).ok_or_else(|| wrong(what, "a string", value))
    }

    /// Pays for going through a text.
    fn pay_for_text(&mut self, arguments: &[Value], index: usize, what: &str) -> Outcome<()> {
        let bytes = self.text(arguments, index, what)?.len();
        self.pay(bytes)
    }

    /// The elements of a list where they lie. What goes through them pays for it before.
    fn items(&self, arguments: &[Value], index: usize, what: &str) -> Outcome<&[Value]> {
        let value = self.argument(arguments, index);
        self.machine.heap.get_list(value).ok_or_else(|| wrong(what, "a list", value))
    }

    /// A copy of a list's elements, paid for and with room for a list of them.
    fn own_items(&mut self, arguments: &[Value], index: usize, what: &str) -> Outcome<Vec<Value>> {
        let count = self.items(arguments, index, what)?.len();
        self.pay_for_list(count)?;
        Ok(self.items(arguments, index, what)?.to_vec())
    }

    fn new_text(&mut self, text: String) -> Value {
        self.machine.heap.own_text(text)
    }

    fn vector(&self, arguments: &[Value], index: usize, what: &str) -> Outcome<([f32; 4], usize)> {
        let value = self.argument(arguments, index);
        self.machine.heap.get_vector(value).ok_or_else(|| wrong(what, "a vector", value))
    }

    /// A place: a vector, an entity's position, or a list of two or three numbers.
    fn place(&mut self, arguments: &[Value], index: usize, what: &str) -> Outcome<([f32; 4], usize)> {
        let value = self.argument(arguments, index);
        if let Some(found) = self.machine.heap.get_vector(value) {
            return Ok(found);
        }
        if let Value::Entity(entity) = value {
            let property = self.machine.environment().property("pos").map(|(number, _)| number);
            if let Some(property) = property {
                if !self.host.is_alive(entity) {
                    return Err(Fault::new(
                        "E215",
                        format!("`{}` is destroyed", self.host.entity_name(entity)),
                    ));
                }
                let position = self.host.get(&mut self.machine.heap, entity, property)?;
                if let Some(found) = self.machine.heap.get_vector(position) {
                    return Ok(found);
                }
            }
        }
        if let Some(items) = self.machine.heap.get_list(value).filter(|items| items.len() <= 3) {
            let numbers: Option<Vec<f32>> = items
                .iter()
                .map(|item| match item {
                    Value::Number(number) => Some(*number as f32),
                    _ => None,
                })
                .collect();
            match numbers.as_deref() {
                Some([x, y]) => return Ok(([*x, *y, 0.0, 0.0], 2)),
                Some([x, y, z]) => return Ok(([*x, *y, *z, 0.0], 3)),
                _ => {}
            }
        }
        Err(wrong(what, "a vector, an entity or a list of numbers", value))
    }

    fn truth(&self, value: Value) -> bool {
        self.machine.truth(value, self.host)
    }
}

/// An argument of the wrong kind.
fn wrong(what: &str, expected: &str, got: Value) -> Box<Fault> {
    let code = if got.is_nil() { "E301" } else { "E310" };
    Fault::new(code, format!("{what} needs {expected}, got {}", got.type_name()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_native_is_documented_and_named_once() {
        let mut seen = std::collections::BTreeSet::new();
        for native in all() {
            assert!(!native.doc.is_empty(), "{}.{} has no doc", native.area, native.name);
            assert!(native.arity.0 <= native.arity.1, "{}", native.name);
            assert!(
                seen.insert((native.area, native.name, native.is_method)),
                "{}.{} twice",
                native.area,
                native.name
            );
        }
    }
}
