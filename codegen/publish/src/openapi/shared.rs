//! What all published documents share: the schemas of Kubernetes' own types and the parameters of its verbs.
//! `shared.json` contains them in the form of v3, as the API server publishes them. The tests regenerate and compare
//! it. The form of v2 is computed from it.

use std::sync::LazyLock;

use crate::json;
use crate::value::{Map, Value};

use super::schema::finish;

/// The prefix of the metadata types.
pub(crate) const META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.";
/// The prefix of the types of the scale subresource.
pub(super) const SCALE: &str = "io.k8s.api.autoscaling.v1.";
/// v2's name of the parameter for the namespace.
pub(super) const NAMESPACE: &str = "namespace-vgWSWtn3";

/// The form in which something shared is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    V3,
    V2,
    V2WithDefaults,
}

static SHARED: LazyLock<Shared> = LazyLock::new(|| {
    let mut all = json::read(include_bytes!("shared.json")).unwrap_or_default();
    let mut part = |name: &str| match all.as_map_mut().and_then(|m| m.remove(name)) {
        Some(Value::Map(part)) => part,
        _ => Map::new(),
    };
    let v3 = part("definitions");
    let as_v2 = |form: Form| v3.iter().map(|(name, schema)| (name, to_v2(schema, form))).collect();
    let forms = [as_v2(Form::V2), as_v2(Form::V2WithDefaults), v3].map(|definitions: Map<Value>| {
        let texts = definitions.iter().map(|(name, schema)| (name, json::to_string(schema))).collect();
        Definitions { texts, definitions }
    });
    let [v2, v2_with_defaults, v3] = forms;
    let parameters = part("parameters");
    let texts = [false, true].map(|namespaced| json::to_string(&shared_parameters(&parameters, namespaced)));
    Shared { v3, v2, v2_with_defaults, parameters, parameter_texts: texts }
});

struct Shared {
    v3: Definitions,
    v2: Definitions,
    v2_with_defaults: Definitions,
    parameters: Map<Value>,
    /// The parameters that v2 shares, as JSON, for cluster-scoped and namespaced kinds.
    parameter_texts: [String; 2],
}

struct Definitions {
    definitions: Map<Value>,
    texts: Map<String>,
}

fn of(form: Form) -> &'static Definitions {
    match form {
        Form::V3 => &SHARED.v3,
        Form::V2 => &SHARED.v2,
        Form::V2WithDefaults => &SHARED.v2_with_defaults,
    }
}

/// The definitions of Kubernetes' own types, by name.
pub(crate) fn definitions(form: Form) -> &'static Map<Value> {
    &of(form).definitions
}

/// The same as JSON text.
pub(super) fn definition_texts(form: Form) -> impl Iterator<Item = (&'static str, &'static str)> {
    of(form).texts.iter().map(|(name, text)| (name, text.as_str()))
}

/// The property `apiVersion` or `kind` of every type that has them.
pub(super) fn type_meta(property: &str) -> Value {
    let list = definitions(Form::V3).get(&format!("{META}Status")).and_then(|s| s.get("properties"));
    list.and_then(|p| p.get(property)).cloned().unwrap_or_default()
}

/// A reference to a definition.
pub(super) fn reference(model: &str, v2: bool) -> Value {
    let place = if v2 { "definitions" } else { "components/schemas" };
    finish(vec![("$ref", format!("#/{place}/{model}").into())])
}

/// A parameter in the form of v2. `name` is the name under which v2 shares it, or its own if it is not shared.
pub(super) fn parameter(name: &str) -> &'static Value {
    static NONE: Value = Value::Null;
    SHARED.parameters.get(name).unwrap_or(&NONE)
}

/// The parameters which v2 shares.
pub(super) fn parameters(namespaced: bool) -> Value {
    shared_parameters(&SHARED.parameters, namespaced)
}

/// The same as JSON text.
pub(super) fn parameters_text(namespaced: bool) -> &'static str {
    &SHARED.parameter_texts[usize::from(namespaced)]
}

fn shared_parameters(all: &Map<Value>, namespaced: bool) -> Value {
    let used = |name: &str| is_shared(name) && (namespaced || name != NAMESPACE);
    Value::Map(all.iter().filter(|(name, _)| used(name)).map(|(k, v)| (k, v.clone())).collect())
}

/// Whether v2 refers to the parameter instead of repeating it. `kubectl` finds out what a server supports by looking
/// for the two parameters that are not shared.
pub(super) fn is_shared(name: &str) -> bool {
    !matches!(name, "dryRun" | "fieldValidation")
}

/// Converts to v2, which allows keywords next to references instead of `allOf`, and has the schemas at another place.
fn to_v2(schema: &Value, form: Form) -> Value {
    match schema {
        Value::Map(map) => map
            .iter()
            .filter(|(key, _)| form == Form::V2WithDefaults || *key != "default")
            .map(|(key, value)| match (key, value) {
                ("allOf", Value::List(items)) if items.len() == 1 && items[0].get("$ref").is_some() => {
                    ("$ref", to_v2(items[0].get("$ref").unwrap_or(&Value::Null), form))
                }
                _ => (key, to_v2(value, form)),
            })
            .collect::<Map<Value>>()
            .into(),
        Value::List(items) => Value::List(items.iter().map(|item| to_v2(item, form)).collect()),
        Value::Str(text) => Value::Str(text.replacen("#/components/schemas/", "#/definitions/", 1)),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) => schema.clone(),
    }
}
