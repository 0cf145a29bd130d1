//! Operators on anything but two numbers, out of the loop's way.

use std::cmp::Ordering;

use super::Machine;
use super::calls::describe;
use super::run::Names;
use super::tasks::Frame;
use crate::code::Op;
use crate::fault::{Fault, Outcome};
use crate::heap::Key;
use crate::host::Host;
use crate::value::Value;

/// Deepest nesting that `==` looks into.
pub(super) const EQUAL_DEPTH: u32 = 200;

impl Machine {
    /// Whether a value counts as true: all but nil, false and an entity that is gone.
    pub fn truth(&self, value: Value, host: &dyn Host) -> bool {
        match value {
            Value::Nil | Value::Bool(false) => false,
            Value::Entity(entity) => host.is_alive(entity),
            _ => true,
        }
    }

    pub(super) fn add(&mut self, a: Value, b: Value, host: &dyn Host, fuel: &mut i64) -> Outcome<Value> {
        match (a, b) {
            (Value::Text(_), _) | (_, Value::Text(_)) => {
                if a.is_nil() || b.is_nil() {
                    return Err(Fault::new("E301", "nil cannot be joined to text")
                        .hint("give a default: `value ?? \"\"`"));
                }
                let mut text = self.text_of(a, host);
                text.push_str(&self.text_of(b, host));
                *fuel -= text.len() as i64 / 8;
                Ok(self.heap.text(&text))
            }
            (Value::List(_), Value::List(_)) => {
                let mut items = self.heap.get_list(a).unwrap_or_default().to_vec();
                items.extend_from_slice(self.heap.get_list(b).unwrap_or_default());
                *fuel -= items.len() as i64 / 8;
                Ok(self.heap.list(items))
            }
            _ => self.arithmetic(Op::Add, a, b),
        }
    }

    pub(super) fn arithmetic(&mut self, op: Op, a: Value, b: Value) -> Outcome<Value> {
        if let (Value::Number(a), Value::Number(b)) = (a, b) {
            return numbers(op, a, b).map(Value::Number);
        }
        let (left, right) = (self.heap.get_vector(a), self.heap.get_vector(b));
        let combined = match (left, right, a, b) {
            (Some((a, n)), Some((b, m)), ..) => {
                if n != m {
                    return Err(Fault::new(
                        "E305",
                        format!("a vector of {n} and one of {m} do not go together"),
                    )
                    .hint("make them the same size, such as `v.x0y` for a flat one"));
                }
                if matches!(op, Op::FloorDiv | Op::Mod | Op::Pow) {
                    None
                } else {
                    let mut parts = [0.0f32; 4];
                    for ((part, a), b) in parts.iter_mut().zip(a).zip(b).take(n) {
                        *part = floats(op, a, b)?;
                    }
                    Some((parts, n))
                }
            }
            (Some((a, n)), None, _, Value::Number(k)) if matches!(op, Op::Mul | Op::Div) => {
                let mut parts = [0.0f32; 4];
                for (part, a) in parts.iter_mut().zip(a).take(n) {
                    *part = floats(op, a, k as f32)?;
                }
                Some((parts, n))
            }
            (None, Some((b, n)), Value::Number(k), _) if op == Op::Mul => {
                let mut parts = [0.0f32; 4];
                for (part, b) in parts.iter_mut().zip(b).take(n) {
                    *part = k as f32 * b;
                }
                Some((parts, n))
            }
            _ => None,
        };
        match combined {
            Some((parts, n)) => Ok(self.heap.vector(parts.get(..n).unwrap_or_default())),
            None => Err(wrong_operands(op, a, b)),
        }
    }

    pub(super) fn negate(&mut self, value: Value) -> Outcome<Value> {
        if let Value::Number(number) = value {
            return Ok(Value::Number(-number));
        }
        match self.heap.get_vector(value) {
            Some((parts, n)) => {
                let parts = parts.map(|part| -part);
                Ok(self.heap.vector(parts.get(..n).unwrap_or_default()))
            }
            None if value.is_nil() => Err(Fault::new("E301", "nil cannot be negated")),
            None => Err(Fault::new("E305", format!("{} cannot be negated", describe(value)))),
        }
    }

    /// Numbers for a vector's components.
    pub(super) fn parts(&self, values: &[Value]) -> Outcome<[f32; 4]> {
        let mut parts = [0.0f32; 4];
        for (index, (part, value)) in parts.iter_mut().zip(values).enumerate() {
            let Value::Number(number) = value else {
                let axis = ["x", "y", "z", "w"].get(index).copied().unwrap_or("component");
                return Err(Fault::new(
                    "E305",
                    format!("a vector's {axis} must be a number, got {}", describe(*value)),
                ));
            };
            *part = *number as f32;
        }
        Ok(parts)
    }

