//! Elements of lists, records and strings: reading and setting them, slices, and literals that take in others.

use super::Machine;
use super::calls::describe;
use super::origin::Operand;
use super::run::Names;
use super::tasks::Task;
use crate::fault::{Fault, Outcome};
use crate::host::Host;
use crate::value::Value;

impl Machine {
    pub(super) fn get_index(
        &mut self,
        object: Value,
        index: Value,
        names: &Names<'_>,
        task: &Task,
        host: &mut dyn Host,
        fuel: &mut i64,
    ) -> Outcome<Value> {
        match object {
            Value::List(_) => {
                if let Some(range) = self.heap.get_range(index) {
                    whole_bounds(range)?;
                    return self.slice(object, range, task, fuel);
                }
                let items = self.heap.get_list(object).unwrap_or_default();
                let at = position(index, items.len())?;
                Ok(items.get(at).copied().unwrap_or_default())
            }
            Value::Record(_) => {
                self.pay_for_key(index, fuel)?;
                let key = self.heap.find_key(index);
                let record = self.heap.get_record(object).zip(key);
                Ok(record.map_or(Value::Nil, |(record, key)| record.get(key, &self.heap.shapes)))
            }
            Value::Text(_) => {
                let length = self.heap.text_length(object);
                if let Some(range) = self.heap.get_range(index) {
                    whole_bounds(range)?;
                    let (start, end) = bounds(range, length);
                    return self.characters(object, start, end, fuel);
                }
                let at = position(index, length)?;
                self.characters(object, at, at + 1, fuel)
            }
            Value::Entity(entity) => match self.heap.get_text(index).map(str::to_owned) {
                Some(name) => {
                    self.pay(fuel, name.len())?;
                    Ok(host.get_variable(&mut self.heap, entity, &name)?.unwrap_or_default())
                }
                None => Err(Fault::new("E305", "an entity's variables are named by strings")),
            },
            Value::Nil => Err(self.nil_fault(task, names, Operand::Object, "so nothing can be read from it")),
            _ => Err(Fault::new("E309", format!("{} has no elements", describe(object)))),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one instruction, taken apart by the loop")]
    pub(super) fn set_index(
        &mut self,
        object: Value,
        index: Value,
        value: Value,
        names: &Names<'_>,
        task: &Task,
        host: &mut dyn Host,
        fuel: &mut i64,
    ) -> Outcome<()> {
        match object {
            Value::List(_) => {
                let at = position(index, self.heap.get_list(object).map_or(0, <[Value]>::len))?;
                self.heap.set_inside(object, at, value);
                Ok(())
            }
            Value::Record(_) => {
                self.pay_for_key(index, fuel)?;
                let Some(key) = self.heap.key_of(index) else { return Ok(()) };
                if let Some(entity) = self.vars_of(object) {
                    let name = key.text(&self.heap.shapes);
                    return self.set_entity_var(entity, &name, value, host);
                }
                self.set_key(object, key, value, fuel)
            }
            Value::Nil => Err(self.nil_fault(task, names, Operand::Object, "so nothing can be set in it")),
            _ => Err(Fault::new("E311", format!("elements of {} cannot be set", describe(object)))),
        }
    }

    /// Pays for looking for a key among names; an error for what cannot be one.
    pub(crate) fn pay_for_key(&self, key: Value, fuel: &mut i64) -> Outcome<()> {
        match self.heap.get_text(key) {
            Some(text) => self.pay(fuel, text.len()),
            None if crate::heap::Heap::is_key(key) => Ok(()),
            None => Err(Fault::new("E305", format!("{} is no key of a record", describe(key)))
                .hint("keys are strings, numbers and entities")),
        }
    }

    /// Sets a key of a record. Taking one away moves those behind it, which is paid for.
    pub(crate) fn set_key(
        &mut self,
        record: Value,
        key: crate::heap::Key,
        value: Value,
        fuel: &mut i64,
    ) -> Outcome<()> {
        if value.is_nil() {
            let length = self.heap.get_record(record).map_or(0, crate::heap::Record::len);
            self.pay(fuel, length * if length > crate::heap::MOST_SHAPED { 1 } else { 8 })?;
        }
        self.heap.record_set(record, key, value);
        Ok(())
    }

    pub(super) fn slice(
        &mut self,
        list: Value,
        range: crate::heap::Range,
        task: &Task,
        fuel: &mut i64,
    ) -> Outcome<Value> {
        let (start, end) = bounds(range, self.heap.get_list(list).map_or(0, <[Value]>::len));
        self.pay(fuel, end - start)?;
        self.reserve(task, (end - start) * size_of::<Value>())?;
        let items = self.heap.get_list(list).unwrap_or_default();
        let part = items.get(start..end).unwrap_or_default().to_vec();
        Ok(self.heap.list(part))
    }

    /// The characters of a text from one place up to, not including, another. Where each is one byte, nothing before
    /// them is looked at.
    pub(crate) fn characters(
        &mut self,
        text: Value,
        start: usize,
        end: usize,
        fuel: &mut i64,
    ) -> Outcome<Value> {
        let length = self.heap.text_length(text);
        let text = self.heap.get_text(text).unwrap_or_default();
        let (from, to) = if length == text.len() {
            (start, end)
        } else {
            self.pay(fuel, text.len())?;
            let mut places = text.char_indices().map(|(at, _)| at);
            let from = places.nth(start).unwrap_or(text.len());
            let to = match end.saturating_sub(start) {
                0 => from,
                count => places.nth(count - 1).unwrap_or(text.len()),
            };
            (from, to)
        };
        self.pay(fuel, to.saturating_sub(from))?;
        let part = text.get(from..to).unwrap_or_default().to_owned();
        Ok(self.heap.own_text(part))
    }

    pub(super) fn extend(&mut self, list: Value, more: Value, task: &Task, fuel: &mut i64) -> Outcome<()> {
        let Some(count) = self.heap.get_list(more).map(<[Value]>::len) else {
            return Err(Fault::new("E309", format!("`...` in a list needs a list, got {}", describe(more))));
        };
        self.pay(fuel, count)?;
        self.reserve(task, count * size_of::<Value>())?;
        let items = self.heap.get_list(more).unwrap_or_default().to_vec();
        self.heap.change_list(list, |own| own.extend(items));
        Ok(())
    }

    pub(super) fn spread(&mut self, record: Value, more: Value, fuel: &mut i64) -> Outcome<()> {
        let Some(count) = self.heap.get_record(more).map(crate::heap::Record::len) else {
            return Err(Fault::new(
                "E309",
                format!("`...` in a record needs a record, got {}", describe(more)),
            ));
        };
        self.pay(fuel, count * 8)?;
        let entries = self.heap.get_record(more).map(|record| record.entries(&self.heap.shapes));
        for (key, value) in entries.unwrap_or_default() {
            self.heap.record_set(record, key, value);
        }
        Ok(())
    }
}

/// The place in a list that an index means; negative ones count from the end.
pub(crate) fn position(index: Value, length: usize) -> Outcome<usize> {
    let Value::Number(number) = index else {
        return Err(Fault::new("E304", format!("an index must be a whole number, got {}", describe(index))));
    };
    if number.fract() != 0.0 || !number.is_finite() {
        return Err(Fault::new(
            "E304",
            format!("index {} is not a whole number", crate::number::text(number)),
        )
        .hint("round it: `floor(i)`"));
    }
    let at = if number < 0.0 { number + length as f64 } else { number };
    if at < 0.0 || at >= length as f64 {
        let text = crate::number::text(number);
        let message = if length == 0 {
            format!("index {text} is out of range: the list is empty")
        } else {
            format!("index {text} is out of range: there are {length} elements, 0 to {}", length - 1)
        };
        return Err(
            Fault::new("E303", message).hint("`l.get(i, default)`, `l.first` and `l.last` give nil instead")
        );
    }
    Ok(at as usize)
}

/// The ends of a slice are places in a list.
fn whole_bounds(range: crate::heap::Range) -> Outcome<()> {
    match [range.start, range.end].into_iter().find(|end| end.fract() != 0.0) {
        Some(end) => {
            let text = crate::number::text(end);
            Err(Fault::new("E304", format!("a slice goes from place to place: {text} is not a whole number"))
                .hint("round it: `floor(i)`"))
        }
        None => Ok(()),
    }
}

/// Start and end of a slice, inside of what is there.
pub(crate) fn bounds(range: crate::heap::Range, length: usize) -> (usize, usize) {
    let from_end = |number: f64| if number < 0.0 { number + length as f64 } else { number };
    let start = from_end(range.start).clamp(0.0, length as f64) as usize;
    let end = from_end(range.end) + if range.inclusive { 1.0 } else { 0.0 };
    let end = end.clamp(start as f64, length as f64) as usize;
    (start, end)
}
