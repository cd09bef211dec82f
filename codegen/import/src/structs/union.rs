//! Enums for objects that have exactly one of some properties. An enum cannot represent an invalid object, and it has
//! serde's default representation. If there are other properties, the enum is flattened.

use super::exactly_one::{arms, chosen};
use super::lower::Lowering;
use super::model::*;
use super::names;
use crate::ir::{Schema, Type};

impl Lowering {
    /// The enum of a node, with the schema that the enum has by itself. None unless the node is only a union.
    pub(super) fn union(&mut self, schema: &Schema) -> Option<(Body, Schema)> {
        let properties = chosen(schema)?;
        if properties.len() != schema.properties.len() {
            return None;
        }
        let mut base = Schema::of(Type::Object);
        base.limits.one_of = arms(&properties);
        Some((self.variants(schema, &properties), base))
    }

    /// Adds an enum for some of the properties of a node.
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
