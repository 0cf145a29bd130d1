//! Random numbers: PCG32, small, quick and the same everywhere.

use serde::Serialize;

/// A stream of random numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Pcg32 {
    state: u64,
    increment: u64,
}

const MULTIPLIER: u64 = 6_364_136_223_846_793_005;

impl Pcg32 {
    /// The stream of this seed and number; streams of different numbers share nothing.
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut random = Self { state: 0, increment: (stream << 1) | 1 };
        random.next_u32();
        random.state = random.state.wrapping_add(seed);
        random.next_u32();
        random
    }

    /// 32 random bits.
    pub fn next_u32(&mut self) -> u32 {
        let old = self.state;
        self.state = old.wrapping_mul(MULTIPLIER).wrapping_add(self.increment);
        let mixed = (((old >> 18) ^ old) >> 27) as u32;
        mixed.rotate_right((old >> 59) as u32)
    }

    /// From 0 up to, not including, 1, with 53 bits.
    pub fn next_f64(&mut self) -> f64 {
        let high = u64::from(self.next_u32() >> 5);
        let low = u64::from(self.next_u32() >> 6);
        ((high << 26) + low) as f64 / (1u64 << 53) as f64
    }

    /// A whole number below `count`, every one as likely; 0 where `count` is 0.
    pub fn below(&mut self, count: u32) -> u32 {
        if count == 0 {
            return 0;
        }
        // Numbers below the threshold would make small results likelier: they are drawn again.
        let threshold = count.wrapping_neg() % count;
        loop {
            let drawn = self.next_u32();
            if drawn >= threshold {
                return drawn % count;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of the generator's published demonstration (seed 42, stream 54).
    #[test]
    fn the_stream_is_that_of_pcg32() {
        let mut random = Pcg32::new(42, 54);
        let drawn: Vec<u32> = (0..3).map(|_| random.next_u32()).collect();
        assert_eq!(drawn, [0xa15c_02b7, 0x7b47_f409, 0xba1d_3330]);
        assert!((0..1000).all(|_| random.below(6) < 6 && (0.0..1.0).contains(&random.next_f64())));
    }
}
