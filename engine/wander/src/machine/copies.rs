//! Copies of lists and records.

use std::collections::BTreeMap;

use super::{Machine, Task};
use crate::fault::Outcome;
use crate::value::{Handle, Value};

impl Machine {
    /// A copy of a list or record with the same things inside; everything else is given back as it is.
    pub(crate) fn copy(&mut self, task: &Task, value: Value, fuel: &mut i64) -> Outcome<Value> {
        if let Some(items) = self.heap.get_list(value) {
            self.pay(fuel, items.len())?;
            self.reserve(task, self.heap.size_of(value))?;
            let items = self.heap.get_list(value).unwrap_or_default().to_vec();
            return Ok(self.heap.list(items));
        }
        if let Some(record) = self.heap.get_record(value) {
            self.pay(fuel, record.len())?;
            self.reserve(task, self.heap.size_of(value))?;
            let record = self.heap.get_record(value).cloned().unwrap_or_default();
            return Ok(self.heap.add_record(record));
        }
        Ok(value)
    }

    /// A copy of a list or record and of every list and record inside, however deep. What was one thing inside is one
    /// thing in the copy.
    pub(crate) fn deep_copy(&mut self, task: &Task, value: Value, fuel: &mut i64) -> Outcome<Value> {
        let mut copies: BTreeMap<Handle, Value> = BTreeMap::new();
        // Copies whose insides are still those of what they are copies of.
        let mut pending: Vec<Value> = Vec::new();
        let whole = self.copy_once(task, value, &mut copies, &mut pending, fuel)?;
        while let Some(copy) = pending.pop() {
            let inside: Vec<Value> = match (self.heap.get_list(copy), self.heap.get_record(copy)) {
                (Some(items), _) => items.to_vec(),
                (None, Some(record)) => record.all_values().collect(),
                (None, None) => continue,
            };
            self.pay(fuel, inside.len() * 8)?;
            for (index, old) in inside.into_iter().enumerate() {
                let new = self.copy_once(task, old, &mut copies, &mut pending, fuel)?;
                self.heap.set_inside(copy, index, new);
            }
        }
        Ok(whole)
    }

    /// The copy of a thing: that which is there already, or a new one whose insides are pending.
    fn copy_once(
        &mut self,
        task: &Task,
        value: Value,
        copies: &mut BTreeMap<Handle, Value>,
        pending: &mut Vec<Value>,
        fuel: &mut i64,
    ) -> Outcome<Value> {
        let (Value::List(handle) | Value::Record(handle)) = value else { return Ok(value) };
        if let Some(copy) = copies.get(&handle) {
            return Ok(*copy);
        }
        // What was copied so far lies nowhere yet.
        let before = self.held.len();
        if !self.heap.has_room(self.heap.size_of(value)) {
            self.held.extend(copies.values());
        }
        let copy = self.copy(task, value, fuel);
        self.held.truncate(before);
        let copy = copy?;
        copies.insert(handle, copy);
        pending.push(copy);
        Ok(copy)
    }
}
