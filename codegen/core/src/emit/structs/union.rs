//! Objects with exactly one of some properties: `oneOf` with a `required` each. As an enum they cannot be wrong,
//! and serde's usual form of enums is that object. If there are other properties, the enum is flattened.

use super::lower::Lowering;
use super::model::*;
use super::names;
use crate::ir::{Limits, Schema, Type};

impl Lowering {
    /// The enum of a node that is such an object and nothing else, and the schema that it has by itself.
    pub(super) fn union(&mut self, schema: &Schema) -> Option<(Body, Schema)> {
        let properties = chosen(schema)?;
        if properties.len() != schema.properties.len() {
            return None;
        }
        let mut base = Schema::of(Type::Object);
        base.limits.one_of = arms(&properties);
        Some((self.variants(schema, &properties), base))
    }

    /// The enum of some of the properties of a node.
    pub(super) fn choice(&mut self, schema: &Schema, properties: &[&str]) -> TypeId {
        let body = self.variants(schema, properties);
        let says_nothing = |word: &&String| !["Spec", "Status"].contains(&word.as_str());
        let owner = self.words.iter().rev().find(says_nothing).cloned().unwrap_or_default();
        self.words.push(format!("{owner}Choice"));
        self.path.push("oneOf".to_owned());
        let id = self.intern(body, Vec::new(), "");
        self.path.pop();
        self.words.pop();
        id
    }

    fn variants(&mut self, schema: &Schema, properties: &[&str]) -> Body {
        let idents = names::variants(properties).into_iter().map(|(ident, _)| ident);
        let variants = properties
            .iter()
            .zip(idents)
            .filter_map(|(name, ident)| {
                Some(Field { ident, ..self.property(name, schema.properties.get(name)?) })
            })
            .collect();
        Body::Union(Union { variants })
    }
}

/// The properties of which exactly one is set, if there are other properties too.
pub(super) fn exclusive(schema: &Schema) -> Vec<&str> {
    chosen(schema).filter(|chosen| chosen.len() < schema.properties.len()).unwrap_or_default()
}

/// What says that there is exactly one of some properties.
pub(super) fn arms(properties: &[&str]) -> Vec<Schema> {
    properties.iter().map(|name| required(name)).collect()
}

/// The properties of which there is exactly one, in the order of the schema; none if unknown fields are kept,
/// or if one could be there and be null, which no variant can say.
fn chosen(schema: &Schema) -> Option<Vec<&str>> {
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
        if !says_only(arm, name) || !plain || found.contains(&name.as_str()) || always.contains(name) {
            return None;
        }
        found.push(name.as_str());
    }
    Some(found)
}

/// Whether an arm says that a property is required and nothing else; some generators name the property there too.
fn says_only(arm: &Schema, name: &str) -> bool {
    let idle = |(property, schema): (&str, &Schema)| property == name && *schema == Schema::default();
    arm.properties.iter().all(idle)
        && Schema { properties: Default::default(), ..arm.clone() } == required(name)
}

fn required(name: &str) -> Schema {
    let limits = Limits { required: vec![name.to_owned()], ..Limits::default() };
    Schema { limits, ..Schema::default() }
}
