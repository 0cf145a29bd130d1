//! `rot`: rotations as unit quaternions, vectors of four components (x, y, z, w).

use super::{Call, Native, function, wrong};
use crate::fault::Outcome;
use crate::value::Value;

pub(super) const TABLE: &[Native] = &[
    function(
        "rot",
        "euler",
        (1, 1),
        "the rotation of degrees about x, y and z; yaw turns first, then pitch, then roll",
        |c, a| {
            let [x, y, z] = three(c, a, 0, "euler")?.map(f32::to_radians);
            let about = |axis: [f32; 3], angle: f32| {
                let (sin, cos) = (libm::sinf(angle / 2.0), libm::cosf(angle / 2.0));
                [axis[0] * sin, axis[1] * sin, axis[2] * sin, cos]
            };
            let turned = product(about([0.0, 1.0, 0.0], y), about([1.0, 0.0, 0.0], x));
            Ok(c.machine.heap.vector(&product(turned, about([0.0, 0.0, 1.0], z))))
        },
    ),
    function("rot", "look", (1, 1), "the rotation that turns forward into a direction", |c, a| {
        let [x, y, z] = three(c, a, 0, "look")?;
        let flat = libm::sqrtf(x * x + z * z);
        let (yaw, pitch) = (libm::atan2f(-x, -z), libm::atan2f(y, flat));
        let (sy, cy) = (libm::sinf(yaw / 2.0), libm::cosf(yaw / 2.0));
        let (sp, cp) = (libm::sinf(pitch / 2.0), libm::cosf(pitch / 2.0));
        Ok(c.machine.heap.vector(&product([0.0, sy, 0.0, cy], [sp, 0.0, 0.0, cp])))
    }),
    function("rot", "slerp", (3, 3), "between two rotations the short way, t from 0 to 1", |c, a| {
        let (from, mut to) = (four(c, a, 0, "slerp")?, four(c, a, 1, "slerp")?);
        let t = c.number(a, 2, "slerp's t")? as f32;
        let mut cos: f32 = from.iter().zip(to).map(|(a, b)| a * b).sum();
        if cos < 0.0 {
            to = to.map(|part| -part);
            cos = -cos;
        }
        // Where they are nearly the same, the straight line is the arc.
        let (one, other) = if cos > 0.9995 {
            (1.0 - t, t)
        } else {
            let angle = libm::acosf(cos);
            let sin = libm::sinf(angle);
            (libm::sinf((1.0 - t) * angle) / sin, libm::sinf(t * angle) / sin)
        };
        let mut mixed = from;
        for (part, to) in mixed.iter_mut().zip(to) {
            *part = *part * one + to * other;
        }
        let length = libm::sqrtf(mixed.iter().map(|part| part * part).sum());
        Ok(c.machine.heap.vector(&mixed.map(|part| part / length)))
    }),
    function("rot", "apply", (2, 2), "a vector turned by a rotation", |c, a| {
        let ([qx, qy, qz, qw], [x, y, z]) = (four(c, a, 0, "apply")?, three(c, a, 1, "apply")?);
        let cross = |a: [f32; 3], b: [f32; 3]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        let twice = cross([qx, qy, qz], [x, y, z]).map(|part| part * 2.0);
        let again = cross([qx, qy, qz], twice);
        Ok(Value::Vec3([
            x + qw * twice[0] + again[0],
            y + qw * twice[1] + again[1],
            z + qw * twice[2] + again[2],
        ]))
    }),
];

fn three(call: &Call<'_, '_>, arguments: &[Value], index: usize, what: &str) -> Outcome<[f32; 3]> {
    match call.argument(arguments, index) {
        Value::Vec3(parts) => Ok(parts),
        other => Err(wrong(what, "a vector of three components", other)),
    }
}

fn four(call: &Call<'_, '_>, arguments: &[Value], index: usize, what: &str) -> Outcome<[f32; 4]> {
    let value = call.argument(arguments, index);
    match call.machine.heap.get_vector(value) {
        Some((parts, 4)) => Ok(parts),
        _ => Err(wrong(what, "a rotation, as `rot.euler` makes it", value)),
    }
}

/// The rotation that does `b` first and `a` then.
fn product(a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (a, b);
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}
