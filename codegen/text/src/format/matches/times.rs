//! Dates, times and durations.

use crate::go::regexp::Regexp;
use std::sync::LazyLock;

/// `2006-01-02`, for a day that exists.
pub(super) fn is_date(s: &str) -> bool {
    let b = s.as_bytes();
    if b.len() != 10 || b[4] != b'-' || b[7] != b'-' {
        return false;
    }
    let number = |part: &[u8]| -> Option<u32> {
        part.iter().try_fold(0, |n, b| b.is_ascii_digit().then(|| n * 10 + u32::from(b - b'0')))
    };
    let (Some(year), Some(month), Some(day)) = (number(&b[..4]), number(&b[5..7]), number(&b[8..])) else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        _ => return false,
    };
    (1..=days).contains(&day)
}

static TIME: LazyLock<Option<Regexp>> = LazyLock::new(|| {
    Regexp::parse(r"^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$").ok()
});

/// A date, a `t` and a time. Everything after another `t` is ignored.
pub(super) fn is_date_time(s: &str) -> bool {
    let lower = s.to_lowercase();
    let mut parts = lower.split('t');
    let (Some(date), Some(time)) = (parts.next(), parts.next()) else { return false };
    is_date(date)
        && TIME.as_ref().is_some_and(|r| r.is_match(time))
        && time[..2] <= *"23"
        && time[3..5] <= *"59"
        && time[6..8] <= *"59"
}

/// A Go duration (`1h30m`), or numbers with units anywhere in the text (`3 weeks, 2 days`).
pub(super) fn is_duration(s: &str) -> bool {
    is_go_duration(s) || has_units(s)
}

const UNITS: &[(&str, u64)] = &[
    ("ns", 1),
    ("us", 1_000),
    ("\u{b5}s", 1_000),
    ("\u{3bc}s", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
];

const LIMIT: u64 = 1 << 63;

/// Like Go's `time.ParseDuration`.
fn is_go_duration(s: &str) -> bool {
    let negative = s.starts_with('-');
    let mut rest = s.strip_prefix(['-', '+']).unwrap_or(s);
    if rest == "0" {
        return true;
    }
    if rest.is_empty() {
        return false;
    }
    let mut total = 0u64;
    while !rest.is_empty() {
        let digits = |s: &str| s.find(|c: char| !c.is_ascii_digit()).unwrap_or(s.len());
        let end = digits(rest);
        let (whole, mut after) = rest.split_at(end);
        let mut fraction = "";
        if let Some(stripped) = after.strip_prefix('.') {
            (fraction, after) = stripped.split_at(digits(stripped));
        }
        if whole.is_empty() && fraction.is_empty() {
            return false;
        }
        let end = after.find(|c: char| c == '.' || c.is_ascii_digit()).unwrap_or(after.len());
        let (unit, after) = after.split_at(end);
        let Some((_, unit)) = UNITS.iter().find(|(name, _)| *name == unit) else { return false };
        let value = if whole.is_empty() { Some(0) } else { whole.parse::<u64>().ok() };
        let Some(value) = value.filter(|v| *v <= LIMIT / unit) else { return false };
        let mut value = value * unit;
        if !fraction.is_empty() {
            let part: f64 = format!("0.{fraction}").parse().unwrap_or(0.0);
            value += (part * *unit as f64) as u64;
        }
        total = match total.checked_add(value) {
            Some(total) if total <= LIMIT => total,
            _ => return false,
        };
        rest = after;
    }
    negative || total < LIMIT
}

static UNIT: LazyLock<Option<Regexp>> = LazyLock::new(|| Regexp::parse("(\\d+)\\s*([A-Za-z\u{b5}]+)").ok());

/// Whether the text has a number with a unit. A number that is too large makes it invalid, whatever its unit is.
fn has_units(s: &str) -> bool {
    let mut found = false;
    for range in UNIT.iter().flat_map(|r| r.find_iter(s)) {
        let text = &s[range];
        let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        if text[..end].parse::<i64>().is_err() {
            return false;
        }
        let unit = text[end..].trim().to_lowercase();
        // Letters may follow the last name of each unit: `minutes`, `seconds`.
        let exact = ["ns", "us", "\u{b5}s", "ms", "s", "m", "h", "hr", "d", "w", "wk"];
        let prefixes = ["nano", "micro", "milli", "sec", "min", "hour", "day", "week"];
        found |= prefixes.iter().any(|p| unit.starts_with(p)) || exact.iter().any(|e| equal_fold(e, &unit));
    }
    found
}

/// Go's `strings.EqualFold`, for units: the micro sign equals the Greek letter.
fn equal_fold(name: &str, unit: &str) -> bool {
    name == unit || name.replace('\u{b5}', "\u{3bc}") == unit
}
