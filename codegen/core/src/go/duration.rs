//! Durations as Go's `time.ParseDuration` reads them.

/// The nanoseconds of a text such as `-1h2.5m`; none if Go would not read it.
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
    // Up to 2^63, which only a negative duration may be.
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

/// Digits, their count, and the text behind them.
fn number(text: &str) -> Option<(u64, usize, &str)> {
    let count = text.bytes().take_while(u8::is_ascii_digit).count();
    let mut value: u64 = 0;
    for b in text[..count].bytes() {
        value = value.checked_mul(10)?.checked_add(u64::from(b - b'0')).filter(|v| *v <= 1 << 63)?;
    }
    Some((value, count, &text[count..]))
}

/// A fraction, what to divide it by, the count of its digits, and the text behind. Digits that do not
/// fit any more are left out.
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
    fn as_go_reads_them() {
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
