//! What is used everywhere and needs no area.

use super::{Call, Native, Shortcut, function, of_number, on, prelude, wrong};
use crate::environment::Acts;
use crate::fault::{Fault, Outcome};
use crate::value::Value;

pub(super) const TABLE: &[Native] = &[
    function("", "text", (1, 1), "any value as text", |call, arguments| {
        let value = call.argument(arguments, 0);
        // A text is its own.
        if let Value::Text(_) = value {
            return Ok(value);
        }
        let mut text = String::new();
        call.machine.append_text(value, &mut text, call.host, call.fuel)?;
        Ok(call.new_text(text))
    }),
    function("", "number", (1, 1), "the number that a text is, or nil", |call, arguments| {
        let value = call.argument(arguments, 0);
        call.pay(call.machine.heap.get_text(value).map_or(0, str::len))?;
        Ok(match value {
            Value::Number(_) => value,
            Value::Bool(flag) => Value::Number(f64::from(u8::from(flag))),
            _ => call
                .machine
                .heap
                .get_text(value)
                .and_then(crate::number::parse)
                .map_or(Value::Nil, Value::Number),
        })
    }),
    function("", "type", (1, 1), "the name of a value's type", |call, arguments| {
        let name = call.argument(arguments, 0).type_name();
        Ok(call.machine.heap.text(name))
    }),
    function("", "same", (2, 2), "whether two values are one thing", |call, arguments| {
        Ok(Value::Bool(match (arguments.first(), arguments.get(1)) {
            // Lists, records, functions and tasks are things; everything else is what it says.
            (Some(Value::List(a)), Some(Value::List(b))) => a == b,
            (Some(Value::Record(a)), Some(Value::Record(b))) => a == b,
            (Some(a), Some(b)) => call.machine.equal(*a, *b, call.fuel)?,
            _ => false,
        }))
    }),
    function(
        "",
        "copy",
        (1, 1),
        "a copy of a list or record; what is inside is shared",
        |call, arguments| {
            let value = call.argument(arguments, 0);
            call.machine.copy(call.task, value, call.fuel)
        },
    ),
    function(
        "",
        "deep_copy",
        (1, 1),
        "a copy of a list or record and of everything inside",
        |call, arguments| {
            let value = call.argument(arguments, 0);
            call.machine.deep_copy(call.task, value, call.fuel)
        },
    ),
    function("", "error", (1, 1), "raises an error: text, or {code, message}", |call, arguments| {
        let value = call.argument(arguments, 0);
        pay_for_message(call, value)?;
        let heap = &call.machine.heap;
        let (code, message) = match heap.get_text(value) {
            Some(text) => ("E401".to_owned(), text.to_owned()),
            None => {
                let field = |name| heap.get_text(heap.record_get(value, name)).map(str::to_owned);
                (field("code").unwrap_or_else(|| "E401".to_owned()), field("message").unwrap_or_default())
            }
        };
        let mut fault = Fault::new(code, message);
        fault.data = value;
        Err(fault)
    }),
    function("", "assert", (1, 2), "raises an error unless the condition is true", |call, arguments| {
        let condition = call.argument(arguments, 0);
        if call.truth(condition) {
            return Ok(condition);
        }
        let message = call.argument(arguments, 1);
        let mut text = String::new();
        if message.is_nil() {
            text.push_str("an assertion failed");
        } else {
            call.machine.append_text(message, &mut text, call.host, call.fuel)?;
        }
        Err(Fault::new("E402", text))
    }),
    function("", "min", (1, 8), "the smallest of numbers, or of a list of them", |call, arguments| {
        extreme(call, arguments, "min")
    })
    .plain(|arguments| match arguments {
        &[Value::Number(a), Value::Number(b)] => Some(Value::Number(a.min(b))),
        _ => None,
    }),
    function("", "max", (1, 8), "the largest of numbers, or of a list of them", |call, arguments| {
        extreme(call, arguments, "max")
    })
    .plain(|arguments| match arguments {
        &[Value::Number(a), Value::Number(b)] => Some(Value::Number(a.max(b))),
        _ => None,
    }),
    function("", "abs", (1, 1), "the size of a number", |call, arguments| {
        one(call, arguments, "abs", f64::abs)
    })
    .shortcut(Shortcut::Absolute)
    .plain(of_number!(|x| Some(Value::Number(x.abs())))),
    function("", "floor", (1, 1), "the next whole number down", |call, arguments| {
        one(call, arguments, "floor", libm::floor)
    })
    .shortcut(Shortcut::Floor)
    .plain(of_number!(|x| Some(Value::Number(libm::floor(x))))),
    function("", "ceil", (1, 1), "the next whole number up", |call, arguments| {
        one(call, arguments, "ceil", libm::ceil)
    }),
    function(
        "",
        "round",
        (1, 2),
        "the nearest whole number, or of so many decimals; halves go away from zero",
        |call, arguments| {
            let number = call.number(arguments, 0, "round")?;
            let decimals = if arguments.len() > 1 {
                call.whole(arguments, 1, "round's decimals")?.clamp(0, 15)
            } else {
                0
            };
            let factor = libm::pow(10.0, decimals as f64);
            let moved = number * factor;
            // Beyond this no number has decimals, and moving one might leave the numbers that there are.
            if moved.abs() >= 4_503_599_627_370_496.0 {
                return Ok(Value::Number(number));
            }
            Ok(Value::Number(libm::round(moved) / factor))
        },
    ),
    function("", "sign", (1, 1), "-1, 0 or 1", |call, arguments| {
        one(call, arguments, "sign", |number| {
            if number > 0.0 {
                1.0
            } else if number < 0.0 {
                -1.0
            } else {
                0.0
            }
        })
    }),
    function("", "sqrt", (1, 1), "the square root", |call, arguments| {
        let number = call.number(arguments, 0, "sqrt")?;
        if number < 0.0 {
            return Err(Fault::new("E307", format!("{} has no square root", crate::number::text(number))));
        }
        Ok(Value::Number(number.sqrt()))
    })
    // A square root is exact to the last bit by its standard, whoever computes it.
    .shortcut(Shortcut::SquareRoot)
    .plain(of_number!(|x| (x >= 0.0).then(|| Value::Number(x.sqrt())))),
    function("", "clamp", (3, 3), "a number kept between two others", |call, arguments| {
        let number = call.number(arguments, 0, "clamp")?;
        let low = call.number(arguments, 1, "clamp's low end")?;
        let high = call.number(arguments, 2, "clamp's high end")?;
        Ok(Value::Number(number.max(low).min(high)))
    })
    .plain(|arguments| match arguments {
        &[Value::Number(x), Value::Number(low), Value::Number(high)] => {
            Some(Value::Number(x.max(low).min(high)))
        }
        _ => None,
    }),
    function(
        "",
        "lerp",
        (3, 3),
        "between two numbers, vectors or colours; t from 0 to 1",
        |call, arguments| {
            let t = call.number(arguments, 2, "lerp's t")?;
            match (call.argument(arguments, 0), call.argument(arguments, 1)) {
                (Value::Number(a), Value::Number(b)) => Ok(Value::Number(a + (b - a) * t)),
                (a @ Value::Color(_), b @ Value::Color(_)) => {
                    let (Some(a), Some(b)) = (call.machine.heap.get_color(a), call.machine.heap.get_color(b))
                    else {
                        return Ok(Value::Nil);
                    };
                    Ok(call.machine.heap.color(mix(a, b, t as f32)))
                }
                _ => {
                    let (a, n) = call.vector(arguments, 0, "lerp")?;
                    let (b, m) = call.vector(arguments, 1, "lerp")?;
                    let mixed = mix(a, b, t as f32);
                    Ok(call.machine.heap.vector(mixed.get(..n.min(m)).unwrap_or_default()))
                }
            }
        },
    ),
    function(
        "",
        "distance",
        (2, 2),
        "metres between two places: vectors, entities or lists of numbers",
        |call, arguments| {
            let (a, n) = call.place(arguments, 0, "distance")?;
            let (b, m) = call.place(arguments, 1, "distance")?;
            if n != m {
                return Err(Fault::new(
                    "E305",
                    format!("a place of {n} numbers and one of {m} do not go together"),
                ));
            }
            Ok(Value::Number(f64::from(far(a, b))))
        },
    )
    .plain(|arguments| match arguments {
        &[Value::Vec3([ax, ay, az]), Value::Vec3([bx, by, bz])] => {
            Some(Value::Number(f64::from(far([ax, ay, az, 0.0], [bx, by, bz, 0.0]))))
        }
        _ => None,
    }),
    function(
        "",
        "direction",
        (2, 2),
        "the vector of length 1 from one place to another; zero where they are one",
        |call, arguments| {
            let (a, n) = call.place(arguments, 0, "direction")?;
            let (b, m) = call.place(arguments, 1, "direction")?;
            if n != m {
                return Err(Fault::new(
                    "E305",
                    format!("a place of {n} numbers and one of {m} do not go together"),
                ));
            }
            let square: f32 = a.iter().zip(b).map(|(a, b)| (b - a) * (b - a)).sum();
            let scale = if square > 0.0 { 1.0 / libm::sqrtf(square) } else { 0.0 };
            let mut parts = [0.0f32; 4];
            for ((part, a), b) in parts.iter_mut().zip(a).zip(b) {
                *part = (b - a) * scale;
            }
            Ok(call.machine.heap.vector(parts.get(..n).unwrap_or_default()))
        },
    ),
    function("", "spawn", (1, 1), "starts a task: `spawn(fn() … end)`", |call, arguments| {
        let closure = call.argument(arguments, 0);
        let owner = call.task.owner;
        call.machine.spawn_task(closure, owner).map(Value::Task)
    })
    .acts(Acts::Changes),
    function("", "wait", (1, 1), "waits so many seconds of the game", |call, arguments| {
        let seconds = call.number(arguments, 0, "wait")?;
        call.machine.sleep_seconds(seconds)
    })
    .acts(Acts::Waits),
    function("", "wait_frames", (1, 1), "waits so many ticks", |call, arguments| {
        let frames = call.whole(arguments, 0, "wait_frames")?;
        call.machine.sleep_ticks(frames as f64)
    })
    .acts(Acts::Waits),
    function("", "wait_event", (1, 1), "waits for an event and gives its data", |call, arguments| {
        call.pay_for_text(arguments, 0, "wait_event")?;
        let name = call.text(arguments, 0, "wait_event")?.to_owned();
        call.machine.sleep_event(name)
    })
    .acts(Acts::Waits),
    prelude("", "wait_until", (1, 1), false, "waits until the function gives true", "wait_until")
        .acts(Acts::Waits),
    prelude("", "after", (2, 2), false, "calls a function after so many seconds", "after")
        .acts(Acts::Changes),
    prelude("", "every", (2, 2), false, "calls a function again and again, so many seconds apart", "every")
        .acts(Acts::Changes),
    prelude("", "wait_for", (1, 1), false, "waits for a task and gives its result", "wait_for")
        .acts(Acts::Waits),
    on("range", "by", (2, 2), "the range in steps of so much", |call, arguments| {
        let step = call.number(arguments, 1, "by")?;
        let Some(mut range) = call.machine.heap.get_range(call.argument(arguments, 0)) else {
            return Ok(Value::Nil);
        };
        if step == 0.0 || !step.is_finite() {
            return Err(Fault::new("E307", "a range cannot have steps of 0"));
        }
        range.step = step;
        Ok(call.machine.heap.range(range))
    }),
    on("range", "list", (1, 1), "the range's numbers as a list", |call, arguments| {
        let Some(range) = call.machine.heap.get_range(call.argument(arguments, 0)) else {
            return Ok(Value::Nil);
        };
        let count = range.count();
        if count > 1_000_000 {
            return Err(Fault::new("E502", format!("a list of {count} numbers is too long")));
        }
        call.pay_for_list(count)?;
        call.pay(count * 7)?;
        let items = (0..count).map(|index| Value::Number(range.start + index as f64 * range.step)).collect();
        Ok(call.machine.heap.list(items))
    }),
    on("range", "contains", (2, 2), "whether a number lies in the range", |call, arguments| {
        let number = call.number(arguments, 1, "contains")?;
        let range = call.machine.heap.get_range(call.argument(arguments, 0));
        Ok(Value::Bool(range.is_some_and(|range| range.contains(number))))
    }),
];

