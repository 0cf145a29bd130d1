//! Colours: methods, and `color`.

use super::{Call, Native, function, on};
use crate::fault::Outcome;
use crate::value::Value;

pub(super) const TABLE: &[Native] = &[
    function("color", "rgb", (3, 4), "a colour of red, green, blue and alpha, 0 to 1", |c, a| {
        let n = |index, default| c.number_or(a, index, "rgb", default);
        let color = [n(0, 0.0)? as f32, n(1, 0.0)? as f32, n(2, 0.0)? as f32, n(3, 1.0)? as f32];
        Ok(c.machine.heap.color(color))
    }),
    function("color", "hsv", (3, 3), "a colour of hue in degrees, saturation and value, 0 to 1", |c, a| {
        let (h, s, v) = (c.number(a, 0, "hsv")?, c.number(a, 1, "hsv")?, c.number(a, 2, "hsv")?);
        let part = |n: f64| {
            let k = (n + h / 60.0) - libm::floor((n + h / 60.0) / 6.0) * 6.0;
            (v - v * s * k.min(4.0 - k).clamp(0.0, 1.0)) as f32
        };
        let color = [part(5.0), part(3.0), part(1.0), 1.0];
        Ok(c.machine.heap.color(color))
    }),
    on("color", "lighten", (2, 2), "nearer to white by so much, 0 to 1", |c, a| toward(c, a, 1.0)),
    on("color", "darken", (2, 2), "nearer to black by so much, 0 to 1", |c, a| toward(c, a, 0.0)),
    on("color", "lerp", (3, 3), "between this and another, t from 0 to 1", |c, a| {
        let t = c.number(a, 2, "lerp's t")? as f32;
        let (from, to) = (color(c, a, 0)?, color(c, a, 1)?);
        Ok(c.machine.heap.color(super::free::mix(from, to, t)))
    }),
    on("color", "with_alpha", (2, 2), "the same colour with another alpha", |c, a| {
        let alpha = c.number(a, 1, "with_alpha")? as f32;
        let [r, g, b, _] = color(c, a, 0)?;
        Ok(c.machine.heap.color([r, g, b, alpha]))
    }),
];

fn color(call: &Call<'_, '_>, arguments: &[Value], index: usize) -> Outcome<[f32; 4]> {
    let value = call.argument(arguments, index);
    call.machine.heap.get_color(value).ok_or_else(|| super::wrong("a colour method", "a color", value))
}

fn toward(call: &mut Call<'_, '_>, arguments: &[Value], end: f32) -> Outcome<Value> {
    let t = call.number(arguments, 1, "a colour method")? as f32;
    let [r, g, b, a] = color(call, arguments, 0)?;
    Ok(call.machine.heap.color(super::free::mix([r, g, b, a], [end, end, end, a], t)))
}
