//! Fields that are `[]byte` in Go. In JSON they are base64, and so are bytes in CBOR unless a tag says otherwise.

use super::head::{Head, Input};
use super::item::{self, Later, has_more, scalar, wrong};
use super::{Problem, major};
use crdgen_core::go;
use crdgen_core::value::Value;

/// Why an item with a major type cannot become a value of a type in Go.
type Mismatch<'m> = &'m dyn Fn(u8, &str) -> String;

pub(super) fn field(
    input: &mut Input<'_>,
    mut later: Option<Later>,
    mismatch: Mismatch<'_>,
) -> Result<Value, Problem> {
    let mut head = input.head()?;
    while head.major == major::TAG {
        later = Later::of_tag(head.number).or(later);
        head = input.head()?;
    }
    match (head.major, head.info) {
        (major::BYTES, _) => {
            let bytes = item::bytes(input, head)?;
            if later.is_some() {
                return Ok(go::base64_encode(&bytes).into());
            }
            match go::base64_decode_bytes(&bytes) {
                Ok(bytes) => Ok(go::base64_encode(&bytes).into()),
                Err(at) => Err(wrong(format!(
                    "cbor: failed to decode base64 from byte string: illegal base64 data at input byte {at}"
                ))),
            }
        }
        (major::LIST, _) => list(input, head, mismatch),
        (major::SIMPLE, 22) => Ok(Value::Null),
        (major::SIMPLE, 20 | 21 | 25..=27) => Err(wrong(mismatch(head.major, "[]uint8"))),
        (major::SIMPLE, _) => scalar(head),
        _ => Err(wrong(mismatch(head.major, "[]uint8"))),
    }
}

/// Bytes as numbers.
fn list(input: &mut Input<'_>, head: Head, mismatch: Mismatch<'_>) -> Result<Value, Problem> {
    let mut bytes = Vec::new();
    while has_more(input, head, bytes.len())? {
        let part = input.head()?;
        let byte = match part.major {
            major::POSITIVE => u8::try_from(part.number).map_err(|_| {
                let why = mismatch(part.major, "uint8");
                wrong(format!("{why} ({} overflows uint8)", part.number))
            }),
            _ => Err(wrong(mismatch(part.major, "uint8"))),
        };
        bytes.push(byte?);
    }
    Ok(go::base64_encode(&bytes).into())
}
