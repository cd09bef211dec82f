//! Objects that have exactly one of some properties: a `oneOf` with one `required` for each.

use crate::ir::{Limits, Schema};

/// The properties of which exactly one is set, if the schema has other properties too.
pub(super) fn exclusive(schema: &Schema) -> Vec<&str> {
    chosen(schema).filter(|chosen| chosen.len() < schema.properties.len()).unwrap_or_default()
}

/// The `oneOf` for exactly one of some properties.
pub(super) fn arms(properties: &[&str]) -> Vec<Schema> {
    properties.iter().map(|name| required(name)).collect()
}

/// The properties of which exactly one is set, in the order of the schema. None if unknown fields are kept, or if a
/// property can be null, because a variant cannot represent that.
pub(super) fn chosen(schema: &Schema) -> Option<Vec<&str>> {
    let Limits { one_of, required: always, .. } = &schema.limits;
    let closed = schema.additional_properties.is_none()
        && schema.ext.preserve_unknown_fields.is_none()
        && !schema.ext.embedded_resource;
    if !closed || one_of.len() < 2 {
        return None;
    }
    let mut found = Vec::with_capacity(one_of.len());
    for arm in one_of {
        let [name] = arm.limits.required.as_slice() else { return None };
        let property = schema.properties.get(name)?;
        let plain = !property.nullable && property.default.is_none() && property.ty.is_some();
        if !requires_only(arm, name) || !plain || found.contains(&name.as_str()) || always.contains(name) {
            return None;
        }
        found.push(name.as_str());
    }
    Some(found)
}

/// Whether a schema only requires this property. Some generators also list the property there.
fn requires_only(arm: &Schema, name: &str) -> bool {
    let idle = |(property, schema): (&str, &Schema)| property == name && *schema == Schema::default();
    arm.properties.iter().all(idle)
        && Schema { properties: Default::default(), ..arm.clone() } == required(name)
}

fn required(name: &str) -> Schema {
    let limits = Limits { required: vec![name.to_owned()], ..Limits::default() };
    Schema { limits, ..Schema::default() }
}
