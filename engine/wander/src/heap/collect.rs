//! Mark and sweep. When it runs follows from bytes alone, so it is the same in every run, and nothing that a script
//! can see depends on it.

use super::{Heap, Object, SLOT, size_of_object};
use crate::value::Value;

impl Heap {
    /// Frees every object that cannot be reached from `roots`.
    pub(crate) fn collect(&mut self, roots: impl IntoIterator<Item = Value>) {
        let mut marked = self.permanent.clone();
        let mut names = self.shapes.kept();
        let mut pending: Vec<u32> = Vec::new();
        let permanent = marked.iter().enumerate().filter(|(_, flag)| **flag).map(|(index, _)| index as u32);
        pending.extend(permanent);
        for root in roots {
            mark(root, &mut marked, &mut pending);
        }
        while let Some(index) = pending.pop() {
            if let Some(object) = self.slots.get(index as usize) {
                if let Object::Record(record) = object {
                    record.loose_names().for_each(|name| names.keep(name));
                }
                mark_inside(object, &mut marked, &mut pending);
            }
        }
        for (index, (slot, marked)) in self.slots.iter_mut().zip(&marked).enumerate() {
            if *marked || matches!(slot, Object::Free(_)) {
                continue;
            }
            self.bytes = self.bytes.saturating_sub(SLOT + size_of_object(slot));
            *slot = Object::Free(self.free);
            self.free = index as u32;
        }
        self.shapes.forget(&names);
        let bytes = self.bytes();
        self.live = bytes;
        let soon = bytes + self.limit / super::PART_BETWEEN_COLLECTIONS;
        let next = (bytes * 2).max(super::FIRST_COLLECTION).min(soon.max(self.limit));
        self.collect_at = if self.collects_always { 0 } else { next };
    }

    /// How many bytes the roots of each group hold. What several hold counts for the first of them.
    pub(crate) fn held_by(&self, groups: impl IntoIterator<Item = Vec<Value>>) -> Vec<usize> {
        let mut marked = self.permanent.clone();
        let mut pending: Vec<u32> = Vec::new();
        let mut held = Vec::new();
        for roots in groups {
            for root in roots {
                mark(root, &mut marked, &mut pending);
            }
            let mut bytes = 0;
            while let Some(index) = pending.pop() {
                if let Some(object) = self.slots.get(index as usize) {
                    bytes += SLOT + size_of_object(object);
                    mark_inside(object, &mut marked, &mut pending);
                }
            }
            held.push(bytes);
        }
        held
    }
}

/// Marks what a value refers to, which is then to be looked into.
fn mark(value: Value, marked: &mut [bool], pending: &mut Vec<u32>) {
    if let Some(handle) = value.handle()
        && let Some(flag) = marked.get_mut(handle.0 as usize)
        && !*flag
    {
        *flag = true;
        pending.push(handle.0);
    }
}

fn mark_inside(object: &Object, marked: &mut [bool], pending: &mut Vec<u32>) {
    match object {
        Object::List(items) => items.iter().for_each(|value| mark(*value, marked, pending)),
        Object::Record(record) => record.all_values().for_each(|value| mark(value, marked, pending)),
        Object::Closure(closure) => closure.captures.iter().for_each(|value| mark(*value, marked, pending)),
        Object::Cell(value) => mark(*value, marked, pending),
        _ => {}
    }
}
