//! `random`: one stream an entity, seeded from the world's seed and the entity's id.

use super::{Call, Native, function};
use crate::fault::Fault;
use crate::random::Pcg32;
use crate::value::Value;

pub(super) const TABLE: &[Native] = &[
    function("", "random", (0, 0), "a number from 0 up to, not including, 1", |c, _| {
        Ok(Value::Number(stream(c).next_f64()))
    }),
    function("random", "int", (2, 2), "a whole number from lo to hi, both included", |c, a| {
        let (lo, hi) = (c.whole(a, 0, "int's low end")?, c.whole(a, 1, "int's high end")?);
        if hi < lo {
            return Err(Fault::new("E307", format!("there is no number from {lo} to {hi}")));
        }
        let span = u32::try_from(hi - lo + 1).map_err(|_| Fault::new("E307", "the range is too wide"))?;
        Ok(Value::Number((lo + i64::from(stream(c).below(span))) as f64))
    }),
    function("random", "float", (2, 2), "a number from lo up to, not including, hi", |c, a| {
        let (lo, hi) = (c.number(a, 0, "float's low end")?, c.number(a, 1, "float's high end")?);
        Ok(Value::Number(lo + (hi - lo) * stream(c).next_f64()))
    }),
    function("random", "chance", (1, 1), "true with a probability of 0 to 1", |c, a| {
        let chance = c.number(a, 0, "chance")?;
        Ok(Value::Bool(stream(c).next_f64() < chance))
    }),
    function("random", "choice", (1, 1), "an element of a list; nil of an empty one", |c, a| {
        let count = c.items(a, 0, "choice")?.len();
        let at = stream(c).below(count as u32) as usize;
        Ok(c.items(a, 0, "choice")?.get(at).copied().unwrap_or_default())
    }),
    function("random", "shuffle", (1, 1), "a list in random order", |c, a| {
        let mut items = c.own_items(a, 0, "shuffle")?;
        for at in (1..items.len()).rev() {
            let other = stream(c).below(at as u32 + 1) as usize;
            items.swap(at, other);
        }
        Ok(c.machine.heap.list(items))
    }),
    function("random", "weighted", (2, 2), "an element, each as likely as its weight says", |c, a| {
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
        let mut drawn = stream(c).next_f64() * sizes.iter().sum::<f64>();
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
    }),
    function("random", "in_circle", (1, 1), "a flat point within a radius, as (x, y)", |c, a| {
        let radius = c.number(a, 0, "in_circle")?;
        let random = stream(c);
        let (angle, size) =
            (random.next_f64() * std::f64::consts::TAU, libm::sqrt(random.next_f64()) * radius);
        Ok(Value::Vec2([(libm::cos(angle) * size) as f32, (libm::sin(angle) * size) as f32]))
    }),
    function("random", "in_sphere", (1, 1), "a point within a radius", |c, a| {
        let radius = c.number(a, 0, "in_sphere")?;
        let size = libm::cbrt(stream(c).next_f64()) * radius;
        let [x, y, z] = direction(stream(c));
        Ok(Value::Vec3([(x * size) as f32, (y * size) as f32, (z * size) as f32]))
    }),
    function("random", "direction", (0, 0), "a vector of length 1", |c, _| {
        Ok(Value::Vec3(direction(stream(c)).map(|part| part as f32)))
    }),
    function("random", "seed", (1, 1), "starts the entity's stream anew", |c, a| {
        let seed = c.whole(a, 0, "seed")?;
        *stream(c) = Pcg32::new(seed as u64, c.task.owner.map_or(0, |owner| u64::from(owner.get())));
        Ok(Value::Nil)
    }),
];

fn stream<'a>(call: &'a mut Call<'_, '_>) -> &'a mut Pcg32 {
    call.machine.random(call.task.owner)
}

fn direction(random: &mut Pcg32) -> [f64; 3] {
    let y = random.next_f64() * 2.0 - 1.0;
    let angle = random.next_f64() * std::f64::consts::TAU;
    let flat = libm::sqrt(1.0 - y * y);
    [libm::cos(angle) * flat, y, libm::sin(angle) * flat]
}
