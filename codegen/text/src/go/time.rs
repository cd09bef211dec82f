//! Times, as Go's `time.Parse(time.RFC3339, …)` reads them and Kubernetes writes them: in UTC, with whole seconds.

/// Normalizes an RFC 3339 time to UTC and whole seconds. None if Go would not parse it. Go accepts more than the RFC:
/// an hour with one digit, a comma before the fraction, and offsets of 24 hours.
pub fn rfc3339(text: &str) -> Option<String> {
    Some(write(Time::parse(text)?.seconds))
}

/// A time with the offset of its zone.
#[derive(Clone, Copy, Debug)]
pub struct Time {
    /// The seconds since 1970, in UTC.
    pub seconds: i64,
    /// The nanoseconds within the second.
    pub nanos: u32,
    /// The offset of the zone in seconds, which is positive east of UTC.
    pub offset: i32,
}

/// A date and a time of day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Civil {
    /// The year.
    pub year: i64,
    /// The month, from 1 to 12.
    pub month: i64,
    /// The day of the month, from 1 to 31.
    pub day: i64,
    /// The day of the year, from 0 to 365.
    pub day_of_year: i64,
    /// The day of the week, from 0 for Sunday.
    pub weekday: i64,
    /// The hour, from 0 to 23.
    pub hour: i64,
    /// The minute, from 0 to 59.
    pub minute: i64,
    /// The second, from 0 to 59.
    pub second: i64,
}

impl Time {
    /// Parses a time, like `time.Parse(time.RFC3339, text)`.
    pub fn parse(text: &str) -> Option<Time> {
        parse(text, Zone::Required)
    }

    /// Parses a date without a time.
    pub fn parse_date(text: &str) -> Option<Time> {
        let mut rest = text.as_bytes();
        let days = date(&mut rest)?;
        rest.is_empty().then_some(Time { seconds: days * 86_400, nanos: 0, offset: 0 })
    }

    /// Parses a time as the format `date-time` does: the zone may be missing, and an empty text is the start of 1970.
    pub fn parse_lenient(text: &str) -> Option<Time> {
        if text.is_empty() {
            return Some(Time { seconds: 0, nanos: 0, offset: 0 });
        }
        parse(text, Zone::Required).or_else(|| parse(text, Zone::Missing))
    }

    /// Returns the seconds and nanoseconds, by which times are ordered.
    pub fn instant(&self) -> (i64, u32) {
        (self.seconds, self.nanos)
    }

    /// Whether two times are the same moment, possibly in different zones.
    pub fn same_instant(&self, other: &Time) -> bool {
        self.instant() == other.instant()
    }

    /// Whether this is Go's zero time, the start of year 1.
    pub fn is_zero(&self) -> bool {
        self.instant() == (-62_135_596_800, 0)
    }

    /// Returns the date and the time of day at an offset from UTC, in seconds.
    pub fn civil(&self, offset: i64) -> Civil {
        let seconds = self.seconds + offset;
        let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
        let (year, month, day) = civil(days + EPOCH);
        Civil {
            year,
            month,
            day,
            day_of_year: days + EPOCH - days_before(year, 1, 1),
            weekday: (days + 4).rem_euclid(7),
            hour: rest / 3600,
            minute: rest / 60 % 60,
            second: rest % 60,
        }
    }

    /// Formats the time like `Format(time.RFC3339Nano)`.
    pub fn rfc3339_nano(&self) -> String {
        let zone = match self.offset {
            0 => "Z".to_owned(),
            offset => self.zone(offset, ":"),
        };
        let c = self.civil(self.offset.into());
        let date = format!("{}-{:02}-{:02}T", year(c.year), c.month, c.day);
        format!("{date}{:02}:{:02}:{:02}{}{zone}", c.hour, c.minute, c.second, self.fraction())
    }

    fn zone(&self, offset: i32, colon: &str) -> String {
        let sign = if offset < 0 { '-' } else { '+' };
        let minutes = offset.abs() / 60;
        format!("{sign}{:02}{colon}{:02}", minutes / 60, minutes % 60)
    }

