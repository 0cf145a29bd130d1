//! One component kind for all entities that have it: dense, in id order, cloned like memory.

use base::EntityId;
use serde::Serialize;

/// Values by entity, kept in id order so that going through them is deterministic.
/// Invariant: `ids` is strictly ascending and as long as `values`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Column<T> {
    ids: Vec<EntityId>,
    values: Vec<T>,
}

impl<T> Default for Column<T> {
    fn default() -> Self {
        Self { ids: Vec::new(), values: Vec::new() }
    }
}

impl<T> Column<T> {
    /// How many entities have it.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether none has it.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Where this entity's value lies, valid until the next insert or remove.
    pub fn position(&self, id: EntityId) -> Option<usize> {
        self.ids.binary_search(&id).ok()
    }

    /// Whether this entity has it.
    pub fn contains(&self, id: EntityId) -> bool {
        self.position(id).is_some()
    }

    /// This entity's value.
    pub fn get(&self, id: EntityId) -> Option<&T> {
        self.values.get(self.position(id)?)
    }

    /// This entity's value, to change.
    pub fn get_mut(&mut self, id: EntityId) -> Option<&mut T> {
        let position = self.position(id)?;
        self.values.get_mut(position)
    }

    /// Sets this entity's value and returns the old one.
    pub fn insert(&mut self, id: EntityId, value: T) -> Option<T> {
        // New entities have the highest id: the common case needs no search.
        if self.ids.last().is_none_or(|last| *last < id) {
            self.ids.push(id);
            self.values.push(value);
            return None;
        }
        match self.ids.binary_search(&id) {
            Ok(position) => self.values.get_mut(position).map(|old| std::mem::replace(old, value)),
            Err(position) => {
                self.ids.insert(position, id);
                self.values.insert(position, value);
                None
            }
        }
    }

    /// Takes this entity's value away.
    pub fn remove(&mut self, id: EntityId) -> Option<T> {
        let position = self.position(id)?;
        self.ids.remove(position);
        Some(self.values.remove(position))
    }

    /// All, in id order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (EntityId, &T)> {
        self.ids.iter().copied().zip(&self.values)
    }

    /// All, in id order, to change.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = (EntityId, &mut T)> {
        self.ids.iter().copied().zip(&mut self.values)
    }

    /// The ids, ascending.
    pub fn ids(&self) -> &[EntityId] {
        &self.ids
    }

    /// The values, in id order.
    pub fn values(&self) -> &[T] {
        &self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u32) -> EntityId {
        EntityId::new(number).unwrap()
    }

    #[test]
    fn values_stay_in_id_order_whatever_the_order_of_inserts() {
        let mut column = Column::default();
        for number in [5, 2, 9, 1] {
            assert_eq!(column.insert(id(number), number * 10), None);
        }
        assert_eq!(column.insert(id(2), 21), Some(20));
        assert_eq!(column.remove(id(5)), Some(50));
        assert_eq!(column.remove(id(5)), None);
        let all: Vec<_> = column.iter().map(|(id, value)| (id.get(), *value)).collect();
        assert_eq!(all, [(1, 10), (2, 21), (9, 90)]);
        assert_eq!(column.get(id(9)), Some(&90));
    }
}
