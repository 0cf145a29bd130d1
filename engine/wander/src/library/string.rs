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
        let between = c.text(a, 0, "join")?;
        let items = c.items(a, 1, "join")?;
        let texts: Vec<String> = items.iter().map(|item| c.machine.text_of(*item, c.host)).collect();
        let text = texts.join(&between);
        c.pay(text.len());
        Ok(c.machine.heap.text(&text))
    }),
    on("string", "bytes", (1, 1), "the bytes of its UTF-8 as a list of numbers", |c, a| {
        let text = c.text(a, 0, "bytes")?;
        c.pay(text.len());
        Ok(c.machine.heap.list(text.bytes().map(|byte| Value::Number(f64::from(byte))).collect()))
    }),
    on("string", "split", (1, 2), "the parts between a separator, or between white space", |c, a| {
        let text = c.text(a, 0, "split")?;
        c.pay(text.len() * 4);
        let parts: Vec<String> = if a.len() > 1 {
            let separator = c.text(a, 1, "split")?;
            if separator.is_empty() {
                text.chars().map(String::from).collect()
            } else {
                text.split(&separator).map(str::to_owned).collect()
            }
        } else {
            text.split_whitespace().map(str::to_owned).collect()
        };
        let items = parts.iter().map(|part| c.machine.heap.text(part)).collect();
        Ok(c.machine.heap.list(items))
    }),
    on("string", "lines", (1, 1), "the lines", |c, a| {
        let text = c.text(a, 0, "lines")?;
        c.pay(text.len() * 4);
        let items = text.lines().map(|line| c.machine.heap.text(line)).collect();
        Ok(c.machine.heap.list(items))
    }),
    on("string", "chars", (1, 1), "the characters", |c, a| {
        let text = c.text(a, 0, "chars")?;
        c.pay(text.len() * 8);
        let items = text.chars().map(|letter| c.machine.heap.text(letter.encode_utf8(&mut [0; 4]))).collect();
        Ok(c.machine.heap.list(items))
    }),
    on("string", "has", (2, 2), "whether a text is in it", |c, a| {
        let (text, part) = (c.text(a, 0, "has")?, c.text(a, 1, "has")?);
        c.pay(text.len());
        Ok(Value::Bool(text.contains(&part)))
    }),
    on("string", "starts_with", (2, 2), "whether it starts with a text", |c, a| {
        Ok(Value::Bool(c.text(a, 0, "starts_with")?.starts_with(&c.text(a, 1, "starts_with")?)))
    }),
    on("string", "ends_with", (2, 2), "whether it ends with a text", |c, a| {
        Ok(Value::Bool(c.text(a, 0, "ends_with")?.ends_with(&c.text(a, 1, "ends_with")?)))
    }),
    on("string", "index_of", (2, 2), "where a text is in it, or nil", |c, a| {
        let (text, part) = (c.text(a, 0, "index_of")?, c.text(a, 1, "index_of")?);
        c.pay(text.len());
        let at = text.find(&part).and_then(|at| text.get(..at)).map(|before| before.chars().count());
        Ok(at.map_or(Value::Nil, |at| Value::Number(at as f64)))
    }),
    on("string", "replace", (3, 3), "with every occurrence of a text replaced", |c, a| {
        let (text, from, to) = (c.text(a, 0, "replace")?, c.text(a, 1, "replace")?, c.text(a, 2, "replace")?);
        if from.is_empty() {
            return Err(Fault::new("E307", "an empty text cannot be replaced"));
        }
        let count = text.matches(&from).count();
        bounded(c, text.len() + count * to.len())?;
        let replaced = text.replace(&from, &to);
        Ok(c.machine.heap.text(&replaced))
    }),
    on("string", "repeat", (2, 2), "so many times in a row", |c, a| {
        let text = c.text(a, 0, "repeat")?;
        let count = c.whole(a, 1, "repeat")?.max(0) as usize;
        bounded(c, text.len().saturating_mul(count))?;
        let repeated = text.repeat(count);
        Ok(c.machine.heap.text(&repeated))
    }),
    on("string", "pad_left", (2, 3), "filled up on the left to a length", |c, a| pad(c, a, true)),
    on("string", "pad_right", (2, 3), "filled up on the right to a length", |c, a| pad(c, a, false)),
    on("string", "slice", (2, 3), "the characters from an index up to, not including, another", |c, a| {
        let text = c.text(a, 0, "slice")?;
        let letters: Vec<char> = text.chars().collect();
        c.pay(letters.len());
        let start = c.number(a, 1, "slice's start")?;
        let end = c.number_or(a, 2, "slice's end", letters.len() as f64)?;
        let range = crate::heap::Range { start, end, step: 1.0, inclusive: false };
        let (start, end) = crate::machine::list_bounds(range, letters.len());
        let part: String = letters.get(start..end).unwrap_or_default().iter().collect();
        Ok(c.machine.heap.text(&part))
    }),
    on("string", "code", (1, 1), "the number of the first character, or nil", |c, a| {
        Ok(c.text(a, 0, "code")?
            .chars()
            .next()
            .map_or(Value::Nil, |letter| Value::Number(f64::from(u32::from(letter)))))
    }),
    on("string", "match", (2, 2), "whether it fits a pattern with `*` and `?`", |c, a| {
        let (text, pattern) = (c.text(a, 0, "match")?, c.text(a, 1, "match")?);
        c.pay(text.len() * pattern.len().max(1));
        Ok(Value::Bool(glob(&text, &pattern)))
    }),
];

fn simple(call: &mut Call<'_, '_>, arguments: &[Value], run: impl Fn(&str) -> String) -> Outcome<Value> {
    let text = run(&call.text(arguments, 0, "a string method")?);
    call.pay(text.len());
    Ok(call.machine.heap.text(&text))
}

fn bounded(call: &mut Call<'_, '_>, bytes: usize) -> Outcome<()> {
    if bytes > MOST {
        return Err(Fault::new("E502", format!("a text of {bytes} bytes is too long")));
    }
    call.pay(bytes);
    Ok(())
}

fn pad(call: &mut Call<'_, '_>, arguments: &[Value], left: bool) -> Outcome<Value> {
    let text = call.text(arguments, 0, "pad")?;
    let length = call.whole(arguments, 1, "pad's length")?.max(0) as usize;
    let fill = if arguments.len() > 2 { call.text(arguments, 2, "pad's filling")? } else { " ".to_owned() };
    bounded(call, length.saturating_mul(4))?;
    let missing = length.saturating_sub(text.chars().count());
    let filling: String = fill.chars().cycle().take(if fill.is_empty() { 0 } else { missing }).collect();
    let padded = if left { filling + &text } else { text + &filling };
    Ok(call.machine.heap.text(&padded))
}

/// Whether a text fits a pattern in which `*` stands for anything and `?` for one character.
pub(crate) fn glob(text: &str, pattern: &str) -> bool {
    let (text, pattern): (Vec<char>, Vec<char>) = (text.chars().collect(), pattern.chars().collect());
    let (mut at, mut with) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while at < text.len() {
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
                None => return false,
            },
        }
    }
    pattern.iter().skip(with).all(|letter| *letter == '*')
}
