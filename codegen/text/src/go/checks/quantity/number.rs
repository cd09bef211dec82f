//! The numbers of quantities, from their digits.

use super::{Amount, NANO};
use crate::go::checks::decimal::Decimal;

/// The parts of a text. `whole` has a digit.
pub(super) struct Number<'t> {
    pub(super) negative: bool,
    pub(super) whole: &'t str,
    pub(super) fraction: &'t str,
    pub(super) base: u32,
    pub(super) exponent: i32,
}

impl Number<'_> {
    /// The amount if it is an integer times a power of ten, and has at most this many digits.
    pub(super) fn small(&self, most: i64) -> Option<Amount> {
        let Number { negative, whole, fraction, base, exponent } = *self;
        let length = (whole.len() + fraction.len()) as i64;
        let (mantissa, mut scale, left) = match base {
            10 => (1i64, exponent, most - length),
            _ if fraction.is_empty() => (1 << exponent, 0, 14 - length - i64::from(exponent * 3 / 10)),
            _ => return None,
        };
        scale = scale.wrapping_sub(fraction.len() as i32);
        if left < 0 || scale < -NANO {
            return None;
        }
        let number: i128 = format!("{whole}{fraction}").parse().ok()?;
        let value = i64::try_from(if negative { -number } else { number }).ok()?.checked_mul(mantissa)?;
        Some(Amount::Int { value, scale })
    }

    /// The amount with all digits.
    pub(super) fn exact(&self) -> Decimal {
        let mut decimal = Decimal::from_digits(self.whole, self.fraction);
        match self.base {
            10 => decimal.shift(self.exponent),
            _ => {
                decimal.double(self.exponent as u32);
                decimal.round_up(NANO);
                cap(&mut decimal);
            }
        }
        decimal.round_up(NANO);
        if self.negative { decimal.negated() } else { decimal }
    }

    /// The amount with some digits. `None` if its exponent is too small.
    pub(super) fn rounded(&self) -> Option<Decimal> {
        /// The digits that sums of two integers of 64 bits have, with those after the point.
        const DECIMAL: usize = 29;
        /// The digits that an integer of 64 bits has in units of `Ei`.
        const BINARY: usize = 70;
        let mut decimal = Decimal::from_digits(self.whole, self.fraction);
        match self.base {
            10 if self.exponent == i32::MIN => return None,
            10 => {
                decimal.limit(DECIMAL);
                decimal.shift_within(self.exponent, NANO);
                decimal.shorten(NANO);
            }
            _ => {
                decimal.limit(BINARY);
                decimal.double(self.exponent as u32);
                decimal.shorten(NANO);
                cap(&mut decimal);
            }
        }
        Some(if self.negative { decimal.negated() } else { decimal })
    }
}

/// Amounts in binary units are at most the greatest integer.
fn cap(decimal: &mut Decimal) {
    let max = Decimal::new(i64::MAX, 0);
    if decimal.compare(&max).is_gt() {
        *decimal = max;
    }
}
