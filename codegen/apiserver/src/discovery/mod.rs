//! Which groups, versions and resources there are: in many documents, and in one.

mod aggregated;

use crate::meta::map;
use crate::registry::{Kind, Registry, Role, Verb, api_version};
use crdgen_core::value::Value;
use crdgen_core::{go, json};
use crdgen_kubernetes::kinds::KindId;
use sha2::{Digest, Sha256};

pub(crate) use aggregated::{Groups, aggregated};

fn texts(items: &[String]) -> Value {
    Value::List(items.iter().map(|text| Value::from(text.as_str())).collect())
}

/// What changes with the version in which objects are stored.
fn storage_hash(kind: &Kind) -> String {
    let group = &kind.stored_in.group;
    // CRDs are stored in their first version, and rules for taints of devices in an older one.
    let version = match (kind.role, kind.row().map(|row| row.id)) {
        (Role::Definition, _) => "v1beta1",
        (_, Some(KindId::DeviceTaintRule)) => "v1beta2",
        _ => kind.storage_version(),
    };
    let name = format!("{group}/{version}/{}", kind.names.kind);
    go::base64_encode(Sha256::digest(name).get(..8).unwrap_or_default())
}

/// The names of fields in the order in which Go writes them.
const ORDER: [&str; 16] = [
    "name",
    "singularName",
    "namespaced",
    "group",
    "groupVersion",
    "version",
    "groups",
    "versions",
    "preferredVersion",
    "serverAddressByClientCIDRs",
    "resources",
    "kind",
    "verbs",
    "shortNames",
    "categories",
    "storageVersionHash",
];

/// The text of a document, with the fields in the order of Go.
pub(crate) fn text(document: &Value) -> String {
    let mut out = json::to_string_by(document, &|parent, name| match name {
        "kind" if parent.is_none() => 0,
        "apiVersion" => 1,
        name => 2 + ORDER.iter().position(|it| *it == name).unwrap_or(ORDER.len()),
    });
    out.push('\n');
    out
}

/// The answer to `/api`.
pub(crate) fn core() -> Value {
    let address = map([("clientCIDR", "0.0.0.0/0".into()), ("serverAddress", "127.0.0.1".into())]);
    map([
        ("kind", "APIVersions".into()),
        ("versions", vec!["v1"].into()),
        ("serverAddressByClientCIDRs", Value::List(vec![address])),
    ])
}

fn group(registry: &Registry, group: &str) -> Option<Value> {
    let versions = registry.versions(group);
    let version = |version: &String| {
        map([("groupVersion", api_version(group, version).into()), ("version", version.as_str().into())])
    };
    let preferred = version(versions.first()?);
    Some(map([
        ("name", group.into()),
        ("versions", Value::List(versions.iter().map(version).collect())),
        ("preferredVersion", preferred),
    ]))
}

/// The answer to `/apis`.
pub(crate) fn groups(registry: &Registry) -> Value {
    let groups = registry.groups();
    let groups = groups.iter().filter_map(|name| group(registry, name));
    map([
        ("kind", "APIGroupList".into()),
        ("apiVersion", "v1".into()),
        ("groups", Value::List(groups.collect())),
    ])
}

/// The answer to `/apis/GROUP`.
pub(crate) fn one_group(registry: &Registry, name: &str) -> Option<Value> {
    let mut found = group(registry, name)?;
    if let Value::Map(map) = &mut found {
        map.insert("kind", "APIGroup".into());
        map.insert("apiVersion", "v1".into());
    }
    Some(found)
}

/// The answer to `/apis/GROUP/VERSION` and `/api/v1`.
pub(crate) fn resources(registry: &Registry, group: &str, version: &str) -> Option<Value> {
    let mut resources = Vec::new();
    for kind in registry.kinds().filter(|kind| &*kind.resource.group == group) {
        let Some(found) = kind.versions.iter().find(|it| it.name == version && it.served) else { continue };
        let mut resource = map([
            ("name", (*kind.resource.plural).into()),
            ("singularName", kind.names.singular.as_str().into()),
            ("namespaced", kind.namespaced.into()),
            ("kind", kind.names.kind.as_str().into()),
            ("verbs", Verb::names(kind.verbs()).into()),
        ]);
        if let Value::Map(map) = &mut resource {
            for (name, list) in
                [("shortNames", &kind.names.short_names), ("categories", &kind.names.categories)]
            {
                if !list.is_empty() {
                    map.insert(name, texts(list));
                }
            }
            if !matches!(kind.role, Role::Component | Role::Review | Role::Binding) {
                map.insert("storageVersionHash", storage_hash(kind).into());
            }
        }
        resources.push(resource);
        for subresource in &found.subresources {
            let of = subresource.kind(&kind.names.kind);
            let mut out = map([
                ("name", format!("{}/{}", kind.resource.plural, subresource.name()).into()),
                ("singularName", "".into()),
                ("namespaced", kind.namespaced.into()),
                ("kind", of.kind.into()),
                ("verbs", Verb::names(subresource.verbs()).into()),
            ]);
            if let (Value::Map(map), Some((group, version))) = (&mut out, of.group_version) {
                map.insert("group", group.into());
                map.insert("version", version.into());
            }
            resources.push(out);
        }
    }
    if resources.is_empty() {
        return None;
    }
    let mut list = map([
        ("kind", "APIResourceList".into()),
        ("groupVersion", api_version(group, version).into()),
        ("resources", Value::List(resources)),
    ]);
    // The list of the oldest group has the form of its first version.
    if let (Value::Map(list), false) = (&mut list, group.is_empty()) {
        list.insert("apiVersion", "v1".into());
    }
    Some(list)
}
