//! `math` and `bits`. Angles are degrees; everything is computed by one bundled implementation, never the platform's.

use super::{Call, Native, function};
use crate::fault::{Fault, Outcome};
use crate::value::Value;

pub(super) const TABLE: &[Native] = &[
    function("math", "sin", (1, 1), "sine of degrees", |c, a| {
        one(c, a, "sin", |x| libm::sin(x.to_radians()))
    }),
    function("math", "cos", (1, 1), "cosine of degrees", |c, a| {
        one(c, a, "cos", |x| libm::cos(x.to_radians()))
    }),
    function("math", "tan", (1, 1), "tangent of degrees", |c, a| {
        one(c, a, "tan", |x| libm::tan(x.to_radians()))
    }),
    function("math", "asin", (1, 1), "degrees of a sine", |c, a| {
        one(c, a, "asin", |x| libm::asin(x).to_degrees())
    }),
    function("math", "acos", (1, 1), "degrees of a cosine", |c, a| {
        one(c, a, "acos", |x| libm::acos(x).to_degrees())
    }),
    function("math", "atan", (1, 1), "degrees of a tangent", |c, a| {
        one(c, a, "atan", |x| libm::atan(x).to_degrees())
    }),
    function("math", "atan2", (2, 2), "degrees of the direction (x, y), given y first", |c, a| {
        two(c, a, "atan2", |y, x| libm::atan2(y, x).to_degrees())
    }),
    function("math", "rad", (1, 1), "radians of degrees", |c, a| one(c, a, "rad", f64::to_radians)),
    function("math", "deg", (1, 1), "degrees of radians", |c, a| one(c, a, "deg", f64::to_degrees)),
    function("math", "exp", (1, 1), "e to the power", |c, a| one(c, a, "exp", libm::exp)),
    function("math", "log", (1, 1), "the natural logarithm", |c, a| one(c, a, "log", libm::log)),
    function("math", "log2", (1, 1), "the logarithm to base 2", |c, a| one(c, a, "log2", libm::log2)),
    function("math", "pow", (2, 2), "a to the power b", |c, a| two(c, a, "pow", libm::pow)),
    function("math", "hypot", (2, 2), "the length of (a, b)", |c, a| two(c, a, "hypot", libm::hypot)),
    function("math", "wrap", (3, 3), "a number wrapped around into lo..hi", |c, a| {
        three(
            c,
            a,
            "wrap",
            |x, lo, hi| if hi > lo { x - libm::floor((x - lo) / (hi - lo)) * (hi - lo) } else { lo },
        )
    }),
    function("math", "snap", (2, 2), "the nearest multiple of a step", |c, a| {
        two(c, a, "snap", |x, step| if step == 0.0 { x } else { libm::round(x / step) * step })
    }),
    function("math", "approx", (2, 3), "whether two numbers are nearly equal", |c, a| {
        let epsilon = c.number_or(a, 2, "approx's eps", 1e-5)?;
        let (x, y) = (c.number(a, 0, "approx")?, c.number(a, 1, "approx")?);
        Ok(Value::Bool((x - y).abs() <= epsilon))
    }),
    function("math", "move_toward", (3, 3), "a moved toward b by at most a step", |c, a| {
        three(c, a, "move_toward", |from, to, step| {
            if (to - from).abs() <= step {
                to
            } else if to > from {
                from + step
            } else {
                from - step
            }
        })
    }),
    function(
        "math",
        "move_angle",
        (3, 3),
        "degrees a turned toward b by at most a step, the short way",
        |c, a| {
            three(c, a, "move_angle", |from, to, step| {
                let off = to - from;
                let off = off - libm::floor((off + 180.0) / 360.0) * 360.0;
                if off.abs() <= step {
                    to
                } else if off > 0.0 {
                    from + step
                } else {
                    from - step
                }
            })
        },
    ),
    function("math", "smoothstep", (3, 3), "0 below lo, 1 above hi, smooth in between", |c, a| {
        three(c, a, "smoothstep", |lo, hi, x| {
            let t = if hi == lo { 0.0 } else { ((x - lo) / (hi - lo)).clamp(0.0, 1.0) };
            t * t * (3.0 - 2.0 * t)
        })
    }),
    function("math", "inverse_lerp", (3, 3), "where x lies between lo and hi, 0 to 1", |c, a| {
        three(c, a, "inverse_lerp", |lo, hi, x| if hi == lo { 0.0 } else { (x - lo) / (hi - lo) })
    }),
    function("math", "remap", (5, 5), "x from one range to another", |c, a| {
        let n = |index| c.number(a, index, "remap");
        let (x, lo, hi, to_lo, to_hi) = (n(0)?, n(1)?, n(2)?, n(3)?, n(4)?);
        let t = if hi == lo { 0.0 } else { (x - lo) / (hi - lo) };
        Ok(Value::Number(to_lo + (to_hi - to_lo) * t))
    }),
    function("math", "ease", (2, 2), "t from 0 to 1 bent by a named easing", |c, a| {
        c.pay_for_text(a, 0, "ease")?;
        let name = c.text(a, 0, "ease")?;
        let t = c.number(a, 1, "ease's t")?.clamp(0.0, 1.0);
        match EASINGS.iter().find(|(known, _)| *known == name) {
            Some((_, bend)) => Ok(Value::Number(bend(t))),
            None => {
                let names = EASINGS.iter().map(|(name, _)| *name);
                let near = base::suggest::nearest(name, names.clone());
                let hint = base::suggest::did_you_mean(&near)
                    .unwrap_or_else(|| format!("easings are {}", base::suggest::list(names, 20)));
                Err(Fault::new("E307", format!("there is no easing `{name}`")).hint(hint))
            }
        }
    }),
    function("math", "noise", (1, 3), "smooth noise from -1 to 1 that depends on its place alone", |c, a| {
        let place =
            [c.number(a, 0, "noise")?, c.number_or(a, 1, "noise", 0.0)?, c.number_or(a, 2, "noise", 0.0)?];
        Ok(Value::Number(noise(place)))
    }),
    function("math", "is_finite", (1, 1), "whether a number is neither infinite nor undefined", |c, a| {
        Ok(Value::Bool(c.number(a, 0, "is_finite")?.is_finite()))
    }),
    function("bits", "band", (2, 2), "bits set in both", |c, a| bits(c, a, |x, y| x & y)),
    function("bits", "bor", (2, 2), "bits set in either", |c, a| bits(c, a, |x, y| x | y)),
    function("bits", "bxor", (2, 2), "bits set in one alone", |c, a| bits(c, a, |x, y| x ^ y)),
    function("bits", "shl", (2, 2), "shifted left", |c, a| bits(c, a, |x, y| x.checked_shl(y).unwrap_or(0))),
    function("bits", "shr", (2, 2), "shifted right", |c, a| bits(c, a, |x, y| x.checked_shr(y).unwrap_or(0))),
    function("bits", "bnot", (1, 1), "every bit turned over", |c, a| {
        let number = c.whole(a, 0, "bnot")?;
        Ok(Value::Number(f64::from(!(number as u32))))
    }),
];

