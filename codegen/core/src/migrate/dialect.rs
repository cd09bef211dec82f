//! Compares CRDs of Rust types that use kube's derive with the project's own YAML: what crdgen writes in another way than schemars is
//! not a change.

use crate::ir::{Additional, Crd, Items, Keyword, Schema};
use std::collections::HashSet;

/// Returns the new CRD as `by_schemars` has it, except for what the old CRD has in crdgen's way. Both are the CRD of the same types. So
/// what does not differ from the old CRD in one of the two ways is not a change.
pub fn like_old(old: &Crd, new: &Crd, by_schemars: &Crd) -> Crd {
    let mut out = new.clone();
    let of_version = |crd: &Crd, name: &str| {
        let at = crd.spec.versions.iter().position(|version| version.name == name)?;
        crd.spec.schema_of(at).cloned()
    };
    for version in &mut out.spec.versions {
        let (Some(old), Some(other)) =
            (of_version(old, &version.name), of_version(by_schemars, &version.name))
        else {
            continue;
        };
        let own = version.body.schema.as_mut().and_then(|it| it.open_api_v3_schema.as_mut());
        own.into_iter().for_each(|own| node(&old, &other, own));
    }
    out
}

fn node(old: &Schema, by_schemars: &Schema, own: &mut Schema) {
    let is_of_node =
        |it: &Keyword| !matches!(it, Keyword::Properties | Keyword::Items | Keyword::AdditionalProperties);
    for keyword in Keyword::ALL.iter().copied().filter(is_of_node) {
        if own.get(keyword) != old.get(keyword) {
            own.copy(keyword, by_schemars);
        }
    }
    let known: HashSet<String> = own.properties.keys().map(str::to_owned).collect();
    for (name, field) in own.properties.iter_mut() {
        if let (Some(old), Some(other)) = (old.properties.get(name), by_schemars.properties.get(name)) {
            node(old, other, field);
        }
    }
    // crdgen leaves out metadata that only the server sets.
    let more = by_schemars.properties.iter().filter(|(name, _)| old.properties.contains_key(name));
    for (name, other) in more.filter(|(name, _)| !known.contains(*name)) {
        own.properties.insert(name.to_owned(), other.clone());
    }
    if let (Some(Items::One(old)), Some(Items::One(other)), Some(Items::One(own))) =
        (&old.items, &by_schemars.items, &mut own.items)
    {
        node(old, other, own);
    }
    if let (Some(Additional::Schema(old)), Some(Additional::Schema(other)), Some(Additional::Schema(own))) =
        (&old.additional_properties, &by_schemars.additional_properties, &mut own.additional_properties)
    {
        node(old, other, own);
    }
}
