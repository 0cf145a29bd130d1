//! Interned names and the shapes of records: records that got the same keys in the same order share one shape, so a
//! field is found by comparing one number.

use std::collections::BTreeMap;
use std::sync::Arc;

/// An interned name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub(crate) u32);

/// The keys of a record, in order of insertion.
#[derive(Debug, Clone, Default)]
pub struct Shape {
    pub(crate) keys: Vec<Symbol>,
}

/// Shapes that records may make beyond those of record literals. Records whose keys keep changing are dictionaries
/// from then on, so that what scripts do at run time cannot make shapes without end.
const MOST_MADE: usize = 4_096;

/// Bytes of the longest name of a shape; a shape keeps its names for good.
const LONGEST: usize = 64;

/// Bytes that a name takes besides its text: its places in the list and in the tree.
const NAME: usize = 96;

/// Bytes that a shape takes besides its keys.
const SHAPE: usize = 96;

/// All names and shapes of one heap. Shapes only grow, up to a bound; names that no program, shape or record uses any
/// longer are forgotten.
#[derive(Debug, Clone)]
pub struct Shapes {
    /// Names by symbol; none where a symbol is free.
    names: Vec<Option<Arc<str>>>,
    by_name: BTreeMap<Arc<str>, Symbol>,
    free: Vec<Symbol>,
    /// Symbols that stay: those of programs and shapes.
    pinned: Vec<bool>,
    shapes: Vec<Shape>,
    next: BTreeMap<(u32, Symbol), u32>,
    /// How many of the shapes records made at run time.
    made: usize,
    bytes: usize,
}

impl Default for Shapes {
    fn default() -> Self {
        Self {
            names: Vec::new(),
            by_name: BTreeMap::new(),
            free: Vec::new(),
            pinned: Vec::new(),
            shapes: vec![Shape::default()],
            next: BTreeMap::new(),
            made: 0,
            bytes: 0,
        }
    }
}

/// Names that a collection found in use.
pub(super) struct Kept(Vec<bool>);

impl Kept {
    pub(super) fn keep(&mut self, symbol: Symbol) {
        if let Some(flag) = self.0.get_mut(symbol.0 as usize) {
            *flag = true;
        }
    }
}

impl Shapes {
    /// Bytes of names and shapes.
    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The symbol of a name, made where it is new.
    pub fn symbol(&mut self, name: &str) -> Symbol {
        if let Some(symbol) = self.by_name.get(name) {
            return *symbol;
        }
        let text: Arc<str> = name.into();
        self.bytes += NAME + name.len();
        let symbol = self.free.pop().unwrap_or(Symbol(self.names.len() as u32));
        match self.names.get_mut(symbol.0 as usize) {
            Some(place) => *place = Some(Arc::clone(&text)),
            None => {
                self.names.push(Some(Arc::clone(&text)));
                self.pinned.push(false);
            }
        }
        self.by_name.insert(text, symbol);
        symbol
    }

    /// The symbol of a name that programs use: it stays.
    pub(crate) fn lasting_symbol(&mut self, name: &str) -> Symbol {
        let symbol = self.symbol(name);
        self.pin(symbol);
        symbol
    }

    fn pin(&mut self, symbol: Symbol) {
        if let Some(flag) = self.pinned.get_mut(symbol.0 as usize) {
            *flag = true;
        }
    }

    /// The symbol of a name that is known.
    pub fn find_symbol(&self, name: &str) -> Option<Symbol> {
        self.by_name.get(name).copied()
    }

    /// The name of a symbol.
    pub fn name(&self, symbol: Symbol) -> &str {
        self.names.get(symbol.0 as usize).and_then(Option::as_deref).unwrap_or_default()
    }

    /// Names that stay whatever records there are, for a collection to add to.
    pub(super) fn kept(&self) -> Kept {
        Kept(self.pinned.clone())
    }

    /// Forgets every other name.
    pub(super) fn forget(&mut self, kept: &Kept) {
        for (index, (place, kept)) in self.names.iter_mut().zip(&kept.0).enumerate() {
            if *kept {
                continue;
            }
            if let Some(name) = place.take() {
                self.bytes = self.bytes.saturating_sub(NAME + name.len());
                self.by_name.remove(&name);
                self.free.push(Symbol(index as u32));
            }
        }
    }

    pub(crate) fn keys(&self, shape: u32) -> &[Symbol] {
        self.shapes.get(shape as usize).map_or(&[], |shape| &shape.keys)
    }

    pub(crate) fn slot(&self, shape: u32, symbol: Symbol) -> Option<usize> {
        self.keys(shape).iter().position(|key| *key == symbol)
    }

    /// The shape with one more key; none where records have made as many as they may, or where the name is too long.
    pub(crate) fn with(&mut self, shape: u32, symbol: Symbol) -> Option<u32> {
        if let Some(next) = self.next.get(&(shape, symbol)) {
            return Some(*next);
        }
        if self.made >= MOST_MADE || self.name(symbol).len() > LONGEST {
            return None;
        }
        self.made += 1;
        Some(self.add(shape, symbol))
    }

    /// The same for a record literal, of which there are as many as programs have.
    pub(crate) fn with_literal(&mut self, shape: u32, symbol: Symbol) -> u32 {
        match self.next.get(&(shape, symbol)) {
            Some(next) => *next,
            None => self.add(shape, symbol),
        }
    }

    fn add(&mut self, shape: u32, symbol: Symbol) -> u32 {
        let mut keys = self.keys(shape).to_vec();
        keys.push(symbol);
        self.pin(symbol);
        self.bytes += SHAPE + size_of_val(keys.as_slice());
        let number = self.shapes.len() as u32;
        self.shapes.push(Shape { keys });
        self.next.insert((shape, symbol), number);
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_nothing_uses_are_forgotten_and_their_symbols_serve_again() {
        let mut shapes = Shapes::default();
        let (kept, shaped) = (shapes.lasting_symbol("kept"), shapes.symbol("shaped"));
        assert_eq!(shapes.with(0, shaped), Some(1));
        let before = shapes.bytes();
        let (held, gone) = (shapes.symbol("held"), shapes.symbol("gone"));
        let mut used = shapes.kept();
        used.keep(held);
        shapes.forget(&used);
        assert_eq!(
            [kept, shaped, held, gone].map(|symbol| shapes.name(symbol)),
            ["kept", "shaped", "held", ""]
        );
        assert_eq!(shapes.find_symbol("gone"), None);
        assert_eq!(shapes.symbol("new"), gone);
        let used = shapes.kept();
        shapes.forget(&used);
        assert_eq!(shapes.bytes(), before);
    }

    #[test]
    fn records_make_no_shapes_without_end_and_literals_have_theirs() {
        let mut shapes = Shapes::default();
        let next = |shapes: &mut Shapes, name: usize| {
            let symbol = shapes.symbol(&name.to_string());
            shapes.with(0, symbol)
        };
        let mut name = 0;
        while next(&mut shapes, name).is_some() {
            name += 1;
        }
        assert_eq!(name, MOST_MADE);
        let symbol = shapes.symbol("one more");
        let shape = shapes.with_literal(0, symbol);
        assert_eq!(shapes.keys(shape), [symbol]);
        assert_eq!(shapes.with(0, symbol), Some(shape));
    }
}
