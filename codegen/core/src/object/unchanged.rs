//! Whether the server stores an object as it was sent, as is true for nearly all objects that programs write.

use crate::ir::{Schema, SchemaOf};
use crate::rules::reads::is_built_in;
use crate::value::Value;

/// Whether pruning and defaulting certainly change nothing in an object, apart from its metadata.
pub(super) fn is_object(object: &Value, schema: &Schema) -> bool {
    // In embedded resources, the result depends on more than the schema.
    !schema.ext.embedded_resource && is_value(object, schema, SchemaOf::Resource)
}

fn is_value(value: &Value, schema: &Schema, of: SchemaOf) -> bool {
    let is_inside = |value: &Value, schema: &Schema| {
        (!value.is_null() || schema.nullable)
            && !schema.ext.embedded_resource
            && is_value(value, schema, SchemaOf::Value)
    };
    match value {
        Value::Map(map) => {
            let needs_no_default =
                |(name, property): (&str, &Schema)| property.default.is_none() || map.contains_key(name);
            map.iter().all(|(name, value)| match schema.properties.get(name).or(schema.value()) {
                _ if of.is_resource() && is_built_in(name) => true,
                Some(schema) => is_inside(value, schema),
                // In a map without a schema, the values are known, but not the fields in them.
                None => schema.preserves_unknown_fields() && schema.additional_properties.is_none(),
            }) && schema.properties.iter().all(needs_no_default)
        }
        Value::List(items) => {
            let Some(item_schema) = schema.item() else {
                return items.is_empty() || schema.preserves_unknown_fields();
            };
            items.iter().all(|item| is_inside(item, item_schema))
        }
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => true,
    }
}
