//! What the server would store, and how it differs from what was sent.

use std::fmt::Write;

use crdgen_core::inert::{Inert, InertLine};
use crdgen_core::json;
use crdgen_core::path::Path;
use crdgen_core::value::{Map, Value};
use crdgen_core::yaml;
use imara_diff::{Algorithm, Diff, InternedInput};

use crate::terminal::Ready;

const RED: anstyle::Style = anstyle::AnsiColor::Red.on_default();
const GREEN: anstyle::Style = anstyle::AnsiColor::Green.on_default();
const RESET: anstyle::Reset = anstyle::Reset;

/// The result of a write next to what was sent.
pub(super) struct Shown {
    sent: Value,
    stored: Value,
    changes: Vec<Change>,
    warnings: Vec<String>,
}

/// A difference, and the reason for it.
struct Change {
    field: String,
    why: &'static str,
    value: Option<Value>,
}

impl Shown {
    pub(super) fn new(
        sent: &Value,
        result: &Value,
        stored: Option<Value>,
        pruned: &[String],
        warnings: &[String],
    ) -> Shown {
        let mut changes = Vec::new();
        compare(sent, result, &Path::ROOT, pruned, &mut changes);
        Shown {
            sent: sent.clone(),
            stored: stored.unwrap_or_else(|| result.clone()),
            changes,
            warnings: warnings.to_vec(),
        }
    }

    /// Formats the result for people. `line` is where the object begins.
    pub(super) fn human(&self, file: &str, line: u32, kind: &str, name: &str) -> Ready<'static> {
        let mut out = format!("{}:{line}: {} {}\n", InertLine(file), InertLine(kind), InertLine(name));
        self.difference(&mut out);
        for Change { field, why, value } in &self.changes {
            let value =
                value.as_ref().map_or_else(String::new, |value| format!(": {}", json::to_string(value)));
            let _ = writeln!(out, "  {}: {why}{}", InertLine(field), InertLine(&value));
        }
        for warning in &self.warnings {
            let _ = writeln!(out, "  Warning: {}", InertLine(warning));
        }
        out.push('\n');
        Ready::coloured(out)
    }

    /// Writes all lines of both texts. Lines of only one of them get a sign and a colour.
    fn difference(&self, out: &mut String) {
        let (before, after) = (yaml::write_object(&self.sent), yaml::write_object(&self.stored));
        let input = InternedInput::new(before.as_str(), after.as_str());
        let mut diff = Diff::compute(Algorithm::Histogram, &input);
        diff.postprocess_lines(&input);
        let (before, after): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
        let (mut old, mut new) = (0, 0);
        while old < before.len() || new < after.len() {
            let _ = if old < before.len() && diff.is_removed(old as u32) {
                old += 1;
                writeln!(out, "{RED}- {}{RESET}", Inert(before[old - 1]))
            } else if new < after.len() && diff.is_added(new as u32) {
                new += 1;
                writeln!(out, "{GREEN}+ {}{RESET}", Inert(after[new - 1]))
            } else {
                (old, new) = (old + 1, new + 1);
                writeln!(out, "  {}", Inert(after.get(new - 1).copied().unwrap_or_default()))
            };
        }
    }

    /// Formats the result for programs.
    pub(super) fn json(&self, file: &str, kind: &str, name: &str) -> Value {
        let change = |change: &Change| {
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
fn compare(sent: &Value, result: &Value, path: &Path<'_>, pruned: &[String], out: &mut Vec<Change>) {
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
                        out.push(Change { field, why, value: None });
                    }
                }
            }
            for (name, value) in result.iter().filter(|(name, _)| !sent.contains_key(name)) {
                let why = if of_server { "filled in by the server" } else { "default" };
                out.push(Change { field: path.child(name).to_string(), why, value: Some(value.clone()) });
            }
        }
        (Value::List(sent), Value::List(result)) if sent.len() == result.len() => {
            for (i, (sent, result)) in sent.iter().zip(result).enumerate() {
                compare(sent, result, &path.index(i), pruned, out);
            }
        }
        (Value::Null, result) if !result.is_null() => {
            let why = "null becomes the default";
            out.push(Change { field: path.to_string(), why, value: Some(result.clone()) });
        }
        (sent, result) if sent != result => {
            out.push(Change { field: path.to_string(), why: "changed to", value: Some(result.clone()) });
        }
        _ => {}
    }
}
