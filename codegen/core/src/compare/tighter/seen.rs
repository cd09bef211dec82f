//! What a junctor says about the values of another schema, which never have the fields that that schema does not list: the server removes
//! them. So a new variant of an enum forbids nothing, although all other variants exclude its fields.

use crate::compare::presence::drops;
use crate::ir::{Limits, Schema, Type};

/// The values that a junctor sees.
#[derive(Clone, Copy)]
pub(super) struct Seen<'s> {
    /// The schema that they have followed so far.
    pub(super) loose: &'s Schema,
    /// The schema around the junctor, which may fill in fields. None if it does not list them.
    pub(super) tight: Option<&'s Schema>,
}

impl Seen<'_> {
    /// The schema without what it says about fields that the values do not have. None if it matches none of them.
    fn by(self, mut schema: Schema) -> Option<Schema> {
        if schema.limits.required.iter().any(|name| self.is_never_there(name)) {
            return None;
        }
        schema.properties.retain(|name, _| !self.is_never_there(name));
        for (name, inner) in schema.properties.iter_mut() {
            let tight = self.tight.and_then(|tight| tight.properties.get(name));
            if let Some(loose) = self.loose.properties.get(name) {
                let seen = Seen { loose, tight }.by(std::mem::take(inner));
                *inner = seen.unwrap_or_else(nothing);
            }
        }
        self.junctors(&mut schema.limits)?;
        Some(schema)
    }

    /// The same for the junctors of a schema.
    pub(super) fn junctors(self, limits: &mut Limits) -> Option<()> {
        let Limits { all_of, any_of, one_of, not, .. } = limits;
        *all_of = std::mem::take(all_of).into_iter().map(|clause| self.by(clause)).collect::<Option<_>>()?;
        for alternatives in [any_of, one_of].into_iter().filter(|alternatives| !alternatives.is_empty()) {
            *alternatives =
                std::mem::take(alternatives).into_iter().filter_map(|clause| self.by(clause)).collect();
            if alternatives.is_empty() {
                return None;
            }
        }
        *not = not.take().and_then(|clause| self.by(*clause)).map(Box::new);
        Some(())
    }

    fn is_never_there(self, name: &str) -> bool {
        let Schema { ty, nullable, properties, .. } = self.loose;
        let field = self.tight.and_then(|tight| tight.properties.get(name));
        *ty == Some(Type::Object)
            && !nullable
            && drops(self.loose, name)
            && !properties.contains_key(name)
            && field.is_none_or(|field| field.default.is_none())
    }
}

/// A schema that matches no value.
fn nothing() -> Schema {
    let limits = Limits { not: Some(Box::default()), ..Limits::default() };
    Schema { limits, ..Schema::default() }
}
