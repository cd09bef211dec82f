//! Arithmetic and comparison of values.

use std::cmp::Ordering;

use crate::value::{Error, Outcome, Text, Val, Work};
use crdgen_text::go::time::Time;

const INT: Error = Error::fixed("integer overflow");
const UINT: Error = Error::fixed("unsigned integer overflow");
const DIVISION: Error = Error::fixed("division by zero");
const MODULUS: Error = Error::fixed("modulus by zero");

/// The error for a left operand that does not support the operator. The message has no function name for types with
/// methods.
pub(crate) fn missing(left: &Val<'_>, function: &str) -> Error {
    if matches!(left, Val::Str(_) | Val::Duration(_) | Val::Timestamp(_)) {
        return Error::NO_OVERLOAD;
    }
    Error::no_overload_of(function)
}

/// The same, also if the left operand supports the operator with other operands. The message has no function name then.
fn missing_for(left: &Val<'_>, function: &str, supports_others: bool) -> Error {
    if supports_others { Error::NO_OVERLOAD } else { missing(left, function) }
}

pub(crate) fn negate<'a>(a: &Val<'a>) -> Outcome<'a> {
    match a {
        Val::Int(i) => i.checked_neg().map(Val::Int).ok_or(INT),
        Val::Double(d) => Ok(Val::Double(-d)),
        Val::Duration(d) => d.checked_neg().map(Val::Duration).ok_or(INT),
        _ => Err(missing_for(a, "-_", matches!(a, Val::Bool(_)))),
    }
}

pub(crate) fn order<'a>(a: &Val<'a>, b: &Val<'a>, function: &str) -> Result<Ordering, Error> {
    match a {
        Val::Bool(_)
        | Val::Int(_)
        | Val::Uint(_)
        | Val::Double(_)
        | Val::Str(_)
        | Val::Bytes(_)
        | Val::Duration(_)
        | Val::Timestamp(_) => a.compare(b),
        Val::Null
        | Val::List(_)
        | Val::Map(_)
        | Val::Optional(_)
        | Val::Type(_)
        | Val::Opaque(_)
        | Val::Preserved(_) => Err(missing(a, function)),
    }
}

/// `a + b`
pub(crate) fn add<'a>(a: &Val<'a>, b: &Val<'a>, work: &Work) -> Outcome<'a> {
    match (a, b) {
        (Val::Int(a), Val::Int(b)) => a.checked_add(*b).map(Val::Int).ok_or(INT),
        (Val::Uint(a), Val::Uint(b)) => a.checked_add(*b).map(Val::Uint).ok_or(UINT),
        (Val::Double(a), Val::Double(b)) => Ok(Val::Double(a + b)),
        (Val::Str(a), Val::Str(b)) => {
            work.bytes(a.len() + b.len())?;
            let mut out = String::with_capacity(a.len() + b.len());
            out.push_str(a);
            out.push_str(b);
            Ok(Val::Str(Text::from(out)))
        }
        (Val::Bytes(a), Val::Bytes(b)) => {
            work.bytes(a.len() + b.len())?;
            Ok(Val::Bytes([&a[..], &b[..]].concat().into()))
        }
        (Val::List(a), Val::List(b)) => a.concat(b, work),
        (Val::Duration(a), Val::Duration(b)) => a.checked_add(*b).map(Val::Duration).ok_or(INT),
        (Val::Duration(d), Val::Timestamp(t)) | (Val::Timestamp(t), Val::Duration(d)) => shift(t, *d),
        _ => {
            let knows =
                matches!(a, Val::Int(_) | Val::Uint(_) | Val::Double(_) | Val::Bytes(_) | Val::List(_));
            Err(missing_for(a, "_+_", knows))
        }
    }
}

fn shift<'a>(t: &Time, nanos: i64) -> Outcome<'a> {
    let total = i128::from(t.seconds) * 1_000_000_000 + i128::from(t.nanos) + i128::from(nanos);
    let seconds = i64::try_from(total.div_euclid(1_000_000_000)).map_err(|_| INT)?;
    super::in_range(Time { seconds, nanos: total.rem_euclid(1_000_000_000) as u32, offset: t.offset })
}

pub(crate) fn subtract<'a>(a: &Val<'a>, b: &Val<'a>) -> Outcome<'a> {
    match (a, b) {
        (Val::Int(a), Val::Int(b)) => a.checked_sub(*b).map(Val::Int).ok_or(INT),
        (Val::Uint(a), Val::Uint(b)) => a.checked_sub(*b).map(Val::Uint).ok_or(UINT),
        (Val::Double(a), Val::Double(b)) => Ok(Val::Double(a - b)),
        (Val::Duration(a), Val::Duration(b)) => a.checked_sub(*b).map(Val::Duration).ok_or(INT),
        (Val::Timestamp(t), Val::Duration(d)) => shift(t, d.checked_neg().ok_or(INT)?),
        (Val::Timestamp(a), Val::Timestamp(b)) => {
            let seconds = a.seconds.checked_sub(b.seconds).and_then(|s| s.checked_mul(1_000_000_000));
            let nanos = i64::from(a.nanos) - i64::from(b.nanos);
            seconds.and_then(|s| s.checked_add(nanos)).map(Val::Duration).ok_or(INT)
        }
        _ => Err(missing_for(a, "_-_", matches!(a, Val::Int(_) | Val::Uint(_) | Val::Double(_)))),
    }
}

pub(crate) fn multiply<'a>(a: &Val<'a>, b: &Val<'a>) -> Outcome<'a> {
    match (a, b) {
        (Val::Int(a), Val::Int(b)) => a.checked_mul(*b).map(Val::Int).ok_or(INT),
        (Val::Uint(a), Val::Uint(b)) => a.checked_mul(*b).map(Val::Uint).ok_or(UINT),
        (Val::Double(a), Val::Double(b)) => Ok(Val::Double(a * b)),
        _ => Err(missing_for(a, "_*_", matches!(a, Val::Int(_) | Val::Uint(_) | Val::Double(_)))),
    }
}

pub(crate) fn divide<'a>(a: &Val<'a>, b: &Val<'a>) -> Outcome<'a> {
    match (a, b) {
        (Val::Int(_), Val::Int(0)) | (Val::Uint(_), Val::Uint(0)) => Err(DIVISION),
        (Val::Int(a), Val::Int(b)) => a.checked_div(*b).map(Val::Int).ok_or(INT),
        (Val::Uint(a), Val::Uint(b)) => Ok(Val::Uint(a / b)),
        (Val::Double(a), Val::Double(b)) => Ok(Val::Double(a / b)),
        _ => Err(missing_for(a, "_/_", matches!(a, Val::Int(_) | Val::Uint(_) | Val::Double(_)))),
    }
}

pub(crate) fn modulo<'a>(a: &Val<'a>, b: &Val<'a>) -> Outcome<'a> {
    match (a, b) {
        (Val::Int(_), Val::Int(0)) | (Val::Uint(_), Val::Uint(0)) => Err(MODULUS),
        (Val::Int(a), Val::Int(b)) => a.checked_rem(*b).map(Val::Int).ok_or(INT),
        (Val::Uint(a), Val::Uint(b)) => Ok(Val::Uint(a % b)),
        _ => Err(missing_for(a, "_%_", matches!(a, Val::Int(_) | Val::Uint(_)))),
    }
}
