//! Witnesses of `crdgen diff` as requests to the operation `object`, which ours and the oracle answer.

use crdgen_core::encode;
use crdgen_core::ir::Crd;
use crdgen_core::json::to_string;
use crdgen_core::value::Value;
use crdgen_diff::Request;

/// The requests that send a witness to a server with the old CRD, which accepts it, and with the new one, which rejects it.
pub fn requests(old: &Crd, new: &Crd, version: &str, request: &Request) -> [Value; 2] {
    match request {
        Request::Convert { stored, object } => {
            let written = stored.get("apiVersion").and_then(Value::as_str).unwrap_or_default();
            let stored_as = written.rsplit('/').next().unwrap_or_default();
            let create = |object: &Value| Request::Create { object: object.clone() };
            [to(old, stored_as, &create(stored)), to(new, version, &create(object))]
        }
        request => [to(old, version, request), to(new, version, request)],
    }
}

fn to(crd: &Crd, version: &str, request: &Request) -> Value {
    let (old, object, subresource) = match request {
        Request::Create { object } => (String::new(), object, ""),
        Request::Update { stored, object } | Request::Convert { stored, object } => {
            (to_string(stored), object, "")
        }
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
