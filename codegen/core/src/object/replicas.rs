//! What the scale subresource reads from an object: its replicas and its selector.

use super::access;
use crate::diag::codes::object as codes;
use crate::diag::{Diag, Diags, Kind, Level};
use crate::ir::Scale;
use crate::path::Step;
use crate::value::Value;

const MAX_REPLICAS: i64 = i32::MAX as i64;

/// The names in a path such as `.spec.replicas`.
pub(crate) fn names(path: &str) -> Vec<&str> {
    Scale::names(path).collect()
}

/// Checks the replicas in the spec.
pub(super) fn validate_spec(object: &Value, scale: &Scale, out: &mut Diags) {
    replicas(object, &scale.spec_replicas_path, out);
}

/// Checks the replicas and the selector in the status.
pub(super) fn validate_status(object: &Value, scale: &Scale, out: &mut Diags) {
    replicas(object, &scale.status_replicas_path, out);
    if let Some(path) = &scale.label_selector_path
        && let Err(error) = access::nested_str(object, &names(path))
    {
        out.push(wrong(path, Value::from(""), error.to_string(), "write the selector as a string"));
    }
}

fn replicas(object: &Value, path: &str, out: &mut Diags) {
    let (bad, detail) = match access::nested_int(object, &names(path)) {
        Err(error) => (0, error.to_string()),
        Ok(Some(n)) if n < 0 => (n, "should be a non-negative integer".to_owned()),
        Ok(Some(n)) if n > MAX_REPLICAS => (n, format!("should be less than or equal to {MAX_REPLICAS}")),
        Ok(_) => return,
    };
    out.push(wrong(path, Value::Int(bad), detail, "write an integer from 0 to 2147483647"));
}

fn wrong(path: &str, bad: Value, detail: String, help: &str) -> Diag {
    Diag {
        code: &codes::SCALE,
        level: Level::Error,
        kind: Some(Kind::Invalid),
        field: path.to_owned(),
        bad: Some(bad.into()),
        detail,
        steps: names(path).into_iter().map(|name| Step::Key(name.to_owned())).collect(),
        inside: None,
        rule: None,
        help: Some(help.to_owned()),
    }
}
