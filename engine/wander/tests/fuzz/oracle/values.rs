//! The oracle's values, and how they are shown.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::{Map, Value as Json};

use super::super::tree::Function;
use super::{MOST_DEPTH, Oracle, Outcome, Scope, Stop, fault};

#[derive(Clone)]
pub enum Value {
    Nil,
    Bool(bool),
    Number(f64),
    Text(Rc<str>),
    Vector(Vec<f32>),
    Range(Range),
    List(Rc<RefCell<Vec<Value>>>),
    Record(Rc<RefCell<Vec<(Key, Value)>>>),
    Function(Rc<Closure>),
}

#[derive(Clone, Copy)]
pub struct Range {
    pub start: f64,
    pub end: f64,
    pub inclusive: bool,
}

pub struct Closure {
    pub function: Rc<Function>,
    pub scope: Rc<Scope>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Key {
    Text(Rc<str>),
    /// Equal numbers are one key.
    Number(f64),
}

impl Key {
    pub fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Text(text) => Some(Self::Text(Rc::clone(text))),
            Value::Number(number) if number.is_finite() => Some(Self::Number(*number)),
            _ => None,
        }
    }

    pub fn value(&self) -> Value {
        match self {
            Self::Text(text) => Value::Text(Rc::clone(text)),
            Self::Number(number) => Value::Number(*number),
        }
    }

    fn shown(&self) -> Outcome<String> {
        match self {
            Self::Text(text) => Ok(text.to_string()),
            Self::Number(number) => Ok(number_text(*number)),
        }
    }
}

impl Range {
    pub fn contains(self, number: f64) -> bool {
        number >= self.start && (number < self.end || self.inclusive && number == self.end)
    }

    /// Its value at a turn of a loop; none past the end.
    pub fn at(self, turn: usize) -> Outcome<Option<f64>> {
        let whole = self.start.fract() == 0.0 && self.start.abs() < 1e9;
        if !whole {
            return Err(Stop::Unknown("a range of fractions or from far away"));
        }
        let number = self.start + turn as f64;
        Ok(self.contains(number).then_some(number))
    }
}

impl Value {
    pub fn text(text: impl ToString) -> Self {
        Self::Text(text.to_string().into())
    }

    pub fn list(items: Vec<Self>) -> Self {
        Self::List(Rc::new(RefCell::new(items)))
    }

    pub fn record(fields: Vec<(Key, Self)>) -> Self {
        Self::Record(Rc::new(RefCell::new(fields)))
    }

    pub fn is_true(&self) -> bool {
        !matches!(self, Self::Nil | Self::Bool(false))
    }

    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Nil => "nil",
            Self::Bool(_) => "bool",
            Self::Number(_) => "number",
            Self::Text(_) => "string",
            Self::Vector(_) => "vector",
            Self::Range(_) => "range",
            Self::List(_) => "list",
            Self::Record(_) => "record",
            Self::Function(_) => "function",
        }
    }
}

/// Shortest digits that read back the same; an exponent from 1e21 and below 1e-6.
pub fn number_text(number: f64) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let scientific = format!("{:e}", number.abs());
    let (digits, exponent) = scientific.split_once('e').unwrap();
    let exponent: i32 = exponent.parse().unwrap();
    let sign = if number < 0.0 { "-" } else { "" };
    if exponent >= 21 {
        return format!("{sign}{digits}e+{exponent}");
    }
    if exponent < -6 {
        return format!("{sign}{digits}e{exponent}");
    }
    let all: String = digits.chars().filter(char::is_ascii_digit).collect();
    if exponent < 0 {
        return format!("{sign}0.{}{all}", "0".repeat((-exponent - 1) as usize));
    }
    let before = exponent as usize + 1;
    if all.len() <= before {
        return format!("{sign}{all}{}", "0".repeat(before - all.len()));
    }
    format!("{sign}{}.{}", &all[..before], &all[before..])
}

/// A component has the digits that tell it among 32-bit numbers.
fn part_text(part: f32) -> String {
    if part.is_finite() {
        number_text(format!("{part:e}").parse().unwrap())
    } else {
        number_text(part.into())
    }
}

impl Oracle {
    /// A value as text; texts inside of lists and records stand in quotes.
    pub fn show(&mut self, value: &Value, depth: usize) -> Outcome<String> {
        self.step(1)?;
        if depth > 6 {
            return Err(Stop::Unknown("text of what is nested deep"));
        }
        Ok(match value {
            Value::Nil => "nil".to_owned(),
            Value::Bool(flag) => flag.to_string(),
            Value::Number(number) => number_text(*number),
            Value::Text(text) if depth == 0 => text.to_string(),
            Value::Text(text) => format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
            Value::Vector(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| part_text(*part)).collect();
                format!("({})", parts.join(", "))
            }
            Value::Range(range) => {
                let sign = if range.inclusive { "..=" } else { ".." };
                format!("{}{sign}{}", number_text(range.start), number_text(range.end))
            }
            Value::List(items) => {
                let mut parts = Vec::new();
                for item in items.borrow().iter() {
                    parts.push(self.show(item, depth + 1)?);
                }
                format!("[{}]", parts.join(", "))
            }
            Value::Record(fields) => {
                let mut parts = Vec::new();
                for (key, value) in fields.borrow().iter() {
                    parts.push(format!("{}: {}", key.shown()?, self.show(value, depth + 1)?));
                }
                format!("{{{}}}", parts.join(", "))
            }
            Value::Function(_) => "function".to_owned(),
        })
    }

    /// A value as it is handed out.
    pub fn json(&mut self, value: &Value, depth: usize) -> Outcome<Json> {
        self.step(1)?;
        if depth > MOST_DEPTH {
            return Err(Stop::Unknown("a result that is nested deep"));
        }
        Ok(match value {
            Value::Nil => Json::Null,
            Value::Bool(flag) => Json::Bool(*flag),
            Value::Number(number) => number_json(*number)?,
            Value::Text(text) => Json::String(text.to_string()),
            Value::Vector(parts) => {
                let mut list = Vec::new();
                for part in parts {
                    if !part.is_finite() {
                        return fault("E321");
                    }
                    list.push(number_json(format!("{part:e}").parse().unwrap())?);
                }
                Json::Array(list)
            }
            Value::Range(_) => return Err(Stop::Unknown("a range as JSON")),
            Value::List(items) => {
                let mut list = Vec::new();
                for item in items.borrow().iter() {
                    list.push(self.json(item, depth + 1)?);
                }
                Json::Array(list)
            }
            Value::Record(fields) => {
                let mut map = Map::new();
                for (key, value) in fields.borrow().iter() {
                    if map.insert(key.shown()?, self.json(value, depth + 1)?).is_some() {
                        return Err(Stop::Unknown("a number and a text that are the same key in JSON"));
                    }
                }
                Json::Object(map)
            }
            Value::Function(_) => return fault("E320"),
        })
    }
}

fn number_json(number: f64) -> Outcome<Json> {
    if !number.is_finite() {
        return fault("E321");
    }
    // The digits are the same ones; a whole number is one in JSON too.
    let whole = number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0;
    Ok(if whole { Json::from(number as i64) } else { Json::from(number) })
}
