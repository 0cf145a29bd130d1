//! Vectors: methods, and `vec`.

use super::{Call, Native, function, on};
use crate::fault::{Fault, Outcome};
use crate::value::Value;

pub(super) const TABLE: &[Native] = &[
    function("vec", "from_angle", (1, 1), "the flat direction of an angle in degrees, as (x, y)", |c, a| {
        let radians = c.number(a, 0, "from_angle")?.to_radians();
        Ok(Value::Vec2([libm::cos(radians) as f32, libm::sin(radians) as f32]))
    }),
    function(
        "vec",
        "from_yaw",
        (1, 1),
        "the direction that an entity turned by so many degrees faces",
        |c, a| {
            let radians = c.number(a, 0, "from_yaw")?.to_radians();
            Ok(Value::Vec3([-libm::sin(radians) as f32, 0.0, -libm::cos(radians) as f32]))
        },
    ),
    function("vec", "of", (1, 1), "a vector of a list's numbers", |c, a| {
        let items = c.items(a, 0, "of")?;
        if !(2..=4).contains(&items.len()) {
            return Err(Fault::new("E305", format!("a vector has 2 to 4 components, not {}", items.len())));
        }
        let mut parts = [0.0f32; 4];
        for (part, item) in parts.iter_mut().zip(items) {
            let Value::Number(number) = item else { return Err(super::wrong("of", "numbers", *item)) };
            *part = *number as f32;
        }
        let count = items.len();
        Ok(c.machine.heap.vector(parts.get(..count).unwrap_or_default()))
    }),
    on("vector", "dot", (2, 2), "the scalar product", |c, a| {
        let (x, y, n) = pair(c, a, "dot")?;
        Ok(Value::Number(f64::from((0..n).filter_map(|i| Some(x.get(i)? * y.get(i)?)).sum::<f32>())))
    }),
    on("vector", "cross", (2, 2), "the vector product of two of three components", |c, a| {
        let (x, y, n) = pair(c, a, "cross")?;
        if n != 3 {
            return Err(Fault::new("E305", "`cross` needs vectors of three components"));
        }
        let ([a, b, c, _], [d, e, f, _]) = (x, y);
        Ok(Value::Vec3([b * f - c * e, c * d - a * f, a * e - b * d]))
    }),
    on("vector", "distance", (2, 2), "metres to another place", |c, a| {
        let (x, y, _) = pair(c, a, "distance")?;
        let square: f32 = x.iter().zip(y).map(|(a, b)| (a - b) * (a - b)).sum();
        Ok(Value::Number(f64::from(libm::sqrtf(square))))
    }),
    on("vector", "lerp", (3, 3), "between this and another, t from 0 to 1", |c, a| {
        let (x, y, n) = pair(c, a, "lerp")?;
        let t = c.number(a, 2, "lerp's t")? as f32;
        let mixed = super::free::mix(x, y, t);
        Ok(c.machine.heap.vector(mixed.get(..n).unwrap_or_default()))
    }),
    on("vector", "angle", (2, 2), "degrees between this and another", |c, a| {
        let (x, y, _) = pair(c, a, "angle")?;
        let dot: f32 = x.iter().zip(y).map(|(a, b)| a * b).sum();
        let sizes = length(x) * length(y);
        if sizes == 0.0 {
            return Ok(Value::Number(0.0));
        }
        Ok(Value::Number(libm::acos(f64::from((dot / sizes).clamp(-1.0, 1.0))).to_degrees()))
    }),
    on("vector", "with_length", (2, 2), "the same direction with another length; zero stays zero", |c, a| {
        let size = c.number(a, 1, "with_length")? as f32;
        each(c, a, |x| {
            let now = length(x);
            if now == 0.0 { x } else { x.map(|part| part * size / now) }
        })
    }),
    on("vector", "limit", (2, 2), "the same direction, no longer than so much", |c, a| {
        let most = c.number(a, 1, "limit")? as f32;
        each(c, a, |x| {
            let now = length(x);
            if now <= most || now == 0.0 { x } else { x.map(|part| part * most / now) }
        })
    }),
    on("vector", "floor", (1, 1), "each component rounded down", |c, a| each(c, a, |x| x.map(libm::floorf))),
    on("vector", "round", (1, 1), "each component rounded", |c, a| each(c, a, |x| x.map(libm::roundf))),
    on("vector", "abs", (1, 1), "each component without its sign", |c, a| each(c, a, |x| x.map(f32::abs))),
    on("vector", "min", (2, 2), "the smaller of each component", |c, a| {
        let (x, y, n) = pair(c, a, "min")?;
        let mut parts = x;
        parts.iter_mut().zip(y).for_each(|(part, y)| *part = part.min(y));
        Ok(c.machine.heap.vector(parts.get(..n).unwrap_or_default()))
    }),
    on("vector", "max", (2, 2), "the larger of each component", |c, a| {
        let (x, y, n) = pair(c, a, "max")?;
        let mut parts = x;
        parts.iter_mut().zip(y).for_each(|(part, y)| *part = part.max(y));
        Ok(c.machine.heap.vector(parts.get(..n).unwrap_or_default()))
    }),
    on(
        "vector",
        "rotated",
        (2, 2),
        "turned by degrees: counter-clockwise for (x, y), about y for (x, y, z)",
        |c, a| {
            let radians = c.number(a, 1, "rotated")?.to_radians();
            let (sin, cos) = (libm::sin(radians) as f32, libm::cos(radians) as f32);
            let ([x, y, z, _], n) = c.vector(a, 0, "rotated")?;
            Ok(if n == 2 {
                Value::Vec2([x * cos - y * sin, x * sin + y * cos])
            } else {
                Value::Vec3([x * cos + z * sin, y, z * cos - x * sin])
            })
        },
    ),
    on("vector", "reflect", (2, 2), "thrown back by a surface of this normal", |c, a| {
        let (x, y, n) = pair(c, a, "reflect")?;
        let dot: f32 = x.iter().zip(y).map(|(a, b)| a * b).sum();
        let mut parts = x;
        parts.iter_mut().zip(y).for_each(|(part, normal)| *part -= 2.0 * dot * normal);
        Ok(c.machine.heap.vector(parts.get(..n).unwrap_or_default()))
    }),
];

fn length(parts: [f32; 4]) -> f32 {
    libm::sqrtf(parts.iter().map(|part| part * part).sum())
}

fn pair(call: &mut Call<'_, '_>, arguments: &[Value], what: &str) -> Outcome<([f32; 4], [f32; 4], usize)> {
    let (a, n) = call.vector(arguments, 0, what)?;
    let (b, m) = call.place(arguments, 1, what)?;
    if n != m {
        return Err(Fault::new("E305", format!("a vector of {n} and one of {m} do not go together")));
    }
    Ok((a, b, n))
}

fn each(call: &mut Call<'_, '_>, arguments: &[Value], run: impl Fn([f32; 4]) -> [f32; 4]) -> Outcome<Value> {
    let (parts, n) = call.vector(arguments, 0, "a vector method")?;
    let parts = run(parts);
    Ok(call.machine.heap.vector(parts.get(..n).unwrap_or_default()))
}
