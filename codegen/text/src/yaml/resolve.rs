//! The meaning of scalars, by the YAML 1.1 rules of go-yaml v2.

/// The value of a scalar. Strings are `Str`, and so are timestamps, which stay strings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// An integer.
    Int(i64),
    /// An integer that is too large for `i64`.
    Uint(u64),
    /// Any other number.
    Float(f64),
    /// A text.
    Str,
}

/// Determines the value of a plain scalar without a tag.
pub fn plain(text: &str) -> Scalar {
    let Some(first) = text.bytes().next() else { return Scalar::Null };
    match first {
        b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O' | b'~' => word(text),
        b'.' => match text {
            ".nan" | ".NaN" | ".NAN" => Scalar::Float(f64::NAN),
            ".inf" | ".Inf" | ".INF" => Scalar::Float(f64::INFINITY),
            _ if !text.contains('_') => float(text),
            _ if separates_digits(text) => float(&text.replace('_', "")),
            _ => Scalar::Str,
        },
        b'0'..=b'9' | b'+' | b'-' => match text {
            "+.inf" | "+.Inf" | "+.INF" => Scalar::Float(f64::INFINITY),
            "-.inf" | "-.Inf" | "-.INF" => Scalar::Float(f64::NEG_INFINITY),
            _ => number(text),
        },
        _ => Scalar::Str,
    }
}

fn word(text: &str) -> Scalar {
    match text {
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => {
            Scalar::Bool(true)
        }
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            Scalar::Bool(false)
        }
        "~" | "null" | "Null" | "NULL" => Scalar::Null,
        _ => Scalar::Str,
    }
}

/// A scalar that starts with a digit or a sign.
fn number(text: &str) -> Scalar {
    // A number contains no other letters, and no spaces.
    if !text.bytes().all(|c| c.is_ascii_hexdigit() || b"+-._xXoObB".contains(&c)) {
        return Scalar::Str;
    }
    let without: String;
    let text = if text.contains('_') {
        without = text.replace('_', "");
        &without
    } else {
        text
    };
    if let Some(int) = int(text, 0) {
        return int;
    }
    if is_yaml_float(text) {
        return float(text);
    }
    // Only here, a sign may follow the prefix.
    match (text.strip_prefix("0b"), text.strip_prefix("-0b")) {
        (Some(rest), _) => int(rest, 2).unwrap_or(Scalar::Str),
        (None, Some(rest)) if !rest.starts_with(['+', '-']) => {
            int(&format!("-{rest}"), 2).unwrap_or(Scalar::Str)
        }
        _ => Scalar::Str,
    }
}

/// An integer, as Go's `ParseInt` and then `ParseUint` read it. With base 0, the prefix determines the base.
fn int(text: &str, base: u32) -> Option<Scalar> {
    let (negative, signed, digits) = match text.as_bytes().first()? {
        b'-' => (true, true, &text[1..]),
        b'+' => (false, true, &text[1..]),
        _ => (false, false, text),
    };
    let (base, digits) = match (base, digits.as_bytes()) {
        (0, [b'0', b'x' | b'X', _, ..]) => (16, &digits[2..]),
        (0, [b'0', b'o' | b'O', _, ..]) => (8, &digits[2..]),
        (0, [b'0', b'b' | b'B', _, ..]) => (2, &digits[2..]),
        (0, [b'0']) => return Some(Scalar::Int(0)),
        (0, [b'0', ..]) => (8, &digits[1..]),
        (0, _) => (10, digits),
        (base, _) => (base, digits),
    };
    if digits.starts_with(['+', '-']) {
        return None;
    }
    let magnitude = u64::from_str_radix(digits, base).ok()?;
    match (negative, i64::try_from(magnitude)) {
        (false, Ok(int)) => Some(Scalar::Int(int)),
        (false, Err(_)) => (!signed).then_some(Scalar::Uint(magnitude)),
        (true, Ok(int)) => Some(Scalar::Int(-int)),
        (true, Err(_)) => (magnitude == 1 << 63).then_some(Scalar::Int(i64::MIN)),
    }
}

/// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`
fn is_yaml_float(text: &str) -> bool {
    let text = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(i) => (&text[..i], Some(&text[i + 1..])),
        None => (text, None),
    };
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|c| c.is_ascii_digit());
    let good = match mantissa.split_once('.') {
        Some(("", fraction)) => digits(fraction),
        Some((whole, fraction)) => digits(whole) && (fraction.is_empty() || digits(fraction)),
        None => digits(mantissa),
    };
    good && exponent.is_none_or(|e| digits(e.strip_prefix(['-', '+']).unwrap_or(e)))
}

/// Whether all underscores are between digits.
fn separates_digits(text: &str) -> bool {
    let parts: Vec<&str> = text.split('_').collect();
    parts.windows(2).all(|two| {
        two[0].ends_with(|c: char| c.is_ascii_digit()) && two[1].starts_with(|c: char| c.is_ascii_digit())
    })
}

/// A float, if it is finite.
fn float(text: &str) -> Scalar {
    match text.parse::<f64>() {
        Ok(f) if f.is_finite() => Scalar::Float(f),
        _ => Scalar::Str,
    }
}

/// Whether go-yaml reads the text as a timestamp. This matters only with an explicit tag, because timestamps stay
/// strings.
pub fn is_timestamp(text: &str) -> bool {
    timestamp(text).is_some()
}

fn timestamp(text: &str) -> Option<()> {
    let mut rest = Rest(text.as_bytes());
    let year = rest.digits(4, 4)?;
    rest.eat(b"-")?;
    let month = rest.digits(1, 2)?;
    rest.eat(b"-")?;
    let day = rest.digits(1, 2)?;
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u32::from(leap),
        _ => return None,
    };
    if day < 1 || day > days {
        return None;
    }
    if rest.0.is_empty() {
        return Some(());
    }
    let zoned = rest.0[0] != b' ';
    rest.eat(b"Tt ")?;
    (rest.digits(1, 2)? < 24).then_some(())?;
    rest.eat(b":")?;
    (rest.digits(1, 2)? < 60).then_some(())?;
    rest.eat(b":")?;
    (rest.digits(1, 2)? < 60).then_some(())?;
    if let [b'.' | b',', b'0'..=b'9', ..] = rest.0 {
        rest.0 = &rest.0[1..];
        while let [b'0'..=b'9', ..] = rest.0 {
            rest.0 = &rest.0[1..];
        }
    }
    if zoned && rest.eat(b"Z").is_none() {
        rest.eat(b"+-")?;
        (rest.digits(2, 2)? <= 24).then_some(())?;
        rest.eat(b":")?;
        (rest.digits(2, 2)? <= 60).then_some(())?;
    }
    rest.0.is_empty().then_some(())
}

struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn eat(&mut self, any: &[u8]) -> Option<()> {
        any.contains(self.0.first()?).then(|| self.0 = &self.0[1..])
    }

    fn digits(&mut self, min: usize, max: usize) -> Option<u32> {
        let count = self.0.iter().take(max).take_while(|c| c.is_ascii_digit()).count();
        let (digits, rest) = self.0.split_at(count);
        self.0 = rest;
        (count >= min).then(|| digits.iter().fold(0, |n, d| n * 10 + u32::from(d - b'0')))
    }
}
