//! Conversions between types.

use crdgen_text::go::number;
use crdgen_text::go::time::Time;
use crdgen_text::go::{self, duration};

use super::super::value::{Error, Opaque, Outcome, Val, Work};

fn wrong<'a>(value: &Val<'a>, to: &str) -> Outcome<'a> {
    Err(Error::new(format!("type conversion error from '{}' to '{to}'", value.type_name())))
}

pub(crate) const INT_OVERFLOW: Error = Error::fixed("integer overflow");
pub(crate) const UINT_OVERFLOW: Error = Error::fixed("unsigned integer overflow");
/// The error for a time before year 1 or after year 9999.
pub(crate) const TIMESTAMP_OVERFLOW: Error = Error::fixed("timestamp overflow");

pub(crate) fn to_bool<'a>(value: &Val<'a>) -> Outcome<'a> {
    match value {
        Val::Str(s) => number::parse_bool(s).map_or_else(|| wrong(value, "bool"), |b| Ok(Val::Bool(b))),
        _ => wrong(value, "bool"),
    }
}

pub(crate) fn to_bytes<'a>(value: &Val<'a>, work: &Work) -> Outcome<'a> {
    match value {
        Val::Str(s) => work.bytes(s.len()).map(|()| Val::Bytes(s.as_bytes().into())),
        _ => wrong(value, "bytes"),
    }
}

pub(crate) fn to_double<'a>(value: &Val<'a>) -> Outcome<'a> {
    match value {
        Val::Int(i) => Ok(Val::Double(*i as f64)),
        Val::Uint(u) => Ok(Val::Double(*u as f64)),
        Val::Str(s) => number::parse_float(s).map_or_else(|| wrong(value, "double"), |d| Ok(Val::Double(d))),
        _ => wrong(value, "double"),
    }
}

pub(crate) fn to_duration<'a>(value: &Val<'a>) -> Outcome<'a> {
    let name = "google.protobuf.Duration";
    match value {
        Val::Str(s) => go::duration(s).map_or_else(|| wrong(value, name), |d| Ok(Val::Duration(d))),
        _ => wrong(value, name),
    }
}

pub(crate) fn to_int<'a>(value: &Val<'a>) -> Outcome<'a> {
    match value {
        Val::Double(d) if *d > i64::MIN as f64 && *d < i64::MAX as f64 => Ok(Val::Int(*d as i64)),
        Val::Double(_) => Err(INT_OVERFLOW),
        Val::Uint(u) => i64::try_from(*u).map(Val::Int).map_err(|_| INT_OVERFLOW),
        Val::Duration(d) => Ok(Val::Int(*d)),
        Val::Timestamp(t) => Ok(Val::Int(t.seconds)),
        Val::Str(s) => number::parse_int(s).map_or_else(|| wrong(value, "int"), |i| Ok(Val::Int(i))),
        _ => wrong(value, "int"),
    }
}

pub(crate) fn to_uint<'a>(value: &Val<'a>) -> Outcome<'a> {
    match value {
        Val::Double(d) if *d >= 0.0 && *d < u64::MAX as f64 => Ok(Val::Uint(*d as u64)),
        Val::Double(_) => Err(UINT_OVERFLOW),
        Val::Int(i) => u64::try_from(*i).map(Val::Uint).map_err(|_| UINT_OVERFLOW),
        Val::Str(s) => number::parse_uint(s).map_or_else(|| wrong(value, "uint"), |u| Ok(Val::Uint(u))),
        _ => wrong(value, "uint"),
    }
}

/// The text of a value, as `string()` and `%s` return it.
pub(crate) fn to_string<'a>(value: &Val<'a>, work: &Work) -> Outcome<'a> {
    Ok(Val::text(match value {
        Val::Str(_) => return Ok(value.clone()),
        Val::Null => "null".to_owned(),
        Val::Bool(b) => b.to_string(),
        Val::Int(i) => i.to_string(),
        Val::Uint(u) => u.to_string(),
        Val::Double(d) => number::format_g(*d),
        Val::Bytes(b) => match std::str::from_utf8(b) {
            Ok(s) => {
                work.bytes(s.len())?;
                s.to_owned()
            }
            Err(_) => return Err(Error::fixed("invalid UTF-8 in bytes, cannot convert to string")),
        },
        Val::Duration(d) => number::format_f(duration::seconds(*d)) + "s",
        Val::Timestamp(t) => t.rfc3339_nano(),
        Val::Type(name) => name.to_string(),
        Val::Opaque(Opaque::Ip(ip)) => ip.to_string(),
        Val::Opaque(Opaque::Cidr(prefix)) => prefix.to_string(),
        Val::List(_) | Val::Map(_) | Val::Optional(_) | Val::Opaque(_) | Val::Preserved(_) => {
            return wrong(value, "string");
        }
    }))
}

pub(crate) fn to_timestamp<'a>(value: &Val<'a>) -> Outcome<'a> {
    let name = "google.protobuf.Timestamp";
    let time = match value {
        Val::Int(seconds) => Time { seconds: *seconds, nanos: 0, offset: 0 },
        Val::Str(s) => match Time::parse(s) {
            Some(time) => time,
            None => return wrong(value, name),
        },
        _ => return wrong(value, name),
    };
    in_range(time)
}

/// A time as a value, if it is between the years 1 and 9999.
pub(crate) fn in_range<'a>(time: Time) -> Outcome<'a> {
    let range = -62_135_596_800..=253_402_300_799;
    if range.contains(&time.seconds) { Ok(Val::Timestamp(time)) } else { Err(TIMESTAMP_OVERFLOW) }
}

pub(crate) fn to_type<'a>(value: &Val<'a>) -> Outcome<'a> {
    match value {
        Val::Preserved(_) => Err(Error::fixed(
            "type conversion to 'type' not supported for values preserved by x-kubernetes-preserve-unknown-fields",
        )),
        _ => Ok(Val::Type(value.type_name().into())),
    }
}
