//! Why Go does not read a text as a whole number.

use crdgen_core::go;
use std::fmt;

/// A text that is not a number, or too large a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadNumber {
    /// The function of Go's `strconv`.
    function: &'static str,
    text: String,
    why: Why,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    Syntax,
    Range,
}

impl BadNumber {
    fn of(function: &'static str, text: &str, digits: &str) -> BadNumber {
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        BadNumber { function, text: text.to_owned(), why: if is_number { Why::Range } else { Why::Syntax } }
    }
}

impl fmt::Display for BadNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = match self.why {
            Why::Syntax => "invalid syntax",
            Why::Range => "value out of range",
        };
        write!(f, "strconv.{}: parsing {}: {why}", self.function, go::quote(&self.text))
    }
}

/// Returns the number in a text, as Go's `strconv.Atoi` reads it.
///
/// # Errors
/// Fails if Go does.
pub fn atoi(text: &str) -> Result<i64, BadNumber> {
    text.parse().map_err(|_| BadNumber::of("Atoi", text, text.trim_start_matches(['+', '-'])))
}

/// Returns the number in a text, as Go's `strconv.ParseUint` reads it.
///
/// # Errors
/// Fails if Go does.
pub fn parse_uint(text: &str) -> Result<u64, BadNumber> {
    text.parse().map_err(|_| BadNumber::of("ParseUint", text, text))
}
