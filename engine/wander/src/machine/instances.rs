//! Instances of programs by number. A number names a slot and how often that slot was used before, so that slots of
//! scripts that ended serve new ones, and a function that outlived its script never runs on another's variables.

use base::EntityId;

use crate::value::Value;

/// Bits of a number that name the slot: a million instances at once.
const SLOT_BITS: u32 = 20;

/// The variables of one script, and the entity it belongs to.
#[derive(Debug, Clone)]
pub(crate) struct Instance {
    id: u32,
    pub(crate) program: u32,
    pub(crate) owner: Option<EntityId>,
    pub(crate) globals: Vec<Value>,
    /// Names of the last of these, which only older versions of the program know.
    pub(crate) left_over: Vec<String>,
}

/// All instances.
#[derive(Debug, Clone, Default)]
pub(crate) struct Instances {
    slots: Vec<Option<Instance>>,
    /// Numbers to give next, the latest freed last.
    free: Vec<u32>,
}

impl Instances {
    pub(crate) fn get(&self, id: u32) -> Option<&Instance> {
        self.slots.get(slot(id))?.as_ref().filter(|instance| instance.id == id)
    }

    pub(crate) fn get_mut(&mut self, id: u32) -> Option<&mut Instance> {
        self.slots.get_mut(slot(id))?.as_mut().filter(|instance| instance.id == id)
    }

    /// Adds one with `count` variables that are nil.
    pub(crate) fn add(&mut self, program: u32, owner: Option<EntityId>, count: usize) -> u32 {
        let id = self.free.pop().unwrap_or(self.slots.len() as u32);
        let instance =
            Instance { id, program, owner, globals: vec![Value::Nil; count], left_over: Vec::new() };
        match self.slots.get_mut(slot(id)) {
            Some(slot) => *slot = Some(instance),
            None => self.slots.push(Some(instance)),
        }
        id
    }

    pub(crate) fn remove(&mut self, id: u32) {
        if self.get(id).is_none() {
            return;
        }
        if let Some(slot) = self.slots.get_mut(slot(id)) {
            *slot = None;
        }
        // A slot whose uses can no longer be counted rests for good.
        if let Some(next) = id.checked_add(1 << SLOT_BITS) {
            self.free.push(next);
        }
    }

    /// All of them, by slot.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &Instance)> {
        self.slots.iter().flatten().map(|instance| (instance.id, instance))
    }

    #[cfg(test)]
    fn slots(&self) -> usize {
        self.slots.len()
    }
}

fn slot(id: u32) -> usize {
    (id & ((1 << SLOT_BITS) - 1)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_serve_again_under_new_numbers_and_old_numbers_find_nothing() {
        let mut instances = Instances::default();
        let kept = instances.add(1, None, 2);
        let mut seen = vec![kept];
        for program in 0..10_000 {
            let id = instances.add(program, None, 1);
            assert!(seen.iter().rev().take(50).all(|old| *old != id));
            assert_eq!(instances.get(id).unwrap().program, program);
            instances.remove(id);
            assert!(instances.get(id).is_none() && instances.get_mut(id).is_none());
            seen.push(id);
        }
        assert!(instances.slots() < 10, "{} slots", instances.slots());
        assert_eq!(instances.get(kept).unwrap().globals.len(), 2);
        assert_eq!(instances.iter().count(), 1);
    }
}
