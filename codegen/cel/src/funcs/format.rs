//! `format`: formats text with arguments.

use crdgen_text::go::{number, quote};

use super::super::value::{Error, List, Map, Outcome, Text, Val, Work};
use super::Called;
use super::convert::to_string;

/// The number of digits after the point if the format has none.
const PRECISION: usize = 6;
/// The maximum number of digits. No float has more.
const MAX_PRECISION: usize = 1_000;

pub(crate) fn format<'a>(args: &[Val<'a>], work: &Work) -> Called<'a> {
    let [Val::Str(text), Val::List(list)] = args else { return None };
    Some(formatted(text, list, work))
}

fn formatted<'a>(text: &Text<'a>, list: &List<'a>, work: &Work) -> Outcome<'a> {
    work.bytes(text.len())?;
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest: &str = text;
    let mut used = 0;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(behind) = rest.strip_prefix('%') {
            out.push('%');
            rest = behind;
            continue;
        }
        if used >= list.len() {
            return Err(Error::new(format!("index {used} out of range")));
        }
        if rest.is_empty() {
            return Err(Error::fixed("unexpected end of string"));
        }
        let value = list.at(used)?;
        used += 1;
        let failed = |why: &str, e: Error| match e.is_fatal() {
            true => e,
            false => Error::new(format!("{why}: {e}")),
        };
        let (clause, precision, behind) =
            clause(rest).map_err(|e| failed("could not parse formatting clause", e))?;
        rest = behind;
        let written =
            write(clause, precision, &value, work).map_err(|e| failed("error during formatting", e))?;
        work.bytes(written.len())?;
        out.push_str(&written);
    }
    out.push_str(rest);
    Ok(Val::text(out))
}

fn clause(text: &str) -> Result<(u8, Option<usize>, &str), Error> {
    let (mut rest, mut precision) = (text, None);
    if let Some(digits) = text.strip_prefix('.') {
        let end = digits.bytes().position(|b| !b.is_ascii_digit());
        let end = end.ok_or(Error::fixed(
            "error while parsing precision: could not find end of precision specifier",
        ))?;
        let (number, behind) = digits.split_at(end);
        rest = behind;
        precision = Some(number.parse::<i64>().map_err(|_| {
            let why = if number.is_empty() { "invalid syntax" } else { "value out of range" };
            Error::new(format!(
                "error while parsing precision: error while converting precision to integer: \
                 strconv.Atoi: parsing \"{number}\": {why}"
            ))
        })?);
    }
    match rest.as_bytes().first() {
        Some(letter @ (b's' | b'd' | b'f' | b'e' | b'b' | b'x' | b'X' | b'o')) => {
            let precision =
                precision.map(|p| usize::try_from(p).map_or(MAX_PRECISION, |p| p.min(MAX_PRECISION)));
            Ok((*letter, precision, &rest[1..]))
        }
        Some(byte) => Err(Error::new(format!("unrecognized formatting clause \"{}\"", *byte as char))),
        None => Err(Error::new("unrecognized formatting clause \"\"")),
    }
}

fn write(clause: u8, precision: Option<usize>, value: &Val<'_>, work: &Work) -> Result<String, Error> {
    let given = |wants: &str| Err(Error::new(format!("{wants}, was given {}", value.type_name())));
    let precision = precision.unwrap_or(PRECISION);
    match (clause, value) {
        (b's', _) => text(value, work),
        (b'd', Val::Int(i)) => Ok(i.to_string()),
        (b'd', Val::Uint(u)) => Ok(u.to_string()),
        (b'd', _) => given("decimal clause can only be used on integers"),
        (b'f' | b'e', _) => {
            let float = match value {
                Val::Double(d) => Some(*d),
                Val::Str(s) => match &**s {
                    "NaN" => Some(f64::NAN),
                    "Infinity" => Some(f64::INFINITY),
                    "-Infinity" => Some(f64::NEG_INFINITY),
                    _ => None,
                },
                _ => None,
            };
            match float {
                Some(f) => Ok(localized(f, precision, clause == b'e')),
                None if clause == b'f' => given("fixed-point clause can only be used on doubles"),
                None => given("scientific clause can only be used on doubles"),
            }
        }
        (b'b', Val::Int(i)) => Ok(signed(*i, |u| format!("{u:b}"))),
        (b'b', Val::Uint(u)) => Ok(format!("{u:b}")),
        (b'b', Val::Bool(b)) => Ok(u8::from(*b).to_string()),
        (b'b', _) => given("only integers and bools can be formatted as binary"),
        (b'o', Val::Int(i)) => Ok(signed(*i, |u| format!("{u:o}"))),
        (b'o', Val::Uint(u)) => Ok(format!("{u:o}")),
        (b'o', _) => given("octal clause can only be used on integers"),
        (_, Val::Int(i)) => Ok(hex(signed(*i, |u| format!("{u:x}")), clause)),
        (_, Val::Uint(u)) => Ok(hex(format!("{u:x}"), clause)),
        (_, Val::Str(s)) => Ok(hex(hex_digits(s.as_bytes(), work)?, clause)),
        (_, Val::Bytes(b)) => Ok(hex(hex_digits(b, work)?, clause)),
        (_, _) => given("only integers, byte buffers, and strings can be formatted as hex"),
    }
}

fn signed(i: i64, digits: impl Fn(u64) -> String) -> String {
    let sign = if i < 0 { "-" } else { "" };
    format!("{sign}{}", digits(i.unsigned_abs()))
}

