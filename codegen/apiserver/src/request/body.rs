//! What a request sends: an object, or a patch.

use crate::request::{MAX_BODY, protobuf};
use crate::status::Failure;
use crdgen_core::value::Value;
use crdgen_core::yaml;

/// How a patch changes an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PatchType {
    Json,
    Merge,
    Strategic,
    Apply,
}

impl PatchType {
    /// The type of a patch by the `Content-Type` of the request.
    pub(crate) fn of(content_type: &str) -> Option<PatchType> {
        match content_type.split(';').next().unwrap_or_default().trim() {
            "application/json-patch+json" => Some(PatchType::Json),
            "application/merge-patch+json" => Some(PatchType::Merge),
            "application/strategic-merge-patch+json" => Some(PatchType::Strategic),
            "application/apply-patch+yaml" => Some(PatchType::Apply),
            _ => None,
        }
    }
}

/// A body that was read.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) value: Value,
    /// What a strict reader reports about fields that occur twice.
    pub(crate) strict: Vec<String>,
}

const PROTOBUF: &str = "application/vnd.kubernetes.protobuf";
const JSON_OR_YAML: &str = "application/json, application/yaml";

/// The failure for a body in another form.
pub(crate) fn unsupported(accepted: &str) -> Failure {
    let message = format!(
        "the body of the request was in an unknown format - accepted media types include: {accepted}"
    );
    Failure::new(415, "UnsupportedMediaType", message)
}

/// Reads an object, or an empty text as null.
pub(crate) fn read_body(content_type: &str, bytes: &[u8]) -> Result<Body, Failure> {
    let media_type = content_type.split(';').next().unwrap_or_default().trim();
    match media_type {
        "" | "application/json" | "application/yaml" | PROTOBUF => {}
        _ if PatchType::of(content_type).is_some() => {}
        _ => return Err(unsupported(JSON_OR_YAML)),
    }
    if bytes.len() > MAX_BODY {
        let message = format!("Request entity too large: limit is {MAX_BODY}");
        return Err(Failure::new(413, "RequestEntityTooLarge", message));
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok(Body { value: Value::Null, strict: Vec::new() });
    }
    if media_type == PROTOBUF {
        let value = protobuf::read(bytes).ok_or_else(|| unsupported(JSON_OR_YAML))?;
        return Ok(Body { value, strict: Vec::new() });
    }
    let document = yaml::read_one(bytes).map_err(|why| {
        Failure::bad_request(format!("error decoding the body of the request: {}", why.text))
    })?;
    Ok(Body { strict: document.strict_errors(), value: document.value })
}
