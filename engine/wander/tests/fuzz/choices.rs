//! Decisions taken from bytes: the same bytes give the same program, fewer bytes a smaller one, and none at all the
//! simplest. That is what lets a fuzzer change programs and what makes shrinking a matter of taking bytes away.

/// Bytes that are read one decision at a time.
pub struct Choices<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Choices<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// The next byte; 0 for ever once all are used.
    pub fn byte(&mut self) -> u8 {
        let byte = self.bytes.get(self.at).copied().unwrap_or_default();
        self.at += 1;
        byte
    }

    /// A number below `count`, the first ones a little more often.
    pub fn below(&mut self, count: usize) -> usize {
        match count {
            0 | 1 => 0,
            2..=256 => usize::from(self.byte()) * count / 256,
            _ => (usize::from(self.byte()) << 8 | usize::from(self.byte())) % count,
        }
    }

    /// True in so many of 256 cases; never once all bytes are used.
    pub fn chance(&mut self, of_256: u8) -> bool {
        self.byte() > 255 - of_256
    }

    /// One of several; the first once all bytes are used.
    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    pub fn is_spent(&self) -> bool {
        self.at >= self.bytes.len()
    }

    /// The bytes that are left.
    pub fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }
}

/// Bytes that follow from a seed, between 16 and `most` of them.
pub fn bytes_of(seed: u64, most: usize) -> Vec<u8> {
    let mut state = seed;
    // SplitMix64: each step is a number of its own, so that neighbouring seeds have nothing in common.
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = state;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    };
    let length = 16 + next() as usize % most.max(17).saturating_sub(16);
    let mut bytes = Vec::with_capacity(length + 8);
    while bytes.len() < length {
        bytes.extend_from_slice(&next().to_le_bytes());
    }
    bytes.truncate(length);
    bytes
}

/// The smallest bytes found that still fail, by taking blocks away and making bytes 0, at most so many tries.
pub fn shrink(bytes: &[u8], most_tries: usize, fails: &mut dyn FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut best = bytes.to_vec();
    let mut tries = 0;
    let mut size = (best.len() / 2).max(1);
    loop {
        let mut changed = false;
        let mut at = 0;
        while at < best.len() && tries < most_tries {
            let end = (at + size).min(best.len());
            let mut shorter = best.clone();
            shorter.drain(at..end);
            tries += 1;
            if fails(&shorter) {
                best = shorter;
                changed = true;
                continue;
            }
            if best[at..end].iter().any(|byte| *byte != 0) {
                let mut plainer = best.clone();
                plainer[at..end].fill(0);
                tries += 1;
                if fails(&plainer) {
                    best = plainer;
                    changed = true;
                }
            }
            at = end;
        }
        if tries >= most_tries || (size == 1 && !changed) {
            return best;
        }
        size = (size / 2).max(1);
    }
}
