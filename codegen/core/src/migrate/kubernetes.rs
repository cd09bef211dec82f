//! Recognizes Kubernetes' own types by their schemas: new CRDs have them as in the table. The metadata of embedded
//! objects has several forms.

use crate::ir::Schema;

/// Types of projects often have a few fields such as `name` and `key`, too.
pub(super) const ENOUGH_FIELDS: usize = 4;

/// Whether this is the schema of one of Kubernetes' own types. The description at the field is ignored. An attribute may
/// have changed constraints inside of a type; then it is recognized by its fields, if it has enough of them.
pub(super) fn is_kubernetes(schema: &Schema) -> bool {
    use crate::recipe::Metadata;
    use std::collections::HashSet;
    use std::sync::OnceLock;

    static ALL: OnceLock<([HashSet<String>; 2], Vec<Schema>)> = OnceLock::new();
    let all = || {
        let schemas = crate::k8s::all().iter().map(|ty| ty.embedded(None)).chain(Metadata::with_fields());
        let schemas: Vec<Schema> = schemas.filter(|schema| !schema.properties.is_empty()).collect();
        let texts = |of: fn(&Schema) -> String| schemas.iter().map(of).collect();
        ([texts(text), texts(text_without_limits)], schemas)
    };
    let ([exact, without_limits], schemas) = ALL.get_or_init(all);
    let is_older = |known: &Schema| {
        schema.properties.len() * 2 >= known.properties.len() && has_fields_of(schema, known)
    };
    !schema.properties.is_empty()
        && (exact.contains(&text(schema))
            || schema.properties.len() >= ENOUGH_FIELDS
                && (without_limits.contains(&text_without_limits(schema)) || schemas.iter().any(is_older)))
}

/// Whether a schema can be that of a type in an older version, which lacks newer fields.
fn has_fields_of(found: &Schema, known: &Schema) -> bool {
    let same = |found: Option<&Schema>, known: Option<&Schema>| match (found, known) {
        (Some(found), Some(known)) => has_fields_of(found, known),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    };
    found.ty == known.ty
        && found.limits.format == known.limits.format
        && found.ext.int_or_string == known.ext.int_or_string
        && found.properties.is_empty() == known.properties.is_empty()
        && same(found.item(), known.item())
        && same(found.value(), known.value())
        && found.properties.iter().all(|(name, field)| match known.properties.get(name) {
            // The metadata of embedded objects has many forms.
            _ if name == "metadata" => true,
            Some(known) => has_fields_of(field, known),
            None => crate::k8s::is_removed(name),
        })
}

/// The schema as text, without the description of the field and the metadata of embedded objects, which has many forms.
fn text(schema: &Schema) -> String {
    let mut schema = Schema {
        title: String::new(),
        description: String::new(),
        default: None,
        example: None,
        nullable: false,
        ..schema.clone()
    };
    bare_metadata(&mut schema);
    crate::json::to_string(&crate::encode::schema(&schema))
}

/// The same without the constraints on values, except formats.
fn text_without_limits(schema: &Schema) -> String {
    let mut schema = schema.clone();
    remove_limits(&mut schema);
    text(&schema)
}

fn remove_limits(schema: &mut Schema) {
    use crate::ir::Limits;
    // A type of the project may have the same fields, but it rarely has the same formats.
    schema.limits = Limits { format: std::mem::take(&mut schema.limits.format), ..Limits::default() };
    schema.rules.clear();
    schema.parts_mut().for_each(remove_limits);
}

fn bare_metadata(schema: &mut Schema) {
    use crate::ir::{Type, Which};
    for (edge, part) in schema.children_mut().filter(|(edge, _)| edge.is_structural()) {
        match edge.which {
            Which::Name("metadata") => *part = Schema::of(Type::Object),
            Which::Name(_) | Which::Index(_) | Which::Only => bare_metadata(part),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_kubernetes;
    use crate::ir::{Limits, Schema};

    #[test]
    fn a_type_of_the_project_with_the_same_fields_is_its_own() {
        let mut condition = crate::k8s::schema("meta/v1.Condition").expect("a type");
        assert!(is_kubernetes(&condition));
        let set = |condition: &mut Schema, name: &str, limits: Limits| {
            condition.properties.get_mut(name).expect("a field").limits = limits;
        };
        set(&mut condition, "reason", Limits::default());
        assert!(is_kubernetes(&condition), "`override` has removed its constraints");
        set(&mut condition, "lastTransitionTime", Limits::default());
        assert!(!is_kubernetes(&condition));
    }
}
