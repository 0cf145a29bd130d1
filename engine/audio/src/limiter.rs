//! Keeps a loud mix from being cut off hard: up to the knee nothing changes, above it samples bend towards full scale.

use kira::Frame;
use kira::effect::{Effect, EffectBuilder};
use kira::info::Info;

/// Up to here samples pass unchanged, bit for bit.
const KNEE: f32 = 0.8;

/// The limiter at the end of the mix.
pub(crate) struct Limiter;

impl EffectBuilder for Limiter {
    type Handle = ();

    fn build(self) -> (Box<dyn Effect>, Self::Handle) {
        (Box::new(self), ())
    }
}

impl Effect for Limiter {
    fn process(&mut self, input: &mut [Frame], _dt: f64, _info: &Info<'_>) {
        for frame in input {
            frame.left = bend(frame.left);
            frame.right = bend(frame.right);
        }
    }
}

/// Continuous in value and slope at the knee; reaches 1 only at infinity.
fn bend(sample: f32) -> f32 {
    let over = sample.abs() - KNEE;
    if over > 0.0 {
        let room = 1.0 - KNEE;
        (KNEE + room * over / (over + room)).copysign(sample)
    } else {
        sample
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_samples_pass_and_loud_ones_stay_below_full_scale() {
        assert_eq!(bend(-0.79), -0.79);
        assert!((bend(0.81) - 0.81).abs() < 0.001);
        assert!(bend(4.0) > 0.95 && bend(4.0) < 1.0 && bend(-4.0) == -bend(4.0));
    }
}
