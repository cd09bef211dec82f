//! All groups with their resources in one document (`APIGroupDiscoveryList`), which new clients ask for.

use super::texts;
use crate::meta::map;
use crate::registry::{Kind, Registry, Verb};
use crdgen_core::value::{Map, Value};

/// Which groups a document has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Groups {
    /// The one without a name: `/api`.
    Core,
    /// Those with names: `/apis`.
    Named,
}

/// The answer to `/api` or `/apis`.
pub(crate) fn aggregated(registry: &Registry, groups: Groups) -> Value {
    let groups = match groups {
        Groups::Core => vec![String::new()],
        Groups::Named => registry.groups(),
    };
    let items = groups.iter().map(|group| {
        let versions = registry.versions(group);
        let versions = versions.iter().map(|version| {
            let of_group = registry.kinds().filter(|kind| &*kind.resource.group == group.as_str());
            let resources = of_group.filter_map(|kind| resource(kind, version)).collect();
            map([
                ("version", version.as_str().into()),
                ("resources", Value::List(resources)),
                ("freshness", "Current".into()),
            ])
        });
        let versions = Value::List(versions.collect());
        let metadata = match group.as_str() {
            "" => Map::new(),
            name => [("name", Value::from(name))].into_iter().collect(),
        };
        map([("metadata", Value::Map(metadata)), ("versions", versions)])
    });
    map([
        ("kind", "APIGroupDiscoveryList".into()),
        ("apiVersion", "apidiscovery.k8s.io/v2".into()),
        ("metadata", Value::Map(Map::new())),
        ("items", Value::List(items.collect())),
    ])
}

fn kind_of(group: &str, version: &str, kind: &str) -> Value {
    map([("group", group.into()), ("version", version.into()), ("kind", kind.into())])
}

fn resource(kind: &Kind, version: &str) -> Option<Value> {
    let found = kind.versions.iter().find(|it| it.name == version && it.served)?;
    // Objects of Kubernetes' own kinds are of the group and the version around them, which the server does not repeat.
    let (group, version) = if kind.is_own() { ("", "") } else { (&*kind.resource.group, version) };
    let mut out = map([
        ("resource", (*kind.resource.plural).into()),
        ("responseKind", kind_of(group, version, &kind.names.kind)),
        ("scope", if kind.namespaced { "Namespaced" } else { "Cluster" }.into()),
        ("singularResource", kind.names.singular.as_str().into()),
        ("verbs", Verb::names(kind.verbs()).into()),
    ]);
    let Value::Map(members) = &mut out else { return None };
    for (name, list) in [("shortNames", &kind.names.short_names), ("categories", &kind.names.categories)] {
        if !list.is_empty() {
            members.insert(name, texts(list));
        }
    }
    let parts: Vec<Value> = found
        .subresources
        .iter()
        .map(|subresource| {
            let of = subresource.kind(&kind.names.kind);
            let (group, version) = of.group_version.unwrap_or((group, version));
            map([
                ("subresource", subresource.name().into()),
                ("responseKind", kind_of(group, version, &of.kind)),
                ("verbs", Verb::names(subresource.verbs()).into()),
            ])
        })
        .collect();
    if !parts.is_empty() {
        members.insert("subresources", Value::List(parts));
    }
    Some(out)
}