    pub(super) fn equal(&mut self, a: Value, b: Value, fuel: &mut i64) -> Outcome<bool> {
        let size = match a {
            Value::List(_) => self.heap.get_list(a).map_or(0, <[Value]>::len),
            Value::Record(_) => self.heap.get_record(a).map_or(0, crate::heap::Record::len),
            _ => 0,
        };
        *fuel -= size as i64 / 8;
        Ok(self.heap.equal(a, b, EQUAL_DEPTH))
    }

    /// How two values are ordered. `swapped` where the program has them the other way round, for the message.
    pub(super) fn compare(
        &self,
        a: Value,
        b: Value,
        swapped: bool,
        names: &Names<'_>,
        frame: Option<&Frame>,
        pc: usize,
    ) -> Outcome<Ordering> {
        match (a, b) {
            (Value::Number(a), Value::Number(b)) => Ok(a.partial_cmp(&b).unwrap_or(Ordering::Greater)),
            (Value::Text(_), Value::Text(_)) => Ok(self.heap.get_text(a).cmp(&self.heap.get_text(b))),
            _ => {
                let program = &names.loaded.program;
                let span = frame.map(|frame| program.span(frame.function as usize, pc.saturating_sub(1)));
                let text = span.map_or("", |span| span.text(&program.source));
                let (a, b) = if swapped { (b, a) } else { (a, b) };
                let mut fault =
                    Fault::new("E302", format!("`{text}` compares {} with {}", describe(a), describe(b)));
                if a.is_nil() || b.is_nil() {
                    fault = fault.hint("one side is nil: give it a default with `??`");
                } else {
                    fault = fault.hint("two numbers or two strings can be compared");
                }
                Err(fault)
            }
        }
    }

    pub(super) fn contains(&mut self, things: Value, value: Value, fuel: &mut i64) -> Outcome<bool> {
        Ok(match things {
            Value::List(_) => {
                let items = self.heap.get_list(things).unwrap_or_default();
                *fuel -= items.len() as i64 / 8;
                items.iter().any(|item| self.heap.equal(*item, value, EQUAL_DEPTH))
            }
            Value::Record(_) => match self.heap.key_of(value) {
                Some(key) => self.has_key(things, key),
                None => false,
            },
            Value::Text(_) => match (self.heap.get_text(things), self.heap.get_text(value)) {
                (Some(text), Some(part)) => {
                    *fuel -= text.len() as i64 / 8;
                    text.contains(part)
                }
                _ => return Err(Fault::new("E305", format!("text holds text, not {}", describe(value)))),
            },
            Value::Range(_) => match (self.heap.get_range(things), value) {
                (Some(range), Value::Number(number)) => range.contains(number),
                _ => false,
            },
            _ => {
                return Err(Fault::new("E309", format!("nothing can be `in` {}", describe(things)))
                    .hint("`in` looks into lists, records, strings and ranges"));
            }
        })
    }

    pub(super) fn has_key(&self, record: Value, key: Key) -> bool {
        self.heap.get_record(record).is_some_and(|record| record.has(key, &self.heap.shapes))
    }
}

/// What is left of `a` after taking `b` away as often as it goes, with the sign of `b`, as in Python and Lua. Exact: no
/// quotient is rounded on the way.
#[inline]
pub(super) fn remainder(a: f64, b: f64) -> f64 {
    let left = a % b;
    if left != 0.0 && (left < 0.0) != (b < 0.0) { left + b } else { left + 0.0 }
}

fn numbers(op: Op, a: f64, b: f64) -> Outcome<f64> {
    if b == 0.0 && matches!(op, Op::Div | Op::FloorDiv | Op::Mod) {
        return Err(Fault::new("E306", format!("{} is divided by zero", crate::number::text(a)))
            .hint("check the divisor first: `if n != 0 then …`"));
    }
    Ok(match op {
        Op::Add => a + b,
        Op::Sub => a - b,
        Op::Mul => a * b,
        Op::Div => a / b,
        Op::FloorDiv => libm::floor(a / b),
        Op::Mod => remainder(a, b),
        _ => {
            let power = libm::pow(a, b);
            if power.is_nan() {
                return Err(Fault::new("E307", "a negative number has no such power"));
            }
            power
        }
    })
}

fn floats(op: Op, a: f32, b: f32) -> Outcome<f32> {
    Ok(match op {
        Op::Add => a + b,
        Op::Sub => a - b,
        Op::Mul => a * b,
        _ if b == 0.0 => return Err(Fault::new("E306", "a vector is divided by zero")),
        _ => a / b,
    })
}

fn wrong_operands(op: Op, a: Value, b: Value) -> Box<Fault> {
    let sign = match op {
        Op::Add => "+",
        Op::Sub => "-",
        Op::Mul => "*",
        Op::Div => "/",
        Op::FloorDiv => "//",
        Op::Mod => "%",
        _ => "**",
    };
    if a.is_nil() || b.is_nil() {
        let side = if a.is_nil() { "left" } else { "right" };
        return Fault::new("E301", format!("the {side} side of `{sign}` is nil"))
            .hint("give it a default: `value ?? 0`");
    }
    Fault::new("E305", format!("`{sign}` does not go with {} and {}", describe(a), describe(b)))
}
