//! Lists: methods, and `list`. What calls back into scripts is done by the prelude, so that it may wait.

use super::{Call, Native, function, on, prelude};
use crate::fault::{Fault, Outcome};
use crate::value::Value;

/// Elements of a list made at once at most.
const MOST: i64 = 1_000_000;

pub(super) const TABLE: &[Native] = &[
    function("list", "of", (2, 2), "a list of n times a value", |c, a| {
        let count = size(c.whole(a, 0, "of")?)?;
        c.pay(count);
        Ok(c.machine.heap.list(vec![c.argument(a, 1); count]))
    }),
    function("list", "range", (2, 2), "the whole numbers from a up to, not including, b", |c, a| {
        let (from, to) = (c.whole(a, 0, "range")?, c.whole(a, 1, "range")?);
        size((to - from).max(0))?;
        c.pay((to - from).max(0) as usize);
        Ok(c.machine.heap.list((from..to).map(|number| Value::Number(number as f64)).collect()))
    }),
    on("list", "push", (2, 2), "adds a value at the end", |c, a| {
        let value = c.argument(a, 1);
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
        c.pay(length);
        c.machine.heap.change_list(c.argument(a, 0), |items| items.insert(at as usize, value));
        Ok(Value::Nil)
    }),
    on("list", "remove_at", (2, 2), "takes the value at an index away and gives it", |c, a| {
        let length = c.machine.heap.get_list(c.argument(a, 0)).map_or(0, <[Value]>::len);
        let at = crate::machine::list_position(c.argument(a, 1), length)?;
        c.pay(length);
        Ok(c.machine.heap.change_list(c.argument(a, 0), |items| items.remove(at)).unwrap_or_default())
    }),
    on("list", "remove", (2, 2), "takes the first equal value away; whether there was one", |c, a| {
        let at = index_of(c, a)?;
        if let Some(at) = at {
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
        let items = c.items(a, 0, "get")?;
        let at = c.whole(a, 1, "get's index")?;
        let at = if at < 0 { at + items.len() as i64 } else { at };
        let found = usize::try_from(at).ok().and_then(|at| items.get(at)).copied();
        Ok(found.unwrap_or_else(|| c.argument(a, 2)))
    }),
    on("list", "set", (3, 3), "sets the value at an index", |c, a| {
        let length = c.machine.heap.get_list(c.argument(a, 0)).map_or(0, <[Value]>::len);
        let at = crate::machine::list_position(c.argument(a, 1), length)?;
        let value = c.argument(a, 2);
        c.machine.heap.change_list(c.argument(a, 0), |items| {
            if let Some(slot) = items.get_mut(at) {
                *slot = value;
            }
        });
        Ok(Value::Nil)
    }),
    on("list", "slice", (2, 3), "the elements from an index up to, not including, another", |c, a| {
        let items = c.items(a, 0, "slice")?;
        let start = c.number(a, 1, "slice's start")?;
        let end = c.number_or(a, 2, "slice's end", items.len() as f64)?;
        let range = crate::heap::Range { start, end, step: 1.0, inclusive: false };
        let (start, end) = crate::machine::list_bounds(range, items.len());
        c.pay(end - start);
        Ok(c.machine.heap.list(items.get(start..end).unwrap_or_default().to_vec()))
    }),
    on("list", "reverse", (1, 1), "a list the other way round", |c, a| {
        let mut items = c.items(a, 0, "reverse")?;
        c.pay(items.len());
        items.reverse();
        Ok(c.machine.heap.list(items))
    }),
    on("list", "take", (2, 2), "the first n elements", |c, a| {
        let items = c.items(a, 0, "take")?;
        let count = c.whole(a, 1, "take")?.clamp(0, items.len() as i64) as usize;
        Ok(c.machine.heap.list(items.get(..count).unwrap_or_default().to_vec()))
    }),
    on("list", "drop", (2, 2), "all but the first n elements", |c, a| {
        let items = c.items(a, 0, "drop")?;
        let count = c.whole(a, 1, "drop")?.clamp(0, items.len() as i64) as usize;
        Ok(c.machine.heap.list(items.get(count..).unwrap_or_default().to_vec()))
    }),
    on("list", "fill", (2, 2), "sets every element to a value", |c, a| {
        let value = c.argument(a, 1);
        let count = c.machine.heap.change_list(c.argument(a, 0), |items| {
            items.fill(value);
            items.len()
        });
        c.pay(count.unwrap_or_default());
        Ok(Value::Nil)
    }),
    on("list", "sum", (1, 1), "the numbers added up", |c, a| {
        let items = c.items(a, 0, "sum")?;
        c.pay(items.len());
        let mut sum = 0.0;
        for item in items {
            let Value::Number(number) = item else { return Err(super::wrong("sum", "numbers", item)) };
            sum += number;
        }
        Ok(Value::Number(sum))
    }),
    on("list", "min", (1, 1), "the smallest number, or nil", |c, a| extreme(c, a, f64::min)),
    on("list", "max", (1, 1), "the largest number, or nil", |c, a| extreme(c, a, f64::max)),
    on("list", "join", (1, 2), "the texts of all elements, with a text in between", |c, a| {
        let items = c.items(a, 0, "join")?;
        let between = if a.len() > 1 { c.text(a, 1, "join")? } else { String::new() };
        let texts: Vec<String> = items.iter().map(|item| c.machine.text_of(*item, c.host)).collect();
        let text = texts.join(&between);
        c.pay(text.len());
        Ok(c.machine.heap.text(&text))
    }),
    on("list", "unique", (1, 1), "each different value once, in order", |c, a| {
        let items = c.items(a, 0, "unique")?;
        let mut found: Vec<Value> = Vec::new();
        for item in &items {
            *c.fuel -= found.len() as i64 / 4;
            if *c.fuel < 0 {
                break;
            }
            if !found.iter().any(|own| c.machine.heap.equal(*own, *item, 100)) {
                found.push(*item);
            }
        }
        Ok(c.machine.heap.list(found))
    }),
    on("list", "flat", (1, 1), "the elements of the lists inside, one after the other", |c, a| {
        let items = c.items(a, 0, "flat")?;
        let mut flat = Vec::new();
        for item in items {
            match c.machine.heap.get_list(item) {
                Some(inner) => flat.extend_from_slice(inner),
                None => flat.push(item),
            }
        }
        c.pay(flat.len());
        Ok(c.machine.heap.list(flat))
    }),
    on("list", "zip", (2, 2), "pairs of this list's and another's elements", |c, a| {
        let (left, right) = (c.items(a, 0, "zip")?, c.items(a, 1, "zip")?);
        c.pay(left.len() * 8);
        let pairs = left.into_iter().zip(right).map(|(x, y)| c.machine.heap.list(vec![x, y])).collect();
        Ok(c.machine.heap.list(pairs))
    }),
    on("list", "enumerate", (1, 1), "pairs of index and element", |c, a| {
        let items = c.items(a, 0, "enumerate")?;
        c.pay(items.len() * 8);
        let pairs = items
            .into_iter()
            .enumerate()
            .map(|(at, item)| c.machine.heap.list(vec![Value::Number(at as f64), item]))
            .collect();
        Ok(c.machine.heap.list(pairs))
    }),
    on("list", "choice", (1, 1), "a random element; nil of an empty list", |c, a| {
        let items = c.items(a, 0, "choice")?;
        let at = c.machine.random(c.task.owner).below(items.len() as u32) as usize;
        Ok(items.get(at).copied().unwrap_or_default())
    }),
    on("list", "shuffle", (1, 1), "a list in random order", |c, a| {
        let mut items = c.items(a, 0, "shuffle")?;
        c.pay(items.len());
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
    let items = call.items(arguments, 0, "a list method")?;
    let wanted = call.argument(arguments, 1);
    call.pay(items.len());
    Ok(items.iter().position(|item| call.machine.heap.equal(*item, wanted, 100)))
}

fn extreme(call: &mut Call<'_, '_>, arguments: &[Value], pick: impl Fn(f64, f64) -> f64) -> Outcome<Value> {
    let items = call.items(arguments, 0, "a list method")?;
    call.pay(items.len());
    let mut best: Option<f64> = None;
    for item in items {
        let Value::Number(number) = item else { return Err(super::wrong("min and max", "numbers", item)) };
        best = Some(best.map_or(number, |best| pick(best, number)));
    }
    Ok(best.map_or(Value::Nil, Value::Number))
}

/// A stable sort by keys that are all numbers or all strings.
fn order_by(call: &mut Call<'_, '_>, arguments: &[Value]) -> Outcome<Value> {
    let (items, keys) = (call.items(arguments, 0, "sort")?, call.items(arguments, 1, "sort")?);
    call.pay(items.len() * 16);
    let numbers: Option<Vec<f64>> = keys
        .iter()
        .map(|key| match key {
            Value::Number(number) => Some(*number),
            _ => None,
        })
        .collect();
    let mut order: Vec<usize> = (0..items.len().min(keys.len())).collect();
    if let Some(numbers) = numbers {
        order.sort_by(|a, b| {
            let (a, b) = (numbers.get(*a).copied().unwrap_or(0.0), numbers.get(*b).copied().unwrap_or(0.0));
            a.total_cmp(&b)
        });
    } else {
        let texts: Option<Vec<String>> =
            keys.iter().map(|key| call.machine.heap.get_text(*key).map(str::to_owned)).collect();
        let Some(texts) = texts else {
            return Err(Fault::new("E302", "elements can be sorted by numbers alone or by strings alone")
                .hint("give what to sort by: `l.sort(fn(x) => x.name)`"));
        };
        order.sort_by(|a, b| texts.get(*a).cmp(&texts.get(*b)));
    }
    let sorted = order.into_iter().filter_map(|at| items.get(at).copied()).collect();
    Ok(call.machine.heap.list(sorted))
}
