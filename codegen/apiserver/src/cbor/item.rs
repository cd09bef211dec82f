//! What is read of items: their bytes, and values without parts.

use super::head::{Head, Input, not_accepted};
use super::{Problem, major, scan};
use crdgen_core::go;
use crdgen_core::value::Value;
use std::borrow::Cow;

/// The text that bytes become, by the tags of RFC 8949, section 3.4.5.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Later {
    Base64Url,
    Base64,
    Base16,
}

impl Later {
    pub(super) fn of_tag(tag: u64) -> Option<Later> {
        match tag {
            21 => Some(Later::Base64Url),
            22 => Some(Later::Base64),
            23 => Some(Later::Base16),
            _ => None,
        }
    }

    pub(super) fn text(self, bytes: &[u8]) -> String {
        match self {
            Later::Base64Url => go::base64_raw_url_encode(bytes),
            Later::Base64 => go::base64_encode(bytes),
            Later::Base16 => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
        }
    }
}

pub(super) fn wrong(why: impl Into<String>) -> Problem {
    Problem::Value(why.into())
}

/// Whether an item with this head has another part after `count` ones.
pub(super) fn has_more(input: &mut Input<'_>, head: Head, count: usize) -> Result<bool, Problem> {
    if head.is_open() { Ok(!input.take_break()?) } else { Ok((count as u64) < head.number) }
}

/// The bytes of a text or of bytes, which may be in several parts.
pub(super) fn bytes<'b>(input: &mut Input<'b>, head: Head) -> Result<Cow<'b, [u8]>, Problem> {
    if !head.is_open() {
        return scan::chunk(input, head).map(Cow::Borrowed);
    }
    let mut out = Vec::new();
    while !input.take_break()? {
        let part = input.head()?;
        let bytes = scan::chunk(input, part)?;
        if head.major == major::TEXT && std::str::from_utf8(bytes).is_err() {
            return Err(wrong("cbor: invalid UTF-8 string"));
        }
        out.extend(bytes);
    }
    Ok(Cow::Owned(out))
}

/// A number, a bool or null.
pub(super) fn scalar(head: Head) -> Result<Value, Problem> {
    let number = head.number;
    let overflow = |sign: &str, number: &str| {
        wrong(format!(
            "cbor: cannot unmarshal {sign} integer into Go value of type int64 ({number} overflows Go's int64)"
        ))
    };
    match (head.major, head.info) {
        (major::POSITIVE, _) => {
            i64::try_from(number).map(Value::Int).map_err(|_| overflow("positive", &number.to_string()))
        }
        (major::NEGATIVE, _) => i64::try_from(number)
            .map(|number| Value::Int(!number))
            .map_err(|_| overflow("negative", &format!("-{}", u128::from(number) + 1))),
        (major::SIMPLE, 20) => Ok(Value::Bool(false)),
        (major::SIMPLE, 21) => Ok(Value::Bool(true)),
        (major::SIMPLE, 22) => Ok(Value::Null),
        _ => match head.float() {
            Some(float) => Ok(Value::Float(float)),
            None => {
                let why = format!("simple value {number} is not recognized");
                Err(wrong(not_accepted("primitives", &why)))
            }
        },
    }
}
