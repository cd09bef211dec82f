//! Objects that have exactly one of some properties: `oneOf` of a `required` each. As an enum they cannot
//! be wrong, and serde's usual form of enums is that object.

use super::lower::Lowering;
use super::model::*;
use super::names;
use crate::ir::{Limits, Schema, Type};

impl Lowering {
    /// The enum of a node that is such an object and nothing else, and the schema that it has by itself.
    pub(super) fn union(&mut self, schema: &Schema) -> Option<(Body, Schema)> {
        let properties = choice(schema)?;
        let idents = names::variants(&properties).into_iter().map(|(ident, _)| ident);
        let variants = properties
            .iter()
            .zip(idents)
            .filter_map(|(name, ident)| {
                Some(Field { ident, ..self.property(name, schema.properties.get(name)?) })
            })
            .collect();
        let mut base = Schema::of(Type::Object);
        base.limits.one_of = properties.iter().map(|name| required(name)).collect();
        Some((Body::Union(Union { variants }), base))
    }
}

/// The properties of which there is exactly one, in the order of the schema; none if there are others, if
/// unknown fields are kept, or if one could be there and be null, which no variant can say.
fn choice(schema: &Schema) -> Option<Vec<&str>> {
    let Limits { one_of, required: always, .. } = &schema.limits;
    let closed = schema.additional_properties.is_none()
        && schema.ext.preserve_unknown_fields.is_none()
        && !schema.ext.embedded_resource;
    if !closed || !always.is_empty() || one_of.len() < 2 || one_of.len() != schema.properties.len() {
        return None;
    }
    let mut found = Vec::with_capacity(one_of.len());
    for arm in one_of {
        let [name] = arm.limits.required.as_slice() else { return None };
        let property = schema.properties.get(name)?;
        let plain = !property.nullable && property.default.is_none() && property.ty.is_some();
        if *arm != required(name) || !plain || found.contains(&name.as_str()) {
            return None;
        }
        found.push(name.as_str());
    }
    Some(found)
}

fn required(name: &str) -> Schema {
    let limits = Limits { required: vec![name.to_owned()], ..Limits::default() };
    Schema { limits, ..Schema::default() }
}
