//! Operators, equality and order.

use std::rc::Rc;

use super::super::tree::Op;
use super::values::{Key, Value};
use super::{MOST_DEPTH, Oracle, Outcome, Stop, fault};

impl Oracle {
    pub fn binary(&mut self, op: Op, a: &Value, b: &Value) -> Outcome<Value> {
        match op {
            Op::Eq => self.equal(a, b, 0).map(Value::Bool),
            Op::Ne => self.equal(a, b, 0).map(|equal| Value::Bool(!equal)),
            Op::Lt | Op::Le | Op::Gt | Op::Ge => order(op, a, b),
            Op::In => self.is_in(a, b).map(Value::Bool),
            Op::NotIn => self.is_in(a, b).map(|is_in| Value::Bool(!is_in)),
            Op::Add => self.add(a, b),
            _ => arithmetic(op, a, b),
        }
    }

    fn add(&mut self, a: &Value, b: &Value) -> Outcome<Value> {
        match (a, b) {
            (Value::Nil, _) | (_, Value::Nil) => fault("E301"),
            (Value::Text(_), _) | (_, Value::Text(_)) => {
                let text = self.show(a, 0)? + &self.show(b, 0)?;
                self.step(text.len() / 8)?;
                Ok(Value::text(text))
            }
            (Value::List(a), Value::List(b)) => {
                let mut items = a.borrow().clone();
                items.extend(b.borrow().iter().cloned());
                self.step(items.len())?;
                Ok(Value::list(items))
            }
            _ => arithmetic(Op::Add, a, b),
        }
    }

    /// Equality by value. Different types are never equal.
    pub fn equal(&mut self, a: &Value, b: &Value, depth: usize) -> Outcome<bool> {
        self.step(1)?;
        if depth > MOST_DEPTH {
            return Err(Stop::Unknown("equality of what is nested deep"));
        }
        Ok(match (a, b) {
            (Value::Nil, Value::Nil) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Number(a), Value::Number(b)) => a == b,
            (Value::Text(a), Value::Text(b)) => a == b,
            (Value::Vector(a), Value::Vector(b)) => a == b,
            (Value::Range(a), Value::Range(b)) => {
                a.start == b.start && a.end == b.end && a.inclusive == b.inclusive
            }
            (Value::List(a), Value::List(b)) => {
                if Rc::ptr_eq(a, b) {
                    return Ok(true);
                }
                let (a, b) = (a.borrow(), b.borrow());
                if a.len() != b.len() {
                    return Ok(false);
                }
                for (a, b) in a.iter().zip(b.iter()) {
                    if !self.equal(a, b, depth + 1)? {
                        return Ok(false);
                    }
                }
                true
            }
            (Value::Record(a), Value::Record(b)) => {
                if Rc::ptr_eq(a, b) {
                    return Ok(true);
                }
                let (a, b) = (a.borrow(), b.borrow());
                if a.len() != b.len() {
                    return Ok(false);
                }
                for (key, value) in a.iter() {
                    let Some((_, other)) = b.iter().find(|(other, _)| other == key) else { return Ok(false) };
                    if !self.equal(value, other, depth + 1)? {
                        return Ok(false);
                    }
                }
                true
            }
            (Value::Function(a), Value::Function(b)) => Rc::ptr_eq(a, b),
            _ => false,
        })
    }

    fn is_in(&mut self, value: &Value, things: &Value) -> Outcome<bool> {
        match things {
            Value::List(items) => {
                let items = items.borrow().clone();
                for item in &items {
                    if self.equal(item, value, 0)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Value::Record(fields) => {
                Ok(Key::of(value).is_some_and(|key| fields.borrow().iter().any(|(own, _)| *own == key)))
            }
            Value::Text(text) => match value {
                Value::Text(part) => Ok(text.contains(&**part)),
                _ => fault("E305"),
            },
            Value::Range(range) => match value {
                Value::Number(number) => Ok(range.contains(*number)),
                _ => Ok(false),
            },
            _ => fault("E309"),
        }
    }
}

pub fn negate(value: &Value) -> Outcome<Value> {
    match value {
        Value::Number(number) => Ok(Value::Number(-number)),
        Value::Vector(parts) => Ok(Value::Vector(parts.iter().map(|part| -part).collect())),
        Value::Nil => fault("E301"),
        _ => fault("E305"),
    }
}

fn order(op: Op, a: &Value, b: &Value) -> Outcome<Value> {
    let order = match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.partial_cmp(b),
        (Value::Text(a), Value::Text(b)) => Some(a.chars().cmp(b.chars())),
        _ => return fault("E302"),
    };
    let Some(order) = order else { return Err(Stop::Unknown("not a number")) };
    Ok(Value::Bool(match op {
        Op::Lt => order.is_lt(),
        Op::Le => order.is_le(),
        Op::Gt => order.is_gt(),
        _ => order.is_ge(),
    }))
}

fn arithmetic(op: Op, a: &Value, b: &Value) -> Outcome<Value> {
    let by_component = matches!(op, Op::Add | Op::Sub | Op::Mul | Op::Div);
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => numbers(op, *a, *b).map(Value::Number),
        (Value::Vector(a), Value::Vector(b)) if by_component && a.len() == b.len() => {
            let parts: Outcome<Vec<f32>> = a.iter().zip(b).map(|(a, b)| parts(op, *a, *b)).collect();
            parts.map(Value::Vector)
        }
        (Value::Vector(a), Value::Number(k)) if matches!(op, Op::Mul | Op::Div) => {
            let parts: Outcome<Vec<f32>> = a.iter().map(|a| parts(op, *a, *k as f32)).collect();
            parts.map(Value::Vector)
        }
        (Value::Number(k), Value::Vector(b)) if op == Op::Mul => {
            let parts: Outcome<Vec<f32>> = b.iter().map(|b| parts(op, *k as f32, *b)).collect();
            parts.map(Value::Vector)
        }
        (Value::Nil, _) | (_, Value::Nil) => fault("E301"),
        _ => fault("E305"),
    }
}

fn parts(op: Op, a: f32, b: f32) -> Outcome<f32> {
    let result = match op {
        Op::Add => a + b,
        Op::Sub => a - b,
        Op::Mul => a * b,
        _ if b == 0.0 => return fault("E306"),
        _ => a / b,
    };
    if result.is_nan() { Err(Stop::Unknown("not a number")) } else { Ok(result) }
}

fn numbers(op: Op, a: f64, b: f64) -> Outcome<f64> {
    if b == 0.0 && matches!(op, Op::Div | Op::FloorDiv | Op::Mod) {
        return fault("E306");
    }
    let result = match op {
        Op::Add => a + b,
        Op::Sub => a - b,
        Op::Mul => a * b,
        Op::Div => a / b,
        Op::FloorDiv => (a / b).floor(),
        Op::Mod => {
            let left = a % b;
            if left != 0.0 && (left < 0.0) != (b < 0.0) { left + b } else { left }
        }
        _ => return power(a, b),
    };
    if result.is_nan() { Err(Stop::Unknown("not a number")) } else { Ok(result) }
}

/// Powers by small whole numbers of whole numbers, which are exact; others come from a library of their own.
fn power(a: f64, b: f64) -> Outcome<f64> {
    if a < 0.0 && b.is_finite() && b.fract() != 0.0 {
        return fault("E307");
    }
    let exact = a.fract() == 0.0 && b.fract() == 0.0 && (0.0..=9.0).contains(&b);
    let result = (0..b as u32).fold(1.0, |power, _| power * a);
    if exact && result.abs() < 9e15 { Ok(result) } else { Err(Stop::Unknown("an inexact power")) }
}
