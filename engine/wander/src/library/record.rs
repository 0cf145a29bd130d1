//! Records: methods, and the same as functions of `record` for when a field hides the method.

use super::{Call, Native, function, on, prelude};
use crate::fault::Outcome;
use crate::heap::{Key, Record};
use crate::value::Value;

/// Bytes of an entry besides its key's text: a record with two fields.
const ENTRY: usize = 96;

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
        Ok(Value::Number(record(call, arguments, 0)?.len() as f64))
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

fn record<'a>(call: &'a Call<'_, '_>, arguments: &[Value], index: usize) -> Outcome<&'a Record> {
    let value = call.argument(arguments, index);
    call.machine.heap.get_record(value).ok_or_else(|| super::wrong("a record method", "a record", value))
}

/// Keys and values, paid for and with room for new things made of them.
fn all(call: &mut Call<'_, '_>, arguments: &[Value], index: usize) -> Outcome<Vec<(Key, Value)>> {
    let count = record(call, arguments, index)?.len();
    call.pay_for_things(count)?;
    Ok(record(call, arguments, index)?.entries(&call.machine.heap.shapes))
}

fn keys(call: &mut Call<'_, '_>, arguments: &[Value]) -> Outcome<Value> {
    let entries = all(call, arguments, 0)?;
    let bytes = entries.iter().map(|(key, _)| key.text_length(&call.machine.heap.shapes)).sum();
    call.pay(bytes)?;
    call.machine.reserve(call.task, bytes)?;
    let keys = entries.into_iter().map(|(key, _)| call.machine.heap.key_value(key)).collect();
    Ok(call.machine.heap.list(keys))
}

fn values(call: &mut Call<'_, '_>, arguments: &[Value]) -> Outcome<Value> {
    let count = record(call, arguments, 0)?.len();
    call.pay_for_list(count)?;
    let values = record(call, arguments, 0)?.all_values().collect();
    Ok(call.machine.heap.list(values))
}

fn has(call: &mut Call<'_, '_>, arguments: &[Value]) -> Outcome<Value> {
    record(call, arguments, 0)?;
    let (record, key) = (call.argument(arguments, 0), call.argument(arguments, 1));
    call.machine.has_key(record, key, call.fuel).map(Value::Bool)
}

fn get(call: &mut Call<'_, '_>, arguments: &[Value]) -> Outcome<Value> {
    record(call, arguments, 0)?;
    let (key, default) = (call.argument(arguments, 1), call.argument(arguments, 2));
    call.pay(call.machine.heap.get_text(key).map_or(0, str::len))?;
    let heap = &call.machine.heap;
    let Some(key) = heap.find_key(key) else { return Ok(default) };
    let value = record(call, arguments, 0)?.get(key, &heap.shapes);
    Ok(if value.is_nil() { default } else { value })
}

fn remove(call: &mut Call<'_, '_>, arguments: &[Value]) -> Outcome<Value> {
    let value = get(call, arguments.get(..2).unwrap_or_default())?;
    // What is not there costs nothing more: whether the heap still knows the name depends on when it was collected.
    if !value.is_nil()
        && let Some(key) = call.machine.heap.find_key(call.argument(arguments, 1))
    {
        call.machine.set_key(call.argument(arguments, 0), key, Value::Nil, call.fuel)?;
    }
    Ok(value)
}

fn merge(call: &mut Call<'_, '_>, arguments: &[Value]) -> Outcome<Value> {
    let own = all(call, arguments, 0)?;
    let other = all(call, arguments, 1)?;
    let merged = call.machine.heap.record([]);
    for (key, value) in own.into_iter().chain(other) {
        call.machine.heap.record_set(merged, key, value);
    }
    Ok(merged)
}

fn sort_by_key(call: &mut Call<'_, '_>, arguments: &[Value]) -> Outcome<Value> {
    let mut entries = all(call, arguments, 0)?;
    let shapes = &call.machine.heap.shapes;
    let bytes: usize = entries.iter().map(|(key, _)| key.text_length(shapes)).sum();
    // Each key may be compared to its end as often as the record can be halved.
    let halvings = entries.len().checked_ilog2().unwrap_or(0) as usize + 1;
    call.pay((bytes + entries.len() * 8).saturating_mul(halvings))?;
    let shapes = &call.machine.heap.shapes;
    // Numbers by size and before names, names by their letters, entities by their number.
    entries.sort_by(|(a, _), (b, _)| match (a, b) {
        (Key::Number(a), Key::Number(b)) => f64::from_bits(*a).total_cmp(&f64::from_bits(*b)),
        (Key::Number(_), _) => std::cmp::Ordering::Less,
        (_, Key::Number(_)) => std::cmp::Ordering::Greater,
        (Key::Entity(a), Key::Entity(b)) => a.cmp(b),
        (Key::Symbol(a), Key::Symbol(b)) => shapes.name(*a).cmp(shapes.name(*b)),
        (a, b) => a.text(shapes).cmp(&b.text(shapes)),
    });
    let sorted = call.machine.heap.record([]);
    for (key, value) in entries {
        call.machine.heap.record_set(sorted, key, value);
    }
    Ok(sorted)
}

fn entries(call: &mut Call<'_, '_>, arguments: &[Value]) -> Outcome<Value> {
    let entries = all(call, arguments, 0)?;
    let bytes = entries.iter().map(|(key, _)| key.text_length(&call.machine.heap.shapes) + ENTRY).sum();
    call.pay(bytes)?;
    call.machine.reserve(call.task, bytes)?;
    let list = entries
        .into_iter()
        .map(|(key, value)| {
            let key = call.machine.heap.key_value(key);
            call.machine.heap.record([("key", key), ("value", value)])
        })
        .collect();
    Ok(call.machine.heap.list(list))
}
