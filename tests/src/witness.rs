//! Witnesses of `crdgen diff` as requests to the operation `object`, which ours and the oracle answer.

use crdgen_core::encode;
use crdgen_core::ir::Crd;
use crdgen_core::json::to_string;
use crdgen_core::value::Value;
use crdgen_diff::Request;

/// The request that sends a witness to a server with this CRD.
pub fn request(crd: &Crd, version: &str, request: &Request) -> Value {
    let (old, object, subresource) = match request {
        Request::Create { object } => (String::new(), object, ""),
        Request::Update { stored, object } => (to_string(stored), object, ""),
        Request::UpdateStatus { stored, object } => (to_string(stored), object, "status"),
    };
    let fields = [
        ("op", Value::from("object")),
        ("crd", to_string(&encode::crd(crd)).into()),
        ("version", version.into()),
        ("subresource", subresource.into()),
        ("old", old.into()),
        ("object", to_string(object).into()),
    ];
    Value::Map(fields.into_iter().collect())
}
