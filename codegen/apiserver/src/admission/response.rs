//! What a webhook answers.

use super::registration::Phase;
use crate::status::{Cause, Details, Failure};
use crdgen_core::go;
use crdgen_core::object::conversion::kind_text;
use crdgen_core::value::Value;
use std::fmt;

/// An answer that the server can use.
#[derive(Debug)]
pub(super) struct Response {
    pub(super) warnings: Vec<String>,
    pub(super) answer: Result<Answer, Denied>,
}

/// The webhook allows the write.
#[derive(Debug, Default)]
pub(super) struct Answer {
    /// A JSON patch, or nothing.
    pub(super) patch: Vec<u8>,
}

/// The webhook does not allow the write. This is its status.
#[derive(Debug)]
pub(super) struct Denied(Value);

/// The kind of answers.
const REVIEW: &str = "admission.k8s.io/v1, Kind=AdmissionReview";

/// Why an answer cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unusable {
    Absent,
    Uid {
        wanted: String,
        found: String,
    },
    Kind(String),
    /// A validating webhook has sent a patch.
    ForbiddenPatch,
    ForbiddenPatchType,
    NoPatch,
    NoPatchType,
    EmptyPatchType,
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unusable::Absent => f.write_str("webhook response was absent"),
            Unusable::Uid { wanted, found } => {
                write!(f, "expected response.uid={}, got {}", go::quote(wanted), go::quote(found))
            }
            Unusable::Kind(found) => write!(f, "expected webhook response of {REVIEW}, got {found}"),
            Unusable::ForbiddenPatch => f.write_str("validating webhook may not return response.patch"),
            Unusable::ForbiddenPatchType => {
                f.write_str("validating webhook may not return response.patchType")
            }
            Unusable::NoPatch => f.write_str("webhook returned response.patchType but not response.patch"),
            Unusable::NoPatchType => {
                f.write_str("webhook returned response.patch but not response.patchType")
            }
            Unusable::EmptyPatchType => f.write_str("webhook returned invalid response.patchType of \"\""),
        }
    }
}

impl Response {
    /// Reads the answer to a review.
    ///
    /// # Errors
    /// Fails with the server's message if it is none.
    pub(super) fn read(answer: &Value, version: &str, uid: &str, phase: Phase) -> Result<Response, Unusable> {
        // The server checks less for v1beta1.
        let is_strict = version == "v1";
        let response = answer.get("response").filter(|response| !response.is_null());
        let response = response.ok_or(Unusable::Absent)?;
        let found = response.text("uid");
        if is_strict && found != uid {
            return Err(Unusable::Uid { wanted: uid.to_owned(), found: found.to_owned() });
        }
        let found = kind_text(answer);
        if is_strict && found != REVIEW {
            return Err(Unusable::Kind(found));
        }
        let patch = go::base64_decode(response.text("patch")).unwrap_or_default();
        let patch_type = response.get("patchType").and_then(Value::as_str);
        match phase {
            Phase::Validating if is_strict && !patch.is_empty() => {
                return Err(Unusable::ForbiddenPatch);
            }
            Phase::Validating if is_strict && patch_type.is_some() => {
                return Err(Unusable::ForbiddenPatchType);
            }
            Phase::Mutating if is_strict => match (patch.is_empty(), patch_type) {
                (false, None) => {
                    return Err(Unusable::NoPatchType);
                }
                (true, Some(_)) => {
                    return Err(Unusable::NoPatch);
                }
                (false, Some("")) => {
                    return Err(Unusable::EmptyPatchType);
                }
                _ => {}
            },
            _ => {}
        }
        let warnings = response.get("warnings").and_then(Value::as_list).unwrap_or_default();
        let allowed = response.get("allowed").and_then(Value::as_bool) == Some(true);
        Ok(Response {
            warnings: warnings.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            answer: if allowed {
                Ok(Answer { patch })
            } else {
                Err(Denied(response.get("status").cloned().unwrap_or_default()))
            },
        })
    }
}

impl Denied {
    /// The failure of the request.
    pub(super) fn failure(&self, webhook: &str) -> Failure {
        let Denied(status) = self;
        let denied = format!("admission webhook {} denied the request", go::quote(webhook));
        let message = match (status.text("message"), status.text("reason")) {
            ("", "") => format!("{denied} without explanation"),
            ("", reason) => format!("{denied}: {reason}"),
            (message, _) => format!("{denied}: {message}"),
        };
        let code = status.get("code").and_then(Value::as_int).and_then(|code| u16::try_from(code).ok());
        let mut failure = Failure::new(code.unwrap_or_default().max(400), "", message);
        failure.reason = status.text("reason").to_owned().into();
        if let Some(details) = status.get("details").filter(|details| !details.is_null()) {
            failure = failure.with(read_details(details));
        }
        failure
    }
}

fn read_details(details: &Value) -> Details {
    let text = |name: &str| details.text(name).to_owned();
    let causes = details.get("causes").and_then(Value::as_list).unwrap_or_default();
    let cause = |cause: &Value| Cause {
        reason: cause.text("reason").to_owned(),
        message: cause.text("message").to_owned(),
        field: cause.text("field").to_owned(),
    };
    let retry_after = details.get("retryAfterSeconds").and_then(Value::as_int);
    Details {
        name: text("name"),
        group: text("group"),
        kind: text("kind"),
        uid: text("uid"),
        causes: causes.iter().map(cause).collect(),
        retry_after: retry_after.and_then(|seconds| seconds.try_into().ok()).unwrap_or_default(),
    }
}
