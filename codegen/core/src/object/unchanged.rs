//! Whether the server stores an object as it is sent: what nearly all objects are that programs write.

use super::prune::is_meta;
use crate::ir::Schema;
use crate::value::Value;

/// Whether pruning and defaulting certainly change nothing in an object, apart from its metadata.
pub(super) fn is_object(object: &Value, schema: &Schema) -> bool {
    !is_special(schema) && is_value(object, schema, true)
}

/// What is in resources and unknown fields depends on more than the schema.
fn is_special(schema: &Schema) -> bool {
    schema.ext.embedded_resource || schema.preserves_unknown_fields()
}

fn is_value(value: &Value, schema: &Schema, is_root: bool) -> bool {
    let is_inside = |value: &Value, schema: &Schema| {
        (!value.is_null() || schema.nullable) && !is_special(schema) && is_value(value, schema, false)
    };
    match value {
        Value::Map(map) => {
            let has_default =
                |(name, property): (&str, &Schema)| property.default.is_none() || map.contains_key(name);
            map.iter().all(|(name, value)| {
                is_root && is_meta(name)
                    || schema
                        .properties
                        .get(name)
                        .or(schema.value())
                        .is_some_and(|schema| is_inside(value, schema))
            }) && schema.properties.iter().all(has_default)
        }
        Value::List(items) => {
            let Some(schema) = schema.item() else { return items.is_empty() };
            items.iter().all(|item| is_inside(item, schema))
        }
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => true,
    }
}
