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
const MOST_SHAPED: usize = 64;

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

    pub(crate) fn bytes(&self) -> usize {
        self.values.capacity() * size_of::<Value>()
            + self
                .dictionary
                .as_ref()
                .map_or(0, |entries| entries.capacity() * (size_of::<(Key, Value)>() + 16))
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
            if self.values.len() < MOST_SHAPED {
                self.shape = shapes.with(self.shape, symbol);
                self.values.push(value);
                return;
            }
        }
        let mut entries: IndexMap<Key, Value> = self.entries(shapes).into_iter().collect();
        entries.insert(key, value);
        *self = Self { shape: DICTIONARY, values: Vec::new(), dictionary: Some(Box::new(entries)) };
    }

    pub(crate) fn remove(&mut self, key: Key, shapes: &mut Shapes) -> Value {
        if let Some(entries) = &mut self.dictionary {
            return entries.shift_remove(&key).unwrap_or_default();
        }
        let Key::Symbol(symbol) = key else { return Value::Nil };
        let Some(slot) = shapes.slot(self.shape, symbol) else { return Value::Nil };
        let keys: Vec<Symbol> = shapes.keys(self.shape).to_vec();
        self.shape = keys.iter().filter(|key| **key != symbol).fold(0, |shape, key| shapes.with(shape, *key));
        self.values.remove(slot)
    }

    pub(crate) fn entries(&self, shapes: &Shapes) -> Vec<(Key, Value)> {
        match &self.dictionary {
            Some(entries) => entries.iter().map(|(key, value)| (*key, *value)).collect(),
            None => shapes
                .keys(self.shape)
                .iter()
                .zip(&self.values)
                .map(|(symbol, value)| (Key::Symbol(*symbol), *value))
                .collect(),
        }
    }

    pub(crate) fn all_values(&self) -> impl Iterator<Item = Value> + '_ {
        self.values
            .iter()
            .copied()
            .chain(self.dictionary.iter().flat_map(|entries| entries.values().copied()))
    }
}
