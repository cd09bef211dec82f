//! Edits of a CRD as a whole.

use crdgen_core::value::{Map, Value};

use super::Edit::{self, Definition};
use super::member;
use crate::json::json;
use crate::rng::Rng;

fn spec(top: &mut Map<Value>) -> Option<&mut Map<Value>> {
    top.get_mut("spec")?.as_map_mut()
}

pub(super) fn versions(top: &mut Map<Value>) -> Option<&mut Vec<Value>> {
    match spec(top)?.get_mut("versions")? {
        Value::List(items) if !items.is_empty() => Some(items),
        _ => None,
    }
}

/// Adds a second version, made from an existing one.
fn add_version(top: &mut Map<Value>, rng: &mut Rng, change: fn(&mut Map<Value>)) -> bool {
    let Some(versions) = versions(top) else { return false };
    let mut copy = versions[rng.below(versions.len())].clone();
    let Some(new) = copy.as_map_mut() else { return false };
    new.insert("name", Value::from(*rng.pick(&["v2", "v1alpha1", "v1beta2", "v10", "foo"])));
    new.insert("storage", Value::Bool(false));
    change(new);
    let at = rng.below(versions.len() + 1);
    versions.insert(at, copy);
    true
}

fn schema(version: &mut Map<Value>) -> Option<&mut Map<Value>> {
    version.get_mut("schema")?.as_map_mut()?.get_mut("openAPIV3Schema")?.as_map_mut()
}

/// Moves a member of the first version to the place where v1beta1 has it for all versions.
fn hoist(top: &mut Map<Value>, from: &str, to: &str) -> bool {
    let Some(version) = versions(top).and_then(|v| v[0].as_map_mut()) else { return false };
    let Some(value) = version.remove(from) else { return false };
    top.insert("apiVersion", Value::from("apiextensions.k8s.io/v1beta1"));
    spec(top).is_some_and(|s| {
        s.insert(to.to_owned(), value);
        true
    })
}

fn group(top: &mut Map<Value>, group: &str, approval: Option<&str>) -> bool {
    let Some(spec) = spec(top) else { return false };
    spec.insert("group", Value::from(group));
    let plural =
        spec.get("names").and_then(|n| n.get("plural")).and_then(Value::as_str).unwrap_or("x").to_owned();
    let Some(metadata) = member(top, "metadata") else { return false };
    metadata.insert("name", Value::Str(format!("{plural}.{group}")));
    if let Some(approval) = approval {
        let Some(annotations) = member(metadata, "annotations") else { return false };
        annotations.insert("api-approved.kubernetes.io", Value::from(approval));
    }
    true
}

