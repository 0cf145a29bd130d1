//! Strings: methods. Lengths and indices count characters.

use super::{Call, Native, on};
use crate::fault::{Fault, Outcome};
use crate::value::Value;

/// Bytes of a string made at once at most.
const MOST: usize = 1 << 20;

pub(super) const TABLE: &[Native] = &[
    on("string", "upper", (1, 1), "in capital letters", |c, a| simple(c, a, |text| text.to_uppercase())),
    on("string", "lower", (1, 1), "in small letters", |c, a| simple(c, a, |text| text.to_lowercase())),
    on("string", "trim", (1, 1), "without white space around it", |c, a| {
        simple(c, a, |text| text.trim().to_owned())
    }),
    on("string", "title", (1, 1), "each word with a capital letter", |c, a| {
        simple(c, a, |text| {
            let mut start = true;
            text.chars()
                .flat_map(|letter| {
                    let mapped: Vec<char> =
                        if start { letter.to_uppercase().collect() } else { letter.to_lowercase().collect() };
                    start = !letter.is_alphanumeric();
                    mapped
                })
                .collect()
        })
    }),
    on("string", "reverse", (1, 1), "the other way round", |c, a| {
        simple(c, a, |text| text.chars().rev().collect())
    }),
    on("string", "join", (2, 2), "the texts of a list with this one in between", |c, a| {
        join(c, a, 1, Some(0))
    }),
    on("string", "bytes", (1, 1), "the bytes of its UTF-8 as a list of numbers", |c, a| {
        let count = c.text(a, 0, "bytes")?.len();
        c.pay_for_list(count)?;
        let bytes = c.text(a, 0, "bytes")?.bytes().map(|byte| Value::Number(f64::from(byte))).collect();
        Ok(c.machine.heap.list(bytes))
    }),
    on("string", "split", (1, 2), "the parts between a separator, or between white space", |c, a| {
        if a.len() < 2 {
            return parts(c, a, |text| text.split_whitespace().map(str::to_owned).collect());
        }
        c.pay_for_text(a, 1, "split")?;
        let separator = c.text(a, 1, "split")?.to_owned();
        if separator.is_empty() {
            return characters(c, a);
        }
        parts(c, a, |text| text.split(&separator).map(str::to_owned).collect())
    }),
    on("string", "lines", (1, 1), "the lines", |c, a| {
        parts(c, a, |text| text.lines().map(str::to_owned).collect())
    }),
    on("string", "chars", (1, 1), "the characters", characters),
    on("string", "has", (2, 2), "whether a text is in it", |c, a| {
        pay_for_both(c, a, "has")?;
        Ok(Value::Bool(c.text(a, 0, "has")?.contains(c.text(a, 1, "has")?)))
    }),
    on("string", "starts_with", (2, 2), "whether it starts with a text", |c, a| {
        c.pay_for_text(a, 1, "starts_with")?;
        Ok(Value::Bool(c.text(a, 0, "starts_with")?.starts_with(c.text(a, 1, "starts_with")?)))
    }),
    on("string", "ends_with", (2, 2), "whether it ends with a text", |c, a| {
        c.pay_for_text(a, 1, "ends_with")?;
        Ok(Value::Bool(c.text(a, 0, "ends_with")?.ends_with(c.text(a, 1, "ends_with")?)))
    }),
    on("string", "index_of", (2, 2), "where a text is in it, or nil", |c, a| {
        pay_for_both(c, a, "index_of")?;
        let text = c.text(a, 0, "index_of")?;
        let at = text.find(c.text(a, 1, "index_of")?).and_then(|at| text.get(..at));
        Ok(at.map_or(Value::Nil, |before| Value::Number(before.chars().count() as f64)))
    }),
    on("string", "replace", (3, 3), "with every occurrence of a text replaced", |c, a| {
        pay_for_both(c, a, "replace")?;
        let (text, from, to) = (c.text(a, 0, "replace")?, c.text(a, 1, "replace")?, c.text(a, 2, "replace")?);
        if from.is_empty() {
            return Err(Fault::new("E307", "an empty text cannot be replaced"));
        }
        let bytes = text.len() + text.matches(from).count() * to.len();
        bounded(c, bytes)?;
        let replaced = c.text(a, 0, "replace")?.replace(c.text(a, 1, "replace")?, c.text(a, 2, "replace")?);
        Ok(c.new_text(replaced))
    }),
    on("string", "repeat", (2, 2), "so many times in a row", |c, a| {
        let count = c.whole(a, 1, "repeat")?.max(0) as usize;
        let bytes = c.text(a, 0, "repeat")?.len().saturating_mul(count);
        bounded(c, bytes)?;
        let repeated = c.text(a, 0, "repeat")?.repeat(if bytes == 0 { 0 } else { count });
        Ok(c.new_text(repeated))
    }),
    on("string", "pad_left", (2, 3), "filled up on the left to a length", |c, a| pad(c, a, true)),
    on("string", "pad_right", (2, 3), "filled up on the right to a length", |c, a| pad(c, a, false)),
    on("string", "slice", (2, 3), "the characters from an index up to, not including, another", |c, a| {
        let text = c.argument(a, 0);
        let length = c.machine.heap.text_length(text);
        let start = c.number(a, 1, "slice's start")?;
        let end = c.number_or(a, 2, "slice's end", length as f64)?;
        let range = crate::heap::Range { start, end, step: 1.0, inclusive: false };
        let (start, end) = crate::machine::list_bounds(range, length);
        c.machine.characters(text, start, end, c.fuel)
    }),
    on("string", "code", (1, 1), "the number of the first character, or nil", |c, a| {
        Ok(c.text(a, 0, "code")?
            .chars()
            .next()
            .map_or(Value::Nil, |letter| Value::Number(f64::from(u32::from(letter)))))
    }),
    on("string", "match", (2, 2), "whether it fits a pattern with `*` and `?`", |c, a| {
        pay_for_both(c, a, "match")?;
        let (text, pattern): (Vec<char>, Vec<char>) =
            (c.text(a, 0, "match")?.chars().collect(), c.text(a, 1, "match")?.chars().collect());
        glob(&text, &pattern, || c.pay(0)).map(Value::Bool)
    }),
];

