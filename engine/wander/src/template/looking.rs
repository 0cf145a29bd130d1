//! A host that lets a program look and nothing else.

use base::EntityId;

use crate::environment::{Acts, Environment};
use crate::fault::{Fault, Outcome};
use crate::heap::Heap;
use crate::host::{Answer, CallContext, Host};
use crate::value::Value;

/// Another host, of which only what reads is passed on.
pub(super) struct Looking<'a> {
    host: &'a mut dyn Host,
    environment: &'a Environment,
}

impl<'a> Looking<'a> {
    pub(super) fn new(host: &'a mut dyn Host, environment: &'a Environment) -> Self {
        Self { host, environment }
    }
}

fn refused(what: &str) -> Box<Fault> {
    Fault::new("E412", format!("`{what}` changes the world, and a template only looks"))
        .hint("let a step or a script do it, and use what comes of it here")
}

impl Host for Looking<'_> {
    fn is_alive(&self, entity: EntityId) -> bool {
        self.host.is_alive(entity)
    }

    fn get(&mut self, heap: &mut Heap, entity: EntityId, property: u16) -> Outcome<Value> {
        self.host.get(heap, entity, property)
    }

    fn set(&mut self, _: &mut Heap, _: EntityId, property: u16, _: &Value) -> Outcome<()> {
        let known = self.environment.properties.get(usize::from(property));
        Err(refused(known.map_or("", |property| property.name)))
    }

    fn get_variable(&mut self, heap: &mut Heap, entity: EntityId, name: &str) -> Outcome<Option<Value>> {
        self.host.get_variable(heap, entity, name)
    }

    fn set_variable(&mut self, _: &mut Heap, _: EntityId, name: &str, _: Value) -> Outcome<bool> {
        Err(refused(name))
    }

    fn knows_variable(&self, name: &str) -> bool {
        self.host.knows_variable(name)
    }

    fn call(&mut self, context: &mut CallContext<'_>, function: u16, arguments: &[Value]) -> Outcome<Answer> {
        match self.environment.by_number(function) {
            Some(known) if known.acts != Acts::Reads => Err(refused(known.name)),
            _ => self.host.call(context, function, arguments),
        }
    }

    fn entity_name(&self, entity: EntityId) -> String {
        self.host.entity_name(entity)
    }
}
