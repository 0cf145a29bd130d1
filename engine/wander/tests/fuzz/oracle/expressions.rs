//! Expressions.

use std::rc::Rc;

use super::super::tree::{Expr, Field, Piece};
use super::operators::negate;
use super::values::{Key, Range, Value};
use super::{Oracle, Outcome, Scope, Stop, closure, fault};

impl Oracle {
    pub fn expr(&mut self, expr: &Expr, scope: &Rc<Scope>) -> Outcome<Value> {
        Ok(self.link(expr, scope)?.unwrap_or(Value::Nil))
    }

    /// An expression; none where a `?.` or `?[` of the chain met nil, which skips the rest of it.
    fn link(&mut self, expr: &Expr, scope: &Rc<Scope>) -> Outcome<Option<Value>> {
        self.step(1)?;
        // `of.name(arguments)` is a call of a method, wherever the name comes from.
        let method = match expr {
            Expr::Method(of, name, arguments) => Some((of, name, arguments, false)),
            Expr::Call(callee, arguments) => match &**callee {
                Expr::Field(of, name, safe) => Some((of, name, arguments, *safe)),
                _ => None,
            },
            _ => None,
        };
        if let Some((of, name, arguments, safe)) = method {
            let Some(object) = self.link(of, scope)? else { return Ok(None) };
            if safe && matches!(object, Value::Nil) {
                return Ok(None);
            }
            let arguments = self.all(arguments, scope)?;
            return self.method(&object, name, &arguments).map(Some);
        }
        let (of, safe) = match expr {
            Expr::Field(of, _, safe) | Expr::Index(of, _, safe) => (of, *safe),
            Expr::Call(of, _) => (of, false),
            _ => return self.value(expr, scope).map(Some),
        };
        let Some(object) = self.link(of, scope)? else { return Ok(None) };
        if safe && matches!(object, Value::Nil) {
            return Ok(None);
        }
        match expr {
            Expr::Field(_, name, _) => self.field(&object, name),
            Expr::Index(_, index, _) => {
                let index = self.expr(index, scope)?;
                self.element(&object, &index)
            }
            Expr::Call(_, arguments) => {
                let arguments = self.all(arguments, scope)?;
                self.call(&object, &arguments, false)
            }
            _ => Ok(Value::Nil),
        }
        .map(Some)
    }

    pub fn all(&mut self, expressions: &[Expr], scope: &Rc<Scope>) -> Outcome<Vec<Value>> {
        expressions.iter().map(|expr| self.expr(expr, scope)).collect()
    }