    fn fraction(&self) -> String {
        if self.nanos == 0 {
            return String::new();
        }
        format!(".{:09}", self.nanos).trim_end_matches('0').to_owned()
    }
}

/// A layout by which Go parses times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// `2006-01-02`
    Date,
    /// `2006-01-02T15:04:05`
    Local,
    /// RFC 3339, with a zone.
    Zoned,
    /// RFC 3339 with microseconds, as Kubernetes' `MicroTime` has them.
    Micro,
}

/// How a layout has microseconds.
const MICRO: &str = ".000000";

fn is_micro(text: &str) -> bool {
    let digits = text.strip_prefix(['.', ',']);
    digits.is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()))
}

/// Returns a time with microseconds as Go writes it, in UTC. `None` if the text does not have exactly six digits for them.
pub fn micro(text: &str) -> Option<String> {
    const SECONDS: usize = "2006-01-02T15:04:05".len();
    let zone = SECONDS + MICRO.len();
    let has_digits = text.get(SECONDS..zone).is_some_and(is_micro)
        && text.get(zone..).is_some_and(|zone| zone.starts_with(['Z', '+', '-']));
    let time = Time::parse(text).filter(|_| has_digits)?;
    let c = time.civil(0);
    let date = format!("{}-{:02}-{:02}T", year(c.year), c.month, c.day);
    Some(format!("{date}{:02}:{:02}:{:02}.{:06}Z", c.hour, c.minute, c.second, time.nanos / 1000))
}

/// Returns Go's message for a text that does not match a layout.
pub fn why_not(text: &str, layout: Layout) -> String {
    const PARTS: [(&str, &str, usize, &str); 6] = [
        ("", "2006", 4, ""),
        ("-", "01", 2, "month"),
        ("-", "02", 2, ""),
        ("T", "15", 0, "hour"),
        (":", "04", 2, "minute"),
        (":", "05", 2, "second"),
    ];
    let with_time = layout != Layout::Date;
    let written = match layout {
        Layout::Date => "2006-01-02",
        Layout::Local => "2006-01-02T15:04:05",
        Layout::Zoned => "2006-01-02T15:04:05Z07:00",
        Layout::Micro => "2006-01-02T15:04:05.000000Z07:00",
    };
    let shown = quoted(text);
    let cannot = |rest: &str, part: &str| {
        format!(
            "parsing time {shown} as {}: cannot parse {} as {}",
            quoted(written),
            quoted(rest),
            quoted(part)
        )
    };
    let mut rest = text;
    let mut numbers = [0i64; 6];
    for (i, (before, part, width, name)) in PARTS.iter().enumerate().take(if with_time { 6 } else { 3 }) {
        let Some(after) = rest.strip_prefix(before) else { return cannot(rest, before) };
        rest = after;
        let digits =
            rest.bytes().take(if *width == 4 { 4 } else { 2 }).take_while(u8::is_ascii_digit).count();
        if digits < (*width).max(1) {
            return cannot(rest, part);
        }
        numbers[i] = rest[..digits].parse().unwrap_or_default();
        rest = &rest[digits..];
        let most = [i64::MAX, 12, i64::MAX, 23, 59, 59][i];
        if numbers[i] > most || i == 1 && numbers[i] == 0 {
            return format!("parsing time {shown}: {name} out of range");
        }
    }
    if layout == Layout::Micro {
        match rest.split_at_checked(MICRO.len()) {
            Some((micro, after)) if is_micro(micro) => rest = after,
            _ => return cannot(rest, MICRO),
        }
    } else if let Some(digits) = rest.strip_prefix(['.', ',']).filter(|_| with_time) {
        let end = digits.bytes().take_while(u8::is_ascii_digit).count();
        rest = if end > 0 { &digits[end..] } else { rest };
    }
    if matches!(layout, Layout::Zoned | Layout::Micro) {
        const ZONE: &str = "Z07:00";
        let digits = |s: &&str| s.bytes().all(|b| b.is_ascii_digit());
        let number = |range: std::ops::Range<usize>| rest.get(range).filter(digits);
        rest = match (rest.strip_prefix('Z'), number(1..3), rest.get(3..4), number(4..6)) {
            (Some(after), ..) => after,
            (None, Some(_), Some(":"), Some(minutes)) if minutes > "60" => {
                return format!("parsing time {shown}: time zone offset minute out of range");
            }
            (None, Some(hours), Some(":"), Some(_)) if hours > "24" => {
                return format!("parsing time {shown}: time zone offset hour out of range");
            }
            (None, Some(_), Some(":"), Some(_)) if rest.starts_with(['+', '-']) => &rest[6..],
            _ => return cannot(rest, ZONE),
        };
    }
    if !rest.is_empty() {
        return format!("parsing time {shown}: extra text: {}", quoted(rest));
    }
    format!("parsing time {shown}: day out of range")
}

