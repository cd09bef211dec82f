//! What a request sends: an object, or a patch.

use super::{Cbor, MAX_BODY, Request, protobuf};
use crate::cbor;
use crate::status::Failure;
use crdgen_core::value::Value;
use crdgen_core::yaml;
use http::header::CONTENT_TYPE;

/// How a patch changes an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PatchType {
    Json,
    Merge,
    Strategic,
    Apply,
}

impl PatchType {
    /// The type of a patch by its media type.
    fn of(media_type: &str, cbor: Cbor) -> Option<PatchType> {
        match media_type {
            "application/json-patch+json" => Some(PatchType::Json),
            "application/merge-patch+json" => Some(PatchType::Merge),
            "application/strategic-merge-patch+json" => Some(PatchType::Strategic),
            "application/apply-patch+yaml" => Some(PatchType::Apply),
            APPLY_CBOR if cbor == Cbor::On => Some(PatchType::Apply),
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
const CBOR: &str = "application/cbor";
const APPLY_CBOR: &str = "application/apply-patch+cbor";

/// The failure for a body in another form.
pub(crate) fn unsupported(accepted: &str) -> Failure {
    let message = format!(
        "the body of the request was in an unknown format - accepted media types include: {accepted}"
    );
    Failure::new(415, "UnsupportedMediaType", message)
}

impl Request {
    /// The media type of the body.
    fn media_type(&self) -> &str {
        self.header(CONTENT_TYPE).split(';').next().unwrap_or_default().trim()
    }

    /// The type of a patch. `None` if the body is none.
    pub(crate) fn patch_type(&self) -> Option<PatchType> {
        PatchType::of(self.media_type(), self.cbor)
    }

    /// Reads the body: an object, or null if it is empty.
    pub(crate) fn read_body(&self) -> Result<Body, Failure> {
        let (media_type, bytes) = (self.media_type(), &self.body);
        let unsupported = || unsupported(self.cbor.media_types());
        let is_cbor = match media_type {
            CBOR | APPLY_CBOR if self.cbor == Cbor::On => true,
            "" | "application/json" | "application/yaml" | PROTOBUF => false,
            _ if self.patch_type().is_some() => false,
            _ => return Err(unsupported()),
        };
        if bytes.len() > MAX_BODY {
            let message = format!("Request entity too large: limit is {MAX_BODY}");
            return Err(Failure::new(413, "RequestEntityTooLarge", message));
        }
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Ok(Body { value: Value::Null, strict: Vec::new() });
        }
        if media_type == PROTOBUF {
            let value = protobuf::read(bytes).ok_or_else(unsupported)?;
            return Ok(Body { value, strict: Vec::new() });
        }
        let what = if media_type == APPLY_CBOR { "patch" } else { "the body of the request" };
        let unreadable = |why: String| Failure::bad_request(format!("error decoding {what}: {why}"));
        if is_cbor {
            let value = cbor::read(bytes).map_err(unreadable)?;
            return Ok(Body { value, strict: Vec::new() });
        }
        let document = yaml::read_one(bytes).map_err(|why| unreadable(why.text))?;
        Ok(Body { strict: document.strict_errors(), value: document.value })
    }
}
