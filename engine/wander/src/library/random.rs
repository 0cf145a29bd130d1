//! `random`: one stream an entity, seeded from the world's seed and the entity's id, and more by name. What draws from
//! the entity's own as `random.int(1, 6)` draws from another as `loot.int(1, 6)`.

use super::{Call, Native, function, on};
use crate::fault::{Fault, Outcome};
use crate::random::Pcg32;
use crate::value::{StreamId, Value};

pub(super) const TABLE: &[Native] = &[
    function("", "random", (0, 0), NEXT, |c, _| next(c, Source::Own)),
    function("random", "int", (2, 2), INT, |c, a| int(c, Source::Own, a)),
    function("random", "float", (2, 2), FLOAT, |c, a| float(c, Source::Own, a)),
    function("random", "chance", (1, 1), CHANCE, |c, a| chance(c, Source::Own, a)),
    function("random", "choice", (1, 1), CHOICE, |c, a| choice(c, Source::Own, a)),
    function("random", "shuffle", (1, 1), SHUFFLE, |c, a| shuffle(c, Source::Own, a)),
    function("random", "weighted", (2, 2), WEIGHTED, |c, a| weighted(c, Source::Own, a)),
    function("random", "in_circle", (1, 1), IN_CIRCLE, |c, a| in_circle(c, Source::Own, a)),
    function("random", "in_sphere", (1, 1), IN_SPHERE, |c, a| in_sphere(c, Source::Own, a)),
    function("random", "direction", (0, 0), DIRECTION, |c, _| any_direction(c, Source::Own)),
    function("random", "seed", (1, 1), "starts the entity's stream anew", |c, a| seed(c, Source::Own, a)),
    function(
        "random",
        "stream",
        (1, 1),
        "the entity's stream of that name, apart from all others",
        |c, a| {
            c.pay_for_text(a, 0, "stream's name")?;
            let name = c.text(a, 0, "stream's name")?.to_owned();
            c.machine.named_stream(c.task.owner, &name).map(Value::Stream)
        },
    ),
    on("stream", "random", (1, 1), NEXT, |c, a| next(c, named(a)?)),
    on("stream", "int", (3, 3), INT, |c, a| int(c, named(a)?, behind(a))),
    on("stream", "float", (3, 3), FLOAT, |c, a| float(c, named(a)?, behind(a))),
    on("stream", "chance", (2, 2), CHANCE, |c, a| chance(c, named(a)?, behind(a))),
    on("stream", "choice", (2, 2), CHOICE, |c, a| choice(c, named(a)?, behind(a))),
    on("stream", "shuffle", (2, 2), SHUFFLE, |c, a| shuffle(c, named(a)?, behind(a))),
    on("stream", "weighted", (3, 3), WEIGHTED, |c, a| weighted(c, named(a)?, behind(a))),
    on("stream", "in_circle", (2, 2), IN_CIRCLE, |c, a| in_circle(c, named(a)?, behind(a))),
    on("stream", "in_sphere", (2, 2), IN_SPHERE, |c, a| in_sphere(c, named(a)?, behind(a))),
    on("stream", "direction", (1, 1), DIRECTION, |c, a| any_direction(c, named(a)?)),
    on("stream", "seed", (2, 2), "starts the stream anew", |c, a| seed(c, named(a)?, behind(a))),
];

const NEXT: &str = "a number from 0 up to, not including, 1";
const INT: &str = "a whole number from lo to hi, both included";
const FLOAT: &str = "a number from lo up to, not including, hi";
const CHANCE: &str = "true with a probability of 0 to 1";
const CHOICE: &str = "an element of a list; nil of an empty one";
const SHUFFLE: &str = "a list in random order";
const WEIGHTED: &str = "an element, each as likely as its weight says";
const IN_CIRCLE: &str = "a flat point within a radius, as (x, y)";
const IN_SPHERE: &str = "a point within a radius";
const DIRECTION: &str = "a vector of length 1";

/// Where numbers are drawn from.
#[derive(Clone, Copy)]
enum Source {
    /// The stream of whoever calls.
    Own,
    /// A stream by name.
    Named(StreamId),
}

impl Source {
    fn of<'a>(self, call: &'a mut Call<'_, '_>) -> Outcome<&'a mut Pcg32> {
        match self {
            Self::Own => Ok(call.machine.random(call.task.owner)),
            Self::Named(id) => call.machine.stream(id),
        }
    }
}

/// The stream that a method is called on.
fn named(arguments: &[Value]) -> Outcome<Source> {
    match arguments.first() {
        Some(Value::Stream(id)) => Ok(Source::Named(*id)),
        other => Err(super::wrong("a method of streams", "a stream", other.copied().unwrap_or_default())),
    }
}

/// The arguments behind the receiver.
fn behind(arguments: &[Value]) -> &[Value] {
    arguments.get(1..).unwrap_or_default()
}

fn next(c: &mut Call<'_, '_>, source: Source) -> Outcome<Value> {
    Ok(Value::Number(source.of(c)?.next_f64()))
}

