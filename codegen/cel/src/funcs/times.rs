//! The parts of times and durations.

use crdgen_text::go::time::{Civil, Time};
use crdgen_text::go::zones;

use super::super::value::{Error, Val};
use super::Called;

/// A part of a time, in UTC or in the time zone of the second argument.
pub(crate) fn get<'a>(args: &[Val<'a>], part: impl Fn(Civil, i64) -> i64) -> Called<'a> {
    let Val::Timestamp(time) = args.first()? else { return None };
    let offset = match args.get(1) {
        None => Ok(0),
        Some(Val::Str(zone)) => offset(zone, time),
        Some(_) => return None,
    };
    Some(offset.map(|offset| Val::Int(part(time.civil(offset), time.nanos.into()))))
}

/// The offset of a time zone from UTC: `Europe/Berlin`, `-08:00`.
fn offset(zone: &str, time: &Time) -> Result<i64, Error> {
    let Some((hours, minutes)) = zone.split_once(':') else {
        return zones::offset(zone, time.seconds).map_err(Error::new);
    };
    let number = |text: &str| match text.parse::<i64>() {
        Ok(n) => Ok(n),
        Err(e) => {
            let range =
                matches!(e.kind(), std::num::IntErrorKind::PosOverflow | std::num::IntErrorKind::NegOverflow);
            let why = if range { "value out of range" } else { "invalid syntax" };
            Err(Error::new(format!("strconv.Atoi: parsing {}: {why}", crdgen_text::go::quote(text))))
        }
    };
    let (hours, minutes) = (number(hours)?, number(minutes)?);
    let minutes = if zone.starts_with('-') { -minutes } else { minutes };
    let total = hours.wrapping_mul(60).wrapping_add(minutes).wrapping_mul(60);
    // Offsets that no real zone has are clamped, where Go's arithmetic would wrap.
    Ok(total.clamp(-(1 << 31), 1 << 31))
}

/// A duration in a unit, rounded towards zero.
pub(crate) fn duration<'a>(args: &[Val<'a>], unit: i64) -> Called<'a> {
    if let [Val::Duration(d)] = args { Some(Ok(Val::Int(d / unit))) } else { None }
}
