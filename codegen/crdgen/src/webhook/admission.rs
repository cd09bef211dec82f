//! Answers an AdmissionReview as the server would, by the schema and rules of the object's kind.

use super::text;
use crdgen_kinds::objects::{CompiledKind, Verdict};
use crdgen_runtime::value::{Map, Value};
use std::sync::Arc;

/// Returns the response to a request.
pub(super) fn respond(kinds: &[Arc<CompiledKind>], request: &Map<Value>) -> Map<Value> {
    let asked = request.get("kind").and_then(Value::as_map);
    let asked = |name: &str| asked.map(|asked| text(asked, name)).unwrap_or_default();
    let (group, name) = (asked("group"), asked("kind"));
    let kind = kinds.iter().find(|kind| {
        let spec = &kind.crd().spec;
        spec.group == group && spec.names.kind == name
    });
    let uid = request.get("uid").cloned().unwrap_or_else(|| Value::from(""));
    // Admitting an unchecked object would be worse than rejecting it. It was sent here by mistake.
    let Some(kind) = kind else {
        let what = if group.is_empty() { name } else { format!("{name} of {group}") };
        return response(uid, Some((400, format!("this webhook does not review {what}"))), Vec::new());
    };
    let mut verdict = judge(kind, request);
    let warnings = std::mem::take(&mut verdict.warnings);
    // If objects are stored in another version, their stored form does not matter for admission.
    let is_allowed = verdict.is_accepted() || verdict.errors.is_empty() && verdict.prepared.is_some();
    response(uid, (!is_allowed).then(|| (422, verdict.message())), warnings)
}

/// Returns a response. With `refused`, it rejects the request for this reason.
fn response(uid: Value, refused: Option<(i64, String)>, warnings: Vec<String>) -> Map<Value> {
    let mut response = Map::new();
    response.insert("uid", uid);
    response.insert("allowed", Value::Bool(refused.is_none()));
    if !warnings.is_empty() {
        response.insert("warnings", Value::from(warnings));
    }
    if let Some((code, message)) = refused {
        let mut status = Map::new();
        status.insert("code", Value::Int(code));
        status.insert("message", Value::from(message));
        response.insert("status", Value::Map(status));
    }
    response
}

fn judge(kind: &CompiledKind, request: &Map<Value>) -> Verdict {
    let null = Value::Null;
    let object = request.get("object").unwrap_or(&null);
    let old = request.get("oldObject").unwrap_or(&null);
    match (&*text(request, "operation"), &*text(request, "subResource")) {
        ("CREATE", "") => kind.create(object),
        ("UPDATE", "") => kind.update(object, old),
        ("UPDATE", "status") => kind.update_status(object, old),
        // Other operations write nothing that a schema describes.
        _ => Verdict::default(),
    }
}
