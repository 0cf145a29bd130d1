//! What work costs: the instructions of a run, and the room for its values. Both are asked for before the work is done,
//! so that what nobody can pay for does not happen.

use super::{Machine, Task};
use crate::fault::{Fault, Outcome};

/// Elements or bytes that one instruction pays for.
const TOUCHED: usize = 8;

/// What work on so many elements or bytes costs.
pub(super) fn price(touched: usize) -> i64 {
    i64::try_from(touched / TOUCHED).unwrap_or(i64::MAX).saturating_add(1)
}

impl Machine {
    /// Pays for looking at so many elements or bytes.
    #[inline]
    pub(crate) fn pay(&self, fuel: &mut i64, touched: usize) -> Outcome<()> {
        *fuel = fuel.saturating_sub(price(touched));
        if *fuel < 0 { Err(self.out_of_fuel()) } else { Ok(()) }
    }

    /// Makes sure that a value of so many bytes has room. What nothing refers to makes way for it.
    pub(crate) fn reserve(&mut self, task: &Task, bytes: usize) -> Outcome<()> {
        if self.heap.has_room(bytes) {
            return Ok(());
        }
        if self.heap.is_worth_collecting(bytes) {
            self.collect(Some(task));
        }
        if self.heap.has_room(bytes) { Ok(()) } else { Err(self.out_of_memory()) }
    }

    /// Collects where it is time to, and says so where more is in use than allowed.
    #[cold]
    pub(super) fn make_room(&mut self, task: &Task) -> Outcome<()> {
        if self.heap.wants_collection() || self.heap.is_over() && self.heap.is_worth_collecting(0) {
            self.collect(Some(task));
        }
        if self.heap.is_over() { Err(self.out_of_memory()) } else { Ok(()) }
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
