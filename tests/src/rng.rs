//! Random numbers from a seed: the same seed gives the same tests everywhere.

use crdgen_core::sample::random::Random;

/// A small generator that is good enough to choose edits.
#[derive(Clone, Debug)]
pub struct Rng(Random);

impl Rng {
    /// Returns the sequence of a seed.
    pub fn new(seed: u64) -> Rng {
        Rng(Random::new(seed))
    }

    /// Returns the sequence of one case of a seed, independent of all other cases.
    pub fn of_case(seed: u64, case: u64) -> Rng {
        let mut rng = Rng::new(seed.wrapping_mul(0xd134_2543_de82_ef95) ^ case);
        rng.bits();
        rng
    }

    /// Returns the next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.bits()
    }

    /// Returns a number below `n`, or 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        self.0.below(n)
    }

    /// Returns true in `percent` of 100 calls.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Returns one of the items.
    ///
    /// # Panics
    /// Panics if there are no items.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}
