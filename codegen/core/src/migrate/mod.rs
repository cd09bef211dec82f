//! The changes in the CRDs of a project that moves from kube-derive and schemars: each difference with its reason. CRDs
//! are compared as models, so different spellings with the same meaning are not reported.

mod dialect;
mod kubernetes;
mod reason;
mod schema;

pub use dialect::like_old;
pub use reason::{ALL, Reason, Sort};

use crate::encode;
use crate::ir::{Body, Column, Crd, Names, Schema, Version};
use crate::json;

/// A difference between the old and the new CRD.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The path in a document, after the name of the version if there are several versions.
    pub at: String,
    /// The reason for the difference.
    pub reason: &'static Reason,
    /// The old value. Empty if there was none.
    pub old: String,
    /// The new value. Empty if there is none.
    pub new: String,
}

/// Returns the differences between an old and a new CRD.
pub fn changes(old: &Crd, new: &Crd) -> Vec<Change> {
    let mut out = Vec::new();
    let (was, is) = (&old.spec, &new.spec);
    let Names { plural, singular, short_names, kind, list_kind: _, categories } = &is.names;
    for (at, old, new) in [
        ("group", was.group.as_str(), is.group.as_str()),
        ("scope", &was.scope, &is.scope),
        ("kind", &was.names.kind, kind),
        ("plural", &was.names.plural, plural),
    ] {
        text(at, old, new, &mut out);
    }
    named("singular", &was.names.singular, singular, &mut out);
    named("shortNames", &was.names.short_names.join(", "), &short_names.join(", "), &mut out);
    named("categories", &was.names.categories.join(", "), &categories.join(", "), &mut out);
    for (name, old, new) in [
        ("annotation", &old.metadata.annotations, &new.metadata.annotations),
        ("label", &old.metadata.labels, &new.metadata.labels),
    ] {
        // Only those of the new CRD are compared, because tools add some to the old one that are not in the source.
        for (key, value) in new.iter().filter(|(key, value)| old.get(key) != Some(value)) {
            text(&format!("{name} {key}"), old.get(key).map_or("", String::as_str), value, &mut out);
        }
    }
    let several = was.versions.len().max(is.versions.len()) > 1;
    // Several storage versions are reported as an error, which explains more.
    let is_stored_once = is.versions.iter().filter(|v| v.storage).count() < 2;
    for new in &is.versions {
        let at = if several { format!("{} ", new.name) } else { String::new() };
        match was.versions.iter().find(|v| v.name == new.name) {
            Some(old) => {
                if is_stored_once {
                    text(
                        &format!("{at}storage"),
                        &old.storage.to_string(),
                        &new.storage.to_string(),
                        &mut out,
                    );
                }
                version(&at, old, new, &mut out);
            }
            None => text("version", "", &new.name, &mut out),
        }
    }
    for old in &was.versions {
        if !is.versions.iter().any(|v| v.name == old.name) {
            text("version", &old.name, "", &mut out);
        }
    }
    out.sort_by_key(|c| c.reason.sort);
    out
}

fn version(at: &str, old: &Version, new: &Version, out: &mut Vec<Change>) {
    let Version { name: _, served, storage: _, deprecated, deprecation_warning, body, allowed: _ } = new;
    for (what, old, new) in [("served", old.served, *served), ("deprecated", old.deprecated, *deprecated)] {
        text(&format!("{at}{what}"), &old.to_string(), &new.to_string(), out);
    }
    let warning = |warning: &Option<String>| warning.clone().unwrap_or_default();
    text(
        &format!("{at}deprecationWarning"),
        &warning(&old.deprecation_warning),
        &warning(deprecation_warning),
        out,
    );
    let Body { schema, subresources, columns, selectable_fields } = body;
    let status = |body: &Body| body.subresources.as_ref().is_some_and(|s| s.status);
    let (was, is) = (status(&old.body), status(body));
    if was != is {
        let reason = if is { &reason::STATUS } else { &reason::REMOVED };
        let at = format!("{at}subresources.status");
        out.push(Change { at, reason, old: was.to_string(), new: is.to_string() });
    }
    let scale = |scale: Option<&crate::ir::Scale>| {
        scale.map_or(String::new(), |s| {
            format!(
                "{} {} {}",
                s.spec_replicas_path,
                s.status_replicas_path,
                s.label_selector_path.as_deref().unwrap_or("")
            )
        })
    };
    let scale_of = |subresources: &Option<crate::ir::Subresources>| {
        scale(subresources.as_ref().and_then(|s| s.scale.as_ref()))
    };
    text(&format!("{at}subresources.scale"), &scale_of(&old.body.subresources), &scale_of(subresources), out);
    named(&format!("{at}columns"), &column_texts(&old.body.columns), &column_texts(columns), out);
    let paths = |fields: &Option<Vec<crate::ir::SelectableField>>| {
        fields.iter().flatten().map(|f| f.json_path.as_str()).collect::<Vec<_>>().join(", ")
    };
    text(
        &format!("{at}selectableFields"),
        &paths(&old.body.selectable_fields),
        &paths(selectable_fields),
        out,
    );
    let root =
        |schema: &Option<crate::ir::Validation>| schema.as_ref().and_then(|s| s.open_api_v3_schema.clone());
    let (old, new) = (root(&old.body.schema).unwrap_or_default(), root(schema).unwrap_or_default());
    schema::compare(&old, &new, at.to_owned(), out);
}

fn column_texts(columns: &Option<Vec<Column>>) -> String {
    let one = |c: &Column| format!("{} ({}) {}", c.name, c.ty, c.json_path);
    columns.iter().flatten().map(one).collect::<Vec<_>>().join(", ")
}

fn text(at: &str, old: &str, new: &str, out: &mut Vec<Change>) {
    if old == new {
        return;
    }
    let reason = match (old, new) {
        ("", _) => &reason::ADDED,
        (_, "") => &reason::REMOVED,
        _ => &reason::CHANGED,
    };
    out.push(Change { at: at.to_owned(), reason, old: old.to_owned(), new: new.to_owned() });
}

/// Compares the names for kubectl. If only the source has them, they come from an attribute.
fn named(at: &str, old: &str, new: &str, out: &mut Vec<Change>) {
    if old == new {
        return;
    }
    let reason = if old.is_empty() { &reason::LOST_RULE } else { &reason::NAMES };
    out.push(Change { at: at.to_owned(), reason, old: old.to_owned(), new: new.to_owned() });
}

/// A schema on one line, cut if it is long.
fn short(schema: &Schema) -> String {
    let text = json::to_string(&encode::schema(schema));
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
