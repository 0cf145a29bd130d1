//! Free functions of the library.

use std::rc::Rc;

use super::values::Value;
use super::{MOST_DEPTH, Oracle, Outcome, Stop, fault};

impl Oracle {
    pub fn call_builtin(&mut self, name: &str, arguments: &[Value]) -> Outcome<Value> {
        let first = arguments.first().cloned().unwrap_or(Value::Nil);
        let second = arguments.get(1).cloned().unwrap_or(Value::Nil);
        Ok(match name {
            "print" => {
                let text = self.show(&first, 0)?;
                self.output.push(text);
                Value::Nil
            }
            "text" => Value::text(self.show(&first, 0)?),
            "type" => Value::text(first.type_name()),
            "number" => match first {
                Value::Number(_) => first,
                Value::Text(text) => text_number(&text)?,
                Value::Bool(_) => return Err(Stop::Unknown("the number of a bool")),
                _ => Value::Nil,
            },
            "abs" | "floor" | "ceil" | "sign" | "sqrt" => {
                if matches!(first, Value::Vector(_)) {
                    return Err(Stop::Unknown("a function of numbers and vectors"));
                }
                let Value::Number(number) = first else { return needs_number(&first) };
                Value::Number(match name {
                    "abs" => number.abs(),
                    "floor" => number.floor(),
                    "ceil" => number.ceil(),
                    "sign" if number == 0.0 => 0.0,
                    "sign" => number.signum(),
                    _ if number < 0.0 => return fault("E307"),
                    _ => number.sqrt(),
                })
            }
            "min" | "max" => match (&first, &second) {
                (Value::Number(a), Value::Number(b)) => {
                    Value::Number(if name == "min" { a.min(*b) } else { a.max(*b) })
                }
                _ => return Err(Stop::Unknown("the least of other things than numbers")),
            },
            "same" => Value::Bool(match (&first, &second) {
                (Value::List(a), Value::List(b)) => Rc::ptr_eq(a, b),
                (Value::Record(a), Value::Record(b)) => Rc::ptr_eq(a, b),
                (Value::Function(a), Value::Function(b)) => Rc::ptr_eq(a, b),
                _ => self.equal(&first, &second, 0)?,
            }),
            "copy" => self.copy(&first, 1)?,
            "deep_copy" => self.copy(&first, MOST_DEPTH)?,
            "error" => match &first {
                Value::Text(_) => return fault("E401"),
                Value::Record(_) => {
                    let code = self.get_key(&first, &super::Key::Text("code".into()));
                    let Value::Text(code) = code else {
                        return Err(Stop::Unknown("an error without a code"));
                    };
                    return fault(&code);
                }
                _ => return Err(Stop::Unknown("an error of something else")),
            },
            "assert" if first.is_true() => first,
            "assert" => return fault("E402"),
            _ => return Err(Stop::Unknown("a function that the oracle does not know")),
        })
    }

    fn copy(&mut self, value: &Value, levels: usize) -> Outcome<Value> {
        self.step(1)?;
        let is_deep = levels > 1;
        if levels == 0 {
            return Ok(value.clone());
        }
        match value {
            Value::List(items) => {
                let items = items.borrow().clone();
                let mut copies = Vec::new();
                for item in &items {
                    copies.push(self.copy_inside(item, levels, is_deep)?);
                }
                Ok(Value::list(copies))
            }
            Value::Record(fields) => {
                let fields = fields.borrow().clone();
                let mut copies = Vec::new();
                for (key, item) in &fields {
                    copies.push((key.clone(), self.copy_inside(item, levels, is_deep)?));
                }
                Ok(Value::record(copies))
            }
            _ => Ok(value.clone()),
        }
    }

    fn copy_inside(&mut self, value: &Value, levels: usize, is_deep: bool) -> Outcome<Value> {
        let holds = matches!(value, Value::List(_) | Value::Record(_));
        if is_deep && levels == 2 && holds {
            return Err(Stop::Unknown("a copy of what is nested deep"));
        }
        if is_deep { self.copy(value, levels - 1) } else { Ok(value.clone()) }
    }
}

fn needs_number<T>(value: &Value) -> Outcome<T> {
    fault(if matches!(value, Value::Nil) { "E301" } else { "E310" })
}

/// Digits with a point, an exponent and white space around them; nothing else is a number.
fn text_number(text: &str) -> Outcome<Value> {
    let text = text.trim();
    if text.is_empty()
        || !text.chars().all(|letter| letter.is_ascii_digit() || letter == '.' || letter == '-')
    {
        let maybe = text.chars().any(|letter| letter.is_ascii_digit());
        return if maybe { Err(Stop::Unknown("an odd number")) } else { Ok(Value::Nil) };
    }
    Ok(text.parse().map_or(Value::Nil, Value::Number))
}
