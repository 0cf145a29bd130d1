//! Methods of lists, texts and records that change nothing but what they are called on.

use std::rc::Rc;

use super::values::{Key, Value};
use super::{Oracle, Outcome, Stop, fault};

/// Methods of each type by the description, most of which the oracle does not know.
const OF_LISTS: &str = "length push pop insert remove_at remove clear index_of has first last get set slice reverse sort \
     sorted map filter reduce find any all count sum min max min_by max_by group_by zip flat unique take drop shuffle \
     choice join each enumerate fill";
const OF_TEXTS: &str = "length upper lower trim split join lines has starts_with ends_with index_of replace repeat \
     pad_left pad_right slice chars code bytes format title reverse match";
const OF_RECORDS: &str = "length keys values entries has get remove merge map_values filter sort_by_key";

/// What comes of a method that the oracle does not know: an error where the type has none of that name.
fn unknown<T>(name: &str, known: &str) -> Outcome<T> {
    if known.split(' ').any(|own| own == name) {
        return Err(Stop::Unknown("a method that the oracle does not know"));
    }
    fault("E216")
}

/// An argument that is missing is nil.
fn at(arguments: &[Value], index: usize) -> Value {
    arguments.get(index).cloned().unwrap_or(Value::Nil)
}

fn whole(value: &Value) -> Outcome<i64> {
    match value {
        Value::Number(number) if number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0 => {
            Ok(*number as i64)
        }
        Value::Number(_) => fault("E304"),
        Value::Nil => fault("E301"),
        _ => fault("E310"),
    }
}

fn text_of(value: &Value) -> Outcome<Rc<str>> {
    match value {
        Value::Text(text) => Ok(Rc::clone(text)),
        Value::Nil => fault("E301"),
        _ => fault("E310"),
    }
}

impl Oracle {
    pub fn method(&mut self, object: &Value, name: &str, arguments: &[Value]) -> Outcome<Value> {
        self.step(1)?;
        match object {
            Value::Nil => fault("E301"),
            Value::List(items) => {
                self.step(items.borrow().len() / 4)?;
                self.list_method(items, name, arguments)
            }
            Value::Text(text) => {
                self.step(text.len() / 4)?;
                self.text_method(text, name, arguments)
            }
            Value::Record(_) => self.record_method(object, name, arguments),
            Value::Range(_) | Value::Vector(_) => Err(Stop::Unknown("methods of ranges and vectors")),
            _ => fault("E216"),
        }
    }

