//! The rule of a time zone for all times after its last known change, such as `CET-1CEST,M3.5.0,M10.5.0/3`: the form of the
//! variable `TZ` in POSIX, with hours from -167 to 167. Of its three forms of days, the database uses only `M`.

use crate::go::time::{Time, days_in, midnight};

/// The offsets of standard time and of summer time.
pub(super) struct Rule {
    standard: i64,
    summer: Option<Summer>,
}

/// When the clocks have another offset each year.
struct Summer {
    offset: i64,
    start: Change,
    end: Change,
}

/// A day of the year, and the seconds after its midnight in the time before the change.
struct Change {
    month: i64,
    /// The last one of the month is the fifth.
    week: i64,
    /// From 0 for Sunday.
    weekday: i64,
    seconds: i64,
}

impl Rule {
    /// Parses a rule.
    pub(super) fn parse(text: &str) -> Option<Rule> {
        let (standard, rest) = offset(name(text)?)?;
        if rest.is_empty() {
            return Some(Rule { standard, summer: None });
        }
        let rest = name(rest)?;
        let (offset, rest) = if rest.starts_with(',') { (standard + 3600, rest) } else { offset(rest)? };
        let (start, end) = rest.strip_prefix(',')?.split_once(',')?;
        let summer = Summer { offset, start: Change::parse(start)?, end: Change::parse(end)? };
        Some(Rule { standard, summer: Some(summer) })
    }

    /// Returns the offset at a time, in seconds east of UTC.
    pub(super) fn offset(&self, seconds: i64) -> i64 {
        let Some(Summer { offset, start, end }) = &self.summer else { return self.standard };
        let year = Time { seconds, nanos: 0, offset: 0 }.civil(self.standard).year;
        let start = start.in_year(year) - self.standard;
        let end = end.in_year(year) - offset;
        let summer = match start < end {
            true => (start..end).contains(&seconds),
            // On the southern hemisphere, a year begins and ends in summer.
            false => !(end..start).contains(&seconds),
        };
        if summer { *offset } else { self.standard }
    }
}

impl Change {
    /// Parses a change, such as `M3.5.0/1`.
    fn parse(text: &str) -> Option<Change> {
        let (day, seconds) = match text.split_once('/') {
            None => (text, 2 * 3600),
            Some((day, time)) => match time_of_day(time)? {
                (seconds, "") => (day, seconds),
                _ => return None,
            },
        };
        let (month, rest) = day.strip_prefix('M')?.split_once('.')?;
        let (week, weekday) = rest.split_once('.')?;
        let number = |text: &str, low, high| text.parse().ok().filter(|n| (low..=high).contains(n));
        Some(Change {
            month: number(month, 1, 12)?,
            week: number(week, 1, 5)?,
            weekday: number(weekday, 0, 6)?,
            seconds,
        })
    }

    /// Returns when the clocks change in a year, as local seconds since 1970.
    fn in_year(&self, year: i64) -> i64 {
        let first = Time { seconds: midnight(year, self.month, 1), nanos: 0, offset: 0 }.civil(0).weekday;
        let mut day = 1 + (self.weekday - first).rem_euclid(7) + (self.week - 1) * 7;
        if day > days_in(year, self.month) {
            day -= 7;
        }
        midnight(year, self.month, day) + self.seconds
    }
}

/// Skips the abbreviation of a zone: letters, or anything between `<` and `>`.
fn name(text: &str) -> Option<&str> {
    match text.strip_prefix('<') {
        Some(rest) => Some(rest.split_once('>')?.1),
        None => Some(text.trim_start_matches(|c: char| c.is_ascii_alphabetic())).filter(|rest| *rest != text),
    }
}

/// Parses an offset, which is positive west of UTC, and returns it as positive east of UTC, with the rest of the text.
fn offset(text: &str) -> Option<(i64, &str)> {
    time_of_day(text).map(|(seconds, rest)| (-seconds, rest))
}

/// Parses `[+-]hours[:minutes[:seconds]]`, and returns it in seconds, with the rest of the text.
fn time_of_day(text: &str) -> Option<(i64, &str)> {
    let (sign, text) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let end = text.find(|c: char| !c.is_ascii_digit() && c != ':').unwrap_or(text.len());
    let (time, rest) = text.split_at(end);
    let mut seconds = 0;
    for (part, unit) in time.splitn(3, ':').zip([3600, 60, 1]) {
        seconds += i64::from(part.parse::<u16>().ok()?) * unit;
    }
    Some((sign * seconds, rest))
}
