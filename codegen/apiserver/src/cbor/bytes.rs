//! Fields that are `[]byte` in Go. In JSON they are base64, and so are bytes in CBOR unless a tag says otherwise.

use super::head::Head;
use super::read::{Later, Reader, scalar, wrong};
use super::{Problem, major};
use crdgen_core::go;
use crdgen_core::value::Value;

pub(super) fn field(reader: &mut Reader<'_, '_>, mut later: Option<Later>) -> Result<Value, Problem> {
    let mut head = reader.input.head()?;
    while head.major == major::TAG {
        later = Later::of_tag(head.number).or(later);
        head = reader.input.head()?;
    }
    match (head.major, head.info) {
        (major::BYTES, _) => {
            let bytes = reader.bytes(head)?;
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
        (major::LIST, _) => list(reader, head),
        (major::SIMPLE, 22) => Ok(Value::Null),
        (major::SIMPLE, 20 | 21 | 25..=27) => Err(wrong(reader.mismatch(head.major, "[]uint8"))),
        (major::SIMPLE, _) => scalar(head),
        _ => Err(wrong(reader.mismatch(head.major, "[]uint8"))),
    }
}

/// Bytes as numbers.
fn list(reader: &mut Reader<'_, '_>, head: Head) -> Result<Value, Problem> {
    let mut bytes = Vec::new();
    while reader.has_more(head, bytes.len())? {
        let item = reader.input.head()?;
        let byte = match item.major {
            major::POSITIVE => u8::try_from(item.number).map_err(|_| {
                let why = reader.mismatch(item.major, "uint8");
                wrong(format!("{why} ({} overflows uint8)", item.number))
            }),
            _ => Err(wrong(reader.mismatch(item.major, "uint8"))),
        };
        bytes.push(byte?);
    }
    Ok(go::base64_encode(&bytes).into())
}