/// Quotes like Go's `time` package: bytes outside ASCII are escaped one by one.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => out.extend(['\\', char::from(byte)]),
            b' '..=b'~' | 0x7f => out.push(char::from(byte)),
            _ => out.push_str(&format!("\\x{byte:02x}")),
        }
    }
    out + "\""
}

/// The form in which Go prints a time.
impl std::fmt::Display for Time {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let c = self.civil(self.offset.into());
        write!(
            f,
            "{}-{:02}-{:02} {:02}:{:02}:{:02}",
            year(c.year),
            c.month,
            c.day,
            c.hour,
            c.minute,
            c.second
        )?;
        let zone = self.zone(self.offset, "");
        let name = if self.offset == 0 { "UTC" } else { zone.as_str() };
        write!(f, "{} {zone} {name}", self.fraction())
    }
}

fn year(year: i64) -> String {
    let sign = if year < 0 { "-" } else { "" };
    format!("{sign}{:04}", year.abs())
}

/// Parses a date, and returns its number of days since 1970.
fn date(rest: &mut &[u8]) -> Option<i64> {
    let year = digits(rest, 4)?;
    literal(rest, b'-')?;
    let month = digits(rest, 2).filter(|m| (1..=12).contains(m))?;
    literal(rest, b'-')?;
    let day = digits(rest, 2).filter(|d| (1..=days_in(year, month)).contains(d))?;
    Some(days_before(year, month, day) - EPOCH)
}

/// Whether a time ends with its offset from UTC.
#[derive(Clone, Copy)]
enum Zone {
    Required,
    Missing,
}

fn parse(text: &str, zone: Zone) -> Option<Time> {
    let mut rest = text.as_bytes();
    let days = date(&mut rest)?;
    literal(&mut rest, b'T')?;
    let hour = digits(&mut rest, 2).or_else(|| digits(&mut rest, 1)).filter(|h| *h < 24)?;
    literal(&mut rest, b':')?;
    let minute = digits(&mut rest, 2).filter(|m| *m < 60)?;
    literal(&mut rest, b':')?;
    let second = digits(&mut rest, 2).filter(|s| *s < 60)?;
    let mut nanos = 0;
    if let [b'.' | b',', b'0'..=b'9', ..] = rest {
        let end = 1 + rest[1..].iter().take_while(|b| b.is_ascii_digit()).count();
        nanos = (1..10).fold(0, |n, i| n * 10 + if i < end { u32::from(rest[i] - b'0') } else { 0 });
        rest = &rest[end..];
    }
    let offset = match zone {
        Zone::Required => offset(&mut rest)?,
        Zone::Missing => 0,
    };
    if !rest.is_empty() {
        return None;
    }
    let seconds = (days * 24 + hour) * 3600 + (minute - offset) * 60 + second;
    Some(Time { seconds, nanos, offset: i32::try_from(offset * 60).ok()? })
}

