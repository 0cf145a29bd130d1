//! Interned names and the shapes of records: records that got the same keys in the same order share one shape, so a
//! field is found by comparing one number.

use std::collections::BTreeMap;

/// An interned name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub(crate) u32);

/// The keys of a record, in order of insertion.
#[derive(Debug, Clone, Default)]
pub struct Shape {
    pub(crate) keys: Vec<Symbol>,
}

/// All names and shapes of one heap. They only grow; both are bounded by what programs and data name.
#[derive(Debug, Clone)]
pub struct Shapes {
    names: Vec<Box<str>>,
    by_name: BTreeMap<Box<str>, Symbol>,
    shapes: Vec<Shape>,
    next: BTreeMap<(u32, Symbol), u32>,
}

impl Default for Shapes {
    fn default() -> Self {
        Self {
            names: Vec::new(),
            by_name: BTreeMap::new(),
            shapes: vec![Shape::default()],
            next: BTreeMap::new(),
        }
    }
}

impl Shapes {
    /// The symbol of a name, made where it is new.
    pub fn symbol(&mut self, name: &str) -> Symbol {
        if let Some(symbol) = self.by_name.get(name) {
            return *symbol;
        }
        let symbol = Symbol(self.names.len() as u32);
        self.names.push(name.into());
        self.by_name.insert(name.into(), symbol);
        symbol
    }

    /// The symbol of a name that is known.
    pub fn find_symbol(&self, name: &str) -> Option<Symbol> {
        self.by_name.get(name).copied()
    }

    /// The name of a symbol.
    pub fn name(&self, symbol: Symbol) -> &str {
        self.names.get(symbol.0 as usize).map_or("", |name| name)
    }

    pub(crate) fn keys(&self, shape: u32) -> &[Symbol] {
        self.shapes.get(shape as usize).map_or(&[], |shape| &shape.keys)
    }

    pub(crate) fn slot(&self, shape: u32, symbol: Symbol) -> Option<usize> {
        self.keys(shape).iter().position(|key| *key == symbol)
    }

    /// The shape with one more key.
    pub(crate) fn with(&mut self, shape: u32, symbol: Symbol) -> u32 {
        if let Some(next) = self.next.get(&(shape, symbol)) {
            return *next;
        }
        let mut keys = self.keys(shape).to_vec();
        keys.push(symbol);
        let number = self.shapes.len() as u32;
        self.shapes.push(Shape { keys });
        self.next.insert((shape, symbol), number);
        number
    }
}
