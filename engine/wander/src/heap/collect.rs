//! Mark and sweep. When it runs follows from bytes alone, so it is the same in every run, and nothing that a script
//! can see depends on it.

use super::{Heap, Object, SLOT, size_of_object};
use crate::value::Value;

impl Heap {
    /// Frees every object that cannot be reached from `roots`.
    pub(crate) fn collect(&mut self, roots: impl IntoIterator<Item = Value>) {
        let mut marked = self.permanent.clone();
        let mut pending: Vec<u32> = Vec::new();
        let permanent = marked.iter().enumerate().filter(|(_, flag)| **flag).map(|(index, _)| index as u32);
        pending.extend(permanent);
        let mark = |value: Value, marked: &mut Vec<bool>, pending: &mut Vec<u32>| {
            if let Some(handle) = value.handle()
                && let Some(flag) = marked.get_mut(handle.0 as usize)
                && !*flag
            {
                *flag = true;
                pending.push(handle.0);
            }
        };
        for root in roots {
            mark(root, &mut marked, &mut pending);
        }
        while let Some(index) = pending.pop() {
            match self.slots.get(index as usize) {
                Some(Object::List(items)) => {
                    items.iter().for_each(|value| mark(*value, &mut marked, &mut pending));
                }
                Some(Object::Record(record)) => {
                    record.all_values().for_each(|value| mark(value, &mut marked, &mut pending));
                }
                Some(Object::Closure(closure)) => {
                    closure.captures.iter().for_each(|value| mark(*value, &mut marked, &mut pending));
                }
                Some(Object::Cell(value)) => mark(*value, &mut marked, &mut pending),
                _ => {}
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
        let next = (self.bytes * 2).max(super::FIRST_COLLECTION);
        self.collect_at = if self.collects_always { 0 } else { next };
    }
}
