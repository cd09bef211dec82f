//! Ranges of sizes and costs. Their arithmetic saturates at the largest number.

/// The cost of scanning one character of text.
pub(super) const SCAN: f64 = 0.1;

/// The cost of one character of a pattern, relative to the cost of scanning the text.
pub(super) const PATTERN: f64 = 0.25;

/// A range of sizes or costs, in elements, characters or cost units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The smallest value.
    pub min: u64,
    /// The largest value.
    pub max: u64,
}

impl Range {
    /// Exactly zero.
    pub const ZERO: Range = Range::fixed(0);

    /// Exactly one.
    pub const ONE: Range = Range::fixed(1);

    /// Any value.
    pub const UNKNOWN: Range = Range { min: 0, max: u64::MAX };

    /// Creates the range of exactly one value.
    pub const fn fixed(n: u64) -> Range {
        Range { min: n, max: n }
    }

    /// Adds two ranges.
    #[must_use]
    pub fn plus(self, other: Range) -> Range {
        Range { min: self.min.saturating_add(other.min), max: self.max.saturating_add(other.max) }
    }

    /// Multiplies two ranges.
    #[must_use]
    pub fn times(self, other: Range) -> Range {
        Range { min: self.min.saturating_mul(other.min), max: self.max.saturating_mul(other.max) }
    }

    /// Multiplies the range with a factor, and rounds up.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Range {
        Range { min: scale(self.min, factor), max: scale(self.max, factor) }
    }

    /// The cost of parsing a selector whose text has this size.
    pub(crate) fn of_selector(self) -> Range {
        let requirements = self.scaled(0.5).scaled(50.0);
        Range::fixed(10).plus(self.scaled(SCAN)).plus(requirements)
    }

    /// Returns the smallest range that contains both.
    #[must_use]
    pub fn union(self, other: Range) -> Range {
        Range { min: self.min.min(other.min), max: self.max.max(other.max) }
    }
}

fn scale(n: u64, factor: f64) -> u64 {
    // Beyond 2^53 this rounds as in the server. The cast saturates at the largest number.
    (n as f64 * factor).ceil() as u64
}
