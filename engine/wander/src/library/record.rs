//! Records: methods, and the same as functions of `record` for when a field hides the method.

use super::{Call, Native, function, on, prelude};
use crate::fault::Outcome;
use crate::value::Value;

pub(super) const TABLE: &[Native] = &[
    on("record", "keys", (1, 1), "the keys, in order", keys),
    on("record", "values", (1, 1), "the values, in order", values),
    on("record", "has", (2, 2), "whether a key is there", has),
    on("record", "get", (2, 3), "a key's value, or the default", get),
    on("record", "remove", (2, 2), "takes a key away and gives its value", remove),
    on("record", "merge", (2, 2), "a new record with the other's fields over these", merge),
    on("record", "sort_by_key", (1, 1), "a new record with the keys in order", sort_by_key),
    on("record", "entries", (1, 1), "a list of {key, value}", entries),
    function("record", "keys", (1, 1), "the keys, in order", keys),
    function("record", "values", (1, 1), "the values, in order", values),
    function("record", "has", (2, 2), "whether a key is there", has),
    function("record", "get", (2, 3), "a key's value, or the default", get),
    function("record", "remove", (2, 2), "takes a key away and gives its value", remove),
    function("record", "merge", (2, 2), "a new record with the other's fields over these", merge),
    function("record", "length", (1, 1), "how many keys there are", |call, arguments| {
        Ok(Value::Number(all(call, arguments)?.len() as f64))
    }),
    function("record", "sort_by_key", (1, 1), "a new record with the keys in order", sort_by_key),
    prelude("record", "map_values", (2, 2), false, "a new record with each value replaced", "map_values"),
    prelude(
        "record",
        "filter",
        (2, 2),
        false,
        "a new record of the fields for which the function gives true",
        "filter_record",
    ),
    function("record", "entries", (1, 1), "a list of {key, value}", entries),
    prelude("record", "map_values", (2, 2), true, "a new record with each value replaced", "map_values"),
    prelude(
        "record",
        "filter",
        (2, 2),
        true,
        "a new record of the fields for which the function gives true",
        "filter_record",
    ),
];

fn all(call: &Call<'_, '_>, arguments: &[Value]) -> Outcome<Vec<(crate::heap::Key, Value)>> {
    let value = call.argument(arguments, 0);
    match call.machine.heap.get_record(value) {
        Some(record) => Ok(record.entries(&call.machine.heap.shapes)),
        None => Err(super::wrong("a record method", "a record", value)),
    }
}

fn keys(call: &mut Call<'_, '_>, arguments: &[Value]) -> Outcome<Value> {
    let entries = all(call, arguments)?;
    call.pay(entries.len() * 8);
    let keys = entries.into_iter().map(|(key, _)| call.machine.heap.key_value(key)).collect();
    Ok(call.machine.heap.list(keys))
}

fn values(call: &mut Call<'_, '_>, arguments: &[Value]) -> Outcome<Value> {
    let entries = all(call, arguments)?;
    call.pay(entries.len());
    Ok(call.machine.heap.list(entries.into_iter().map(|(_, value)| value).collect()))
}

fn has(call: &mut Call<'_, '_>, arguments: &[Value]) -> Outcome<Value> {
    all(call, arguments)?;
    let key = call.machine.heap.key_of(call.argument(arguments, 1));
    Ok(Value::Bool(key.is_some_and(|key| {
        call.machine
            .heap
            .get_record(call.argument(arguments, 0))
            .is_some_and(|record| record.has(key, &call.machine.heap.shapes))
    })))
}

fn get(call: &mut Call<'_, '_>, arguments: &[Value]) -> Outcome<Value> {
    all(call, arguments)?;
    let default = call.argument(arguments, 2);
    let Some(key) = call.machine.heap.key_of(call.argument(arguments, 1)) else { return Ok(default) };
    let record = call.machine.heap.get_record(call.argument(arguments, 0));
    let value = record.map_or(Value::Nil, |record| record.get(key, &call.machine.heap.shapes));
    Ok(if value.is_nil() { default } else { value })
}

fn remove(call: &mut Call<'_, '_>, arguments: &[Value]) -> Outcome<Value> {
    let value = get(call, arguments.get(..2).unwrap_or_default())?;
    if let Some(key) = call.machine.heap.key_of(call.argument(arguments, 1)) {
        call.machine.heap.record_set(call.argument(arguments, 0), key, Value::Nil);
    }
    Ok(value)
}

fn merge(call: &mut Call<'_, '_>, arguments: &[Value]) -> Outcome<Value> {
    let own = all(call, arguments)?;
    let other = all(call, arguments.get(1..).unwrap_or_default())?;
    call.pay((own.len() + other.len()) * 8);
    let merged = call.machine.heap.record([]);
    for (key, value) in own.into_iter().chain(other) {
        call.machine.heap.record_set(merged, key, value);
    }
    Ok(merged)
}

fn sort_by_key(call: &mut Call<'_, '_>, arguments: &[Value]) -> Outcome<Value> {
    let mut entries = all(call, arguments)?;
    call.pay(entries.len() * 16);
    // Numbers by size and before names, names by their letters, entities by their number.
    entries.sort_by(|(a, _), (b, _)| match (a, b) {
        (crate::heap::Key::Number(a), crate::heap::Key::Number(b)) => {
            f64::from_bits(*a).total_cmp(&f64::from_bits(*b))
        }
        (crate::heap::Key::Number(_), _) => std::cmp::Ordering::Less,
        (_, crate::heap::Key::Number(_)) => std::cmp::Ordering::Greater,
        (crate::heap::Key::Entity(a), crate::heap::Key::Entity(b)) => a.cmp(b),
        (a, b) => a.text(&call.machine.heap.shapes).cmp(&b.text(&call.machine.heap.shapes)),
    });
    let sorted = call.machine.heap.record([]);
    for (key, value) in entries {
        call.machine.heap.record_set(sorted, key, value);
    }
    Ok(sorted)
}

fn entries(call: &mut Call<'_, '_>, arguments: &[Value]) -> Outcome<Value> {
    let entries = all(call, arguments)?;
    call.pay(entries.len() * 8);
    let list = entries
        .into_iter()
        .map(|(key, value)| {
            let key = call.machine.heap.key_value(key);
            call.machine.heap.record([("key", key), ("value", value)])
        })
        .collect();
    Ok(call.machine.heap.list(list))
}
