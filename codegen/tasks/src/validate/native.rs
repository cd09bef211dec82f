//! Objects of Kubernetes' own kinds: what the server answers to a write, with places in the object.

use crdgen_core::diag::{Diag, Diags, Level, codes};
use crdgen_core::object::published;
use crdgen_core::object::write::presentable;
use crdgen_core::path::Path;
use crdgen_core::server::Server;
use crdgen_core::value::{Map, Value};
use crdgen_kubernetes::kinds::{self, Row};
use crdgen_kubernetes::{Answer, Failure, Mistake, Subject, Write, meta};

use super::Subresource;

/// What the server answers to a write.
#[derive(Default)]
pub(super) struct Written {
    pub(super) errors: Diags,
    pub(super) warnings: Diags,
    pub(super) unknown: Diags,
    pub(super) stored: Option<Value>,
}

/// Writes an object: creates it, or updates the old one. Fails with the name of a subresource that the kind does not have.
pub(super) fn write(
    object: &Value,
    row: &'static Row,
    old: Option<Value>,
    subresource: Option<Subresource>,
) -> Result<Written, &'static str> {
    let wanted = subresource.map(|subresource| match subresource {
        Subresource::Status => kinds::Subresource::Status,
        Subresource::Scale => kinds::Subresource::Scale,
    });
    if let Some(missing) = wanted.filter(|wanted| !row.subresources.contains(wanted)) {
        return Err(missing.name());
    }
    let version = row.version_of(meta::own(object, "apiVersion")).unwrap_or(row.version);
    if wanted == Some(kinds::Subresource::Scale) {
        let subject =
            Subject { row, version, subresource: wanted, object, live: old.as_ref(), allows_admin: false };
        let errors = subject.mistakes().iter().map(|mistake| mistake.diag()).collect();
        return Ok(Written { errors, ..Written::default() });
    }
    let old = old.or_else(|| wanted.map(|_| without_status(object)));
    let write = Write { row, version, subresource: wanted, object: object.clone(), old, namespace: "" };
    Ok(found(object, row, version, write.answer()))
}

fn found(object: &Value, row: &Row, version: &str, answer: Answer) -> Written {
    let Answer { unknown, warnings, stored, failure } = answer;
    let of_schema = |is_needed: bool| match row.schema_of(version).filter(|_| is_needed) {
        Some(schema) => published::check(object, &schema, Server::NEWEST),
        None => (Diags::new(), Diags::new()),
    };
    let is_undecodable = matches!(failure, Some(Failure::Undecodable(_)));
    let (structure, mut known) = of_schema(!unknown.is_empty() || is_undecodable);
    let of_unknown = |field: String| match known.iter().position(|diag| diag.field == field) {
        Some(i) => known.swap_remove(i),
        None => {
            let text = "unknown field".to_owned();
            Diag { field, ..Diag::own(&codes::object::UNKNOWN_FIELD, Level::Error, &Path::ROOT, text) }
        }
    };
    let own = |code, level, text: String| Diag::own(code, level, &Path::ROOT, text);
    let errors = match failure {
        None => Diags::new(),
        Some(Failure::Invalid(mistakes)) => mistakes.iter().map(|mistake| mistake.diag()).collect(),
        Some(Failure::Other(_, message)) => vec![own(&codes::object::OWN_KIND, Level::Error, message)],
        Some(Failure::Undecodable(why)) => {
            let mut diag = why.diag();
            // The schema knows the place better than Go's decoder, and what to do.
            let is_there = |wrong: &Diag| diag.steps.is_empty() || wrong.steps == diag.steps;
            if let Some(wrong) = structure.into_iter().find(is_there) {
                diag.steps = wrong.steps;
                diag.help = diag.help.or(wrong.help);
            }
            vec![diag]
        }
    };
    let warning = |warning: Mistake| Diag {
        steps: warning.field.steps(),
        ..own(&codes::object::SERVER_WARNING, Level::Warning, warning.warning_text())
    };
    // The lifecycle of kinds is reported by itself.
    let warnings = warnings.into_iter().skip(usize::from(row.deprecated.is_some())).map(warning).collect();
    let mut unknown: Diags = unknown.into_iter().map(of_unknown).collect();
    if is_undecodable {
        // The decoder stops at the first mistake, before it looks for unknown fields.
        unknown.append(&mut known);
    }
    Written { errors, warnings, unknown, stored: stored.map(|stored| shown(object, stored)) }
}

/// The stored object without what depends on the cluster: the addresses and the ports that it gives out.
fn shown(sent: &Value, stored: Value) -> Value {
    let mut stored = presentable(stored);
    if meta::own(sent, "kind") == "Service"
        && let Some(Value::Map(spec)) = stored.as_map_mut().and_then(|map| map.get_mut("spec"))
    {
        let none = Value::Null;
        let sent = sent.get("spec").unwrap_or(&none);
        keep_sent(sent, spec, &["clusterIP", "clusterIPs", "healthCheckNodePort"]);
        let ports = sent.get("ports").and_then(Value::as_list).unwrap_or_default();
        if let Some(Value::List(stored)) = spec.get_mut("ports") {
            for (sent, stored) in ports.iter().zip(stored) {
                if let Value::Map(stored) = stored {
                    keep_sent(sent, stored, &["nodePort"]);
                }
            }
        }
    }
    stored
}

/// Removes the members with these names that were not sent.
fn keep_sent(sent: &Value, stored: &mut Map<Value>, names: &[&str]) {
    for name in names.iter().filter(|name| sent.get(name).is_none()) {
        stored.remove(name);
    }
}

/// Returns an object as it is before its status is written for the first time.
pub(super) fn without_status(object: &Value) -> Value {
    let mut out = object.clone();
    if let Value::Map(map) = &mut out {
        map.remove("status");
    }
    out
}
