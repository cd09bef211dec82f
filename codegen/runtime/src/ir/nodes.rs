//! The size of a schema.

use super::{Additional, Dependency, Foreign, Items, Limits, Schema};

impl Schema {
    /// Returns the number of schemas in this one, including itself and those in junctors.
    pub(crate) fn nodes(&self) -> usize {
        let Schema {
            ty: _,
            nullable: _,
            title: _,
            description: _,
            default: _,
            example: _,
            external_docs: _,
            properties,
            items,
            additional_properties,
            ext: _,
            rules: _,
            limits,
            foreign,
            empty: _,
        } = self;
        let Limits { all_of, any_of, one_of, not, .. } = limits;
        let items = match items {
            Some(Items::One(item)) => item.nodes(),
            Some(Items::Many(items)) => of_all(items),
            None => 0,
        };
        1 + of_all(properties.values())
            + items
            + additional(additional_properties.as_ref())
            + of_all([all_of, any_of, one_of].into_iter().flatten())
            + of_all(not.as_deref())
            + foreign.as_deref().map_or(0, in_foreign)
    }
}

fn of_all<'s>(all: impl IntoIterator<Item = &'s Schema>) -> usize {
    all.into_iter().map(Schema::nodes).sum()
}

fn additional(it: Option<&Additional>) -> usize {
    match it {
        Some(Additional::Schema(schema)) => schema.nodes(),
        Some(Additional::Allow(_)) | None => 0,
    }
}

fn in_foreign(foreign: &Foreign) -> usize {
    let Foreign {
        id: _,
        schema: _,
        reference: _,
        pattern_properties,
        dependencies,
        additional_items,
        definitions,
    } = foreign;
    let dependencies = dependencies.values().map(|dependency| match dependency {
        Dependency::Schema(schema) => schema.nodes(),
        Dependency::Properties(_) | Dependency::Nothing => 0,
    });
    of_all(pattern_properties.values().chain(definitions.values()))
        + dependencies.sum::<usize>()
        + additional(additional_items.as_ref())
}
