//! Numbers as Go's `strconv` and `fmt` read and write them.

use super::float_g;

/// Formats a float like `%g`: with as many digits as are needed, and an exponent if the number is large or small.
pub fn format_g(f: f64) -> String {
    special(f).unwrap_or_else(|| float_g(&shortest_e(f)))
}

/// Formats a float like `FormatFloat(f, 'f', -1, 64)`: with as many digits as are needed, and never an exponent.
pub fn format_f(f: f64) -> String {
    special(f).unwrap_or_else(|| shortest(f))
}

/// Formats a finite float with as few digits as possible, as Rust's `{}` does. If two texts are as near, Rust takes the larger one, and
/// Go the one whose last digit is even.
pub fn shortest(f: f64) -> String {
    to_even(f, f.to_string())
}

/// The same with an exponent, as Rust's `{:e}` writes it.
pub fn shortest_e(f: f64) -> String {
    to_even(f, format!("{f:e}"))
}

fn to_even(f: f64, text: String) -> String {
    // Smaller floats have more digits after a tie, or all their digits are in the text.
    const LEAST: f64 = (1_u64 << 20) as f64;
    let end = text.find('e').unwrap_or(text.len());
    let last = text[..end].rfind(|c| matches!(c, '1'..='9'));
    let Some(at) = last.filter(|at| f.abs() >= LEAST && text.as_bytes()[*at] % 2 == 1) else { return text };
    let lower = char::from(text.as_bytes()[at] - 1);
    let other = format!("{}{lower}{}", &text[..at], &text[at + 1..]);
    let digits = |text: &str| text.replace(['-', '.'], "");
    // From `LEAST` on, no float has more than 32 digits after the point.
    let exact = digits(&format!("{f:.32}"));
    let rest = exact.strip_prefix(&digits(&other[..=at])).and_then(|rest| rest.strip_prefix('5'));
    let is_tie = rest.is_some_and(|rest| rest.bytes().all(|digit| digit == b'0'));
    if is_tie && other.parse() == Ok(f) { other } else { text }
}

fn special(f: f64) -> Option<String> {
    Some(match f {
        f if f.is_nan() => "NaN".to_owned(),
        f64::INFINITY => "+Inf".to_owned(),
        f64::NEG_INFINITY => "-Inf".to_owned(),
        _ => return None,
    })
}

/// Parses an integer, like `ParseInt(text, 10, 64)`.
pub fn parse_int(text: &str) -> Option<i64> {
    text.parse().ok()
}

/// Parses an integer without a sign, like `ParseUint(text, 10, 64)`.
pub fn parse_uint(text: &str) -> Option<u64> {
    if text.starts_with('+') { None } else { text.parse().ok() }
}

/// Parses a boolean, like `ParseBool`.
pub fn parse_bool(text: &str) -> Option<bool> {
    match text {
        "1" | "t" | "T" | "TRUE" | "true" | "True" => Some(true),
        "0" | "f" | "F" | "FALSE" | "false" | "False" => Some(false),
        _ => None,
    }
}

/// Parses a float, like `ParseFloat(text, 64)`. Hexadecimal numbers are accepted, and numbers that are too large are
/// not.
pub fn parse_float(text: &str) -> Option<f64> {
    if text.contains('_') {
        return if separates_digits(text) { parse_float(&text.replace('_', "")) } else { None };
    }
    let (sign, digits) = match text.as_bytes().first()? {
        b'-' => (-1.0, &text[1..]),
        b'+' => (1.0, &text[1..]),
        _ => (1.0, text),
    };
    if digits.starts_with(['+', '-']) {
        return None;
    }
    if digits.get(..2).is_some_and(|base| base.eq_ignore_ascii_case("0x")) {
        return hex_float(&digits[2..]).map(|f| sign * f);
    }
    if ["inf", "infinity"].iter().any(|w| digits.eq_ignore_ascii_case(w)) {
        return Some(sign * f64::INFINITY);
    }
    if digits.eq_ignore_ascii_case("nan") {
        return if digits.len() == text.len() { Some(f64::NAN) } else { None };
    }
    let f: f64 = digits.parse().ok()?;
    f.is_finite().then_some(sign * f)
}

