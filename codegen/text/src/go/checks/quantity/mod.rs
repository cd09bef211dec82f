//! Quantities such as `1.5Gi`, as the Go library `resource` reads, compares and adds them. Small ones are an integer
//! and a power of ten, and all others are decimals. Some results depend on which of the two a quantity is.

mod number;

use crate::go::Error;
use number::Number;
use std::cmp::Ordering;
use std::fmt;

use super::decimal::Decimal;

/// An amount of a resource.
#[derive(Clone, Debug)]
pub struct Quantity {
    amount: Amount,
    digits: Digits,
}

/// How many digits of a number the library computes with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Digits {
    /// All of them, as before Kubernetes 1.38.
    #[default]
    All,
    /// Not many more than the sums of small quantities have, as since 1.38. It rounds all others away from zero.
    Some,
}

#[derive(Clone, Debug)]
enum Amount {
    /// An integer times ten to the power of the scale.
    Int {
        value: i64,
        scale: i32,
    },
    Dec(Decimal),
}

const WRONG_FORMAT: &str =
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const WRONG_SUFFIX: &str = "unable to parse quantity's suffix";
const WRONG_NUMBER: &str = "unable to parse numeric part of quantity";

/// The digits after the point that a quantity may have.
const NANO: i32 = 9;

impl Quantity {
    /// Creates a quantity from an integer.
    pub fn from_int(value: i64) -> Quantity {
        Quantity { amount: Amount::Int { value, scale: 0 }, digits: Digits::default() }
    }

    /// Parses a quantity, like `resource.ParseQuantity`.
    pub fn parse(text: &str) -> Result<Quantity, Error> {
        Quantity::parse_with(text, Digits::default())
    }

    /// The same in a version of the library. Results that are computed with the quantity are those of that version too.
    pub fn parse_with(text: &str, digits_kept: Digits) -> Result<Quantity, Error> {
        if text.is_empty() {
            return Err(Error::new(WRONG_FORMAT));
        }
        let (negative, digits) = match text.as_bytes()[0] {
            b'-' => (true, &text[1..]),
            b'+' => (false, &text[1..]),
            _ => (false, text),
        };
        let take = |s: &str| s.bytes().take_while(u8::is_ascii_digit).count();
        let (whole, rest) = digits.split_at(take(digits));
        let has_whole = !whole.is_empty();
        let whole = whole.trim_start_matches('0');
        let (fraction, rest) = match rest.strip_prefix('.') {
            Some(after) => after.split_at(take(after)),
            None => ("", rest),
        };
        let letters = rest.bytes().take_while(|b| b"eEinumkKMGTP".contains(b)).count();
        let exponent = rest[letters..].strip_prefix(['-', '+']).unwrap_or(&rest[letters..]);
        if take(exponent) < exponent.len() {
            return Err(Error::new(WRONG_FORMAT));
        }
        let (base, exponent) = suffix(rest).ok_or(WRONG_SUFFIX)?;
        let whole = if whole.is_empty() { "0" } else { whole };
        let number = Number { negative, whole, fraction, base, exponent };
        let amount = match digits_kept {
            Digits::All => number.small(18).unwrap_or_else(|| Amount::Dec(number.exact())),
            Digits::Some => match number.small(19) {
                Some(small) => small,
                None if !has_whole && fraction.is_empty() => return Err(Error::new(WRONG_NUMBER)),
                None => Amount::Dec(number.rounded().ok_or(WRONG_SUFFIX)?),
            },
        };
        Ok(Quantity { amount, digits: digits_kept })
    }

    /// Returns the value if it is a small integer.
    pub fn as_int(&self) -> Option<i64> {
        match self.amount {
            Amount::Int { value, scale } => scale_up(value, u32::try_from(scale).ok()?),
            Amount::Dec(_) => None,
        }
    }

    /// Returns a thousand times the value if that is a small integer.
    pub fn as_milli(&self) -> Option<i64> {
        match self.amount {
            Amount::Int { value, scale } => scale_up(value, u32::try_from(scale + 3).ok()?),
            Amount::Dec(_) => None,
        }
    }

    /// Returns the value as the server's `ScaledValue` does, in units of ten to the power of `scale`. It rounds up. What is too large
    /// is zero or wrong.
    pub fn scaled(&self, scale: i32) -> i64 {
        match &self.amount {
            Amount::Int { value, scale: own } if *own < scale => rounded_up(i128::from(*value), scale - own),
            Amount::Int { value, scale: own } => scale_up(*value, own.abs_diff(scale)).unwrap_or_default(),
            Amount::Dec(decimal) => match decimal.parts() {
                Some((value, own)) if own < scale => rounded_up(value, scale - own),
                #[expect(clippy::cast_possible_truncation, reason = "so does the server")]
                Some((value, own)) => (0..own - scale).fold(value as i64, |value, _| value.wrapping_mul(10)),
                None => 0,
            },
        }
    }

