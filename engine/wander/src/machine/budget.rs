//! What work costs: the instructions of a run, and the room for its values. Both are asked for before the work is done,
//! so that what nobody can pay for does not happen.

use std::collections::BTreeMap;

use base::EntityId;

use super::{Machine, Task};
use crate::fault::{Fault, Outcome};
use crate::value::Value;

/// Elements or bytes that one instruction pays for.
const TOUCHED: usize = 8;

/// The part of the memory that is lent beyond the limit.
const LENT: usize = 4;

/// The part of the memory that is much for one script, where there is none left.
const LARGE: usize = 8;

/// What work on so many elements or bytes costs.
pub(super) fn price(touched: usize) -> i64 {
    i64::try_from(touched / TOUCHED).unwrap_or(i64::MAX).saturating_add(1)
}

impl Machine {
    /// Pays for looking at so many elements or bytes.
    #[inline]
    pub(crate) fn pay(&self, fuel: &mut i64, touched: usize) -> Outcome<()> {
        match fuel.checked_sub(price(touched)) {
            Some(left) if left >= 0 => {
                *fuel = left;
                Ok(())
            }
            // What cannot be paid is not done, so it is not counted as used either.
            _ => {
                *fuel = (*fuel).min(0) - 1;
                Err(self.out_of_fuel())
            }
        }
    }

    /// Makes sure that a value of so many bytes has room. What nothing refers to makes way for it.
    pub(crate) fn reserve(&mut self, task: &Task, bytes: usize) -> Outcome<()> {
        if self.heap.has_room(bytes) {
            return Ok(());
        }
        if self.heap.is_worth_collecting(bytes) {
            self.collect(Some(task));
        }
        if self.heap.has_room(bytes) {
            return Ok(());
        }
        self.lend_room(task);
        if self.heap.has_room(bytes) { Ok(()) } else { Err(self.out_of_memory()) }
    }

    /// Collects where it is time to, and says so where more is in use than allowed.
    #[cold]
    pub(super) fn make_room(&mut self, task: &Task) -> Outcome<()> {
        if self.heap.wants_collection() || self.heap.is_over() && self.heap.is_worth_collecting(0) {
            self.collect(Some(task));
        }
        if self.heap.is_over() {
            self.lend_room(task);
        }
        if self.heap.is_over() { Err(self.out_of_memory()) } else { Ok(()) }
    }

    /// Lends a little room beyond the limit to a task whose script does not hold much, where others hold all that there is:
    /// they are the ones to fail.
    #[cold]
    fn lend_room(&mut self, task: &Task) {
        if self.hoarders.is_empty() {
            self.find_hoarders(task);
        }
        if !self.hoarders.contains(&task.owner) {
            self.heap.extra = self.heap.limit / LENT;
        }
    }

    /// Finds out whose scripts hold large parts of the memory; where nobody does, the task that asks is as good as any.
    fn find_hoarders(&mut self, current: &Task) {
        let mut roots: BTreeMap<Option<EntityId>, Vec<Value>> = BTreeMap::new();
        for (_, instance) in self.instances.iter() {
            roots.entry(instance.owner).or_default().extend_from_slice(&instance.globals);
        }
        for task in self.tasks.values().chain([current]) {
            roots.entry(task.owner).or_default().extend(task.roots(self.top(task)));
        }
        let owners: Vec<Option<EntityId>> = roots.keys().copied().collect();
        let held = self.heap.held_by(roots.into_values());
        let large = owners.into_iter().zip(held).filter(|(_, bytes)| *bytes > self.heap.limit / LARGE);
        self.hoarders = large.map(|(owner, _)| owner).collect();
        if self.hoarders.is_empty() {
            self.hoarders.insert(current.owner);
        }
    }

    /// Once there is room again, everybody may use it.
    pub(super) fn forgive_hoarders(&mut self) {
        if !self.hoarders.is_empty() && self.heap.has_room(self.heap.limit / LARGE) {
            self.hoarders.clear();
        }
    }

    /// The room that whoever runs now has beyond the limit.
    pub(super) fn set_room(&mut self, owner: Option<EntityId>) {
        let lends = !self.hoarders.is_empty() && !self.hoarders.contains(&owner);
        self.heap.extra = if lends { self.heap.limit / LENT } else { 0 };
    }

    /// Cleans up soon after a task that ended because there was no room, so that others need not pay for it. Once a tick
    /// is enough: what is in use all the time is still there afterwards.
    pub(super) fn clean_up_after(&mut self, task: &mut Task, fault: &Fault) {
        if fault.code != "E502" {
            return;
        }
        // Who gets this stack next must not hold what lies on it.
        task.stack.clear();
        if self.cleaned != Some(self.tick) {
            self.cleaned = Some(self.tick);
            self.heap.collect_soon();
        }
    }

    pub(super) fn out_of_fuel(&self) -> Box<Fault> {
        Fault::new("E501", format!("more than {} instructions in one run", self.budget))
            .hint("a loop that never ends? Spread long work over frames with `wait_frames(1)`")
    }

    pub(crate) fn out_of_memory(&self) -> Box<Fault> {
        Fault::new("E502", format!("scripts use more than {} MiB", self.heap.limit >> 20))
            .hint("something grows without end: look for lists that are only pushed to")
    }
}