/// Parses the offset from UTC, and returns it in minutes.
fn offset(rest: &mut &[u8]) -> Option<i64> {
    let sign = match rest.split_first()? {
        (b'Z', tail) => {
            *rest = tail;
            return Some(0);
        }
        (b'+', tail) => (1, tail),
        (b'-', tail) => (-1, tail),
        _ => return None,
    };
    *rest = sign.1;
    let hours = digits(rest, 2).filter(|h| *h <= 24)?;
    literal(rest, b':')?;
    let minutes = digits(rest, 2).filter(|m| *m <= 60)?;
    Some(sign.0 * (hours * 60 + minutes))
}

fn digits(rest: &mut &[u8], count: usize) -> Option<i64> {
    let (head, tail) = rest.split_at_checked(count)?;
    if !head.iter().all(u8::is_ascii_digit) {
        return None;
    }
    *rest = tail;
    Some(head.iter().fold(0, |n, b| n * 10 + i64::from(b - b'0')))
}

fn literal(rest: &mut &[u8], byte: u8) -> Option<()> {
    let (first, tail) = rest.split_first()?;
    *rest = tail;
    (*first == byte).then_some(())
}

/// Whether a year is a leap year.
pub fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// Returns the number of days in a month.
pub fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The days from 0000-03-01 to a date. Years begin in March here, so that leap days are at the end of a year.
fn days_before(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    year * 365 + year.div_euclid(4) - year.div_euclid(100)
        + year.div_euclid(400)
        + (153 * month + 2) / 5
        + day
        - 1
}

/// Returns the start of a day in UTC, in seconds since 1970.
pub fn midnight(year: i64, month: i64, day: i64) -> i64 {
    (days_before(year, month, day) - EPOCH) * 86_400
}

/// Days from 0000-03-01 to 1970-01-01.
const EPOCH: i64 = 719_468;

/// The date that is this many days after 0000-03-01.
fn civil(days: i64) -> (i64, i64, i64) {
    let era = days.div_euclid(146_097);
    let day = days.rem_euclid(146_097);
    let year_of_era = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (era * 400 + year_of_era + i64::from(month <= 2), month, day_of_year - (153 * shifted + 2) / 5 + 1)
}

fn write(seconds: i64) -> String {
    let c = Time { seconds, nanos: 0, offset: 0 }.civil(0);
    let date = format!("{}-{:02}-{:02}", year(c.year), c.month, c.day);
    format!("{date}T{:02}:{:02}:{:02}Z", c.hour, c.minute, c.second)
}

#[cfg(test)]
mod tests {
    #[test]
    fn reads_times_like_go() {
        for (text, expected) in [
            ("2024-02-29T12:34:56Z", Some("2024-02-29T12:34:56Z")),
            ("2024-02-29T12:34:56.999999999Z", Some("2024-02-29T12:34:56Z")),
            ("2024-02-29T12:34:56,5Z", Some("2024-02-29T12:34:56Z")),
            ("2024-03-01T01:00:00+02:30", Some("2024-02-29T22:30:00Z")),
            ("2023-12-31T23:30:00-01:00", Some("2024-01-01T00:30:00Z")),
            ("0001-01-01T00:00:00Z", Some("0001-01-01T00:00:00Z")),
            ("1970-01-01T3:04:05Z", Some("1970-01-01T03:04:05Z")),
            ("1970-01-01T00:00:00+24:60", Some("1969-12-30T23:00:00Z")),
            ("2023-02-29T12:34:56Z", None),
            ("2024-01-01T24:00:00Z", None),
            ("2024-01-01T00:00:60Z", None),
            ("2024-01-01t00:00:00Z", None),
            ("2024-01-01T00:00:00z", None),
            ("2024-01-01T00:00:00", None),
            ("2024-01-01T00:00:00.Z", None),
            ("2024-01-01T00:00:00+0100", None),
            ("2024-01-01T00:00:00+25:00", None),
            ("2024-01-01T00:00:00Z ", None),
            ("", None),
        ] {
            assert_eq!(super::rfc3339(text).as_deref(), expected, "{text}");
        }
    }
}
