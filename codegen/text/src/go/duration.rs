//! Durations, as Go's `time.ParseDuration` reads them.

use super::Error;
/// Parses a duration such as `-1h2.5m` to nanoseconds. None if Go would not parse it.
pub fn duration(text: &str) -> Option<i64> {
    let (negative, mut rest) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    if rest == "0" {
        return Some(0);
    }
    if rest.is_empty() {
        return None;
    }
    // Only a negative duration may be as large as 2^63.
    let mut total: u64 = 0;
    while !rest.is_empty() {
        let (whole, digits, tail) = number(rest)?;
        let (fraction, scale, fraction_digits, tail) = fraction(tail);
        if digits + fraction_digits == 0 {
            return None;
        }
        let end = tail.find(|c: char| c == '.' || c.is_ascii_digit()).unwrap_or(tail.len());
        let unit: u64 = match &tail[..end] {
            "ns" => 1,
            "us" | "µs" | "μs" => 1_000,
            "ms" => 1_000_000,
            "s" => 1_000_000_000,
            "m" => 60_000_000_000,
            "h" => 3_600_000_000_000,
            _ => return None,
        };
        rest = &tail[end..];
        let mut value = whole.checked_mul(unit).filter(|v| *v <= 1 << 63)?;
        if fraction > 0 {
            value += (fraction as f64 * (unit as f64 / scale)) as u64;
            if value > 1 << 63 {
                return None;
            }
        }
        total = total.checked_add(value).filter(|t| *t <= 1 << 63)?;
    }
    if negative { Some((total as i64).wrapping_neg()) } else { i64::try_from(total).ok() }
}

/// Converts nanoseconds to seconds, like `duration.Seconds()`.
pub fn seconds(nanos: i64) -> f64 {
    (nanos / 1_000_000_000) as f64 + (nanos % 1_000_000_000) as f64 / 1e9
}

/// Formats a duration as Go prints it: `1h2m0.5s`.
pub fn format(nanos: i64) -> String {
    let sign = if nanos < 0 { "-" } else { "" };
    let total = nanos.unsigned_abs();
    let fraction = |value: u64, unit: u64| {
        let digits = unit.ilog10() as usize;
        let text = format!("{}.{:0digits$}", value / unit, value % unit);
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    match total {
        0 => "0s".to_owned(),
        1..1_000 => format!("{sign}{total}ns"),
        1_000..1_000_000 => format!("{sign}{}µs", fraction(total, 1_000)),
        1_000_000..1_000_000_000 => format!("{sign}{}ms", fraction(total, 1_000_000)),
        _ => {
            let (minutes, rest) = (total / 60_000_000_000, total % 60_000_000_000);
            let seconds = fraction(rest, 1_000_000_000);
            match (minutes / 60, minutes % 60) {
                (0, 0) => format!("{sign}{seconds}s"),
                (0, minutes) => format!("{sign}{minutes}m{seconds}s"),
                (hours, minutes) => format!("{sign}{hours}h{minutes}m{seconds}s"),
            }
        }
    }
}

/// Parses a duration as the format `duration` does: one of Go's durations, or words such as `3 days 2 hours`. Words
/// that are not units are skipped, if there is at least one unit.
pub fn parse_lenient(text: &str) -> Result<i64, Error> {
    const UNITS: [(&[&str], i64); 8] = [
        (&["ns", "nano"], 1),
        (&["us", "µs", "micro"], 1_000),
        (&["ms", "milli"], 1_000_000),
        (&["s", "sec"], 1_000_000_000),
        (&["m", "min"], 60_000_000_000),
        (&["h", "hr", "hour"], 3_600_000_000_000),
        (&["d", "day"], 86_400_000_000_000),
        (&["w", "wk", "week"], 604_800_000_000_000),
    ];
    if let Some(nanos) = duration(text) {
        return Ok(nanos);
    }
    let (mut total, mut found, mut rest) = (0i64, false, text);
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        rest = &rest[start..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (number, tail) = rest.split_at(digits);
        let word = tail.trim_start_matches([' ', '\t', '\n', '\r', '\x0c']);
        let letters = word.find(|c: char| !(c.is_ascii_alphabetic() || c == 'µ')).unwrap_or(word.len());
        rest = tail;
        if letters == 0 {
            continue;
        }
        rest = &word[letters..];
        let Ok(factor) = number.parse::<i64>() else {
            let why = "value out of range";
            return Err(Error::new(std::format!("strconv.Atoi: parsing {}: {why}", super::quote(number))));
        };
        let unit = word[..letters].to_lowercase();
        for (names, nanos) in UNITS {
            for (i, name) in names.iter().enumerate() {
                if unit == *name || i + 1 == names.len() && unit.starts_with(name) {
                    found = true;
                    total = total.wrapping_add(factor.wrapping_mul(nanos));
                }
            }
        }
    }
    if found { Ok(total) } else { Err(Error::new(std::format!("unable to parse {text} as duration"))) }
}

/// The number at the start of a text, the count of its digits, and the text after it.
fn number(text: &str) -> Option<(u64, usize, &str)> {
    let count = text.bytes().take_while(u8::is_ascii_digit).count();
    let mut value: u64 = 0;
    for b in text[..count].bytes() {
        value = value.checked_mul(10)?.checked_add(u64::from(b - b'0')).filter(|v| *v <= 1 << 63)?;
    }
    Some((value, count, &text[count..]))
}

/// A fraction, its divisor, the count of its digits, and the text after it. Digits that exceed the range are ignored.
fn fraction(text: &str) -> (u64, f64, usize, &str) {
    let Some(digits) = text.strip_prefix('.') else { return (0, 1.0, 0, text) };
    let count = digits.bytes().take_while(u8::is_ascii_digit).count();
    let (mut value, mut scale) = (0u64, 1.0);
    for b in digits[..count].bytes() {
        if value > (i64::MAX as u64) / 10 {
            break;
        }
        let next = value * 10 + u64::from(b - b'0');
        if next > 1 << 63 {
            break;
        }
        value = next;
        scale *= 10.0;
    }
    (value, scale, count, &digits[count..])
}

#[cfg(test)]
mod tests {
    #[test]
    fn reads_durations_like_go() {
        for (text, expected) in [
            ("0", Some(0)),
            ("1h2.5m", Some(3_750_000_000_000)),
            ("-1.5s", Some(-1_500_000_000)),
            (".5ms", Some(500_000)),
            ("5.s", Some(5_000_000_000)),
            ("1µs1us", Some(2_000)),
            ("9223372036854775807ns", Some(i64::MAX)),
            ("-9223372036854775808ns", Some(i64::MIN)),
            ("9223372036854775808ns", None),
            ("2562047h47m16.854775808s", None),
            ("", None),
            ("-", None),
            ("1", None),
            (".s", None),
            ("1d", None),
            ("1h ", None),
            ("1hm", None),
        ] {
            assert_eq!(super::duration(text), expected, "{text}");
        }
    }
}