    /// Returns the value as a float, which may be slightly inexact.
    pub fn as_float(&self) -> f64 {
        let (base, exponent) = match &self.amount {
            Amount::Int { value, scale } => (*value as f64, *scale),
            Amount::Dec(d) => (d.unscaled(), -d.scale()),
        };
        let is_zero = base == 0.0 && self.digits == Digits::Some;
        if exponent == 0 || is_zero { base } else { base * power_of_ten(exponent) }
    }

    /// Returns the quantity as the server writes it, in units of 1024 or of 1000.
    pub fn written(&self, is_binary: bool) -> String {
        let parts = match &self.amount {
            Amount::Int { value, scale } => Some((i128::from(*value), *scale)),
            Amount::Dec(decimal) => decimal.parts(),
        };
        let text = parts.and_then(|(number, power)| super::canonical::written(number, power, is_binary));
        text.unwrap_or_else(|| self.to_string())
    }

    /// Returns the sign: -1, 0 or 1.
    pub fn sign(&self) -> i64 {
        match &self.amount {
            Amount::Int { value, scale: _ } => value.signum(),
            Amount::Dec(d) => d.sign(),
        }
    }

    /// Compares two quantities.
    pub fn compare(&self, other: &Quantity) -> Ordering {
        match (&self.amount, &other.amount) {
            (Amount::Int { value: a, scale: s }, Amount::Int { value: b, scale: t }) if s == t => a.cmp(b),
            (a, b) => a.decimal().compare(&b.decimal()),
        }
    }

    /// Returns the sum.
    pub fn add(&self, other: &Quantity) -> Quantity {
        let sum = match (&self.amount, &other.amount) {
            (Amount::Int { value: a, scale: s }, Amount::Int { value: b, scale: t }) => {
                add_ints(*a, *s, *b, *t)
            }
            _ => None,
        };
        self.result(sum, &self.amount.decimal(), &other.amount.decimal())
    }

    /// Returns the difference.
    pub fn sub(&self, other: &Quantity) -> Quantity {
        let difference = match (&self.amount, &other.amount) {
            (Amount::Int { value: _, scale: _ }, Amount::Int { value: i64::MIN, scale: _ })
                if self.digits == Digits::Some =>
            {
                None
            }
            (Amount::Int { value: a, scale: s }, Amount::Int { value: b, scale: t }) => {
                add_ints(*a, *s, b.wrapping_neg(), *t)
            }
            _ => None,
        };
        self.result(difference, &self.amount.decimal(), &other.amount.decimal().negated())
    }

    /// The small result, or the sum of two decimals.
    fn result(&self, small: Option<Amount>, a: &Decimal, b: &Decimal) -> Quantity {
        let sum = || match self.digits {
            Digits::All => a.add(b),
            Digits::Some => a.add_nearby(b),
        };
        Quantity { amount: small.unwrap_or_else(|| Amount::Dec(sum())), digits: self.digits }
    }
}

impl Amount {
    fn decimal(&self) -> Decimal {
        match self {
            Amount::Int { value, scale } => Decimal::new(*value, scale.saturating_neg()),
            Amount::Dec(d) => d.clone(),
        }
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.amount.decimal().fmt(f)
    }
}

/// The base and the exponent of a suffix.
fn suffix(text: &str) -> Option<(u32, i32)> {
    Some(match text {
        "" => (10, 0),
        "n" => (10, -9),
        "u" => (10, -6),
        "m" => (10, -3),
        "k" => (10, 3),
        "M" => (10, 6),
        "G" => (10, 9),
        "T" => (10, 12),
        "P" => (10, 15),
        "E" => (10, 18),
        "Ki" => (2, 10),
        "Mi" => (2, 20),
        "Gi" => (2, 30),
        "Ti" => (2, 40),
        "Pi" => (2, 50),
        "Ei" => (2, 60),
        _ => (10, text.strip_prefix(['e', 'E'])?.parse::<i64>().ok()? as i32),
    })
}

fn scale_up(value: i64, scale: u32) -> Option<i64> {
    if value == 0 { Some(0) } else { value.checked_mul(10i64.checked_pow(scale)?) }
}

/// A value without its last digits.
#[expect(clippy::cast_possible_truncation, reason = "so does the server")]
fn rounded_up(value: i128, digits: i32) -> i64 {
    let Some(unit) = 10_i128.checked_pow(digits.unsigned_abs()) else { return i64::from(value > 0) };
    let whole = value.div_euclid(unit);
    (whole + i128::from(value.rem_euclid(unit) != 0)) as i64
}

fn add_ints(a: i64, s: i32, b: i64, t: i32) -> Option<Amount> {
    if b == 0 {
        return Some(Amount::Int { value: a, scale: s });
    }
    if a == 0 {
        return Some(Amount::Int { value: b, scale: t });
    }
    let scale = s.min(t);
    let value = scale_up(a, s.abs_diff(scale))?.checked_add(scale_up(b, t.abs_diff(scale))?)?;
    Some(Amount::Int { value, scale })
}

fn power_of_ten(exponent: i32) -> f64 {
    format!("1e{exponent}").parse().unwrap_or(0.0)
}