    fn value(&mut self, expr: &Expr, scope: &Rc<Scope>) -> Outcome<Value> {
        Ok(match expr {
            Expr::Nil => Value::Nil,
            Expr::Bool(flag) => Value::Bool(*flag),
            Expr::Number(number, _) => Value::Number(*number),
            Expr::Text(text) => Value::text(text),
            Expr::Vector(parts) => {
                let mut vector = Vec::new();
                for part in self.all(parts, scope)? {
                    let Value::Number(number) = part else { return fault("E305") };
                    vector.push(number as f32);
                }
                Value::Vector(vector)
            }
            Expr::List(items) => {
                let mut list = Vec::new();
                for (spread, item) in items {
                    match (spread, self.expr(item, scope)?) {
                        (false, value) => list.push(value),
                        (true, Value::List(more)) => list.extend(more.borrow().iter().cloned()),
                        (true, _) => return fault("E309"),
                    }
                }
                self.step(list.len())?;
                Value::list(list)
            }
            Expr::Record(fields) => self.record(fields, scope)?,
            Expr::Name(name) => match scope.find(name) {
                Some(cell) => cell.borrow().clone(),
                None => return Err(Stop::Unknown("a name that is none")),
            },
            Expr::Negate(value) => negate(&self.expr(value, scope)?)?,
            Expr::Not(value) => Value::Bool(!self.expr(value, scope)?.is_true()),
            Expr::Binary(op, left, right) => {
                let left = self.expr(left, scope)?;
                let right = self.expr(right, scope)?;
                self.binary(*op, &left, &right)?
            }
            Expr::And(left, right) => {
                let left = self.expr(left, scope)?;
                if left.is_true() { self.expr(right, scope)? } else { left }
            }
            Expr::Or(left, right) => {
                let left = self.expr(left, scope)?;
                if left.is_true() { left } else { self.expr(right, scope)? }
            }
            Expr::OrNil(left, right) => match self.expr(left, scope)? {
                Value::Nil => self.expr(right, scope)?,
                left => left,
            },
            Expr::Range(left, right, inclusive) => {
                match (self.expr(left, scope)?, self.expr(right, scope)?) {
                    (Value::Number(start), Value::Number(end)) => {
                        Value::Range(Range { start, end, inclusive: *inclusive })
                    }
                    _ => return fault("E305"),
                }
            }
            Expr::If(condition, yes, no) => {
                let which = if self.expr(condition, scope)?.is_true() { yes } else { no };
                self.expr(which, scope)?
            }
            Expr::Library(name, arguments) => {
                let arguments = self.all(arguments, scope)?;
                self.call_builtin(name, &arguments)?
            }
            Expr::Format(pieces) => {
                let mut text = String::new();
                for piece in pieces {
                    match piece {
                        Piece::Text(plain) => text.push_str(plain),
                        Piece::Value(value, decimals) => {
                            let value = self.expr(value, scope)?;
                            match (decimals, &value) {
                                (None, _) => text.push_str(&self.show(&value, 0)?),
                                (Some(decimals), Value::Number(number)) => {
                                    text.push_str(&format!("{number:.decimals$}"));
                                }
                                (Some(_), _) => return fault("E310"),
                            }
                        }
                    }
                }
                self.step(text.len() / 8)?;
                Value::text(text)
            }
            Expr::Lambda(function) => closure(function, scope),
            Expr::Field(..) | Expr::Index(..) | Expr::Call(..) | Expr::Method(..) => Value::Nil,
        })
    }

    fn record(&mut self, fields: &[Field], scope: &Rc<Scope>) -> Outcome<Value> {
        let record = Value::record(Vec::new());
        for field in fields {
            match field {
                Field::Named(name, value) => {
                    let value = self.expr(value, scope)?;
                    self.set_key(&record, Key::Text(name.as_str().into()), value)?;
                }
                Field::Computed(key, value) => {
                    let key = self.expr(key, scope)?;
                    let value = self.expr(value, scope)?;
                    let Some(key) = Key::of(&key) else { return fault("E305") };
                    self.set_key(&record, key, value)?;
                }
                Field::Spread(other) => match self.expr(other, scope)? {
                    Value::Record(other) => {
                        let fields = other.borrow().clone();
                        for (key, value) in fields {
                            self.set_key(&record, key, value)?;
                        }
                    }
                    _ => return fault("E309"),
                },
            }
        }
        Ok(record)
    }

    /// Sets a key of a record; nil takes it away.
    pub fn set_key(&mut self, record: &Value, key: Key, value: Value) -> Outcome<()> {
        self.step(1)?;
        let Value::Record(fields) = record else { return Err(Stop::Unknown("no record")) };
        let mut fields = fields.borrow_mut();
        let at = fields.iter().position(|(own, _)| *own == key);
        match (at, value) {
            (Some(at), Value::Nil) => {
                fields.remove(at);
            }
            (None, Value::Nil) => {}
            (Some(at), value) => fields[at].1 = value,
            (None, value) => fields.push((key, value)),
        }
        Ok(())
    }

    pub fn get_key(&self, record: &Value, key: &Key) -> Value {
        let Value::Record(fields) = record else { return Value::Nil };
        fields.borrow().iter().find(|(own, _)| own == key).map_or(Value::Nil, |(_, value)| value.clone())
    }

