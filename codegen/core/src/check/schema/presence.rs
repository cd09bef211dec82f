//! Whether a schema has something anywhere: what decides about the demands on the next one.

use super::lists::{is_loose_set, loose_keys};
use crate::check::structural;
use crate::diag::Diags;
use crate::ir::{Additional, Dependency, Foreign, Items, Schema, Type};
use crate::object::defaults;
use crate::path::Path;

/// Whether the predicate holds for a node anywhere, in junctors and unsupported keywords too.
pub fn any_schema<'s>(schema: &'s Schema, holds: &mut dyn FnMut(&'s Schema) -> bool) -> bool {
    if holds(schema) {
        return true;
    }
    let items: &[Schema] = match &schema.items {
        Some(Items::One(item)) => std::slice::from_ref(item),
        Some(Items::Many(all)) => all,
        None => &[],
    };
    let limits = &schema.limits;
    items
        .iter()
        .chain(&limits.all_of)
        .chain(&limits.any_of)
        .chain(&limits.one_of)
        .chain(limits.not.as_deref())
        .chain(schema.properties.values())
        .chain(in_additional(schema.additional_properties.as_ref()))
        .any(|s| any_schema(s, holds))
        || schema.foreign.as_deref().is_some_and(|f| any_in_foreign(f, holds))
}

fn any_in_foreign<'s>(foreign: &'s Foreign, holds: &mut dyn FnMut(&'s Schema) -> bool) -> bool {
    let Foreign {
        id: _,
        schema: _,
        reference: _,
        pattern_properties,
        dependencies,
        additional_items,
        definitions,
    } = foreign;
    let of_dependencies = dependencies.values().filter_map(|d| match d {
        Dependency::Schema(schema) => Some(&**schema),
        Dependency::Properties(_) | Dependency::Nothing => None,
    });
    pattern_properties
        .values()
        .chain(in_additional(additional_items.as_ref()))
        .chain(definitions.values())
        .chain(of_dependencies)
        .any(|s| any_schema(s, holds))
}

fn in_additional(additional: Option<&Additional>) -> Option<&Schema> {
    match additional {
        Some(Additional::Schema(schema)) => Some(schema),
        Some(Additional::Allow(_)) | None => None,
    }
}

/// Whether there is a default anywhere.
pub fn has_defaults(schema: &Schema) -> bool {
    any_schema(schema, &mut |s| s.default.is_some())
}

/// Whether there is an extension anywhere that only structural schemas can have.
pub fn has_extensions(schema: &Schema) -> bool {
    any_schema(schema, &mut |s| {
        s.ext.embedded_resource
            || s.ext.preserve_unknown_fields.is_some()
            || s.ext.int_or_string
            || !s.ext.list_map_keys.is_empty()
            || s.ext.list_type.is_some()
            || !s.rules.is_empty()
    })
}

/// Whether there is an unknown type anywhere.
pub fn has_invalid_types(schema: &Schema) -> bool {
    any_schema(schema, &mut |s| matches!(s.ty, Some(Type::Other(_))))
}

/// Whether there is a set anywhere whose items are not atomic.
pub fn has_loose_sets(schema: &Schema) -> bool {
    any_schema(schema, &mut is_loose_set)
}

/// Whether there is a list map or set anywhere whose keys can be missing or whose items can be null.
pub fn has_loose_list_keys(schema: &Schema) -> bool {
    any_schema(schema, &mut |s| {
        let mut found = Diags::new();
        loose_keys(s, &Path::ROOT, &mut found);
        !found.is_empty()
    })
}

/// Whether a structural schema has a default with unknown fields.
pub fn has_unpruned_defaults(schema: &Schema) -> bool {
    has_defaults(schema)
        && structural::is_structural(schema)
        && defaults::with_pruned_defaults(schema).is_ok_and(|pruned| pruned != *schema)
}
