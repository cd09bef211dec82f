//! Random numbers by seed: the same seed gives the same tests everywhere.

use crdgen_core::sample::random::Random;

/// Tiny, and good enough to choose edits.
#[derive(Clone, Debug)]
pub struct Rng(Random);

impl Rng {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Rng {
        Rng(Random::new(seed))
    }

    /// The stream of one case among those of a seed, independent of all others.
    pub fn of_case(seed: u64, case: u64) -> Rng {
        let mut rng = Rng::new(seed.wrapping_mul(0xd134_2543_de82_ef95) ^ case);
        rng.bits();
        rng
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.bits()
    }

    /// A number below `n`; 0 for 0.
    pub fn below(&mut self, n: usize) -> usize {
        self.0.below(n)
    }

    /// True in `percent` of 100 calls.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the items.
    ///
    /// # Panics
    /// When there is none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}
