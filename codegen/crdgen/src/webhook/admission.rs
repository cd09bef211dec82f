//! The answer to an AdmissionReview: what the server says of the object by its schema and rules.

use super::text;
use crate::objects::{Kind, Verdict};
use crdgen_runtime::value::{Map, Value};
use std::sync::Arc;

/// The response to a request.
pub(super) fn respond(kinds: &[Arc<Kind>], request: &Map<Value>) -> Map<Value> {
    let asked = request.get("kind").and_then(Value::as_map);
    let asked = |name: &str| asked.map(|asked| text(asked, name)).unwrap_or_default();
    let (group, name) = (asked("group"), asked("kind"));
    let kind = kinds.iter().find(|kind| {
        let spec = &kind.crd().spec;
        spec.group == group && spec.names.kind == name
    });
    let verdict = kind.map_or_else(Verdict::default, |kind| judge(kind, request));
    // Where objects are stored in another version, how they are stored is no question of admission.
    let allowed = verdict.is_accepted() || verdict.errors.is_empty() && verdict.prepared.is_some();
    let mut response = Map::new();
    response.insert("uid", request.get("uid").cloned().unwrap_or_else(|| Value::from("")));
    response.insert("allowed", Value::Bool(allowed));
    if !verdict.warnings.is_empty() {
        response.insert("warnings", Value::from(verdict.warnings.clone()));
    }
    if !allowed {
        let mut status = Map::new();
        status.insert("code", Value::Int(422));
        status.insert("message", Value::from(verdict.message()));
        response.insert("status", Value::Map(status));
    }
    response
}

fn judge(kind: &Kind, request: &Map<Value>) -> Verdict {
    let null = Value::Null;
    let object = request.get("object").unwrap_or(&null);
    let old = request.get("oldObject").unwrap_or(&null);
    match (&*text(request, "operation"), &*text(request, "subResource")) {
        ("CREATE", "") => kind.create(object),
        ("UPDATE", "") => kind.update(object, old),
        ("UPDATE", "status") => kind.update_status(object, old),
        // Nothing is written that a schema describes.
        _ => Verdict::default(),
    }
}
