//! The schedules of cron jobs, as the server's library reads them.

use crdgen_core::go;
use std::fmt;

/// A field of a schedule: its least and its greatest number, and its names, which begin at the least number.
struct Bounds {
    least: u64,
    most: u64,
    names: &'static [&'static str],
}

const FIELDS: [Bounds; 5] = [
    Bounds { least: 0, most: 59, names: &[] },
    Bounds { least: 0, most: 23, names: &[] },
    Bounds { least: 1, most: 31, names: &[] },
    Bounds {
        least: 1,
        most: 12,
        names: &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
    },
    Bounds { least: 0, most: 6, names: &["sun", "mon", "tue", "wed", "thu", "fri", "sat"] },
];

/// What is wrong with a schedule. It borrows the part that is wrong.
#[derive(Debug, PartialEq)]
pub(super) enum BadSchedule<'s> {
    /// Another number of fields.
    Fields(Vec<&'s str>),
    /// `@every` without a duration.
    Every(&'s str),
    Descriptor(&'s str),
    /// More than one `-`.
    Hyphens(&'s str),
    /// More than one `/`.
    Slashes(&'s str),
    Below(u64, u64, &'s str),
    Above(u64, u64, &'s str),
    Beyond(u64, u64, &'s str),
    NoStep(&'s str),
    NoNumber(&'s str),
    TooLong(&'s str),
    Negative(i64, &'s str),
    /// A time zone that is not known, and Go's reason.
    Zone(&'s str, String),
    /// A time zone and nothing else.
    OnlyZone,
}

impl fmt::Display for BadSchedule<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let no_number = |f: &mut fmt::Formatter<'_>, text: &str, why: &str| {
            write!(f, "failed to parse int from {text}: strconv.Atoi: parsing {}: {why}", go::quote(text))
        };
        match self {
            BadSchedule::Fields(all) => {
                write!(f, "expected exactly 5 fields, found {}: [{}]", all.len(), all.join(" "))
            }
            BadSchedule::Every(every) => {
                let quoted = go::quote(every);
                write!(f, "failed to parse duration {EVERY}{every}: time: invalid duration {quoted}")
            }
            BadSchedule::Descriptor(text) => write!(f, "unrecognized descriptor: {text}"),
            BadSchedule::Hyphens(text) => write!(f, "too many hyphens: {text}"),
            BadSchedule::Slashes(text) => write!(f, "too many slashes: {text}"),
            BadSchedule::Below(start, least, text) => {
                write!(f, "beginning of range ({start}) below minimum ({least}): {text}")
            }
            BadSchedule::Above(end, most, text) => {
                write!(f, "end of range ({end}) above maximum ({most}): {text}")
            }
            BadSchedule::Beyond(start, end, text) => {
                write!(f, "beginning of range ({start}) beyond end of range ({end}): {text}")
            }
            BadSchedule::NoStep(text) => write!(f, "step of range should be a positive number: {text}"),
            BadSchedule::NoNumber(text) => no_number(f, text, "invalid syntax"),
            BadSchedule::TooLong(text) => no_number(f, text, "value out of range"),
            BadSchedule::Negative(number, text) => {
                write!(f, "negative number ({number}) not allowed: {text}")
            }
            BadSchedule::Zone(zone, why) => write!(f, "provided bad location {zone}: {why}"),
            // The library panics.
            BadSchedule::OnlyZone => {
                f.write_str("invalid schedule format: runtime error: slice bounds out of range [:-1]")
            }
        }
    }
}

const EVERY: &str = "@every ";

/// Checks a schedule.
///
/// # Errors
/// Fails with the first mistake.
pub(super) fn check(schedule: &str) -> Result<(), BadSchedule<'_>> {
    let schedule = match schedule.strip_prefix("TZ=").or_else(|| schedule.strip_prefix("CRON_TZ=")) {
        None => schedule,
        Some(rest) => {
            let (zone, rest) = rest.split_once(' ').ok_or(BadSchedule::OnlyZone)?;
            go::zones::offset(zone, 0).map_err(|why| BadSchedule::Zone(zone, why.to_string()))?;
            rest.trim()
        }
    };
    if schedule.starts_with('@') {
        return descriptor(schedule);
    }
    let fields: Vec<&str> = schedule.split_whitespace().collect();
    if fields.len() != FIELDS.len() {
        return Err(BadSchedule::Fields(fields));
    }
    fields.into_iter().zip(&FIELDS).try_for_each(|(field, bounds)| {
        let mut parts = field.split(',').filter(|part| !part.is_empty());
        parts.try_for_each(|part| range(part, bounds))
    })
}

fn descriptor(text: &str) -> Result<(), BadSchedule<'_>> {
    const KNOWN: [&str; 7] =
        ["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"];
    match text.strip_prefix(EVERY) {
        Some(every) => go::duration(every).map(drop).ok_or(BadSchedule::Every(every)),
        None if KNOWN.contains(&text) => Ok(()),
        None => Err(BadSchedule::Descriptor(text)),
    }
}

fn range<'s>(text: &'s str, bounds: &Bounds) -> Result<(), BadSchedule<'s>> {
    let parts: Vec<&str> = text.split('/').collect();
    let ends: Vec<&str> = parts[0].split('-').collect();
    let (start, mut end) = match ends[..] {
        ["*" | "?", ..] => (bounds.least, bounds.most),
        [one] => {
            let start = number_or_name(one, bounds)?;
            (start, start)
        }
        [start, end] => (number_or_name(start, bounds)?, number_or_name(end, bounds)?),
        _ => return Err(BadSchedule::Hyphens(text)),
    };
    let step = match parts[..] {
        [_] => 1,
        [_, step] => {
            // One number with a step goes on to the end.
            if ends.len() == 1 {
                end = bounds.most;
            }
            number(step)?
        }
        _ => return Err(BadSchedule::Slashes(text)),
    };
    let Bounds { least, most, .. } = *bounds;
    if start < least {
        return Err(BadSchedule::Below(start, least, text));
    }
    if end > most {
        return Err(BadSchedule::Above(end, most, text));
    }
    if start > end {
        return Err(BadSchedule::Beyond(start, end, text));
    }
    if step == 0 { Err(BadSchedule::NoStep(text)) } else { Ok(()) }
}

fn number_or_name<'s>(text: &'s str, bounds: &Bounds) -> Result<u64, BadSchedule<'s>> {
    let lower = text.to_lowercase();
    match bounds.names.iter().position(|name| *name == lower) {
        Some(place) => Ok(bounds.least + place as u64),
        None => number(text),
    }
}

fn number(text: &str) -> Result<u64, BadSchedule<'_>> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(BadSchedule::NoNumber(text));
    }
    let number: i64 = text.parse().map_err(|_| BadSchedule::TooLong(text))?;
    u64::try_from(number).map_err(|_| BadSchedule::Negative(number, text))
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn reads_what_the_library_reads() {
        for right in
            ["* * * * *", "*/5 0-23 1,15 JAN-dec ?", "@daily", "@every 1h", " 0  3 * * SUN ", "5/2 * * * *"]
        {
            assert_eq!(check(right), Ok(()), "{right}");
        }
        for (wrong, why) in [
            ("* * * *", "expected exactly 5 fields, found 4: [* * * *]"),
            ("61 * * * *", "end of range (61) above maximum (59): 61"),
            ("* * 0 * *", "beginning of range (0) below minimum (1): 0"),
            ("5-3 * * * *", "beginning of range (5) beyond end of range (3): 5-3"),
            ("1-2-3 * * * *", "too many hyphens: 1-2-3"),
            ("1/2/3 * * * *", "too many slashes: 1/2/3"),
            ("-1 * * * *", "failed to parse int from : strconv.Atoi: parsing \"\": invalid syntax"),
            ("@never", "unrecognized descriptor: @never"),
        ] {
            let mistake = check(wrong).err().map(|it| it.to_string());
            assert_eq!(mistake.as_deref(), Some(why), "{wrong}");
        }
    }
}
