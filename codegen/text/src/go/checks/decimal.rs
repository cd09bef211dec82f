//! Decimal numbers of any length, with the operations that quantities need. A number is a list of digits, so
//! multiplying by a power of ten is free and the rest is simple.

use std::cmp::Ordering;
use std::fmt;

/// If the magnitudes of two numbers differ by more than this, adding them ignores the smaller one. Go would fill the
/// memory instead.
const REACH: i64 = 100_000;

/// The value is the digits times ten to the power of `-scale`.
#[derive(Clone, Debug)]
pub(super) struct Decimal {
    negative: bool,
    /// The first digit is not zero. Zero has no digits.
    digits: Vec<u8>,
    scale: i32,
}

impl Decimal {
    pub(super) fn new(value: i64, scale: i32) -> Decimal {
        let mut decimal = Decimal::from_digits(&value.unsigned_abs().to_string(), "");
        decimal.scale = scale;
        decimal.negative = value < 0;
        decimal
    }

    /// The number with these digits before and after the point.
    pub(super) fn from_digits(whole: &str, fraction: &str) -> Decimal {
        let digits =
            whole.bytes().chain(fraction.bytes()).map(|b| b - b'0').skip_while(|d| *d == 0).collect();
        Decimal { negative: false, digits, scale: i32::try_from(fraction.len()).unwrap_or(i32::MAX) }
    }

    pub(super) fn sign(&self) -> i64 {
        match (self.digits.is_empty(), self.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        }
    }

    pub(super) fn scale(&self) -> i32 {
        self.scale
    }

    /// The digits as a number, ignoring the scale.
    pub(super) fn unscaled(&self) -> f64 {
        let text: String = self.digits.iter().map(|d| char::from(d + b'0')).collect();
        let value: f64 = text.parse().unwrap_or(0.0);
        if self.sign() < 0 { -value } else { value }
    }

    /// A number and a power of ten by which it is multiplied. `None` if the number has more digits than any amount.
    pub(super) fn parts(&self) -> Option<(i128, i32)> {
        let digit = |number: i128, digit: &u8| number.checked_mul(10)?.checked_add(i128::from(*digit));
        let number = self.digits.iter().try_fold(0, digit)?;
        Some((if self.negative { -number } else { number }, self.scale.checked_neg()?))
    }

    pub(super) fn negated(mut self) -> Decimal {
        self.negative = !self.negative;
        self
    }

    /// Multiplies by a power of ten.
    pub(super) fn shift(&mut self, exponent: i32) {
        self.scale = self.scale.saturating_sub(exponent);
    }

    /// Multiplies by a power of two.
    pub(super) fn double(&mut self, times: u32) {
        for _ in 0..times {
            let mut carry = 0;
            for digit in self.digits.iter_mut().rev() {
                let doubled = *digit * 2 + carry;
                *digit = doubled % 10;
                carry = doubled / 10;
            }
            if carry > 0 {
                self.digits.insert(0, carry);
            }
        }
    }

    /// Rounds to this number of digits after the point, away from zero.
    pub(super) fn round_up(&mut self, places: i32) {
        let more = i64::from(self.scale) - i64::from(places);
        if self.digits.is_empty() || more < -REACH {
            return;
        }
        let Ok(drop) = usize::try_from(more) else {
            self.digits.resize(self.digits.len() + more.unsigned_abs() as usize, 0);
            self.scale = places;
            return;
        };
        if drop == 0 {
            return;
        }
        let keep = self.digits.len().saturating_sub(drop);
        let inexact = self.digits[keep..].iter().any(|d| *d != 0);
        self.digits.truncate(keep);
        self.scale = places;
        if inexact {
            let one = Decimal { negative: self.negative, digits: vec![1], scale: places };
            *self = self.add(&one);
        }
    }

    /// Keeps this many digits, and rounds away from zero.
    pub(super) fn limit(&mut self, most: usize) {
        let dropped = self.digits.len().saturating_sub(most);
        self.shorten(self.scale.saturating_sub(i32::try_from(dropped).unwrap_or(i32::MAX)));
    }

    /// Rounds to this number of digits after the point if there are more, away from zero.
    pub(super) fn shorten(&mut self, places: i32) {
        if self.scale > places {
            self.round_up(places);
        }
    }

