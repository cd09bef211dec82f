//! Reads CBOR as the server reads objects without a type in Go.

use super::{SELF_DESCRIBED, major, number};
use crdgen_core::go;
use crdgen_core::go::time::Time;
use crdgen_core::value::{MAX_DEPTH, Map, Value};
use std::collections::HashSet;

/// Why bytes are not accepted, in the words of the server's library where it has such.
type Result<T> = std::result::Result<T, String>;

/// Reads a document.
///
/// # Errors
/// Fails if the bytes are not one item of CBOR, or if the item cannot be an object in JSON.
pub(crate) fn read(bytes: &[u8]) -> Result<Value> {
    let mut reader = Reader { rest: bytes };
    if bytes.starts_with(&SELF_DESCRIBED) {
        reader.rest = &bytes[SELF_DESCRIBED.len()..];
    }
    let value = reader.value(0)?;
    match reader.rest.len() {
        0 => Ok(value),
        more => {
            Err(format!("cbor: {more} bytes of extraneous data starting at index {}", bytes.len() - more))
        }
    }
}

struct Reader<'b> {
    rest: &'b [u8],
}

/// The length of an item.
#[derive(Clone, Copy)]
enum Length {
    Known(u64),
    /// The parts of the item follow, and then a mark.
    UntilBreak,
}

const BREAK: u8 = 0xff;

/// The text of bytes, by the tags of RFC 8949, section 3.4.5.2. `None` for other tags.
fn encoded(tag: u64, bytes: &[u8]) -> Option<String> {
    match tag {
        21 => Some(crate::base64::write(bytes)),
        22 => Some(go::base64_encode(bytes)),
        23 => Some(bytes.iter().map(|byte| format!("{byte:02x}")).collect()),
        _ => None,
    }
}

fn not_accepted(kind: &str, what: &str) -> String {
    format!("cbor: data item of cbor type {kind} is not accepted by protocol: {what}")
}

fn unexpected_end() -> String {
    "unexpected EOF".to_owned()
}

