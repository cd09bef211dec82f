//! How the server reads what an object says that it is, and its words for objects that it cannot read.

use crate::kinds::{Mismatch, ObjectType, Row};
use crdgen_core::object::Refusal;
use crdgen_core::value::{Map, Value};
use crdgen_core::{GroupVersion, go};
use std::fmt::Write as _;

/// Returns the message about a body that is not an object.
pub fn unrecognized(kind: &str, why: &str, body: &[u8]) -> String {
    let sent = summary(body);
    format!("the object provided is unrecognized (must be of type {kind}): {why} ({sent})")
}

/// Returns the message about an object, with its version and kind, that is none of the expected kind.
pub fn undecodable((api_version, found): (&str, &str), kind: &str, why: &str) -> String {
    let version = go::quote(GroupVersion::of(api_version).version);
    format!("{found} in version {version} cannot be handled as a {kind}: {why}")
}

/// Returns an object with its type. One that does not say its type is what the path expects.
///
/// # Errors
/// Fails with the server's message if the object is something else.
pub fn decoded(value: Value, row: &Row, wanted: &ObjectType, body: &[u8]) -> Result<Value, String> {
    let kind = &wanted.kind;
    let mut object = match value {
        Value::Null => Value::Map(Map::new()),
        value => value,
    };
    check_type_meta(&object).map_err(|why| unrecognized(kind, &why.to_string(), body))?;
    wanted.complete(&mut object);
    let found = ObjectType::of(&object);
    if found == *wanted {
        return Ok(object);
    }
    Err(match found.mismatch(row, wanted) {
        Mismatch::Version(why) => why,
        Mismatch::Unknown(why) | Mismatch::Kind(why) => {
            undecodable((&found.api_version, &found.kind), kind, &why)
        }
    })
}

/// Checks that the kind and the version can be read.
///
/// # Errors
/// Fails if the value is not an object, or if its kind or its version cannot be read.
pub fn check_type_meta(object: &Value) -> Result<(), Refusal> {
    let Value::Map(map) = object else { return Err(Refusal::NoObject(object.json_type())) };
    for field in ["apiVersion", "kind"] {
        if let Some(other) = map.get(field).filter(|it| !matches!(it, Value::Str(_) | Value::Null)) {
            return Err(Refusal::TypeMeta { field, found: other.json_type() });
        }
    }
    let api_version = object.text("apiVersion");
    match GroupVersion::read(api_version) {
        Some(_) => Ok(()),
        None => Err(Refusal::ApiVersion(api_version.to_owned())),
    }
}

/// The beginning of a body, as the server shows it.
fn summary(body: &[u8]) -> String {
    const MOST: usize = 30;
    let start = body.get(..MOST).unwrap_or(body);
    let mut text = match body.first() {
        None => "<empty>".to_owned(),
        Some(b'{') => String::from_utf8_lossy(start).into_owned(),
        Some(_) => start.iter().fold(String::new(), |mut text, byte| {
            // Writing to a string cannot fail.
            _ = write!(text, "{byte:02x}");
            text
        }),
    };
    if body.len() > MOST {
        text.push_str(" ...");
    }
    text
}
