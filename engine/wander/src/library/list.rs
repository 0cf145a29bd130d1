//! Lists: methods, and `list`. What calls back into scripts is done by the prelude, so that it may wait.

use super::{Call, Native, function, on, prelude};
use crate::fault::{Fault, Outcome};
use crate::value::Value;

/// Elements of a list made at once at most.
const MOST: i64 = 1_000_000;

pub(super) const TABLE: &[Native] = &[
    function("list", "of", (2, 2), "a list of n times a value", |c, a| {
        let count = size(c.whole(a, 0, "of")?)?;
        c.pay_for_list(count)?;
        Ok(c.machine.heap.list(vec![c.argument(a, 1); count]))
    }),
    function("list", "range", (2, 2), "the whole numbers from a up to, not including, b", |c, a| {
        let (from, to) = (c.whole(a, 0, "range")?, c.whole(a, 1, "range")?);
        let count = size((to - from).max(0))?;
        c.pay_for_list(count)?;
        Ok(c.machine.heap.list((from..to).map(|number| Value::Number(number as f64)).collect()))
    }),
    on("list", "push", (2, 2), "adds a value at the end", |c, a| {
        let value = c.argument(a, 1);
        grow(c, a, 1)?;
        c.machine.heap.push(&c.argument(a, 0), value);
        Ok(Value::Nil)
    }),
    on("list", "pop", (1, 1), "takes the last value away and gives it; nil of an empty list", |c, a| {
        Ok(c.machine.heap.change_list(c.argument(a, 0), Vec::pop).flatten().unwrap_or_default())
    }),
    on("list", "insert", (3, 3), "puts a value in before an index", |c, a| {
        let length = c.machine.heap.get_list(c.argument(a, 0)).map_or(0, <[Value]>::len);
        let at = c.whole(a, 1, "insert's index")?;
        let at = if at < 0 { at + length as i64 } else { at };
        if at < 0 || at > length as i64 {
            return Err(Fault::new(
                "E303",
                format!("index {at} is out of range: there are {length} elements"),
            ));
        }
        let value = c.argument(a, 2);
        c.pay(length)?;
        grow(c, a, 1)?;
        c.machine.heap.change_list(c.argument(a, 0), |items| items.insert(at as usize, value));
        Ok(Value::Nil)
    }),
    on("list", "remove_at", (2, 2), "takes the value at an index away and gives it", |c, a| {
        let length = c.machine.heap.get_list(c.argument(a, 0)).map_or(0, <[Value]>::len);
        let at = crate::machine::list_position(c.argument(a, 1), length)?;
        c.pay(length)?;
        Ok(c.machine.heap.change_list(c.argument(a, 0), |items| items.remove(at)).unwrap_or_default())
    }),
    on("list", "remove", (2, 2), "takes the first equal value away; whether there was one", |c, a| {
        let at = index_of(c, a)?;
        if let Some(at) = at {
            let behind = c.items(a, 0, "remove")?.len() - at;
            c.pay(behind)?;
            c.machine.heap.change_list(c.argument(a, 0), |items| items.remove(at));
        }
        Ok(Value::Bool(at.is_some()))
    }),
    on("list", "clear", (1, 1), "takes every value away", |c, a| {
        c.machine.heap.change_list(c.argument(a, 0), Vec::clear);
        Ok(Value::Nil)
    }),
    on("list", "index_of", (2, 2), "the index of the first equal value, or nil", |c, a| {
        Ok(index_of(c, a)?.map_or(Value::Nil, |at| Value::Number(at as f64)))
    }),
    on("list", "has", (2, 2), "whether an equal value is there", |c, a| {
        Ok(Value::Bool(index_of(c, a)?.is_some()))
    }),
    on("list", "get", (2, 3), "the value at an index, or the default", |c, a| {
        let at = c.whole(a, 1, "get's index")?;
        let items = c.items(a, 0, "get")?;
        let at = if at < 0 { at + items.len() as i64 } else { at };
        let found = usize::try_from(at).ok().and_then(|at| items.get(at)).copied();
        Ok(found.unwrap_or_else(|| c.argument(a, 2)))
    }),
    on("list", "set", (3, 3), "sets the value at an index", |c, a| {
        let length = c.machine.heap.get_list(c.argument(a, 0)).map_or(0, <[Value]>::len);
        let at = crate::machine::list_position(c.argument(a, 1), length)?;
        let value = c.argument(a, 2);
        c.machine.heap.set_inside(c.argument(a, 0), at, value);
        Ok(Value::Nil)
    }),
    on("list", "slice", (2, 3), "the elements from an index up to, not including, another", |c, a| {
        let length = c.items(a, 0, "slice")?.len();
        let start = c.number(a, 1, "slice's start")?;
        let end = c.number_or(a, 2, "slice's end", length as f64)?;
        let range = crate::heap::Range { start, end, step: 1.0, inclusive: false };
        let (start, end) = crate::machine::list_bounds(range, length);
        part(c, a, start, end)
    }),
    on("list", "reverse", (1, 1), "a list the other way round", |c, a| {
        let mut items = c.own_items(a, 0, "reverse")?;
        items.reverse();
        Ok(c.machine.heap.list(items))
    }),
    on("list", "take", (2, 2), "the first n elements", |c, a| {
        let length = c.items(a, 0, "take")?.len();
        let count = c.whole(a, 1, "take")?.clamp(0, length as i64) as usize;
        part(c, a, 0, count)
    }),
    on("list", "drop", (2, 2), "all but the first n elements", |c, a| {
        let length = c.items(a, 0, "drop")?.len();
        let count = c.whole(a, 1, "drop")?.clamp(0, length as i64) as usize;
        part(c, a, count, length)
    }),
    on("list", "fill", (2, 2), "sets every element to a value", |c, a| {
        let (value, count) = (c.argument(a, 1), c.items(a, 0, "fill")?.len());
        c.pay(count)?;
        c.machine.heap.change_list(c.argument(a, 0), |items| items.fill(value));
        Ok(Value::Nil)
    }),
    on("list", "sum", (1, 1), "the numbers added up", |c, a| {
        let count = c.items(a, 0, "sum")?.len();
        c.pay(count)?;
        let mut sum = 0.0;
        for item in c.items(a, 0, "sum")? {
            let Value::Number(number) = item else { return Err(super::wrong("sum", "numbers", *item)) };
            sum += number;
        }
        Ok(Value::Number(sum))
    }),
    on("list", "min", (1, 1), "the smallest number, or nil", |c, a| extreme(c, a, f64::min)),
    on("list", "max", (1, 1), "the largest number, or nil", |c, a| extreme(c, a, f64::max)),
    on("list", "join", (1, 2), "the texts of all elements, with a text in between", |c, a| {
        super::string::join(c, a, 0, (a.len() > 1).then_some(1))
    }),
    on("list", "unique", (1, 1), "each different value once, in order", |c, a| {
        let items = c.own_items(a, 0, "unique")?;
        let mut found: Vec<Value> = Vec::new();
        for item in items {
            if !is_among(c, &found, item)? {
                found.push(item);
            }
        }
        Ok(c.machine.heap.list(found))
    }),
    on("list", "flat", (1, 1), "the elements of the lists inside, one after the other", |c, a| {
        let count = c.items(a, 0, "flat")?.len();
        c.pay(count)?;
        let heap = &c.machine.heap;
        let lengths =
            c.items(a, 0, "flat")?.iter().map(|item| heap.get_list(*item).map_or(1, <[Value]>::len));
        let whole = lengths.fold(0usize, usize::saturating_add);
        c.pay_for_list(whole)?;
        let mut flat = Vec::with_capacity(whole);
        for item in c.items(a, 0, "flat")? {
            match c.machine.heap.get_list(*item) {
                Some(inner) => flat.extend_from_slice(inner),
                None => flat.push(*item),
            }
        }
        Ok(c.machine.heap.list(flat))
    }),
    on("list", "zip", (2, 2), "pairs of this list's and another's elements", |c, a| {
        let count = c.items(a, 0, "zip")?.len().min(c.items(a, 1, "zip")?.len());
        c.pay_for_things(count)?;
        let pairs: Vec<[Value; 2]> =
            c.items(a, 0, "zip")?.iter().zip(c.items(a, 1, "zip")?).map(|(x, y)| [*x, *y]).collect();
        let pairs = pairs.into_iter().map(|pair| c.machine.heap.list(pair.to_vec())).collect();
        Ok(c.machine.heap.list(pairs))
    }),
    on("list", "enumerate", (1, 1), "pairs of index and element", |c, a| {
        let count = c.items(a, 0, "enumerate")?.len();
        c.pay_for_things(count)?;
        let items = c.items(a, 0, "enumerate")?.to_vec();
        let pairs = items
            .into_iter()
            .enumerate()
            .map(|(at, item)| c.machine.heap.list(vec![Value::Number(at as f64), item]))
            .collect();
        Ok(c.machine.heap.list(pairs))
    }),
    on("list", "choice", (1, 1), "a random element; nil of an empty list", |c, a| {
        let count = c.items(a, 0, "choice")?.len();
        let at = c.machine.random(c.task.owner).below(count as u32) as usize;
        Ok(c.items(a, 0, "choice")?.get(at).copied().unwrap_or_default())
    }),
    on("list", "shuffle", (1, 1), "a list in random order", |c, a| {
        let mut items = c.own_items(a, 0, "shuffle")?;
        for at in (1..items.len()).rev() {
            let other = c.machine.random(c.task.owner).below(at as u32 + 1) as usize;
            items.swap(at, other);
        }
        Ok(c.machine.heap.list(items))
    }),
    on("list", "order_by", (2, 2), "the elements sorted by a list of keys as long; used by sort", order_by),
    prelude("list", "map", (2, 2), true, "each element replaced by what the function gives", "map"),
    prelude("list", "filter", (2, 2), true, "the elements for which the function gives true", "filter"),
    prelude("list", "reduce", (3, 3), true, "one value from all: f(so_far, element)", "reduce"),
    prelude("list", "each", (2, 2), true, "calls the function with each element", "each"),
    prelude(
        "list",
        "find",
        (2, 2),
        true,
        "the first element for which the function gives true, or nil",
        "find",
    ),
    prelude("list", "any", (2, 2), true, "whether the function gives true for some element", "any"),
    prelude("list", "all", (2, 2), true, "whether the function gives true for every element", "all"),
    prelude("list", "count", (2, 2), true, "for how many elements the function gives true", "count"),
    prelude(
        "list",
        "sort",
        (1, 2),
        true,
        "sorts the list itself, by what a function gives for each element",
        "sort",
    ),
    prelude("list", "sorted", (1, 2), true, "a sorted copy", "sorted"),
    prelude("list", "min_by", (2, 2), true, "the element for which the function gives the least", "min_by"),
    prelude("list", "max_by", (2, 2), true, "the element for which the function gives the most", "max_by"),
    prelude("list", "group_by", (2, 2), true, "a record of lists by what the function gives", "group_by"),
];

