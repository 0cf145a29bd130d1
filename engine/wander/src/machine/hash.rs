//! The machine's state as bytes for hashing: what can be reached, in a fixed order, whatever slots it lies in.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::Xxh3;

use super::Machine;
use super::tasks::{Task, Wait};
use crate::heap::Object;
use crate::random::Pcg32;
use crate::value::{Handle, Value};

/// Goes through values; a thing seen before is named by the order in which it was first seen.
struct Walk<'a> {
    machine: &'a Machine,
    out: &'a mut Xxh3,
    seen: BTreeMap<Handle, u32>,
    pending: Vec<Handle>,
}

impl Machine {
    /// Adds the machine's whole state to a hash: instances, variables, tasks, events and random numbers. Free slots
    /// of the heap, what nothing refers to, and counts of work done are left out.
    pub fn hash_into(&self, out: &mut Xxh3) {
        let mut walk = Walk { machine: self, out, seen: BTreeMap::new(), pending: Vec::new() };
        walk.number(self.tick);
        walk.number(u64::from(self.next_task));
        for (number, instance) in self.instances.iter() {
            // Programs are named by their path: numbers follow the order of loading.
            let Some(loaded) = self.programs.get(instance.program as usize) else { continue };
            let program = &loaded.program.path;
            if program.is_empty() || !loaded.program.kind.has_start() {
                continue;
            }
            walk.number(u64::from(number));
            walk.text(program);
            walk.number(instance.owner.map_or(0, |owner| u64::from(owner.get())));
            instance.globals.iter().for_each(|value| walk.value(*value));
        }
        for task in self.tasks.values() {
            walk.task(task);
        }
        for (id, value) in &self.results {
            walk.number(u64::from(id.0));
            walk.value(*value);
        }
        for event in &self.events {
            walk.number(event.to.map_or(0, |to| u64::from(to.get())));
            walk.text(&event.name);
            event.arguments.iter().for_each(|value| walk.value(*value));
        }
        // A stream that nobody drew from is as if nobody had asked for it.
        let is_used = |stream: u32, random: &Pcg32| *random != Pcg32::new(self.seed, u64::from(stream));
        for (stream, random) in self.random.iter().filter(|(stream, random)| is_used(**stream, random)) {
            walk.number(u64::from(*stream));
            walk.text(&format!("{random:?}"));
        }
        self.named.hash_into(walk.out);
        walk.finish();
    }
}

impl Walk<'_> {
    fn number(&mut self, number: u64) {
        self.out.update(&number.to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.out.update(text.as_bytes());
    }

    fn task(&mut self, task: &Task) {
        self.number(u64::from(task.id.0));
        self.number(task.owner.map_or(0, |owner| u64::from(owner.get())));
        match &task.wait {
            Wait::Ready => self.number(0),
            Wait::Tick(tick) => self.number(1 + tick),
            Wait::Event(name) => self.text(name),
            Wait::Task(id) => self.number(u64::MAX - u64::from(id.0)),
            Wait::Answer => self.number(u64::MAX),
        }
        for frame in &task.frames {
            self.number(u64::from(frame.function) << 32 | u64::from(frame.pc));
            self.number(u64::from(frame.instance) << 32 | u64::from(frame.base));
            self.value(frame.callee());
        }
        let top = self.machine.top(task).saturating_sub(1);
        task.stack.iter().take(top).for_each(|value| self.value(*value));
    }

    fn value(&mut self, value: Value) {
        self.out.update(&[kind_byte(value)]);
        match value {
            Value::Nil => {}
            Value::Bool(flag) => self.number(u64::from(flag)),
            Value::Number(number) => self.number(number.to_bits()),
            Value::Vec2(parts) => {
                parts.iter().for_each(|part| self.out.update(&part.to_bits().to_le_bytes()))
            }
            Value::Vec3(parts) => {
                parts.iter().for_each(|part| self.out.update(&part.to_bits().to_le_bytes()))
            }
            Value::Entity(entity) => self.number(u64::from(entity.get())),
            Value::Task(id) => self.number(u64::from(id.0)),
            Value::Stream(id) => self.number(u64::from(id.0)),
            // Texts, ranges, colours and vectors are what they say, wherever they lie.
            Value::Text(_) => {
                let text = self.machine.heap.get_text(value).unwrap_or_default().to_owned();
                self.text(&text);
            }
            Value::Range(handle) | Value::Color(handle) | Value::Vec4(handle) => {
                let text = format!("{:?}", self.machine.heap.object(handle));
                self.text(&text);
            }
            Value::List(handle) | Value::Record(handle) | Value::Function(handle) | Value::Cell(handle) => {
                let next = self.seen.len() as u32;
                let number = *self.seen.entry(handle).or_insert_with(|| {
                    self.pending.push(handle);
                    next
                });
                self.number(u64::from(number));
            }
        }
    }

    /// What was referred to, each thing once, in the order of first sight.
    fn finish(&mut self) {
        let mut at = 0;
        while let Some(handle) = self.pending.get(at).copied() {
            at += 1;
            let machine = self.machine;
            match machine.heap.object(handle) {
                Some(Object::List(items)) => {
                    self.number(items.len() as u64);
                    items.iter().for_each(|value| self.value(*value));
                }
                Some(Object::Record(record)) => {
                    for (key, value) in record.entries(&machine.heap.shapes) {
                        self.text(&key.text(&machine.heap.shapes));
                        self.value(value);
                    }
                }
                Some(Object::Closure(closure)) => {
                    self.number(u64::from(closure.function) << 32 | u64::from(closure.instance));
                    closure.captures.iter().for_each(|value| self.value(*value));
                }
                Some(Object::Cell(value)) => self.value(*value),
                _ => {}
            }
        }
    }
}

/// A number of a value's kind that does not follow the order of declaration.
fn kind_byte(value: Value) -> u8 {
    match value {
        Value::Nil => 0,
        Value::Bool(_) => 1,
        Value::Number(_) => 2,
        Value::Vec2(_) => 3,
        Value::Vec3(_) => 4,
        Value::Entity(_) => 5,
        Value::Text(_) => 6,
        Value::List(_) => 7,
        Value::Record(_) => 8,
        Value::Function(_) => 9,
        Value::Range(_) => 10,
        Value::Color(_) => 11,
        Value::Vec4(_) => 12,
        Value::Task(_) => 13,
        Value::Cell(_) => 14,
        Value::Stream(_) => 15,
    }
}
