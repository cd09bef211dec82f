//! Sets defaults, and prunes nulls and defaults.

use super::metadata::WrongTypes;
use super::refusal::{BadDefault, MOST_DEFAULTS};
use super::{Surrounding, embedded, prune};
use crate::ir::{Additional, Items, Schema, SchemaOf};
use crate::json;
use crate::path::{Path, Step};
use crate::rules::reads::is_built_in;
use crate::value::Value;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The defaults would make an object larger than any that a server stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// Sets defaults for fields that are missing, or that are null and not nullable.
///
/// # Errors
/// Fails if they make the object too large for a server. It does not have all of them then.
pub fn set_defaults(value: &mut Value, schema: Option<&Schema>) -> Result<(), TooLarge> {
    Defaulting { left: MOST_DEFAULTS }.set(value, schema)
}

/// Sets defaults, as long as they have room.
struct Defaulting {
    /// How many bytes of JSON there is room for.
    left: usize,
}

impl Defaulting {
    fn set(&mut self, value: &mut Value, schema: Option<&Schema>) -> Result<(), TooLarge> {
        let Some(schema) = schema else { return Ok(()) };
        match value {
            Value::Map(map) => {
                for (name, property) in schema.properties.iter() {
                    let Some(default) = &property.default else { continue };
                    if map.get(name).is_none_or(|v| is_unwanted_null(v, property)) {
                        self.spend(name.len(), default)?;
                        map.insert(name, default.clone());
                    }
                }
                for (name, value) in map.iter_mut() {
                    match schema.properties.get(name) {
                        Some(property) => self.set(value, Some(property))?,
                        None => self.set_or_replace(value, schema.value())?,
                    }
                }
                Ok(())
            }
            Value::List(items) => {
                items.iter_mut().try_for_each(|item| self.set_or_replace(item, schema.item()))
            }
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => Ok(()),
        }
    }

    fn set_or_replace(&mut self, value: &mut Value, schema: Option<&Schema>) -> Result<(), TooLarge> {
        if let Some(schema) = schema.filter(|s| is_unwanted_null(value, s)) {
            let default = schema.default.as_ref().unwrap_or(&Value::Null);
            self.spend(0, default)?;
            *value = default.clone();
        }
        self.set(value, schema)
    }

    fn spend(&mut self, name: usize, default: &Value) -> Result<(), TooLarge> {
        self.left = self.left.checked_sub(name + json::length(default)).ok_or(TooLarge)?;
        Ok(())
    }
}

fn is_unwanted_null(value: &Value, schema: &Schema) -> bool {
    value.is_null() && !schema.nullable
}

/// Drops nulls that are neither nullable nor have a default. Defaulting replaces the ones that have a default. Adds
/// the steps to each dropped field that is required to `required`.
pub fn prune_nulls(
    value: &mut Value,
    schema: Option<&Schema>,
    path: &Path<'_>,
    required: &mut BTreeSet<Vec<Step>>,
) {
    let Some(schema) = schema else { return };
    match value {
        Value::Map(map) => map.retain(|name, value| {
            let of_member = schema.properties.get(name).or_else(|| schema.value());
            if of_member.is_some_and(|s| is_unwanted_null(value, s) && s.default.is_none()) {
                let is_required = schema.limits.required.iter().any(|it| it == name);
                if is_required && path.child(name).has_room(required.len()) {
                    required.insert(path.child(name).steps());
                }
                return false;
            }
            prune_nulls(value, of_member, &path.child(name), required);
            true
        }),
        Value::List(items) => {
            for (i, item) in items.iter_mut().enumerate() {
                prune_nulls(item, schema.item(), &path.index(i), required);
            }
        }
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => {}
    }
}

/// Converts the metadata in defaults to its types. The server does this while it checks a CRD, and stores the result.
pub fn coerce_defaults(schema: &mut Schema) {
    if let Some(coerced) = coerced(schema, SchemaOf::Resource, Within::Anything) {
        *schema = coerced;
    }
}

/// Where a schema is in its resource.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    /// In `apiVersion`, `kind` or `metadata`.
    Metadata,
    Anything,
}

