//! Branches of enums with a tag, in the form that lets the server name the field that is wrong.

use super::{Limits, Schema};

impl Schema {
    /// Returns the opposite of a schema.
    pub fn opposite(schema: Schema) -> Schema {
        let limits = Limits { not: Some(Box::new(schema)), ..Limits::default() };
        Schema { limits, ..Schema::default() }
    }

    /// Returns what the schema requires of one property, if it is there.
    pub fn only(&self, name: &str) -> Schema {
        let mut out = Schema::default();
        if let Some(property) = self.properties.get(name) {
            out.properties.insert(name, property.clone());
        }
        out
    }

    /// Returns the same schema in another form: the tag is right, and either the schema matches or the tag is wrong.
    pub fn into_case(self, tag: &str) -> Schema {
        let mut out = self.only(tag);
        out.limits.any_of = vec![self, Schema::opposite(out.clone())];
        out
    }

    /// Returns the schema of which `into_case` made this one, or else this schema.
    pub fn case(&self) -> &Schema {
        let tag = self.properties.keys().next().filter(|_| self.properties.len() == 1);
        match (tag, self.limits.any_of.as_slice()) {
            (Some(tag), [case, other]) if *other == Schema::opposite(self.only(tag)) => {
                if case.only(tag) == self.only(tag) && case.clone().into_case(tag) == *self {
                    case
                } else {
                    self
                }
            }
            _ => self,
        }
    }

    /// Whether the schema matches nothing but null.
    pub fn forbids(&self) -> bool {
        self.limits.not.as_deref().is_some_and(|not| *not == Schema::default())
    }
}
