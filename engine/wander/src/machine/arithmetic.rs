//! Operators on anything but two numbers, out of the loop's way.

use std::cmp::Ordering;

use super::Machine;
use super::calls::describe;
use super::origin::Operand;
use super::run::Names;
use super::tasks::Task;
use crate::code::Op;
use crate::fault::{Fault, Outcome};
use crate::host::Host;
use crate::value::Value;

/// What to say where a result is missing because a number is infinite.
pub(super) const INFINITE: &str = "a number grew to infinity before: `math.is_finite(x)` tells";

impl Machine {
    /// Whether a value counts as true: all but nil, false and an entity that is gone.
    pub fn truth(&self, value: Value, host: &dyn Host) -> bool {
        match value {
            Value::Nil | Value::Bool(false) => false,
            Value::Entity(entity) => host.is_alive(entity),
            _ => true,
        }
    }

    pub(super) fn add(
        &mut self,
        (a, b): (Value, Value),
        names: &Names<'_>,
        task: &Task,
        host: &dyn Host,
        fuel: &mut i64,
    ) -> Outcome<Value> {
        match (a, b) {
            (Value::Text(_), _) | (_, Value::Text(_)) => {
                if a.is_nil() || b.is_nil() {
                    let side = if a.is_nil() { Operand::Left } else { Operand::Right };
                    let fault = self.nil_fault(task, names, side, "so it cannot be joined to text");
                    return Err(or_hint(fault, "give a default: `value ?? \"\"`"));
                }
                let mut text = String::new();
                self.append_text(a, &mut text, host, fuel)?;
                self.append_text(b, &mut text, host, fuel)?;
                Ok(self.heap.own_text(text))
            }
            (Value::List(_), Value::List(_)) => {
                let count =
                    [a, b].map(|list| self.heap.get_list(list).map_or(0, <[Value]>::len)).iter().sum();
                self.pay(fuel, count)?;
                self.reserve(task, count * size_of::<Value>())?;
                let mut items = Vec::with_capacity(count);
                items.extend_from_slice(self.heap.get_list(a).unwrap_or_default());
                items.extend_from_slice(self.heap.get_list(b).unwrap_or_default());
                Ok(self.heap.list(items))
            }
            _ => self.arithmetic(Op::Add, (a, b), names, task),
        }
    }

    pub(super) fn arithmetic(
        &mut self,
        op: Op,
        (a, b): (Value, Value),
        names: &Names<'_>,
        task: &Task,
    ) -> Outcome<Value> {
        if a.is_nil() || b.is_nil() {
            let (side, word) = if a.is_nil() { (Operand::Left, "left") } else { (Operand::Right, "right") };
            let so = format!("so it cannot stand on the {word} of `{}`", sign_of(op));
            return Err(or_hint(self.nil_fault(task, names, side, &so), "give it a default: `value ?? 0`"));
        }
        self.compute(op, a, b)
    }

    fn compute(&mut self, op: Op, a: Value, b: Value) -> Outcome<Value> {
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
                    *part = floats(op, k as f32, b)?;
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

    pub(super) fn negate(&mut self, value: Value, names: &Names<'_>, task: &Task) -> Outcome<Value> {
        if let Value::Number(number) = value {
            return Ok(Value::Number(-number));
        }
        match self.heap.get_vector(value) {
            Some((parts, n)) => {
                let parts = parts.map(|part| -part);
                Ok(self.heap.vector(parts.get(..n).unwrap_or_default()))
            }
            None if value.is_nil() => {
                Err(self.nil_fault(task, names, Operand::Left, "so it cannot be negated"))
            }
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

    /// How two values are ordered. `swapped` where the program has them the other way round, for the message.
    pub(super) fn compare(
        &self,
        (a, b): (Value, Value),
        swapped: bool,
        names: &Names<'_>,
        task: &Task,
        fuel: &mut i64,
    ) -> Outcome<Ordering> {
        match (a, b) {
            (Value::Number(a), Value::Number(b)) => Ok(a.partial_cmp(&b).unwrap_or(Ordering::Greater)),
            (Value::Text(_), Value::Text(_)) => {
                let [a, b] = [a, b].map(|text| self.heap.get_text(text).unwrap_or_default());
                self.pay(fuel, a.len().min(b.len()))?;
                Ok(a.cmp(b))
            }
            _ => {
                let text = self.operand(task, names, Operand::Whole).unwrap_or_default();
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
            Value::List(_) => self.position_of(things, value, fuel)?.is_some(),
            Value::Record(_) => self.has_key(things, value, fuel)?,
            Value::Text(_) => match (self.heap.get_text(things), self.heap.get_text(value)) {
                (Some(text), Some(part)) => {
                    self.pay(fuel, text.len() + part.len())?;
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

    /// Whether a record has a key.
    pub(crate) fn has_key(&self, record: Value, key: Value, fuel: &mut i64) -> Outcome<bool> {
        self.pay(fuel, self.heap.get_text(key).map_or(0, str::len))?;
        let found = self.heap.get_record(record).zip(self.heap.find_key(key));
        Ok(found.is_some_and(|(record, key)| record.has(key, &self.heap.shapes)))
    }

    /// Where an equal value is in a list first.
    pub(crate) fn position_of(&self, list: Value, wanted: Value, fuel: &mut i64) -> Outcome<Option<usize>> {
        let items = self.heap.get_list(list).unwrap_or_default();
        for (index, item) in items.iter().enumerate() {
            if index % 8 == 0 {
                self.pay(fuel, 0)?;
            }
            if self.equal(*item, wanted, fuel)? {
                return Ok(Some(index));
            }
        }
        Ok(None)
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
    let result = match op {
        Op::Add => a + b,
        Op::Sub => a - b,
        Op::Mul => a * b,
        Op::Div => a / b,
        Op::FloorDiv => libm::floor(a / b),
        Op::Mod => remainder(a, b),
        _ => libm::pow(a, b),
    };
    if !result.is_nan() {
        return Ok(result);
    }
    if op == Op::Pow {
        return Err(Fault::new("E307", "a negative number has no such power"));
    }
    Err(no_number(op, &crate::number::text(a), &crate::number::text(b)))
}

/// The fault of a computation that has no result, such as infinity less infinity.
fn no_number(op: Op, a: &str, b: &str) -> Box<Fault> {
    Fault::new("E307", format!("`{a} {} {b}` has no value", sign_of(op))).hint(INFINITE)
}

fn floats(op: Op, a: f32, b: f32) -> Outcome<f32> {
    let result = match op {
        Op::Add => a + b,
        Op::Sub => a - b,
        Op::Mul => a * b,
        _ if b == 0.0 => return Err(Fault::new("E306", "a vector is divided by zero")),
        _ => a / b,
    };
    if result.is_nan() {
        return Err(no_number(op, &crate::number::text32(a), &crate::number::text32(b)));
    }
    Ok(result)
}

fn or_hint(fault: Box<Fault>, hint: &str) -> Box<Fault> {
    if fault.hint.is_some() { fault } else { fault.hint(hint) }
}

fn sign_of(op: Op) -> &'static str {
    match op {
        Op::Add | Op::AddK => "+",
        Op::Sub | Op::SubK => "-",
        Op::Mul | Op::MulK => "*",
        Op::Div | Op::DivK => "/",
        Op::FloorDiv => "//",
        Op::Mod => "%",
        _ => "**",
    }
}

fn wrong_operands(op: Op, a: Value, b: Value) -> Box<Fault> {
    let sign = sign_of(op);
    Fault::new("E305", format!("`{sign}` does not go with {} and {}", describe(a), describe(b)))
}