fn size(count: i64) -> Outcome<usize> {
    if !(0..=MOST).contains(&count) {
        return Err(Fault::new("E502", format!("a list of {count} elements cannot be made")));
    }
    Ok(count as usize)
}

fn index_of(call: &mut Call<'_, '_>, arguments: &[Value]) -> Outcome<Option<usize>> {
    call.items(arguments, 0, "a list method")?;
    call.machine.position_of(call.argument(arguments, 0), call.argument(arguments, 1), call.fuel)
}

/// Whether an equal value is among these.
fn is_among(call: &mut Call<'_, '_>, found: &[Value], value: Value) -> Outcome<bool> {
    call.pay(found.len() * 2)?;
    for known in found {
        if call.machine.equal(*known, value, call.fuel)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Elements from one place up to, not including, another, as a new list.
fn part(call: &mut Call<'_, '_>, arguments: &[Value], start: usize, end: usize) -> Outcome<Value> {
    call.pay_for_list(end.saturating_sub(start))?;
    let part = call.items(arguments, 0, "slice")?.get(start..end).unwrap_or_default().to_vec();
    Ok(call.machine.heap.list(part))
}

/// Makes sure that a list has room to grow.
fn grow(call: &mut Call<'_, '_>, arguments: &[Value], count: usize) -> Outcome<()> {
    let bytes = call.machine.heap.growth(call.argument(arguments, 0), count);
    call.machine.reserve(call.task, bytes)
}

fn extreme(call: &mut Call<'_, '_>, arguments: &[Value], pick: impl Fn(f64, f64) -> f64) -> Outcome<Value> {
    let count = call.items(arguments, 0, "a list method")?.len();
    call.pay(count)?;
    let mut best: Option<f64> = None;
    for item in call.items(arguments, 0, "a list method")? {
        let Value::Number(number) = item else { return Err(super::wrong("min and max", "numbers", *item)) };
        best = Some(best.map_or(*number, |best| pick(best, *number)));
    }
    Ok(best.map_or(Value::Nil, Value::Number))
}

/// A stable sort by keys that are all numbers or all strings.
fn order_by(call: &mut Call<'_, '_>, arguments: &[Value]) -> Outcome<Value> {
    let count = call.items(arguments, 0, "sort")?.len().min(call.items(arguments, 1, "sort")?.len());
    call.pay_for_list(count.saturating_mul(16))?;
    let keys = call.items(arguments, 1, "sort")?;
    let numbers: Option<Vec<f64>> = keys
        .iter()
        .map(|key| match key {
            Value::Number(number) => Some(*number),
            _ => None,
        })
        .collect();
    let mut order: Vec<usize> = (0..count).collect();
    if let Some(numbers) = numbers {
        order.sort_by(|a, b| {
            let (a, b) = (numbers.get(*a).copied().unwrap_or(0.0), numbers.get(*b).copied().unwrap_or(0.0));
            a.total_cmp(&b)
        });
    } else {
        pay_for_texts(call, arguments)?;
        let heap = &call.machine.heap;
        let texts: Vec<&str> =
            call.items(arguments, 1, "sort")?.iter().filter_map(|key| heap.get_text(*key)).collect();
        order.sort_by(|a, b| texts.get(*a).cmp(&texts.get(*b)));
    }
    let items = call.items(arguments, 0, "sort")?;
    let sorted = order.into_iter().filter_map(|at| items.get(at).copied()).collect();
    Ok(call.machine.heap.list(sorted))
}

/// Pays for sorting texts: each may be compared to its end as often as the list can be halved.
fn pay_for_texts(call: &mut Call<'_, '_>, arguments: &[Value]) -> Outcome<()> {
    let (heap, keys) = (&call.machine.heap, call.items(arguments, 1, "sort")?);
    let mut bytes = 0usize;
    for key in keys {
        let Some(text) = heap.get_text(*key) else {
            return Err(Fault::new("E302", "elements can be sorted by numbers alone or by strings alone")
                .hint("give what to sort by: `l.sort(fn(x) => x.name)`"));
        };
        bytes = bytes.saturating_add(text.len());
    }
    let halvings = keys.len().checked_ilog2().unwrap_or(0) as usize + 1;
    call.pay(bytes.saturating_mul(halvings))
}
