//! The schedules of cron jobs, as the server's library reads them.

use crdgen_core::go;

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

/// What is wrong with a schedule.
pub(super) fn mistake(schedule: &str) -> Option<String> {
    if schedule.starts_with('@') {
        return descriptor(schedule);
    }
    let fields: Vec<&str> = schedule.split_whitespace().collect();
    if fields.len() != FIELDS.len() {
        return Some(format!("expected exactly 5 fields, found {}: [{}]", fields.len(), fields.join(" ")));
    }
    fields.into_iter().zip(&FIELDS).find_map(|(field, bounds)| {
        let parts = field.split(',').filter(|part| !part.is_empty());
        parts.map(|part| range(part, bounds)).find_map(Result::err)
    })
}

fn descriptor(text: &str) -> Option<String> {
    const KNOWN: [&str; 7] =
        ["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"];
    if let Some(every) = text.strip_prefix("@every ") {
        let is_right = go::duration(every).is_some();
        let why = || format!("failed to parse duration {text}: time: invalid duration {}", go::quote(every));
        return (!is_right).then(why);
    }
    (!KNOWN.contains(&text)).then(|| format!("unrecognized descriptor: {text}"))
}

fn range(text: &str, bounds: &Bounds) -> Result<(), String> {
    let parts: Vec<&str> = text.split('/').collect();
    let ends: Vec<&str> = parts[0].split('-').collect();
    let (start, mut end) = match ends[..] {
        ["*" | "?", ..] => (bounds.least, bounds.most),
        [one] => {
            let start = number_or_name(one, bounds)?;
            (start, start)
        }
        [start, end] => (number_or_name(start, bounds)?, number_or_name(end, bounds)?),
        _ => return Err(format!("too many hyphens: {text}")),
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
        _ => return Err(format!("too many slashes: {text}")),
    };
    let Bounds { least, most, .. } = bounds;
    if start < *least {
        return Err(format!("beginning of range ({start}) below minimum ({least}): {text}"));
    }
    if end > *most {
        return Err(format!("end of range ({end}) above maximum ({most}): {text}"));
    }
    if start > end {
        return Err(format!("beginning of range ({start}) beyond end of range ({end}): {text}"));
    }
    if step == 0 { Err(format!("step of range should be a positive number: {text}")) } else { Ok(()) }
}

fn number_or_name(text: &str, bounds: &Bounds) -> Result<u64, String> {
    let lower = text.to_lowercase();
    match bounds.names.iter().position(|name| *name == lower) {
        Some(place) => Ok(bounds.least + place as u64),
        None => number(text),
    }
}

fn number(text: &str) -> Result<u64, String> {
    let failed = |why: &str| {
        format!("failed to parse int from {text}: strconv.Atoi: parsing {}: {why}", go::quote(text))
    };
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(failed("invalid syntax"));
    }
    let number: i64 = text.parse().map_err(|_| failed("value out of range"))?;
    u64::try_from(number).map_err(|_| format!("negative number ({number}) not allowed: {text}"))
}

#[cfg(test)]
mod tests {
    use super::mistake;

    #[test]
    fn reads_what_the_library_reads() {
        for right in
            ["* * * * *", "*/5 0-23 1,15 JAN-dec ?", "@daily", "@every 1h", " 0  3 * * SUN ", "5/2 * * * *"]
        {
            assert_eq!(mistake(right), None, "{right}");
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
            assert_eq!(mistake(wrong).as_deref(), Some(why), "{wrong}");
        }
    }
}
