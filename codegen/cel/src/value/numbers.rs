//! Numbers of different types, compared and converted without loss.

use std::cmp::Ordering;

/// A double as an integer, if it is one.
pub(super) fn double_to_int(d: f64) -> Option<i64> {
    (d > i64::MIN as f64 && d < i64::MAX as f64 && d.fract() == 0.0).then_some(d as i64)
}

/// A double as an unsigned integer, if it is one.
pub(super) fn double_to_uint(d: f64) -> Option<u64> {
    (d >= 0.0 && d < u64::MAX as f64 && d.fract() == 0.0).then_some(d as u64)
}

/// Compares a double and an integer. NaN must be excluded before.
pub(super) fn double_int(d: f64, i: i64) -> Ordering {
    if d < i64::MIN as f64 {
        Ordering::Less
    } else if d > i64::MAX as f64 {
        Ordering::Greater
    } else {
        double_double(d, i as f64)
    }
}

/// The same for an unsigned integer.
pub(super) fn double_uint(d: f64, u: u64) -> Ordering {
    if d < 0.0 {
        Ordering::Less
    } else if d > u64::MAX as f64 {
        Ordering::Greater
    } else {
        double_double(d, u as f64)
    }
}

/// Compares two doubles. NaN must be excluded before.
pub(super) fn double_double(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}

/// Compares a signed and an unsigned integer.
pub(super) fn int_uint(i: i64, u: u64) -> Ordering {
    u64::try_from(i).map_or(Ordering::Less, |i| i.cmp(&u))
}
