//! Variables of entities to values of scripts and back.

use std::sync::Arc;

use indexmap::IndexMap;
use scene::Var;
use wander::{Fault, Heap, Outcome, Value};

/// A variable as a value.
pub(crate) fn var_to_value(heap: &mut Heap, var: &Var) -> Value {
    match var {
        Var::Bool(flag) => Value::Bool(*flag),
        Var::Number(number) => Value::Number(*number),
        Var::Text(text) => heap.text(text),
        Var::Vector(v) => Value::Vec3(v.to_array()),
        Var::List(items) => {
            let items = items.iter().map(|item| var_to_value(heap, item)).collect();
            heap.list(items)
        }
        Var::Record(fields) => {
            let fields: Vec<(String, Value)> =
                fields.iter().map(|(name, var)| (name.to_string(), var_to_value(heap, var))).collect();
            heap.record(fields.iter().map(|(name, value)| (name.as_str(), *value)))
        }
    }
}

/// A value as a variable; `None` for nil. Entities are kept by number, colours as text.
pub(crate) fn value_to_var(heap: &Heap, value: Value) -> Outcome<Option<Var>> {
    convert(heap, value, 32)
}

fn convert(heap: &Heap, value: Value, depth: u32) -> Outcome<Option<Var>> {
    if depth == 0 {
        return Err(Fault::new("E506", "a variable's value is nested too deeply"));
    }
    Ok(Some(match value {
        Value::Nil => return Ok(None),
        Value::Bool(flag) => Var::Bool(flag),
        Value::Number(number) if number.is_finite() => Var::Number(number),
        Value::Number(number) => {
            return Err(Fault::new(
                "E321",
                format!("{} cannot be kept in a variable", wander::number::text(number)),
            ));
        }
        Value::Entity(entity) => Var::Number(f64::from(entity.get())),
        Value::Text(_) => Var::Text(heap.get_text(value).unwrap_or_default().into()),
        Value::Vec3(parts) => Var::Vector(parts.into()),
        Value::Vec2(_) | Value::Vec4(_) => {
            let (parts, n) = heap.get_vector(value).unwrap_or_default();
            Var::List(parts.iter().take(n).map(|part| Var::Number(f64::from(*part))).collect())
        }
        Value::Color(_) => {
            Var::Text(wander::boundary::color_text(heap.get_color(value).unwrap_or_default()).as_str().into())
        }
        Value::List(_) => {
            let mut items = Vec::new();
            for item in heap.get_list(value).unwrap_or_default() {
                items.push(convert(heap, *item, depth - 1)?.unwrap_or(Var::Bool(false)));
            }
            Var::List(items)
        }
        Value::Record(_) => {
            let mut fields: IndexMap<Arc<str>, Var> = IndexMap::new();
            for (name, value) in heap.record_entries(value).unwrap_or_default() {
                if let Some(var) = convert(heap, value, depth - 1)? {
                    fields.insert(name.as_str().into(), var);
                }
            }
            Var::Record(fields)
        }
        Value::Range(_) | Value::Function(_) | Value::Task(_) | Value::Stream(_) | Value::Cell(_) => {
            return Err(Fault::new("E320", format!("a {} cannot be kept in a variable", value.type_name())));
        }
    }))
}
