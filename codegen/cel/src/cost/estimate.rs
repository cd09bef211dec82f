//! Ranges of sizes and costs. Their arithmetic saturates at the largest number.

/// The cost of scanning one character of text.
pub(super) const SCAN: f64 = 0.1;

/// The cost of one character of a pattern, relative to the cost of scanning the text.
pub(super) const PATTERN: f64 = 0.25;

/// From how much to how much: elements, characters, or cost units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// At least.
    pub min: u64,
    /// At most.
    pub max: u64,
}

impl Range {
    /// Nothing.
    pub const ZERO: Range = Range::fixed(0);

    /// One.
    pub const ONE: Range = Range::fixed(1);

    /// Anything.
    pub const UNKNOWN: Range = Range { min: 0, max: u64::MAX };

    /// Exactly so much.
    pub const fn fixed(n: u64) -> Range {
        Range { min: n, max: n }
    }

    /// The sum.
    #[must_use]
    pub fn plus(self, other: Range) -> Range {
        Range { min: self.min.saturating_add(other.min), max: self.max.saturating_add(other.max) }
    }

    /// The product.
    #[must_use]
    pub fn times(self, other: Range) -> Range {
        Range { min: self.min.saturating_mul(other.min), max: self.max.saturating_mul(other.max) }
    }

    /// The product with a factor, rounded up.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Range {
        Range { min: scale(self.min, factor), max: scale(self.max, factor) }
    }

    /// A range that has both in it.
    #[must_use]
    pub fn union(self, other: Range) -> Range {
        Range { min: self.min.min(other.min), max: self.max.max(other.max) }
    }
}

fn scale(n: u64, factor: f64) -> u64 {
    // Beyond 2^53 this rounds as in the server. The cast saturates at the largest number.
    (n as f64 * factor).ceil() as u64
}
