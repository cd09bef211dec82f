//! The schemas of Kubernetes' own kinds with their descriptions, as the server publishes them.

use super::api_version;
use crdgen_core::apply::BuiltIn;
use crdgen_core::value::{Map, Value};
use std::collections::HashMap;
use std::sync::LazyLock;

/// What is published of a kind.
#[derive(Clone, Debug)]
pub struct Published {
    /// The name of the schema of its objects.
    pub model: &'static str,
    /// The name of the schema of its lists, if the server has such a schema.
    pub list_model: Option<&'static str>,
    /// Both schemas, and those that they refer to.
    pub schemas: Map<Value>,
}

/// Returns what the server publishes of a kind: in OpenAPI v2 if `v2` is `true`, otherwise in v3. `None` if the server has no such kind.
pub fn published(group_version: &str, kind: &str, v2: bool) -> Option<Published> {
    let model = *MODELS.get(&(group_version.to_owned(), kind.to_owned()))?;
    let list_model = MODELS.get(&(group_version.to_owned(), format!("{kind}List"))).copied();
    let mut writer = Writer { v2, open: list_model.into_iter().chain([model]).collect() };
    let mut schemas = Map::new();
    while let Some(name) = writer.open.pop() {
        if !schemas.contains_key(name)
            && let Some(of) = BuiltIn::model(name)
        {
            schemas.insert(name, writer.described(name, of));
        }
    }
    Some(Published { model, list_model, schemas })
}

/// The names of the schemas of all kinds.
static MODELS: LazyLock<HashMap<(String, String), &'static str>> = LazyLock::new(|| {
    let named = |(name, schema): (&'static str, &'static Value)| {
        let [of] = schema.get("x-kubernetes-group-version-kind")?.as_list()? else { return None };
        let text = |key| of.get(key).and_then(Value::as_str);
        Some(((api_version(text("group")?, text("version")?), text("kind")?.to_owned()), name))
    };
    BuiltIn::models().filter_map(named).collect()
});

/// The descriptions of a type, and of its properties in the order of their names.
type Descriptions = Vec<String>;

/// The descriptions of all types. `descriptions.zz` has one a line, compressed. A line that is a number repeats an earlier description.
static DESCRIPTIONS: LazyLock<HashMap<&'static str, Descriptions>> = LazyLock::new(|| {
    let text = miniz_oxide::inflate::decompress_to_vec_zlib(include_bytes!("descriptions.zz"));
    let text = String::from_utf8(text.unwrap_or_default()).unwrap_or_default();
    let mut known: Vec<String> = Vec::new();
    let mut lines = text.lines().map(|line| {
        let repeated = line.parse().ok().and_then(|place: usize| known.get(place).cloned());
        repeated.unwrap_or_else(|| {
            known.push(line.replace("\\n", "\n"));
            known.last().cloned().unwrap_or_default()
        })
    });
    let mut of = |schema: &Value| {
        let properties = schema.get("properties").and_then(Value::as_map).map_or(0, Map::len);
        lines.by_ref().take(1 + properties).collect()
    };
    BuiltIn::models().map(|(name, schema)| (name, of(schema))).collect()
});

/// Writes schemas as they are published.
struct Writer {
    v2: bool,
    /// The types that are still to be written.
    open: Vec<&'static str>,
}

impl Writer {
    /// Returns the schema of a type.
    fn described(&mut self, name: &str, of: &'static Value) -> Value {
        let mut descriptions = DESCRIPTIONS.get(name).into_iter().flatten();
        let mut next = || descriptions.next().map_or("", String::as_str);
        let description = next();
        let properties = of.get("properties").and_then(Value::as_map);
        let properties: Option<Map<Value>> = properties.map(|all| {
            all.iter().map(|(name, of)| (name.to_owned(), self.schema(of, next(), None))).collect()
        });
        self.schema(of, description, properties)
    }

    fn schema(&mut self, of: &'static Value, description: &str, properties: Option<Map<Value>>) -> Value {
        let mut out = Map::new();
        for (key, value) in of.as_map().into_iter().flat_map(Map::iter) {
            match (key, value) {
                // crdgen's own keywords.
                (key, _) if key.starts_with("x-") && !key.starts_with("x-kubernetes-") => {}
                ("$ref" | "properties", _) => {}
                ("default", _) if self.v2 => {}
                // OpenAPI v2 has one type for each value.
                ("oneOf", _) if self.v2 => {
                    out.insert("type", "string".into());
                }
                ("items" | "additionalProperties", Value::Map(_)) => {
                    out.insert(key, self.schema(value, "", None));
                }
                _ => {
                    out.insert(key, value.clone());
                }
            }
        }
        if !description.is_empty() {
            out.insert("description", description.into());
        }
        if let Some(properties) = properties {
            out.insert("properties", Value::Map(properties));
        }
        if let Some(name) = of.get("$ref").and_then(Value::as_str) {
            self.open.push(name);
            let place = if self.v2 { "definitions" } else { "components/schemas" };
            let reference = Value::from(format!("#/{place}/{name}"));
            // In v3, a schema with a reference has nothing else.
            if self.v2 || out.is_empty() {
                out.insert("$ref", reference);
            } else {
                let reference = Map::from_iter([("$ref".to_owned(), reference)]);
                out.insert("allOf", Value::List(vec![Value::Map(reference)]));
            }
        }
        Value::Map(out)
    }
}