fn one(call: &mut Call<'_, '_>, arguments: &[Value], what: &str, run: impl Fn(f64) -> f64) -> Outcome<Value> {
    Ok(Value::Number(run(call.number(arguments, 0, what)?)))
}

fn extreme(call: &mut Call<'_, '_>, arguments: &[Value], what: &str) -> Outcome<Value> {
    let is_list = matches!(arguments, [Value::List(_)]);
    let count = if is_list { call.items(arguments, 0, what)?.len() } else { arguments.len() };
    // A few arguments are part of the call, as they are for the machine's own way of doing it.
    if is_list {
        call.pay(count)?;
    }
    let values = if is_list { call.items(arguments, 0, what)? } else { arguments };
    let mut best: Option<f64> = None;
    for value in values {
        let Value::Number(number) = value else { return Err(wrong(what, "numbers", *value)) };
        best = Some(match best {
            None => *number,
            Some(best) if what == "min" => best.min(*number),
            Some(best) => best.max(*number),
        });
    }
    Ok(best.map_or(Value::Nil, Value::Number))
}

/// Pays for the text of an error that a script raises.
fn pay_for_message(call: &mut Call<'_, '_>, value: Value) -> Outcome<()> {
    let heap = &call.machine.heap;
    let texts = [value, heap.record_get(value, "code"), heap.record_get(value, "message")];
    let bytes = texts.iter().filter_map(|text| heap.get_text(*text)).map(str::len).sum();
    call.pay(bytes)
}

/// How far two places are from each other.
fn far(a: [f32; 4], b: [f32; 4]) -> f32 {
    let square: f32 = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
    square.sqrt()
}

pub(super) fn mix(a: [f32; 4], b: [f32; 4], t: f32) -> [f32; 4] {
    let mut mixed = a;
    for (part, b) in mixed.iter_mut().zip(b) {
        *part += (b - *part) * t;
    }
    mixed
}
