//! Records: shaped while they have few named keys, a dictionary from then on. Order of insertion is kept in both.

use base::EntityId;
use indexmap::IndexMap;

use super::shape::{Shapes, Symbol};
use crate::value::Value;

/// The shape of a record without keys.
pub(crate) const EMPTY_SHAPE: u32 = 0;

/// Stands for the shape of records that have none; no site remembers it.
const DICTIONARY: u32 = u32::MAX - 1;

/// Named keys up to which a record is shaped.
pub(crate) const MOST_SHAPED: usize = 64;

/// A key of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    /// A name.
    Symbol(Symbol),
    /// A number, by its bits.
    Number(u64),
    /// An entity.
    Entity(EntityId),
}

impl Key {
    /// The key as text.
    pub fn text(&self, shapes: &Shapes) -> String {
        match self {
            Self::Symbol(symbol) => shapes.name(*symbol).to_owned(),
            Self::Number(bits) => crate::number::text(f64::from_bits(*bits)),
            Self::Entity(id) => super::entity_text(*id),
        }
    }

    /// Bytes of its text, about.
    pub(crate) fn text_length(&self, shapes: &Shapes) -> usize {
        match self {
            Self::Symbol(symbol) => shapes.name(*symbol).len(),
            _ => 0,
        }
    }
}

/// A record.
#[derive(Debug, Clone, Default)]
pub struct Record {
    pub(crate) shape: u32,
    pub(crate) values: Vec<Value>,
    dictionary: Option<Box<IndexMap<Key, Value>>>,
}

impl Record {
    /// One of this shape with a value for each of its keys.
    pub(crate) fn shaped(shape: u32, values: &[Value]) -> Self {
        Self { shape, values: values.to_vec(), dictionary: None }
    }

    /// How many keys it has.
    pub fn len(&self) -> usize {
        self.dictionary.as_ref().map_or(self.values.len(), |entries| entries.len())
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes besides the slot. Those of a dictionary follow from how many keys it has: its real room also follows from
    /// how its hashes happen to lie, and would not be the same in every run.
    pub(crate) fn bytes(&self) -> usize {
        let places = self.dictionary.as_ref().map_or(0, |entries| entries.len().next_power_of_two());
        self.values.capacity() * size_of::<Value>() + places * (size_of::<(Key, Value)>() + 16)
    }

    pub(crate) fn get(&self, key: Key, shapes: &Shapes) -> Value {
        match (&self.dictionary, key) {
            (Some(entries), _) => entries.get(&key).copied().unwrap_or_default(),
            (None, Key::Symbol(symbol)) => shapes
                .slot(self.shape, symbol)
                .and_then(|slot| self.values.get(slot))
                .copied()
                .unwrap_or_default(),
            _ => Value::Nil,
        }
    }

    pub(crate) fn has(&self, key: Key, shapes: &Shapes) -> bool {
        match (&self.dictionary, key) {
            (Some(entries), _) => entries.contains_key(&key),
            (None, Key::Symbol(symbol)) => shapes.slot(self.shape, symbol).is_some(),
            _ => false,
        }
    }

    /// Sets a key; nil removes it.
    pub(crate) fn set(&mut self, key: Key, value: Value, shapes: &mut Shapes) {
        if value.is_nil() {
            self.remove(key, shapes);
            return;
        }
        if let Some(entries) = &mut self.dictionary {
            entries.insert(key, value);
            return;
        }
        if let Key::Symbol(symbol) = key {
            if let Some(slot) = shapes.slot(self.shape, symbol) {
                if let Some(old) = self.values.get_mut(slot) {
                    *old = value;
                }
                return;
            }
            if self.values.len() < MOST_SHAPED
                && let Some(shape) = shapes.with(self.shape, symbol)
            {
                self.shape = shape;
                self.values.push(value);
                return;
            }
        }
        self.make_dictionary(shapes).insert(key, value);
    }

    /// Gives up the shape.
    fn make_dictionary(&mut self, shapes: &Shapes) -> &mut IndexMap<Key, Value> {
        let entries: IndexMap<Key, Value> = self.iter(shapes).collect();
        self.shape = DICTIONARY;
        self.values = Vec::new();
        self.dictionary.insert(Box::new(entries))
    }

    pub(crate) fn remove(&mut self, key: Key, shapes: &mut Shapes) -> Value {
        if let Some(entries) = &mut self.dictionary {
            let value = entries.shift_remove(&key).unwrap_or_default();
            // What is counted by its keys must not keep room for many more.
            if entries.capacity() > 4 * entries.len() + MOST_SHAPED {
                entries.shrink_to(2 * entries.len());
            }
            return value;
        }
        let Key::Symbol(symbol) = key else { return Value::Nil };
        let Some(slot) = shapes.slot(self.shape, symbol) else { return Value::Nil };
        let keys: Vec<Symbol> = shapes.keys(self.shape).to_vec();
        let mut others = keys.iter().filter(|key| **key != symbol);
        match others.try_fold(EMPTY_SHAPE, |shape, key| shapes.with(shape, *key)) {
            Some(shape) => {
                self.shape = shape;
                self.values.remove(slot)
            }
            None => self.make_dictionary(shapes).shift_remove(&key).unwrap_or_default(),
        }
    }

    /// Keys and values in order.
    pub(crate) fn iter<'a>(&'a self, shapes: &'a Shapes) -> impl Iterator<Item = (Key, Value)> + 'a {
        let named = shapes.keys(self.shape).iter().zip(&self.values);
        let others = self.dictionary.iter().flat_map(|entries| entries.iter());
        named
            .map(|(symbol, value)| (Key::Symbol(*symbol), *value))
            .chain(others.map(|(key, value)| (*key, *value)))
    }

    pub(crate) fn entries(&self, shapes: &Shapes) -> Vec<(Key, Value)> {
        self.iter(shapes).collect()
    }

    /// The value at a place in the order.
    pub(super) fn place_mut(&mut self, index: usize) -> Option<&mut Value> {
        match &mut self.dictionary {
            Some(entries) => entries.get_index_mut(index).map(|(_, value)| value),
            None => self.values.get_mut(index),
        }
    }

    /// Names that it holds itself, without a shape.
    pub(super) fn loose_names(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.dictionary.iter().flat_map(|entries| entries.keys()).filter_map(|key| match key {
            Key::Symbol(symbol) => Some(*symbol),
            _ => None,
        })
    }

    pub(crate) fn all_values(&self) -> impl Iterator<Item = Value> + '_ {
        self.values
            .iter()
            .copied()
            .chain(self.dictionary.iter().flat_map(|entries| entries.values().copied()))
    }
}