/// A schema with coerced defaults. `None` if they stay as they are.
fn coerced(schema: &Schema, of: SchemaOf, within: Within) -> Option<Schema> {
    let within = if of.is_resource() { Within::Anything } else { within };
    let default = schema.default.as_ref().filter(|_| within == Within::Anything).and_then(|default| {
        let mut new = default.clone();
        // Defaults that cannot be coerced were rejected before.
        let _ = embedded::coerce(&mut new, Some(schema), of, WrongTypes::Rejected, &Path::ROOT);
        (new != *default).then_some(new)
    });
    let item = schema.item().and_then(|item| coerced(item, SchemaOf::nested(item), within));
    let properties = schema.properties.changed(|name, property| {
        let is_meta = of.is_resource() && is_built_in(name);
        let within = if is_meta { Within::Metadata } else { within };
        coerced(property, SchemaOf::nested(property), within)
    });
    if default.is_none() && item.is_none() && properties.is_none() {
        return None;
    }
    let mut out = schema.clone();
    out.default = default.or(out.default);
    out.items = item.map(|item| Items::One(Box::new(item))).or(out.items);
    out.properties = properties.unwrap_or(out.properties);
    Some(out)
}

/// Returns the schema with pruned defaults, as the server uses it. A default loses the fields that an object with this
/// value would lose.
pub fn with_pruned_defaults(schema: &Schema) -> Result<Cow<'_, Schema>, BadDefault> {
    let mut defaults = Vec::new();
    prune_defaults(schema, schema, &Surrounding::NONE, &mut defaults)?;
    // Pruning changes nearly no defaults, and copying a schema takes time.
    if defaults.iter().all(|(default, pruned)| pruned.as_ref() == Some(*default)) {
        return Ok(Cow::Borrowed(schema));
    }
    let mut out = schema.clone();
    put_defaults(&mut out, &mut defaults.into_iter().map(|(_, pruned)| pruned));
    Ok(Cow::Owned(out))
}

/// Collects the defaults of a schema, each with its pruned value.
fn prune_defaults<'s>(
    root: &Schema,
    schema: &'s Schema,
    around: &Surrounding<'_>,
    out: &mut Vec<(&'s Value, Option<Value>)>,
) -> Result<(), BadDefault> {
    if let Some(default) = &schema.default {
        let mut object = around.around(default.clone());
        if !matches!(object, Value::Map(_)) {
            return Err(BadDefault::NoObject);
        }
        embedded::coerce(&mut object, Some(root), SchemaOf::Resource, WrongTypes::Dropped, &Path::ROOT)
            .map_err(BadDefault::Embedded)?;
        prune::prune(&mut object, Some(root), SchemaOf::Resource);
        out.push((default, around.extract(object).filter(|v| !v.is_null())));
    }
    if let Some(value) = schema.value() {
        prune_defaults(root, value, &around.member("*"), out)?;
    }
    if let Some(item) = schema.item() {
        prune_defaults(root, item, &around.item(), out)?;
    }
    schema
        .properties
        .iter()
        .try_for_each(|(name, property)| prune_defaults(root, property, &around.member(name), out))
}

/// Replaces the defaults of a schema, in the same order.
fn put_defaults(schema: &mut Schema, defaults: &mut dyn Iterator<Item = Option<Value>>) {
    if schema.default.is_some() {
        schema.default = defaults.next().flatten();
    }
    if let Some(Additional::Schema(value)) = &mut schema.additional_properties {
        put_defaults(value, defaults);
    }
    if let Some(Items::One(item)) = &mut schema.items {
        put_defaults(item, defaults);
    }
    schema.properties.values_mut().for_each(|property| put_defaults(property, defaults));
}

#[cfg(test)]
mod tests {
    use super::{TooLarge, set_defaults};
    use crate::{decode, json};

    /// A body of a few kilobytes would take gigabytes.
    #[test]
    fn defaults_have_a_size() {
        let text = r#"{"type": "array", "items": {"type": "object", "properties": {"a": {"type": "string", "default": "TEXT"}}}}"#;
        let text = text.replace("TEXT", &"x".repeat(1000));
        let schema = decode::schema(json::read(text.as_bytes()).expect("JSON")).0.expect("a schema");
        for (count, wanted) in [(4_000, Ok(())), (5_000, Err(TooLarge))] {
            let items = format!("[{}]", vec!["{}"; count].join(","));
            let mut items = json::read(items.as_bytes()).expect("JSON");
            assert_eq!(set_defaults(&mut items, Some(&schema)), wanted, "{count}");
        }
    }
}