fn hex_digits(bytes: &[u8], work: &Work) -> Result<String, Error> {
    work.bytes(bytes.len().saturating_mul(2))?;
    Ok(bytes.iter().map(|b| format!("{b:02x}")).collect())
}

fn hex(digits: String, clause: u8) -> String {
    if clause == b'X' { digits.to_uppercase() } else { digits }
}

/// `%s`
fn text(value: &Val<'_>, work: &Work) -> Result<String, Error> {
    match value {
        Val::List(list) => {
            let mut out = "[".to_owned();
            for (i, item) in list.iter().enumerate() {
                let item = element(&item?, work)?;
                work.bytes(item.len() + 2)?;
                out.push_str(if i > 0 { ", " } else { "" });
                out.push_str(&item);
            }
            Ok(out + "]")
        }
        Val::Map(map) => map_text(map, work),
        Val::Null
        | Val::Bool(_)
        | Val::Int(_)
        | Val::Uint(_)
        | Val::Double(_)
        | Val::Str(_)
        | Val::Bytes(_)
        | Val::Duration(_)
        | Val::Timestamp(_)
        | Val::Type(_) => convert(to_string(value, work), value, work),
        Val::Optional(_) | Val::Opaque(_) | Val::Preserved(_) => Err(Error::new(format!(
            "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, \
             and timestamps, was given {}",
            value.type_name()
        ))),
    }
}

fn convert(converted: Outcome<'_>, value: &Val<'_>, work: &Work) -> Result<String, Error> {
    match converted {
        Ok(Val::Str(s)) => work.bytes(s.len()).map(|()| s.to_string()),
        Ok(_) => {
            let shown = work.show(value)?;
            Err(Error::new(format!("could not convert argument {} to string", quote(&shown))))
        }
        Err(e) if e.is_fatal() => Err(e),
        Err(e) => Err(Error::new(format!("could not convert argument {} to string", quote(e.text())))),
    }
}

/// An element of a list or map: text in quotes, and floats with six digits.
fn element(value: &Val<'_>, work: &Work) -> Result<String, Error> {
    match value {
        Val::Str(s) => work.bytes(s.len()).map(|()| quote(s)),
        Val::Bytes(_) => Ok(format!("b{}", quote(&text(value, work)?))),
        Val::Double(d) if d.is_finite() => Ok(format!("{d:.PRECISION$}")),
        Val::Double(d) => Ok(quote(&number::format_g(*d))),
        Val::Timestamp(_) => Ok(format!("timestamp({})", quote(&text(value, work)?))),
        Val::Duration(_) => Ok(format!("duration({})", quote(&text(value, work)?))),
        Val::Null | Val::Bool(_) | Val::Int(_) | Val::Uint(_) | Val::List(_) | Val::Map(_) | Val::Type(_) => {
            text(value, work)
        }
        Val::Optional(_) | Val::Opaque(_) | Val::Preserved(_) => {
            Err(Error::new(format!("no formatting function for {}", value.type_name())))
        }
    }
}

fn map_text(map: &Map<'_>, work: &Work) -> Result<String, Error> {
    let mut entries = Vec::with_capacity(map.len());
    for (key, value) in map.entries() {
        let key = match &key {
            Val::Str(s) => work.bytes(s.len()).map(|()| quote(s))?,
            Val::Bool(_) | Val::Int(_) | Val::Uint(_) => text(&key, work)?,
            other => {
                return Err(Error::new(format!(
                    "no formatting function for map key of type {}",
                    other.type_name()
                )));
            }
        };
        let value = element(&value?, work)?;
        entries.push((key, value));
    }
    entries.sort();
    work.bytes(entries.iter().map(|(k, v)| k.len() + v.len() + 3).sum())?;
    let entries: Vec<_> = entries.into_iter().map(|(k, v)| format!("{k}:{v}")).collect();
    Ok(format!("{{{}}}", entries.join(", ")))
}

/// A float in English notation: with thousands separators, and with powers of ten written out. Powers of ten always
/// have six digits, because the server uses their precision as a width.
fn localized(f: f64, precision: usize, scientific: bool) -> String {
    let text = match () {
        () if f.is_nan() => "NaN".to_owned(),
        () if f.is_infinite() => "∞".to_owned(),
        () if scientific => power_of_ten(f.abs()),
        () => thousands(&format!("{:.precision$}", f.abs())),
    };
    let sign = if f < 0.0 { "-" } else { "" };
    let width = if scientific { precision } else { 0 };
    format!("{:>width$}", format!("{sign}{text}"))
}

fn power_of_ten(f: f64) -> String {
    let written = format!("{f:.PRECISION$e}");
    let (mantissa, exponent) = written.split_once('e').unwrap_or((&written, "0"));
    let (minus, digits) = exponent.strip_prefix('-').map_or(("", exponent), |d| ("⁻", d));
    let power: String = format!("{digits:0>2}").chars().map(superscript).collect();
    format!("{mantissa}×10{minus}{power}")
}

fn thousands(written: &str) -> String {
    let whole = written.find('.').unwrap_or(written.len());
    let mut out = String::with_capacity(written.len() + whole / 3);
    for (i, digit) in written[..whole].chars().enumerate() {
        if i > 0 && (whole - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out + &written[whole..]
}

fn superscript(digit: char) -> char {
    match digit {
        '0' => '⁰',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        _ => '⁹',
    }
}