fn int(c: &mut Call<'_, '_>, source: Source, a: &[Value]) -> Outcome<Value> {
    let (lo, hi) = (c.whole(a, 0, "int's low end")?, c.whole(a, 1, "int's high end")?);
    if hi < lo {
        return Err(Fault::new("E307", format!("there is no number from {lo} to {hi}")));
    }
    let span = u32::try_from(hi - lo + 1).map_err(|_| Fault::new("E307", "the range is too wide"))?;
    Ok(Value::Number((lo + i64::from(source.of(c)?.below(span))) as f64))
}

fn float(c: &mut Call<'_, '_>, source: Source, a: &[Value]) -> Outcome<Value> {
    let (lo, hi) = (c.number(a, 0, "float's low end")?, c.number(a, 1, "float's high end")?);
    Ok(Value::Number(lo + (hi - lo) * source.of(c)?.next_f64()))
}

fn chance(c: &mut Call<'_, '_>, source: Source, a: &[Value]) -> Outcome<Value> {
    let chance = c.number(a, 0, "chance")?;
    Ok(Value::Bool(source.of(c)?.next_f64() < chance))
}

fn choice(c: &mut Call<'_, '_>, source: Source, a: &[Value]) -> Outcome<Value> {
    let count = c.items(a, 0, "choice")?.len();
    let at = source.of(c)?.below(count as u32) as usize;
    Ok(c.items(a, 0, "choice")?.get(at).copied().unwrap_or_default())
}

fn shuffle(c: &mut Call<'_, '_>, source: Source, a: &[Value]) -> Outcome<Value> {
    let mut items = c.own_items(a, 0, "shuffle")?;
    let random = source.of(c)?;
    for at in (1..items.len()).rev() {
        let other = random.below(at as u32 + 1) as usize;
        items.swap(at, other);
    }
    Ok(c.machine.heap.list(items))
}

fn weighted(c: &mut Call<'_, '_>, source: Source, a: &[Value]) -> Outcome<Value> {
    let (items, weights) = (c.items(a, 0, "weighted")?, c.items(a, 1, "weighted's weights")?);
    if items.len() != weights.len() {
        let (items, weights) = (items.len(), weights.len());
        return Err(Fault::new("E307", format!("{items} elements need as many weights, not {weights}")));
    }
    let count = items.len();
    c.pay(count * 2)?;
    let mut sizes = Vec::with_capacity(count);
    for weight in c.items(a, 1, "weighted's weights")? {
        match weight {
            Value::Number(size) if *size >= 0.0 && size.is_finite() => sizes.push(*size),
            other => return Err(super::wrong("weighted", "weights of 0 or more", *other)),
        }
    }
    let mut drawn = source.of(c)?.next_f64() * sizes.iter().sum::<f64>();
    let items = c.items(a, 0, "weighted")?;
    for (item, size) in items.iter().zip(&sizes) {
        if drawn < *size {
            return Ok(*item);
        }
        drawn -= size;
    }
    // Rounding may leave a little: the last that weighs anything is meant.
    let last = items.iter().zip(&sizes).rev().find(|(_, size)| **size > 0.0);
    Ok(last.map_or(Value::Nil, |(item, _)| *item))
}

fn in_circle(c: &mut Call<'_, '_>, source: Source, a: &[Value]) -> Outcome<Value> {
    let radius = c.number(a, 0, "in_circle")?;
    let random = source.of(c)?;
    let (angle, size) = (random.next_f64() * std::f64::consts::TAU, libm::sqrt(random.next_f64()) * radius);
    Ok(Value::Vec2([(libm::cos(angle) * size) as f32, (libm::sin(angle) * size) as f32]))
}

fn in_sphere(c: &mut Call<'_, '_>, source: Source, a: &[Value]) -> Outcome<Value> {
    let radius = c.number(a, 0, "in_sphere")?;
    let random = source.of(c)?;
    let size = libm::cbrt(random.next_f64()) * radius;
    let [x, y, z] = direction(random);
    Ok(Value::Vec3([(x * size) as f32, (y * size) as f32, (z * size) as f32]))
}

fn any_direction(c: &mut Call<'_, '_>, source: Source) -> Outcome<Value> {
    Ok(Value::Vec3(direction(source.of(c)?).map(|part| part as f32)))
}

fn seed(c: &mut Call<'_, '_>, source: Source, a: &[Value]) -> Outcome<Value> {
    let seed = c.whole(a, 0, "seed")? as u64;
    let number = match source {
        Source::Own => c.task.owner.map_or(0, |owner| u64::from(owner.get())),
        Source::Named(id) => u64::from(id.0),
    };
    *source.of(c)? = Pcg32::new(seed, number);
    Ok(Value::Nil)
}

fn direction(random: &mut Pcg32) -> [f64; 3] {
    let y = random.next_f64() * 2.0 - 1.0;
    let angle = random.next_f64() * std::f64::consts::TAU;
    let flat = libm::sqrt(1.0 - y * y);
    [libm::cos(angle) * flat, y, libm::sin(angle) * flat]
}
