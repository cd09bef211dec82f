//! Times as Go's `time.Parse(time.RFC3339, …)` reads them and Kubernetes writes them: in UTC, to the
//! second.

/// The time of an RFC 3339 text, written in UTC to the second; none if Go would not read it. Go takes
/// more than the RFC: an hour of one digit, a comma before the fraction, offsets of 24 hours.
pub fn rfc3339(text: &str) -> Option<String> {
    let mut rest = text.as_bytes();
    let year = digits(&mut rest, 4)?;
    literal(&mut rest, b'-')?;
    let month = digits(&mut rest, 2).filter(|m| (1..=12).contains(m))?;
    literal(&mut rest, b'-')?;
    let day = digits(&mut rest, 2).filter(|d| (1..=days_in(year, month)).contains(d))?;
    literal(&mut rest, b'T')?;
    let hour = digits(&mut rest, 2).or_else(|| digits(&mut rest, 1)).filter(|h| *h < 24)?;
    literal(&mut rest, b':')?;
    let minute = digits(&mut rest, 2).filter(|m| *m < 60)?;
    literal(&mut rest, b':')?;
    let second = digits(&mut rest, 2).filter(|s| *s < 60)?;
    if let [b'.' | b',', b'0'..=b'9', ..] = rest {
        let end = 1 + rest[1..].iter().take_while(|b| b.is_ascii_digit()).count();
        rest = &rest[end..];
    }
    let offset = zone(&mut rest)?;
    if !rest.is_empty() {
        return None;
    }
    let seconds = (days_before(year, month, day) * 24 + hour) * 3600 + (minute - offset) * 60 + second;
    Some(write(seconds))
}

/// The offset from UTC in minutes.
fn zone(rest: &mut &[u8]) -> Option<i64> {
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

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 0000-03-01 to a date; years begin in March here, so that a leap day ends one.
fn days_before(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    year * 365 + year.div_euclid(4) - year.div_euclid(100)
        + year.div_euclid(400)
        + (153 * month + 2) / 5
        + day
        - 1
}

fn write(seconds: i64) -> String {
    let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let era = days.div_euclid(146_097);
    let day = days.rem_euclid(146_097);
    let year_of_era = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    let sign = if year < 0 { "-" } else { "" };
    format!(
        "{sign}{:04}-{month:02}-{:02}T{:02}:{:02}:{:02}Z",
        year.abs(),
        day_of_year - (153 * shifted + 2) / 5 + 1,
        rest / 3600,
        rest / 60 % 60,
        rest % 60
    )
}

#[cfg(test)]
mod tests {
    #[test]
    fn as_go_reads_them() {
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
