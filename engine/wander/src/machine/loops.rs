//! What `for` goes through.

use super::Machine;
use super::calls::describe;
use crate::fault::{Fault, Outcome};
use crate::value::Value;

impl Machine {
    /// What a loop goes through: a list, or a record's keys and the record.
    pub(super) fn prepare_loop(&mut self, things: Value, fuel: &mut i64) -> Outcome<(Value, Value)> {
        match things {
            Value::List(_) | Value::Range(_) => Ok((things, Value::Nil)),
            Value::Record(_) => {
                self.pay(fuel, self.heap.get_record(things).map_or(0, crate::heap::Record::len) * 8)?;
                let entries = self.heap.get_record(things).map(|record| record.entries(&self.heap.shapes));
                let keys = entries
                    .unwrap_or_default()
                    .into_iter()
                    .map(|(key, _)| self.heap.key_value(key))
                    .collect();
                Ok((self.heap.list(keys), things))
            }
            Value::Text(_) => {
                self.pay(fuel, self.heap.text_length(things) * 8)?;
                let text = self.heap.get_text(things).unwrap_or_default().to_owned();
                let chars = text.chars().map(|c| self.heap.text(c.encode_utf8(&mut [0; 4]))).collect();
                Ok((self.heap.list(chars), Value::Nil))
            }
            Value::Nil => {
                Err(Fault::new("E301", "nil cannot be gone through").hint("give a default: `things ?? []`"))
            }
            _ => Err(Fault::new("E309", format!("{} cannot be gone through", describe(things)))
                .hint("`for` goes through lists, records, strings and ranges")),
        }
    }

    /// The loop's variables for a turn; `None` where it is over. Lists may grow and shrink meanwhile.
    pub(super) fn next_turn(
        &mut self,
        source: Value,
        record: Value,
        index: usize,
        count: u8,
    ) -> Option<(Value, Value)> {
        if let Some(range) = self.heap.get_range(source) {
            let value = Value::Number(range.start + index as f64 * range.step);
            return (index < range.count()).then_some(if count == 2 {
                (Value::Number(index as f64), value)
            } else {
                (value, Value::Nil)
            });
        }
        let item = *self.heap.get_list(source)?.get(index)?;
        if record.is_nil() {
            return Some(if count == 2 { (Value::Number(index as f64), item) } else { (item, Value::Nil) });
        }
        if count != 2 {
            return Some((item, Value::Nil));
        }
        let key = self.heap.key_of(item)?;
        let value = self.heap.get_record(record)?.get(key, &self.heap.shapes);
        Some((item, value))
    }
}