    /// `object.name`
    pub fn field(&mut self, object: &Value, name: &str) -> Outcome<Value> {
        match object {
            Value::Nil => fault("E301"),
            Value::Record(fields) => {
                let key = Key::Text(name.into());
                let length = fields.borrow().len();
                Ok(match self.get_key(object, &key) {
                    Value::Nil if name == "length" => Value::Number(length as f64),
                    value => value,
                })
            }
            Value::List(items) => {
                let items = items.borrow();
                match name {
                    "length" => Ok(Value::Number(items.len() as f64)),
                    "first" => Ok(items.first().cloned().unwrap_or(Value::Nil)),
                    "last" => Ok(items.last().cloned().unwrap_or(Value::Nil)),
                    _ => fault("E216"),
                }
            }
            Value::Text(text) if name == "length" => Ok(Value::Number(text.chars().count() as f64)),
            Value::Vector(parts) => vector_field(parts, name),
            Value::Range(_) => Err(Stop::Unknown("a field of a range")),
            _ => fault("E216"),
        }
    }

    /// A whole number as a place in something so long, counted from the end where it is negative.
    pub fn place(&mut self, index: &Value, length: usize) -> Outcome<usize> {
        let Value::Number(number) = index else { return fault("E304") };
        if number.fract() != 0.0 || !number.is_finite() {
            return fault("E304");
        }
        let at = if *number < 0.0 { number + length as f64 } else { *number };
        if at >= 0.0 && at < length as f64 { Ok(at as usize) } else { fault("E303") }
    }

    /// `object[index]`
    pub fn element(&mut self, object: &Value, index: &Value) -> Outcome<Value> {
        match (object, index) {
            (Value::Nil, _) => fault("E301"),
            (Value::List(items), Value::Range(range)) => {
                let whole = |number: f64| number.fract() == 0.0 && number.abs() < 1e9;
                if !whole(range.start) || !whole(range.end) {
                    return fault("E304");
                }
                let length = items.borrow().len() as f64;
                let end = if range.inclusive { range.end + 1.0 } else { range.end };
                if range.start < 0.0 || range.end < 0.0 {
                    return Err(Stop::Unknown("a slice from the end"));
                }
                let (start, end) = (range.start.min(length), end.min(length));
                let slice = items.borrow().get(start as usize..end as usize).unwrap_or_default().to_vec();
                Ok(Value::list(slice))
            }
            (Value::List(items), _) => {
                let at = self.place(index, items.borrow().len())?;
                Ok(items.borrow()[at].clone())
            }
            (Value::Text(_), Value::Range(_)) => Err(Stop::Unknown("a slice of a text")),
            (Value::Text(text), _) => {
                let at = self.place(index, text.chars().count())?;
                Ok(text.chars().nth(at).map_or(Value::Nil, Value::text))
            }
            (Value::Record(_), _) => match Key::of(index) {
                Some(key) => Ok(self.get_key(object, &key)),
                None => fault("E305"),
            },
            (Value::Vector(_) | Value::Range(_), _) => Err(Stop::Unknown("elements of vectors and ranges")),
            _ => fault("E309"),
        }
    }
}

fn vector_field(parts: &[f32], name: &str) -> Outcome<Value> {
    let squares = || Value::Number(f64::from(parts.iter().map(|part| part * part).sum::<f32>()));
    if name == "length2" {
        return Ok(squares());
    }
    if matches!(name, "length" | "normalized" | "list") {
        return Err(Stop::Unknown("roots of 32-bit numbers"));
    }
    let mut chosen = Vec::new();
    for letter in name.chars() {
        match "xyzw".find(letter) {
            Some(axis) if axis < parts.len() => chosen.push(parts[axis]),
            None if letter == '0' => chosen.push(0.0),
            _ => return fault("E216"),
        }
    }
    match chosen.len() {
        1 => Ok(Value::Number(f64::from(chosen[0]))),
        2..=4 => Ok(Value::Vector(chosen)),
        _ => fault("E216"),
    }
}
