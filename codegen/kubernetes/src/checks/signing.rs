//! Checks of requests for certificates, as far as they need no cryptography.

use super::find;
use crate::meta::own;
use crate::mistake::Mistake;
use crdgen_core::diag::Kind;
use crdgen_core::go;
use crdgen_core::value::Value;

/// Conditions that stay once they are there.
const FINAL: [&str; 3] = ["Approved", "Denied", "Failed"];

/// The first mistake of a request.
pub(super) fn mistake(object: &Value, live: Option<&Value>) -> Option<Mistake<'static>> {
    let request = find(object, &["spec", "request"]).and_then(Value::as_str).unwrap_or_default();
    if !is_pem(request, "CERTIFICATE REQUEST") {
        let why = format!("{}: PEM block type must be CERTIFICATE REQUEST", go::quote(request));
        return Some(Mistake::new("spec.request", Kind::Invalid, why));
    }
    if find(object, &["spec", "usages"]).and_then(Value::as_list).is_none_or(<[Value]>::is_empty) {
        return Some(Mistake::new("spec.usages", Kind::Required, ""));
    }
    let certificate = find(object, &["status", "certificate"]).and_then(Value::as_str).unwrap_or_default();
    if !certificate.is_empty() && !is_pem(certificate, "CERTIFICATE") {
        let why = "\"<certificate data>\": must contain at least one CERTIFICATE PEM block";
        return Some(Mistake::new("status.certificate", Kind::Invalid, why));
    }
    let has = |object: &Value, ty: &str| {
        let conditions = find(object, &["status", "conditions"]).and_then(Value::as_list).unwrap_or_default();
        conditions.iter().any(|it| own(it, "type") == ty)
    };
    if has(object, "Approved") && has(object, "Denied") {
        let why = "\"Denied\": Approved and Denied conditions are mutually exclusive";
        return Some(Mistake::new("status.conditions", Kind::Invalid, why));
    }
    let gone = FINAL.into_iter().find(|ty| live.is_some_and(|live| has(live, ty)) && !has(object, ty))?;
    let why = format!("updates may not remove a condition of type {}", go::quote(gone));
    Some(Mistake::new("status.conditions", Kind::Forbidden, why))
}

/// Whether bytes in base64 begin with a block of PEM.
fn is_pem(text: &str, block: &str) -> bool {
    let bytes = go::base64_decode(text).unwrap_or_default();
    String::from_utf8_lossy(&bytes).contains(&format!("-----BEGIN {block}-----"))
}