fn simple(call: &mut Call<'_, '_>, arguments: &[Value], run: impl Fn(&str) -> String) -> Outcome<Value> {
    call.pay_for_text(arguments, 0, "a string method")?;
    let text = run(call.text(arguments, 0, "a string method")?);
    Ok(call.new_text(text))
}

/// Pays for going through a text and another that is looked for in it.
fn pay_for_both(call: &mut Call<'_, '_>, arguments: &[Value], what: &str) -> Outcome<()> {
    call.pay_for_text(arguments, 0, what)?;
    call.pay_for_text(arguments, 1, what)
}

/// The parts of a text as a list.
fn parts(call: &mut Call<'_, '_>, arguments: &[Value], run: impl Fn(&str) -> Vec<String>) -> Outcome<Value> {
    // There may be as many parts as bytes; those that there are get their room when they are known.
    let bytes = call.text(arguments, 0, "split")?.len();
    call.pay(bytes.saturating_mul(4))?;
    let texts = run(call.text(arguments, 0, "split")?);
    call.pay_for_things(texts.len())?;
    let items = texts.into_iter().map(|text| call.new_text(text)).collect();
    Ok(call.machine.heap.list(items))
}

/// The characters of a text as a list.
fn characters(call: &mut Call<'_, '_>, arguments: &[Value]) -> Outcome<Value> {
    call.text(arguments, 0, "chars")?;
    let count = call.machine.heap.text_length(call.argument(arguments, 0));
    call.pay_for_things(count)?;
    let letters: Vec<char> = call.text(arguments, 0, "chars")?.chars().collect();
    let heap = &mut call.machine.heap;
    let items = letters.into_iter().map(|letter| heap.text(letter.encode_utf8(&mut [0; 4]))).collect();
    Ok(heap.list(items))
}

/// The texts of a list's elements, one after the other, with a text in between.
pub(super) fn join(
    call: &mut Call<'_, '_>,
    arguments: &[Value],
    list: usize,
    between: Option<usize>,
) -> Outcome<Value> {
    let count = call.items(arguments, list, "join")?.len();
    let between = match between {
        Some(index) => {
            call.pay_for_text(arguments, index, "join")?;
            call.text(arguments, index, "join")?.to_owned()
        }
        None => String::new(),
    };
    let mut text = String::new();
    for index in 0..count {
        if index > 0 {
            call.pay(between.len())?;
            text.push_str(&between);
        }
        let item = call.items(arguments, list, "join")?.get(index).copied().unwrap_or_default();
        call.machine.append_text(item, &mut text, call.host, call.fuel)?;
    }
    Ok(call.new_text(text))
}

fn bounded(call: &mut Call<'_, '_>, bytes: usize) -> Outcome<()> {
    if bytes > MOST {
        return Err(Fault::new("E502", format!("a text of {bytes} bytes is too long")));
    }
    call.pay(bytes)
}

fn pad(call: &mut Call<'_, '_>, arguments: &[Value], left: bool) -> Outcome<Value> {
    let bytes = call.text(arguments, 0, "pad")?.len();
    let length = call.whole(arguments, 1, "pad's length")?.max(0) as usize;
    bounded(call, length.saturating_mul(4).max(bytes))?;
    let missing = length.saturating_sub(call.machine.heap.text_length(call.argument(arguments, 0)));
    let fill = if arguments.len() > 2 { call.text(arguments, 2, "pad's filling")? } else { " " };
    let filling: String = fill.chars().cycle().take(if fill.is_empty() { 0 } else { missing }).collect();
    let text = call.text(arguments, 0, "pad")?;
    let padded = if left { filling + text } else { text.to_owned() + &filling };
    Ok(call.new_text(padded))
}

/// Steps of a search for a pattern that are paid for at once.
const STEPS: usize = 8;

/// Whether a text fits a pattern in which `*` stands for anything and `?` for one character. Now and then `pay` is asked
/// whether the search may go on: a pattern can make it try everywhere.
fn glob(text: &[char], pattern: &[char], mut pay: impl FnMut() -> Outcome<()>) -> Outcome<bool> {
    let (mut at, mut with, mut steps) = (0, 0, 0);
    let mut star: Option<(usize, usize)> = None;
    while at < text.len() {
        steps += 1;
        if steps % STEPS == 0 {
            pay()?;
        }
        match pattern.get(with) {
            Some('*') => {
                star = Some((with, at));
                with += 1;
            }
            Some(letter) if *letter == '?' || text.get(at) == Some(letter) => {
                at += 1;
                with += 1;
            }
            _ => match star {
                Some((star_at, from)) => {
                    star = Some((star_at, from + 1));
                    with = star_at + 1;
                    at = from + 1;
                }
                None => return Ok(false),
            },
        }
    }
    Ok(pattern.iter().skip(with).all(|letter| *letter == '*'))
}