impl<'b> Reader<'b> {
    fn take(&mut self, length: u64) -> Result<&'b [u8]> {
        let length = usize::try_from(length).ok().filter(|length| *length <= self.rest.len());
        let (found, rest) = self.rest.split_at(length.ok_or_else(unexpected_end)?);
        self.rest = rest;
        Ok(found)
    }

    fn byte(&mut self) -> Result<u8> {
        self.take(1)?.first().copied().ok_or_else(unexpected_end)
    }

    /// A number of several bytes.
    fn number(&mut self, length: u64) -> Result<u64> {
        Ok(self.take(length)?.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    /// The number in the head of an item.
    fn argument(&mut self, first: u8) -> Result<u64> {
        match first & 0x1f {
            small @ 0..24 => Ok(small.into()),
            size @ 24..28 => self.number(1 << (size - 24)),
            size => {
                Err(format!("cbor: invalid additional information {size} for type {}", type_name(first >> 5)))
            }
        }
    }

    fn length(&mut self, first: u8) -> Result<Length> {
        if first & 0x1f == 31 { Ok(Length::UntilBreak) } else { self.argument(first).map(Length::Known) }
    }

    /// Whether an item of this length has another part after `count` ones.
    fn has_more(&mut self, length: Length, count: u64) -> Result<bool> {
        match length {
            Length::Known(length) => Ok(count < length),
            Length::UntilBreak => {
                let is_over = *self.rest.first().ok_or_else(unexpected_end)? == BREAK;
                if is_over {
                    self.byte()?;
                }
                Ok(!is_over)
            }
        }
    }

    fn value(&mut self, depth: usize) -> Result<Value> {
        if depth > MAX_DEPTH {
            return Err(format!("cbor: exceeded max nested level {MAX_DEPTH}"));
        }
        let first = self.byte()?;
        match first >> 5 {
            major::POSITIVE => {
                let number = self.argument(first)?;
                i64::try_from(number).map(Value::Int).map_err(|_| overflow("positive", &number.to_string()))
            }
            major::NEGATIVE => {
                let number = self.argument(first)?;
                let whole = || format!("-{}", u128::from(number) + 1);
                i64::try_from(number)
                    .map(|number| Value::Int(!number))
                    .map_err(|_| overflow("negative", &whole()))
            }
            major::BYTES | major::TEXT => self.text(first).map(Value::Str),
            major::LIST => {
                let length = self.length(first)?;
                let mut items = Vec::new();
                while self.has_more(length, items.len() as u64)? {
                    items.push(self.value(depth + 1)?);
                }
                Ok(Value::List(items))
            }
            major::MAP => self.map(first, depth),
            major::TAG => {
                let tag = self.argument(first)?;
                self.tagged(tag, depth)
            }
            _ => self.simple(first),
        }
    }

    fn map(&mut self, first: u8, depth: usize) -> Result<Value> {
        let length = self.length(first)?;
        let (mut members, mut names) = (Vec::new(), HashSet::new());
        while self.has_more(length, members.len() as u64)? {
            let first = self.byte()?;
            let name = match first >> 5 {
                major::BYTES | major::TEXT => self.text(first)?,
                other => {
                    return Err(format!(
                        "cbor: cannot unmarshal {} into Go value of type string",
                        type_name(other)
                    ));
                }
            };
            if !names.insert(name.clone()) {
                let (name, index) = (go::quote(&name), members.len());
                return Err(format!("cbor: found duplicate map key {name} at map element index {index}"));
            }
            members.push((name, self.value(depth + 1)?));
        }
        Ok(Value::Map(Map::sorted(members)))
    }

    /// The bytes of a text or of bytes, which may be in several parts.
    fn bytes(&mut self, first: u8) -> Result<Vec<u8>> {
        let length = match self.length(first)? {
            Length::Known(length) => return self.take(length).map(<[u8]>::to_vec),
            Length::UntilBreak => Length::UntilBreak,
        };
        let mut out = Vec::new();
        while self.has_more(length, 0)? {
            let part = self.byte()?;
            if part >> 5 != first >> 5 {
                let (part, whole) = (type_name(part >> 5), type_name(first >> 5));
                return Err(format!("cbor: wrong element type {part} for indefinite-length {whole}"));
            }
            let length = self.argument(part)?;
            out.extend(self.take(length)?);
        }
        Ok(out)
    }

    fn text(&mut self, first: u8) -> Result<String> {
        let bytes = self.bytes(first)?;
        match String::from_utf8(bytes) {
            Ok(text) => Ok(text),
            // Whoever reads the bytes as JSON gets the same.
            Err(why) if first >> 5 == major::BYTES => {
                Ok(String::from_utf8_lossy(why.as_bytes()).into_owned())
            }
            Err(_) => Err("cbor: invalid UTF-8 string".to_owned()),
        }
    }

    fn tagged(&mut self, tag: u64, depth: usize) -> Result<Value> {
        match tag {
            0 => match self.value(depth + 1)? {
                Value::Str(text) => match Time::parse(&text) {
                    Some(time) => Ok(time.rfc3339_nano().into()),
                    None => Err(format!("cbor: cannot set {text} for time.Time")),
                },
                _ => Err("cbor: tag number 0 must be followed by text string".to_owned()),
            },
            1 => match self.value(depth + 1)? {
                Value::Int(seconds) => in_years(seconds, 0),
                Value::Float(seconds) => {
                    let nanos = (seconds.fract() * 1e9).round() as i64;
                    let moment = i128::from(seconds.trunc() as i64) * 1_000_000_000 + i128::from(nanos);
                    let seconds = i64::try_from(moment.div_euclid(1_000_000_000)).unwrap_or(i64::MAX);
                    in_years(seconds, moment.rem_euclid(1_000_000_000) as u32)
                }
                _ => {
                    Err("cbor: tag number 1 must be followed by integer or floating-point number".to_owned())
                }
            },
            2 | 3 => Err(not_accepted("tag", "bignum")),
            _ => {
                // Such a tag changes the text of bytes, also behind other tags.
                match self.rest.first().map(|first| first >> 5) {
                    Some(major::BYTES) if (21..=23).contains(&tag) => {
                        let first = self.byte()?;
                        let bytes = self.bytes(first)?;
                        Ok(encoded(tag, &bytes).unwrap_or_default().into())
                    }
                    _ => self.value(depth + 1),
                }
            }
        }
    }

    fn simple(&mut self, first: u8) -> Result<Value> {
        let float = match first & 0x1f {
            20 => return Ok(Value::Bool(false)),
            21 => return Ok(Value::Bool(true)),
            22 => return Ok(Value::Null),
            25 => number::of_half(self.number(2)? as u16),
            26 => f32::from_bits(self.number(4)? as u32).into(),
            27 => f64::from_bits(self.number(8)?),
            28..=30 => {
                return Err(format!(
                    "cbor: invalid additional information {} for type primitives",
                    first & 0x1f
                ));
            }
            31 => return Err("cbor: unexpected \"break\" code".to_owned()),
            _ => {
                let number = self.argument(first)?;
                return Err(not_accepted("primitives", &format!("simple value {number} is not recognized")));
            }
        };
        if float.is_nan() {
            return Err(not_accepted("primitives", "floating-point NaN"));
        }
        if float.is_infinite() {
            return Err(not_accepted("primitives", "floating-point infinity"));
        }
        Ok(Value::Float(float))
    }
}

fn overflow(sign: &str, number: &str) -> String {
    format!(
        "cbor: cannot unmarshal {sign} integer into Go value of type int64 ({number} overflows Go's int64)"
    )
}

/// A moment as text. Years have four digits there.
fn in_years(seconds: i64, nanos: u32) -> Result<Value> {
    if !(-62_135_596_800..253_402_300_800).contains(&seconds) {
        return Err("cbor: cannot set a time outside of the years 1 to 9999".to_owned());
    }
    Ok(Time { seconds, nanos, offset: 0 }.rfc3339_nano().into())
}

fn type_name(major: u8) -> &'static str {
    match major {
        major::POSITIVE => "positive integer",
        major::NEGATIVE => "negative integer",
        major::BYTES => "byte string",
        major::TEXT => "UTF-8 text string",
        major::LIST => "array",
        major::MAP => "map",
        major::TAG => "tag",
        _ => "primitives",
    }
}
