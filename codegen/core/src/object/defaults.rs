//! Defaulting, and the pruning of nulls and of defaults that goes with it.

use super::refusal::BadDefault;
use super::{Surrounding, embedded, prune};
use crate::ir::{Items, Schema};
use crate::path::Path;
use crate::value::Value;

/// Puts defaults where fields are missing, or null and not nullable.
pub fn set_defaults(value: &mut Value, schema: Option<&Schema>) {
    let Some(schema) = schema else { return };
    match value {
        Value::Map(map) => {
            for (name, property) in schema.properties.iter() {
                let Some(default) = &property.default else { continue };
                if map.get(name).is_none_or(|v| is_unwanted_null(v, property)) {
                    map.insert(name, default.clone());
                }
            }
            for (name, value) in map.iter_mut() {
                if let Some(property) = schema.properties.get(name) {
                    set_defaults(value, Some(property));
                } else {
                    with_default(value, schema.value());
                }
            }
        }
        Value::List(items) => {
            for item in items {
                with_default(item, schema.item());
            }
        }
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => {}
    }
}

fn with_default(value: &mut Value, schema: Option<&Schema>) {
    if let Some(schema) = schema.filter(|s| is_unwanted_null(value, s)) {
        *value = schema.default.clone().unwrap_or_default();
    }
    set_defaults(value, schema);
}

fn is_unwanted_null(value: &Value, schema: &Schema) -> bool {
    value.is_null() && !schema.nullable
}

/// Drops nulls that are neither nullable nor have a default. Those with one are replaced by defaulting.
pub fn prune_nulls(value: &mut Value, schema: Option<&Schema>) {
    match value {
        Value::Map(map) => map.retain(|name, value| {
            let of_member = schema.and_then(|s| s.properties.get(name).or_else(|| s.value()));
            if of_member.is_some_and(|s| is_unwanted_null(value, s) && s.default.is_none()) {
                return false;
            }
            prune_nulls(value, of_member);
            true
        }),
        Value::List(items) => {
            for item in items {
                prune_nulls(item, schema.and_then(Schema::item));
            }
        }
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => {}
    }
}

/// Brings the metadata in defaults into its types. The server does so while it checks a definition,
/// and stores what comes out.
pub fn coerce_defaults(schema: &mut Schema) {
    coerce_below(schema, true, false);
}

fn coerce_below(schema: &mut Schema, is_resource: bool, in_metadata: bool) {
    let in_metadata = in_metadata && !is_resource;
    if let Some(mut default) = schema.default.take() {
        if !in_metadata {
            // What cannot be coerced was rejected before.
            let _ = embedded::coerce(&mut default, Some(schema), is_resource, false, &Path::ROOT);
        }
        schema.default = Some(default);
    }
    if let Some(Items::One(item)) = &mut schema.items {
        coerce_below(item, item.ext.embedded_resource, in_metadata);
    }
    for (name, property) in schema.properties.iter_mut() {
        let in_metadata = in_metadata || is_resource && prune::is_meta(name);
        coerce_below(property, property.ext.embedded_resource, in_metadata);
    }
}

/// The schema with its defaults pruned, as the server serves it: a default loses what an object that
/// has it would lose.
pub fn with_pruned_defaults(schema: &Schema) -> Result<Schema, BadDefault> {
    let mut pruned = schema.clone();
    prune_defaults(schema, schema, &mut pruned, &Surrounding::NONE)?;
    Ok(pruned)
}

fn prune_defaults(
    root: &Schema,
    schema: &Schema,
    pruned: &mut Schema,
    around: &Surrounding<'_>,
) -> Result<(), BadDefault> {
    if let Some(default) = &schema.default {
        let mut object = around.around(default.clone());
        if !matches!(object, Value::Map(_)) {
            return Err(BadDefault::NoObject);
        }
        embedded::coerce(&mut object, Some(root), true, true, &Path::ROOT).map_err(BadDefault::Embedded)?;
        prune::prune(&mut object, Some(root), true);
        pruned.default = around.extract(object).filter(|v| !v.is_null());
    }
    if let (Some(value), Some(pruned)) = (schema.value(), value_mut(pruned)) {
        prune_defaults(root, value, pruned, &around.member("*"))?;
    }
    if let (Some(item), Some(Items::One(pruned))) = (schema.item(), &mut pruned.items) {
        prune_defaults(root, item, pruned, &around.item())?;
    }
    for ((name, property), pruned) in schema.properties.iter().zip(pruned.properties.values_mut()) {
        prune_defaults(root, property, pruned, &around.member(name))?;
    }
    Ok(())
}

fn value_mut(schema: &mut Schema) -> Option<&mut Schema> {
    match &mut schema.additional_properties {
        Some(crate::ir::Additional::Schema(value)) => Some(value),
        Some(crate::ir::Additional::Allow(_)) | None => None,
    }
}
