//! What the server would store, and how it differs from what was sent.

use crdgen_core::path::Path;
use crdgen_core::value::{Map, Value};

/// The result of a write next to what was sent.
pub struct WriteResult {
    /// What was sent.
    pub sent: Value,
    /// What the server stores.
    pub stored: Value,
    /// Where they differ.
    pub changes: Vec<WriteChange>,
    /// What the server warns about.
    pub warnings: Vec<String>,
}

/// A difference, and the reason for it.
pub struct WriteChange {
    /// The field.
    pub field: String,
    /// The reason.
    pub why: &'static str,
    /// The new value, if there is one.
    pub value: Option<Value>,
}

impl WriteResult {
    pub(super) fn new(
        sent: &Value,
        result: &Value,
        stored: Option<Value>,
        pruned: &[String],
        warnings: &[String],
    ) -> WriteResult {
        let mut changes = Vec::new();
        compare(sent, result, &Path::ROOT, pruned, &mut changes);
        WriteResult {
            sent: sent.clone(),
            stored: stored.unwrap_or_else(|| result.clone()),
            changes,
            warnings: warnings.to_vec(),
        }
    }

    /// The result of the object that mutating policies make of what was sent.
    pub(super) fn mutated(self, after: WriteResult) -> WriteResult {
        let mut by_policies = Vec::new();
        compare(&self.stored, &after.stored, &Path::ROOT, &[], &mut by_policies);
        let by_policies =
            by_policies.into_iter().map(|change| WriteChange { why: "set by a mutating policy", ..change });
        let changes = self.changes.into_iter().chain(by_policies).collect();
        WriteResult { sent: self.sent, changes, ..after }
    }

    /// The result, for programs.
    pub fn json(&self, file: &str, kind: &str, name: &str) -> Value {
        let change = |change: &WriteChange| {
            let mut out = Map::from_iter([
                ("field", Value::from(change.field.as_str())),
                ("why", Value::from(change.why)),
            ]);
            if let Some(value) = &change.value {
                out.insert("value", value.clone());
            }
            Value::Map(out)
        };
        Value::Map(Map::from_iter([
            ("file", Value::from(file)),
            ("kind", kind.into()),
            ("object", name.into()),
            ("stored", self.stored.clone()),
            ("changes", Value::List(self.changes.iter().map(change).collect())),
            ("warnings", Value::from(self.warnings.clone())),
        ]))
    }
}

/// Finds where a result differs from what was sent, and why.
fn compare(sent: &Value, result: &Value, path: &Path<'_>, pruned: &[String], out: &mut Vec<WriteChange>) {
    match (sent, result) {
        (Value::Map(sent), Value::Map(result)) => {
            let of_server = path.to_string() == "metadata";
            for (name, value) in sent.iter() {
                let here = path.child(name);
                let field = here.to_string();
                match result.get(name) {
                    Some(kept) => compare(value, kept, &here, pruned, out),
                    None => {
                        let why = match value {
                            _ if pruned.contains(&field) => "pruned: not in the schema",
                            Value::Null => "pruned: null",
                            _ if field == "status" => "dropped: the status is a subresource",
                            _ => "dropped",
                        };
                        out.push(WriteChange { field, why, value: None });
                    }
                }
            }
            for (name, value) in result.iter().filter(|(name, _)| !sent.contains_key(name)) {
                let why = if of_server { "filled in by the server" } else { "default" };
                out.push(WriteChange {
                    field: path.child(name).to_string(),
                    why,
                    value: Some(value.clone()),
                });
            }
        }
        (Value::List(sent), Value::List(result)) if sent.len() == result.len() => {
            for (i, (sent, result)) in sent.iter().zip(result).enumerate() {
                compare(sent, result, &path.index(i), pruned, out);
            }
        }
        (Value::Null, result) if !result.is_null() => {
            let why = "null becomes the default";
            out.push(WriteChange { field: path.to_string(), why, value: Some(result.clone()) });
        }
        (sent, result) if sent != result => {
            out.push(WriteChange { field: path.to_string(), why: "changed to", value: Some(result.clone()) });
        }
        _ => {}
    }
}
