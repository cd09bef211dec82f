//! Numbers of different types, compared and converted without loss.

use std::cmp::Ordering;

/// A whole number that a double is.
pub(super) fn double_to_int(d: f64) -> Option<i64> {
    (d > i64::MIN as f64 && d < i64::MAX as f64 && d.fract() == 0.0).then_some(d as i64)
}

/// A whole number without sign that a double is.
pub(super) fn double_to_uint(d: f64) -> Option<u64> {
    (d >= 0.0 && d < u64::MAX as f64 && d.fract() == 0.0).then_some(d as u64)
}

/// How a double and an integer compare; NaN must be excluded before.
pub(super) fn double_int(d: f64, i: i64) -> Ordering {
    if d < i64::MIN as f64 {
        Ordering::Less
    } else if d > i64::MAX as f64 {
        Ordering::Greater
    } else {
        double_double(d, i as f64)
    }
}

/// The same for an integer without sign.
pub(super) fn double_uint(d: f64, u: u64) -> Ordering {
    if d < 0.0 {
        Ordering::Less
    } else if d > u64::MAX as f64 {
        Ordering::Greater
    } else {
        double_double(d, u as f64)
    }
}

/// How two doubles compare; NaN must be excluded before.
pub(super) fn double_double(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}

/// How integers with and without sign compare.
pub(super) fn int_uint(i: i64, u: u64) -> Ordering {
    u64::try_from(i).map_or(Ordering::Less, |i| i.cmp(&u))
}
