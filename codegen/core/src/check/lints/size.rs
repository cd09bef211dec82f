//! The size of a definition against what client-side apply can hold.

use super::walk;
use crate::check::definition::hoist::Hoisted;
use crate::check::metadata::MAX_ANNOTATIONS;
use crate::diag::codes::lint::SIZE;
use crate::diag::{Diag, Diags, Level};
use crate::emit;
use crate::ir::{Crd, Schema};
use crate::json;
use crate::path::Path;
use crate::value::Value;

/// The annotation that `kubectl apply` keeps its copy in.
const ANNOTATION: &str = "kubectl.kubernetes.io/last-applied-configuration";

pub(super) fn check(crd: &Crd, out: &mut Diags) {
    let others: usize = crd.metadata.annotations.iter().map(|(key, text)| key.len() + text.len()).sum();
    let room = MAX_ANNOTATIONS.saturating_sub(ANNOTATION.len() + others);
    if most(crd) <= room {
        return;
    }
    // The copy ends with a line break.
    let size = bytes(&emit::crd(crd)) + 1;
    if size <= room {
        return;
    }
    let detail = format!(
        "{size} bytes as JSON, but `kubectl apply` keeps a copy in an annotation that has room for {room}; {}",
        biggest(crd, size)
    );
    out.push(Diag::own(&SIZE, Level::Warning, &Path::ROOT, detail).help(
        "use `kubectl apply --server-side`, or make the schema smaller: descriptions are often half of it",
    ));
}

fn bytes(value: &Value) -> usize {
    json::to_string(value).len()
}

/// A quick upper bound of the size, so that only large definitions are written out.
fn most(crd: &Crd) -> usize {
    let mut sum = 16 * 1024;
    for i in 0..crd.spec.versions.len() {
        if let Some(schema) = crd.spec.schema_of(i) {
            walk::each_node(schema, &Path::ROOT, &mut |node, _| {
                let schema = node.schema;
                let texts = schema.description.len() * 2 + node.name.map_or(0, str::len);
                let special = !schema.limits.any_of.is_empty()
                    || !schema.limits.one_of.is_empty()
                    || !schema.limits.all_of.is_empty()
                    || schema.limits.not.is_some()
                    || schema.default.is_some()
                    || schema.example.is_some()
                    || schema.foreign.is_some()
                    || !schema.limits.enumeration.is_empty()
                    || !schema.rules.is_empty()
                    || !schema.limits.required.is_empty()
                    || !schema.limits.pattern.is_empty();
                // What is rare is written out.
                let rest = if special { bytes(&own_part(schema)) } else { 160 };
                sum += texts + rest;
            });
        }
    }
    sum
}

/// A node without those below it.
fn own_part(schema: &Schema) -> Value {
    let Schema {
        ty,
        nullable: _,
        title,
        description: _,
        default,
        example,
        external_docs: _,
        properties: _,
        items: _,
        additional_properties: _,
        ext,
        rules,
        limits,
        foreign,
        empty: _,
    } = schema;
    emit::schema(&Schema {
        ty: ty.clone(),
        nullable: true,
        title: title.clone(),
        default: default.clone(),
        example: example.clone(),
        ext: ext.clone(),
        rules: rules.clone(),
        limits: limits.clone(),
        foreign: foreign.clone(),
        ..Schema::default()
    })
}

/// The subtrees that take most of the room: what holds a fifth of all is looked into.
fn biggest(crd: &Crd, size: usize) -> String {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut descriptions = 0;
    Hoisted::new(crd).each_schema(&mut |schema, path| {
        walk::each_node(schema, path, &mut |node, _| descriptions += node.schema.description.len());
        subtrees(schema, path, size / 5, &mut found);
    });
    found.sort_by(|a, b| b.cmp(a));
    let named: Vec<String> = found.iter().take(3).map(|(bytes, path)| format!("{path} ({bytes})")).collect();
    format!("the biggest parts: {}; descriptions: {descriptions}", named.join(", "))
}

fn subtrees(schema: &Schema, path: &Path<'_>, large: usize, found: &mut Vec<(usize, String)>) {
    let before = found.len();
    let own = bytes(&emit::schema(schema));
    if own >= large {
        let properties = path.child("properties");
        for (name, property) in schema.properties.iter() {
            subtrees(property, &properties.key(name), large, found);
        }
        for (field, below) in [("items", schema.item()), ("additionalProperties", schema.value())] {
            if let Some(below) = below {
                subtrees(below, &path.child(field), large, found);
            }
        }
    }
    if found.len() == before {
        found.push((own, path.to_string()));
    }
}
