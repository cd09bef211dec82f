//! What all published documents share: the definitions of Kubernetes' own types and the parameters of
//! its verbs. They are facts of the API server, kept in `shared.json` as it publishes them (regenerated
//! and compared by the tests), in the form of v3; that of v2 follows from it.

use std::sync::LazyLock;

use crate::json;
use crate::value::{Map, Value};

/// The prefix of the metadata types.
pub(in crate::emit) const META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.";
/// The prefix of the types of the scale subresource.
pub(super) const SCALE: &str = "io.k8s.api.autoscaling.v1.";

static SHARED: LazyLock<Shared> = LazyLock::new(|| {
    let mut all = json::read(include_bytes!("shared.json")).unwrap_or_default();
    let mut part = |name: &str| match all.as_map_mut().and_then(|m| m.remove(name)) {
        Some(Value::Map(part)) => part,
        _ => Map::new(),
    };
    let v3 = part("definitions");
    let v2 = v3.iter().map(|(name, schema)| (name, to_v2(schema))).collect();
    Shared { v3, v2, parameters: part("parameters") }
});

struct Shared {
    v2: Map<Value>,
    v3: Map<Value>,
    parameters: Map<Value>,
}

/// The definitions of Kubernetes' own types, by name.
pub(in crate::emit) fn definitions(v2: bool) -> &'static Map<Value> {
    if v2 { &SHARED.v2 } else { &SHARED.v3 }
}

/// The property `apiVersion` or `kind` of every type that has them.
pub(super) fn type_meta(property: &str) -> Value {
    let list = SHARED.v3.get(&format!("{META}Status")).and_then(|s| s.get("properties"));
    list.and_then(|p| p.get(property)).cloned().unwrap_or_default()
}

/// A parameter in the form of v2, by the name under which v2 shares it (or its own, if it does not).
pub(super) fn parameter(name: &str) -> &'static Value {
    static NONE: Value = Value::Null;
    SHARED.parameters.get(name).unwrap_or(&NONE)
}

/// The parameters which v2 shares.
pub(super) fn parameters(namespaced: bool) -> Value {
    let used = |name: &str| is_shared(name) && (namespaced || name != super::routes::NAMESPACE);
    let all = SHARED.parameters.iter().filter(|(name, _)| used(name)).map(|(k, v)| (k, v.clone()));
    Value::Map(all.collect())
}

/// Whether v2 refers to the parameter rather than repeating it. `kubectl` finds out what a server can do
/// by looking for the two that are not shared.
pub(super) fn is_shared(name: &str) -> bool {
    !matches!(name, "dryRun" | "fieldValidation")
}

/// v2 has no defaults, references with siblings instead of `allOf`, and another place for definitions.
fn to_v2(schema: &Value) -> Value {
    match schema {
        Value::Map(map) => map
            .iter()
            .filter(|(key, _)| *key != "default")
            .map(|(key, value)| match (key, value) {
                ("allOf", Value::List(items)) if items.len() == 1 && items[0].get("$ref").is_some() => {
                    ("$ref", to_v2(items[0].get("$ref").unwrap_or(&Value::Null)))
                }
                _ => (key, to_v2(value)),
            })
            .collect::<Map<Value>>()
            .into(),
        Value::List(items) => Value::List(items.iter().map(to_v2).collect()),
        Value::Str(text) => Value::Str(text.replacen("#/components/schemas/", "#/definitions/", 1)),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) => schema.clone(),
    }
}
