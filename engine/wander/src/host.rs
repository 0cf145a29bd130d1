//! The world behind the language, as the machine asks for it.

use std::collections::VecDeque;

use base::EntityId;

use crate::fault::{Fault, Outcome};
use crate::heap::Heap;
use crate::machine::Event;
use crate::random::Pcg32;
use crate::value::{TaskId, Value};

/// What a call into the host may use.
pub struct CallContext<'a> {
    /// For making and reading texts, lists and records.
    pub heap: &'a mut Heap,
    /// The entity whose script calls; none in tools, modules' start and expressions.
    pub owner: Option<EntityId>,
    /// The task that calls, for answering later.
    pub task: TaskId,
    /// The random numbers of the caller.
    pub random: &'a mut Pcg32,
    pub(crate) events: &'a mut VecDeque<Event>,
}

impl CallContext<'_> {
    /// Puts an event on its way, to one entity or to all; false where too many wait already.
    pub fn send(&mut self, to: Option<EntityId>, name: &str, arguments: Vec<Value>) -> bool {
        if self.events.len() >= crate::machine::MOST_EVENTS {
            return false;
        }
        let event = Event { to, name: name.to_owned(), arguments };
        self.heap.count(event.bytes());
        self.events.push_back(event);
        true
    }
}

/// What a host function answers.
#[derive(Debug, Clone, Copy)]
pub enum Answer {
    /// A value, now.
    Value(Value),
    /// Nothing yet: the task sleeps until [`crate::machine::Machine::answer`] wakes it.
    Later,
    /// The task sleeps for so many ticks, at least one.
    Sleep(u64),
    /// The task sleeps until an event of the name given as first argument reaches its entity.
    Event,
}

/// The host. Every method may be called many times a tick and should be quick.
pub trait Host {
    /// Whether an entity exists.
    fn is_alive(&self, entity: EntityId) -> bool;

    /// A property of an entity that exists, by its number in the environment.
    fn get(&mut self, heap: &mut Heap, entity: EntityId, property: u16) -> Outcome<Value>;

    /// Sets a property of an entity that exists.
    fn set(&mut self, heap: &mut Heap, entity: EntityId, property: u16, value: &Value) -> Outcome<()>;

    /// What [`Host::get`] gives; any error where the entity does not exist. One call for the two questions.
    fn read(&mut self, heap: &mut Heap, entity: EntityId, property: u16) -> Outcome<Value> {
        if self.is_alive(entity) {
            self.get(heap, entity, property)
        } else {
            Err(Fault::new("E215", "it is gone"))
        }
    }

    /// Does what [`Host::set`] does; false where the entity does not exist or it fails.
    fn write(&mut self, heap: &mut Heap, entity: EntityId, property: u16, value: &Value) -> bool {
        self.is_alive(entity) && self.set(heap, entity, property, value).is_ok()
    }

    /// A variable of an entity that is no property; `None` where the entity has none of that name.
    fn get_variable(&mut self, heap: &mut Heap, entity: EntityId, name: &str) -> Outcome<Option<Value>>;

    /// Sets a variable that the entity has; false where it has none of that name.
    fn set_variable(&mut self, heap: &mut Heap, entity: EntityId, name: &str, value: Value) -> Outcome<bool>;

    /// Whether any entity or script of the project has a variable of this name.
    fn knows_variable(&self, name: &str) -> bool;

    /// Calls a function, or a method with its entity as first argument.
    fn call(&mut self, context: &mut CallContext<'_>, function: u16, arguments: &[Value]) -> Outcome<Answer>;

    /// A name of an entity for messages.
    fn entity_name(&self, entity: EntityId) -> String;
}