/// Whether each underscore is between two digits, or between the base and a digit.
fn separates_digits(text: &str) -> bool {
    let number = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_hex = number.get(..2).is_some_and(|base| base.eq_ignore_ascii_case("0x"));
    let mut before = '!';
    for (at, c) in number.chars().enumerate() {
        let is_digit = c.is_ascii_digit() || is_hex && (c.is_ascii_hexdigit() || at == 1);
        match (before, c) {
            ('0', '_') => before = '_',
            (_, '_') => return false,
            _ if is_digit => before = '0',
            ('_', _) => return false,
            _ => before = '!',
        }
    }
    before != '_'
}

/// A number after `0x`: digits with a point, and an exponent of two, which is required.
fn hex_float(text: &str) -> Option<f64> {
    let (mantissa, exponent) = text.split_once(['p', 'P'])?;
    let mut exponent: i64 = exponent.parse().ok()?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    // The last bit says whether there was more.
    let mut mantissa = 0_u64;
    for digit in whole.chars().chain(fraction.chars()) {
        let digit = u64::from(digit.to_digit(16)?);
        if mantissa >> 60 == 0 {
            mantissa = mantissa << 4 | digit;
        } else {
            mantissa |= u64::from(digit != 0);
            exponent = exponent.saturating_add(4);
        }
    }
    exponent = exponent.saturating_sub(4 * i64::try_from(fraction.len()).ok()?);
    // Two bits more than a float has.
    while mantissa != 0 && mantissa >> 54 == 0 {
        mantissa <<= 1;
        exponent = exponent.saturating_sub(1);
    }
    while mantissa >> 55 != 0 || mantissa > 1 && exponent < -1076 {
        mantissa = mantissa >> 1 | mantissa & 1;
        exponent += 1;
    }
    let is_up = mantissa & 2 != 0 && mantissa & 5 != 0;
    let mantissa = (mantissa >> 2) + u64::from(is_up);
    let exponent = exponent.saturating_add(2).clamp(-2000, 2000) as i32;
    // The power alone may be too small for a float.
    let f = mantissa as f64 * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2);
    f.is_finite().then_some(f)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes_numbers_like_go() {
        for (f, g, plain) in [
            (1.0, "1", "1"),
            (1e6, "1e+06", "1000000"),
            (123456.5, "123456.5", "123456.5"),
            (1e-5, "1e-05", "0.00001"),
            (-0.0, "-0", "-0"),
            // Two texts are as near.
            (1.25e15 + 0.25, "1.2500000000000002e+15", "1250000000000000.2"),
            (0.25 - 1125899906842624.0, "-1.1258999068426238e+15", "-1125899906842623.8"),
            (1.5e300, "1.5e+300", &format!("15{}", "0".repeat(299))),
        ] {
            assert_eq!((format_g(f).as_str(), format_f(f).as_str()), (g, plain));
        }
        for (text, value) in [
            ("1e3", Some(1000.0)),
            ("0x1p-2", Some(0.25)),
            ("-.5", Some(-0.5)),
            ("1e999", None),
            ("1_0", Some(10.0)),
            ("1_23.50_0_0e+1_2", Some(1.235e14)),
            ("-0x_1_0p0_1", Some(-32.0)),
            ("0X1_fp0", Some(31.0)),
            ("0x1.0000000000000800000001p0", Some(1.0000000000000002)),
            ("0x1.00000000000008p0", Some(1.0)),
            ("0x1.00000000000018p0", Some(1.0000000000000004)),
            ("0x1.fffffffffffff7fffp1023", Some(f64::MAX)),
            ("0x1.fffffffffffff8p1023", None),
            ("0x1p-1074", Some(5e-324)),
            ("0x1.8p-1074", Some(1e-323)),
            ("0x1p-1075", Some(0.0)),
            ("0x1.000000000000000000001p-1075", Some(5e-324)),
            ("0x0.00000000000000000000000001p104", Some(1.0)),
            ("0x100000000000000000000000000p-104", Some(1.0)),
            ("0x0p99999", Some(0.0)),
            ("0x1p-99999999999", Some(0.0)),
            ("0x1p99999999999", None),
        ] {
            assert_eq!(parse_float(text), value, "{text}");
        }
        for text in [
            "", "+-1", "0x1", "1e", "-nan", "--1", "e5", ".", "_1", "1_", "1__0", "1_.5", "1._5", "1_e5",
            "1e_5", "-_1", "0x1_p0", "0x1p_0", "0_x1p0", "in_f", "é_1", "1_é",
        ] {
            assert_eq!(parse_float(text), None, "{text}");
        }
    }
}