/// The table of edits.
pub(super) const EDITS: &[Edit] = &[
    Definition("a copied version", |top, rng| add_version(top, rng, |_| {})),
    Definition("a copied version, also stored", |top, rng| {
        add_version(top, rng, |v| {
            v.insert("storage", Value::Bool(true));
        })
    }),
    Definition("a copied version with another schema", |top, rng| {
        add_version(top, rng, |v| {
            if let Some(schema) = schema(v) {
                schema.insert("description", Value::from("another"));
            }
        })
    }),
    Definition("a copied version without schema", |top, rng| {
        add_version(top, rng, |v| {
            v.remove("schema");
        })
    }),
    Definition("a copied version without columns", |top, rng| {
        add_version(top, rng, |v| {
            v.remove("additionalPrinterColumns");
        })
    }),
    Definition("a copied version with subresources", |top, rng| {
        add_version(top, rng, |v| {
            v.insert("subresources", json(r#"{"status":{}}"#));
        })
    }),
    Definition("a copied version, deprecated", |top, rng| {
        add_version(top, rng, |v| {
            v.insert("deprecated", Value::Bool(true));
            v.insert("deprecationWarning", Value::from("use another"));
        })
    }),
    Definition("twin versions", |top, _| {
        let Some(versions) = versions(top) else { return false };
        let copy = versions[0].clone();
        versions.push(copy);
        true
    }),
    Definition("a version taken out", |top, rng| {
        let Some(versions) = versions(top) else { return false };
        let i = rng.below(versions.len());
        versions.remove(i);
        true
    }),
    Definition("versions reversed", |top, _| {
        versions(top).is_some_and(|v| {
            v.reverse();
            v.len() > 1
        })
    }),
    Definition("another storage version", |top, rng| {
        let Some(versions) = versions(top) else { return false };
        let chosen = rng.below(versions.len());
        for (i, version) in versions.iter_mut().enumerate() {
            if let Some(version) = version.as_map_mut() {
                version.insert("storage", Value::Bool(i == chosen));
            }
        }
        true
    }),
    Definition("nothing served", |top, _| {
        versions(top).is_some_and(|versions| {
            for version in versions.iter_mut().filter_map(Value::as_map_mut) {
                version.insert("served", Value::Bool(false));
            }
            true
        })
    }),
    Definition("v1beta1 as it stands", |top, _| {
        top.insert("apiVersion", Value::from("apiextensions.k8s.io/v1beta1"));
        true
    }),
    Definition("v1beta1 with a shared schema", |top, _| hoist(top, "schema", "validation")),
    Definition("v1beta1 with shared subresources", |top, _| hoist(top, "subresources", "subresources")),
    Definition("v1beta1 with shared columns", |top, _| {
        hoist(top, "additionalPrinterColumns", "additionalPrinterColumns")
    }),
    Definition("v1beta1 with one version", |top, _| {
        if !hoist(top, "schema", "validation") {
            return false;
        }
        let name = versions(top).and_then(|v| v[0].get("name").cloned());
        let Some(spec) = spec(top) else { return false };
        spec.remove("versions");
        spec.insert("version", name.unwrap_or(Value::Null));
        spec.insert("preserveUnknownFields", Value::Bool(false));
        true
    }),
    Definition("v1beta1 without pruning", |top, _| {
        top.insert("apiVersion", Value::from("apiextensions.k8s.io/v1beta1"));
        spec(top).is_some_and(|s| s.insert("preserveUnknownFields", Value::Bool(true)).is_none())
    }),
    Definition("a protected group, approved", |top, _| {
        group(top, "things.k8s.io", Some("https://github.com/kubernetes/kubernetes/pull/78458"))
    }),
    Definition("a protected group, unapproved", |top, _| {
        group(top, "things.k8s.io", Some("unapproved, an experiment"))
    }),
    Definition("a protected group, badly approved", |top, _| group(top, "a.kubernetes.io", Some("yes"))),
    Definition("a protected group, not approved", |top, _| group(top, "k8s.io", None)),
    Definition("a group that looks protected", |top, _| group(top, "notk8s.io", None)),
    Definition("plural and name changed", |top, _| {
        let Some(spec) = spec(top) else { return false };
        let group = spec.get("group").and_then(Value::as_str).unwrap_or("ex.com").to_owned();
        let Some(names) = member(spec, "names") else { return false };
        names.insert("plural", Value::from("others"));
        let Some(metadata) = member(top, "metadata") else { return false };
        metadata.insert("name", Value::Str(format!("others.{group}")));
        true
    }),
    Definition("names exchanged", |top, _| {
        let Some(names) = spec(top).and_then(|s| member(s, "names")) else { return false };
        let (kind, plural) = (names.remove("kind"), names.remove("plural"));
        names.insert("kind", plural.unwrap_or(Value::Null));
        names.insert("plural", kind.unwrap_or(Value::Null));
        true
    }),
    Definition("every name the same", |top, _| {
        let Some(names) = spec(top).and_then(|s| member(s, "names")) else { return false };
        for key in ["kind", "listKind", "plural", "singular"] {
            names.insert(key, Value::from("same"));
        }
        true
    }),
    Definition("status and scale", |top, rng| {
        let Some(versions) = versions(top) else { return false };
        let i = rng.below(versions.len());
        let Some(version) = versions[i].as_map_mut() else { return false };
        version.insert(
            "subresources",
            json(r#"{"status":{},"scale":{"specReplicasPath":".spec.replicas","statusReplicasPath":".status.replicas","labelSelectorPath":".status.selector"}}"#),
        );
        true
    }),
    Definition("columns of every type", |top, rng| {
        let Some(versions) = versions(top) else { return false };
        let i = rng.below(versions.len());
        let Some(version) = versions[i].as_map_mut() else { return false };
        version.insert(
            "additionalPrinterColumns",
            json(r#"[{"name":"I","type":"integer","format":"int32","jsonPath":".spec.size"},{"name":"N","type":"number","jsonPath":".spec.n"},{"name":"S","type":"string","jsonPath":".spec.a","priority":1},{"name":"B","type":"boolean","jsonPath":".spec.b"},{"name":"D","type":"date","format":"date-time","jsonPath":".metadata.creationTimestamp","description":"d"}]"#),
        );
        true
    }),
    Definition("a conversion webhook", |top, _| {
        spec(top).is_some_and(|s| {
            s.insert(
                "conversion",
                json(r#"{"strategy":"Webhook","webhook":{"conversionReviewVersions":["v1"],"clientConfig":{"service":{"name":"svc","namespace":"ns","path":"/convert"}}}}"#),
            );
            true
        })
    }),
    Definition("kind List around it", |top, _| {
        let inner = Value::Map(top.clone());
        *top = [
            ("apiVersion", Value::from("v1")),
            ("kind", Value::from("List")),
            ("items", Value::List(vec![inner])),
        ]
        .into_iter()
        .collect();
        true
    }),
    Definition("a long description", |top, rng| {
        let Some(versions) = versions(top) else { return false };
        let i = rng.below(versions.len());
        let Some(schema) = versions[i].as_map_mut().and_then(schema) else { return false };
        schema.insert("description", Value::Str("long ".repeat(500)));
        true
    }),
];