    fn list_method(
        &mut self,
        list: &Rc<std::cell::RefCell<Vec<Value>>>,
        name: &str,
        arguments: &[Value],
    ) -> Outcome<Value> {
        let (first, second) = (at(arguments, 0), at(arguments, 1));
        let items = list.borrow().clone();
        let length = items.len();
        Ok(match name {
            "push" => {
                list.borrow_mut().push(first);
                Value::Nil
            }
            "pop" => list.borrow_mut().pop().unwrap_or(Value::Nil),
            "insert" => {
                let place = whole(&first)?;
                let place = if place < 0 { place + length as i64 } else { place };
                if place < 0 || place > length as i64 {
                    return fault("E303");
                }
                list.borrow_mut().insert(place as usize, second);
                Value::Nil
            }
            "remove_at" => {
                let place = self.place(&first, length)?;
                list.borrow_mut().remove(place)
            }
            "set" => {
                let place = self.place(&first, length)?;
                list.borrow_mut()[place] = second;
                Value::Nil
            }
            "fill" => {
                list.borrow_mut().fill(first);
                Value::Nil
            }
            "get" => {
                let place = whole(&first)?;
                let place = if place < 0 { place + length as i64 } else { place };
                usize::try_from(place).ok().and_then(|place| items.get(place)).cloned().unwrap_or(second)
            }
            "remove" | "index_of" | "has" => {
                let mut found = None;
                for (place, item) in items.iter().enumerate() {
                    if self.equal(item, &first, 0)? {
                        found = Some(place);
                        break;
                    }
                }
                match (name, found) {
                    ("index_of", found) => found.map_or(Value::Nil, |place| Value::Number(place as f64)),
                    ("remove", Some(place)) => {
                        list.borrow_mut().remove(place);
                        Value::Bool(true)
                    }
                    (_, found) => Value::Bool(found.is_some()),
                }
            }
            "reverse" => Value::list(items.into_iter().rev().collect()),
            "take" | "drop" => {
                let count = whole(&first)?.clamp(0, length as i64) as usize;
                let part = if name == "take" { &items[..count] } else { &items[count..] };
                Value::list(part.to_vec())
            }
            "enumerate" => {
                let pairs = items.into_iter().enumerate();
                Value::list(
                    pairs.map(|(at, item)| Value::list(vec![Value::Number(at as f64), item])).collect(),
                )
            }
            "flat" => {
                let mut flat = Vec::new();
                for item in items {
                    match item {
                        Value::List(inner) => flat.extend(inner.borrow().iter().cloned()),
                        other => flat.push(other),
                    }
                }
                self.step(flat.len())?;
                Value::list(flat)
            }
            "unique" => {
                let mut found: Vec<Value> = Vec::new();
                'items: for item in items {
                    for other in &found {
                        if self.equal(other, &item, 0)? {
                            continue 'items;
                        }
                    }
                    found.push(item);
                }
                Value::list(found)
            }
            "join" => {
                let between = text_of(&first)?;
                let mut texts = Vec::new();
                for item in &items {
                    texts.push(self.show(item, 0)?);
                }
                Value::text(texts.join(&between))
            }
            "sum" => {
                let mut sum = 0.0;
                for item in &items {
                    match item {
                        Value::Number(number) => sum += number,
                        Value::Nil => return fault("E301"),
                        Value::Vector(_) => return Err(Stop::Unknown("a sum of vectors")),
                        _ => return fault("E310"),
                    }
                }
                if f64::is_nan(sum) {
                    return Err(Stop::Unknown("not a number"));
                }
                Value::Number(sum)
            }
            "sorted" => sorted(items)?,
            _ => return self.with_function(list, name, arguments),
        })
    }

    /// Methods that call what they are given, for as many elements as there are then.
    fn with_function(
        &mut self,
        list: &Rc<std::cell::RefCell<Vec<Value>>>,
        name: &str,
        arguments: &[Value],
    ) -> Outcome<Value> {
        if !["map", "filter", "reduce", "any", "all", "count"].contains(&name) {
            return unknown(name, OF_LISTS);
        }
        let function = arguments.last().cloned().unwrap_or(Value::Nil);
        let mut out = Vec::new();
        let mut result = if name == "reduce" { at(arguments, 0) } else { Value::Nil };
        let mut count = 0;
        let mut turn = 0;
        loop {
            let Some(item) = list.borrow().get(turn).cloned() else { break };
            turn += 1;
            let given =
                if name == "reduce" { vec![result.clone(), item.clone()] } else { vec![item.clone()] };
            let answer = self.call(&function, &given, true)?;
            match name {
                "map" => out.push(answer),
                "filter" if answer.is_true() => out.push(item),
                "reduce" => result = answer,
                "any" if answer.is_true() => return Ok(Value::Bool(true)),
                "all" if !answer.is_true() => return Ok(Value::Bool(false)),
                "count" if answer.is_true() => count += 1,
                _ => {}
            }
        }
        Ok(match name {
            "map" | "filter" => Value::list(out),
            "reduce" => result,
            "any" => Value::Bool(false),
            "all" => Value::Bool(true),
            _ => Value::Number(f64::from(count)),
        })
    }

    fn text_method(&mut self, text: &Rc<str>, name: &str, arguments: &[Value]) -> Outcome<Value> {
        let (first, second) = (at(arguments, 0), at(arguments, 1));
        let letters: Vec<char> = text.chars().collect();
        Ok(match name {
            "upper" => Value::text(text.to_uppercase()),
            "lower" => Value::text(text.to_lowercase()),
            "trim" => Value::text(text.trim()),
            "reverse" => Value::text(letters.iter().rev().collect::<String>()),
            "slice" => {
                let (Value::Number(start), Value::Number(end)) = (&first, &second) else {
                    return Err(Stop::Unknown("a slice without numbers"));
                };
                if *start < 0.0 || *end < 0.0 {
                    return Err(Stop::Unknown("a slice from the end"));
                }
                let end = (*end as usize).min(letters.len());
                let part = letters.get(*start as usize..end).unwrap_or_default();
                Value::text(part.iter().collect::<String>())
            }
            "replace" => {
                let (from, to) = (text_of(&first)?, text_of(&second)?);
                if from.is_empty() {
                    return Err(Stop::Unknown("nothing is replaced"));
                }
                Value::text(text.split(&*from).collect::<Vec<&str>>().join(&to))
            }
            "split" => {
                let between = text_of(&first)?;
                Value::list(text.split(&*between).map(Value::text).collect())
            }
            "index_of" => {
                let part: Vec<char> = text_of(&first)?.chars().collect();
                let found = (0..=letters.len()).find(|at| letters[*at..].starts_with(&part));
                found.map_or(Value::Nil, |at| Value::Number(at as f64))
            }
            "has" => Value::Bool(text.contains(&*text_of(&first)?)),
            "starts_with" => Value::Bool(text.starts_with(&*text_of(&first)?)),
            "repeat" => {
                let count = whole(&first)?.max(0) as usize;
                self.step(count * text.len() / 8)?;
                Value::text(text.repeat(count))
            }
            "pad_left" => {
                let width = whole(&first)?.max(0) as usize;
                let missing = width.saturating_sub(letters.len());
                Value::text(" ".repeat(missing) + text)
            }
            _ => return unknown(name, OF_TEXTS),
        })
    }

    fn record_method(&mut self, record: &Value, name: &str, arguments: &[Value]) -> Outcome<Value> {
        let Value::Record(fields) = record else { return fault("E216") };
        // A function in a field of that name comes first; what else is there is no method.
        let own = self.get_key(record, &Key::Text(name.into()));
        if matches!(own, Value::Function(_)) {
            return self.call(&own, arguments, false);
        }
        let entries = fields.borrow().clone();
        self.step(entries.len())?;
        let first = at(arguments, 0);
        Ok(match name {
            "keys" => Value::list(entries.iter().map(|(key, _)| key.value()).collect()),
            "values" => Value::list(entries.into_iter().map(|(_, value)| value).collect()),
            "has" => {
                Value::Bool(Key::of(&first).is_some_and(|key| entries.iter().any(|(own, _)| *own == key)))
            }
            "get" => match Key::of(&first).map(|key| self.get_key(record, &key)) {
                None | Some(Value::Nil) => at(arguments, 1),
                Some(value) => value,
            },
            "remove" => {
                let Some(key) = Key::of(&first) else { return Ok(Value::Nil) };
                let value = self.get_key(record, &key);
                self.set_key(record, key, Value::Nil)?;
                value
            }
            "merge" => {
                let Value::Record(other) = &first else {
                    return fault(if matches!(first, Value::Nil) { "E301" } else { "E310" });
                };
                let merged = Value::record(entries);
                let other = other.borrow().clone();
                for (key, value) in other {
                    self.set_key(&merged, key, value)?;
                }
                merged
            }
            "map_values" => {
                let out = Value::record(Vec::new());
                for (key, value) in entries {
                    let value = self.call(&first, &[value], true)?;
                    self.set_key(&out, key, value)?;
                }
                out
            }
            _ => return unknown(name, OF_RECORDS),
        })
    }
}

/// Numbers among themselves and texts among themselves are in order; other things are not.
fn sorted(items: Vec<Value>) -> Outcome<Value> {
    let numbers = items.iter().all(|item| matches!(item, Value::Number(_)));
    let texts = items.iter().all(|item| matches!(item, Value::Text(_)));
    if !numbers && !texts {
        // One alone is compared with nothing; which pair is met first is nobody's business.
        return if items.len() < 2 { Err(Stop::Unknown("one thing in order")) } else { fault("E302") };
    }
    let mut items = items;
    items.sort_by(|a, b| match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.partial_cmp(b).unwrap(),
        (Value::Text(a), Value::Text(b)) => a.cmp(b),
        _ => std::cmp::Ordering::Equal,
    });
    Ok(Value::list(items))
}