/// What an easing is called and how it bends.
type Easing = (&'static str, fn(f64) -> f64);

const EASINGS: &[Easing] = &[
    ("linear", |t| t),
    ("in", |t| t * t),
    ("out", |t| t * (2.0 - t)),
    ("in_out", |t| t * t * (3.0 - 2.0 * t)),
    ("cubic_in", |t| t * t * t),
    ("cubic_out", |t| 1.0 - (1.0 - t) * (1.0 - t) * (1.0 - t)),
    ("sine_in", |t| 1.0 - libm::cos(t * std::f64::consts::FRAC_PI_2)),
    ("sine_out", |t| libm::sin(t * std::f64::consts::FRAC_PI_2)),
    ("sine_in_out", |t| 0.5 - libm::cos(t * std::f64::consts::PI) / 2.0),
    // Goes a tenth past the end and comes back.
    ("back_out", |t| 1.0 + (t - 1.0) * (t - 1.0) * (2.70158 * (t - 1.0) + 1.70158)),
    ("bounce_out", bounce),
];

/// A ball that falls onto the end and hops three times, each hop lower.
fn bounce(t: f64) -> f64 {
    const STEEP: f64 = 7.5625;
    let hop = |middle: f64, rest: f64| STEEP * (t - middle) * (t - middle) + rest;
    if t < 4.0 / 11.0 {
        hop(0.0, 0.0)
    } else if t < 8.0 / 11.0 {
        hop(6.0 / 11.0, 0.75)
    } else if t < 10.0 / 11.0 {
        hop(9.0 / 11.0, 0.9375)
    } else {
        hop(10.5 / 11.0, 0.984_375)
    }
}

/// Random values at whole places, smooth in between.
fn noise(place: [f64; 3]) -> f64 {
    let whole = place.map(libm::floor);
    let bend = |t: f64| t * t * (3.0 - 2.0 * t);
    let at = |corner: usize| {
        let mut bits = 0x9e37_79b9_7f4a_7c15u64;
        let mut share = 1.0;
        for (axis, (place, whole)) in place.iter().zip(whole).enumerate() {
            let up = corner >> axis & 1;
            let part = bend(place - whole);
            share *= if up == 1 { part } else { 1.0 - part };
            // Mixed well enough that neighbours have nothing in common.
            bits = (bits ^ (whole as i64 as u64).wrapping_add(up as u64)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            bits ^= bits >> 29;
        }
        share * ((bits >> 11) as f64 / (1u64 << 52) as f64 - 1.0)
    };
    (0..8).map(at).sum()
}

fn defined(number: f64, what: &str) -> Outcome<Value> {
    if what.starts_with("log") && number.is_infinite() {
        return Err(Fault::new("E307", format!("`math.{what}` has no value there")));
    }
    Ok(Value::Number(number))
}

fn one(call: &mut Call<'_, '_>, arguments: &[Value], what: &str, run: impl Fn(f64) -> f64) -> Outcome<Value> {
    defined(run(call.number(arguments, 0, what)?), what)
}

fn two(
    call: &mut Call<'_, '_>,
    arguments: &[Value],
    what: &str,
    run: impl Fn(f64, f64) -> f64,
) -> Outcome<Value> {
    defined(run(call.number(arguments, 0, what)?, call.number(arguments, 1, what)?), what)
}

fn three(
    call: &mut Call<'_, '_>,
    arguments: &[Value],
    what: &str,
    run: impl Fn(f64, f64, f64) -> f64,
) -> Outcome<Value> {
    let n = |index| call.number(arguments, index, what);
    defined(run(n(0)?, n(1)?, n(2)?), what)
}

fn bits(call: &mut Call<'_, '_>, arguments: &[Value], run: impl Fn(u32, u32) -> u32) -> Outcome<Value> {
    let (a, b) = (call.whole(arguments, 0, "bits")?, call.whole(arguments, 1, "bits")?);
    Ok(Value::Number(f64::from(run(a as u32, b as u32))))
}
