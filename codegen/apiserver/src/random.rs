//! Numbers that look random, from a seed, so that a run can be repeated.

use std::time::Duration;

/// A generator of numbers (SplitMix64).
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

/// The letters and digits of generated names: the server uses no vowels, so that no words arise.
const ALPHANUMERIC: &[u8; 27] = b"bcdfghjklmnpqrstvwxz2456789";

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The state, from which [`Random::new`] goes on.
    pub(crate) fn state(&self) -> u64 {
        self.0
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Less than ten milliseconds.
    pub(crate) fn moment(&mut self) -> Duration {
        Duration::from_micros(self.next() % 10_000)
    }

    /// A UUID of version 4.
    pub(crate) fn uid(&mut self) -> String {
        let (a, b) = (self.next(), self.next());
        let (version, variant) = ((a & 0x0fff) | 0x4000, (b >> 48 & 0x3fff) | 0x8000);
        let low = b & 0xffff_ffff_ffff;
        format!("{:08x}-{:04x}-{version:04x}-{variant:04x}-{low:012x}", a >> 32, a >> 16 & 0xffff)
    }

    /// The end of a generated name.
    pub(crate) fn suffix(&mut self) -> String {
        let mut bits = self.next();
        let mut letter = || {
            let index = (bits % ALPHANUMERIC.len() as u64) as usize;
            bits /= ALPHANUMERIC.len() as u64;
            char::from(ALPHANUMERIC[index])
        };
        (0..5).map(|_| letter()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn uids_are_of_version_4() {
        let mut random = Random::new(7);
        let (first, second) = (random.uid(), random.uid());
        assert_ne!(first, second);
        assert_eq!(first.len(), 36);
        assert_eq!(&first[14..15], "4");
        assert!(matches!(&first[19..20], "8" | "9" | "a" | "b"), "{first}");
        assert_eq!(random.suffix().len(), 5);
    }
}