    /// Multiplies by a power of ten. A number that has too many digits after the point for that is rounded to this number of them.
    pub(super) fn shift_within(&mut self, exponent: i32, places: i32) {
        let scale = i64::from(self.scale) - i64::from(exponent);
        if let Ok(scale) = i32::try_from(scale.max(-i64::from(i32::MAX))) {
            self.scale = scale;
        } else {
            self.digits.truncate(usize::from(!self.digits.is_empty()));
            self.digits.fill(1);
            self.scale = places;
        }
    }

    /// Adds a number. If one of them has so many more digits after the point than the other that it would not change most of
    /// the sum's, it is rounded away from zero.
    pub(super) fn add_nearby(&self, other: &Decimal) -> Decimal {
        const MOST: i32 = 29;
        let near = |one: &Decimal, other: &Decimal| {
            let mut one = one.clone();
            one.shorten(other.scale.saturating_add(MOST));
            one
        };
        match (self.digits.is_empty(), other.digits.is_empty()) {
            (_, true) => self.clone(),
            (true, false) => other.clone(),
            (false, false) => near(self, other).add(&near(other, self)),
        }
    }

    /// The position of the first digit, relative to the point.
    fn magnitude(&self) -> i64 {
        self.digits.len() as i64 - i64::from(self.scale)
    }

    pub(super) fn compare(&self, other: &Decimal) -> Ordering {
        self.sign().cmp(&other.sign()).then_with(|| {
            let absolute = self.compare_absolute(other);
            if self.negative { absolute.reverse() } else { absolute }
        })
    }

    fn compare_absolute(&self, other: &Decimal) -> Ordering {
        if self.digits.is_empty() || other.digits.is_empty() {
            return other.digits.is_empty().cmp(&self.digits.is_empty());
        }
        self.magnitude().cmp(&other.magnitude()).then_with(|| {
            let trim = |d: &Decimal| d.digits.len() - d.digits.iter().rev().take_while(|d| **d == 0).count();
            self.digits[..trim(self)].cmp(&other.digits[..trim(other)])
        })
    }

    /// Adds zeros until there are at least this many digits after the point.
    fn with_places(mut self, places: i32) -> Decimal {
        let more = i64::from(places) - i64::from(self.scale);
        if (1..=REACH).contains(&more) {
            if !self.digits.is_empty() {
                self.digits.resize(self.digits.len() + more as usize, 0);
            }
            self.scale = places;
        }
        self
    }

    pub(super) fn add(&self, other: &Decimal) -> Decimal {
        // Adding zero only adds its digits after the point.
        if other.digits.is_empty() {
            return self.clone().with_places(other.scale);
        }
        if self.digits.is_empty() {
            return other.clone().with_places(self.scale);
        }
        let (big, small) = if self.compare_absolute(other).is_lt() { (other, self) } else { (self, other) };
        let scale = big.scale.max(small.scale);
        if i64::from(scale) - i64::from(big.scale) > REACH
            || i64::from(scale) - i64::from(small.scale) > REACH
        {
            return big.clone();
        }
        let aligned = |d: &Decimal| {
            let mut digits = d.digits.clone();
            digits.resize(digits.len() + (scale - d.scale) as usize, 0);
            digits
        };
        let (mut digits, less) = (aligned(big), aligned(small));
        let mut carry = 0i8;
        let behind = digits.len() - less.len();
        for i in (0..digits.len()).rev() {
            let operand = i.checked_sub(behind).map_or(0, |j| less[j] as i8);
            let value = if big.negative == small.negative {
                digits[i] as i8 + operand + carry
            } else {
                digits[i] as i8 - operand + carry
            };
            carry = value.div_euclid(10);
            digits[i] = value.rem_euclid(10) as u8;
        }
        if carry > 0 {
            digits.insert(0, carry as u8);
        }
        let zeros = digits.iter().take_while(|d| **d == 0).count();
        digits.drain(..zeros);
        Decimal { negative: big.negative, digits, scale }
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.sign() < 0 { "-" } else { "" })?;
        for digit in &self.digits {
            write!(f, "{digit}")?;
        }
        if self.digits.is_empty() {
            return f.write_str("0");
        }
        if self.scale == 0 { Ok(()) } else { write!(f, "e{}", -i64::from(self.scale)) }
    }
}
