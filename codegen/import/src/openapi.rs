//! Reads CRDs from what a server publishes: the OpenAPI v3 of one or several groups and versions. A server does not
//! publish rules, printer columns, scale and short names, so these are missing.

use std::cell::Cell;
use std::collections::BTreeMap;

use super::Unreadable;
use crate::names::compare_versions;
use crate::value::{Map, Value};

/// Makes a CRD of each kind in an OpenAPI document, calls `make` for it, and returns the results.
///
/// # Errors
/// Fails if the document contains no CRDs, if a CRD cannot be made, or if `make` fails.
pub fn definitions<T>(
    document: &Value,
    make: &dyn Fn(Value) -> Result<T, Unreadable>,
) -> Result<Vec<T>, Unreadable> {
    let schemas = document.get("components").and_then(|c| c.get("schemas")).and_then(Value::as_map);
    let Some(schemas) = schemas else {
        return Err(Unreadable::NoOpenApi { is_v2: document.get("swagger").is_some() });
    };
    let routes = routes(document);
    let mut kinds: BTreeMap<(String, String), Vec<Version<'_>>> = BTreeMap::new();
    for schema in schemas.values() {
        let Some(gvk) = gvk(schema).filter(|_| is_object(schema)) else { continue };
        // Kinds without a collection of their own, such as Scale, are parts of other kinds.
        let route = routes.get(&gvk).filter(|route| !route.plural.is_empty());
        if route.is_none() && !routes.is_empty() {
            continue;
        }
        let route = route.cloned().unwrap_or_default();
        let Gvk { group, version, kind } = gvk;
        kinds.entry((group, kind)).or_default().push(Version { name: version, schema, route });
    }
    let one = |((group, kind), versions): ((String, String), Vec<Version<'_>>)| {
        let resolver = Resolver { schemas, left: Cell::new(MAX_SCHEMAS) };
        let definition = definition(&group, &kind, versions, &resolver);
        if resolver.left.get() == 0 {
            return Err(Unreadable::TooManySchemas { kind, group, limit: MAX_SCHEMAS });
        }
        make(definition)
    };
    kinds.into_iter().map(one).collect()
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Gvk {
    group: String,
    version: String,
    kind: String,
}

/// What the paths contain about a kind.
#[derive(Clone, Default)]
struct Route {
    plural: String,
    cluster: bool,
    status: bool,
}

struct Version<'a> {
    name: String,
    schema: &'a Value,
    route: Route,
}

/// The group, version and kind of a schema or an operation, if it has one.
fn gvk(of: &Value) -> Option<Gvk> {
    let found = of.get("x-kubernetes-group-version-kind")?;
    let one = match found {
        Value::List(all) if all.len() == 1 => &all[0],
        Value::Map(_) => found,
        Value::List(_) | Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => {
            return None;
        }
    };
    let part = |key| one.get(key).and_then(Value::as_str).map(str::to_owned);
    Some(Gvk { group: part("group")?, version: part("version")?, kind: part("kind")? })
}

/// Whether this is the schema of an object with metadata, and not of a list or of options.
fn is_object(schema: &Value) -> bool {
    let metadata = schema.get("properties").and_then(|p| p.get("metadata"));
    metadata.and_then(reference).is_some_and(|name| name.ends_with("ObjectMeta"))
}

/// The name of the schema to which a schema refers, directly or by the only branch of an `allOf`.
fn reference(schema: &Value) -> Option<&str> {
    let own = schema.get("$ref").and_then(Value::as_str);
    let text = own.or_else(|| match schema.get("allOf")?.as_list()? {
        [one] => one.get("$ref")?.as_str(),
        _ => None,
    })?;
    text.strip_prefix("#/components/schemas/")
}

fn routes(document: &Value) -> BTreeMap<Gvk, Route> {
    let mut routes: BTreeMap<Gvk, Route> = BTreeMap::new();
    let Some(paths) = document.get("paths").and_then(Value::as_map) else { return routes };
    for (path, item) in paths.iter() {
        let segments: Vec<&str> = path.trim_matches('/').split('/').collect();
        let operation = ["post", "get", "put"].iter().find_map(|verb| item.get(verb));
        let Some(gvk) = operation.and_then(gvk) else { continue };
        match segments.as_slice() {
            [.., "{name}", "status"] => routes.entry(gvk).or_default().status = true,
            [.., "{name}", _] => {}
            [before @ .., plural] if !plural.starts_with('{') && item.get("post").is_some() => {
                let route = routes.entry(gvk).or_default();
                route.plural = (*plural).to_owned();
                route.cluster = before.last() != Some(&"{namespace}");
            }
            _ => {}
        }
    }
    routes
}

fn definition(group: &str, kind: &str, mut versions: Vec<Version<'_>>, resolver: &Resolver<'_>) -> Value {
    versions.sort_by(|a, b| compare_versions(&a.name, &b.name));
    let singular = kind.to_lowercase();
    let route = versions.iter().map(|v| &v.route).find(|r| !r.plural.is_empty()).cloned().unwrap_or_default();
    let plural = if route.plural.is_empty() { format!("{singular}s") } else { route.plural };
    let name = if group.is_empty() { plural.clone() } else { format!("{plural}.{group}") };
    let written = versions.iter().enumerate().map(|(i, v)| version(v, i == 0, resolver)).collect();
    object([
        ("apiVersion", "apiextensions.k8s.io/v1".into()),
        ("kind", "CustomResourceDefinition".into()),
        ("metadata", object([("name", Value::Str(name))])),
        (
            "spec",
            object([
                ("group", group.into()),
                (
                    "names",
                    object([
                        ("kind", kind.into()),
                        ("plural", Value::Str(plural)),
                        ("singular", Value::Str(singular)),
                    ]),
                ),
                ("scope", if route.cluster { "Cluster".into() } else { "Namespaced".into() }),
                ("versions", Value::List(written)),
            ]),
        ),
    ])
}

fn version(version: &Version<'_>, storage: bool, resolver: &Resolver<'_>) -> Value {
    let mut schema = resolver.structural(version.schema, &mut Vec::new());
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_map_mut) {
        properties.remove("apiVersion");
        properties.remove("kind");
        properties.insert("metadata", object([("type", "object".into())]));
    }
    let mut out: Map<Value> = [
        ("name", Value::Str(version.name.clone())),
        ("served", true.into()),
        ("storage", storage.into()),
        ("schema", object([("openAPIV3Schema", Value::Map(schema))])),
    ]
    .into_iter()
    .collect();
    if version.route.status {
        out.insert("subresources", object([("status", object([]))]));
    }
    let fields =
        version.schema.get("x-kubernetes-selectable-fields").and_then(Value::as_list).unwrap_or_default();
    let fields = fields.iter().filter_map(|f| f.get("fieldPath")?.as_str());
    let fields: Vec<Value> = fields
        .map(|path| object([("jsonPath", Value::Str(format!(".{}", path.trim_start_matches('.'))))]))
        .collect();
    if !fields.is_empty() {
        out.insert("selectableFields", Value::List(fields));
    }
    Value::Map(out)
}

/// Replaces references by the schemas to which they refer.
struct Resolver<'a> {
    schemas: &'a Map<Value>,
    /// How many more schemas the CRD may have. Without this limit, a CRD in which each schema refers to the next one
    /// twice would grow exponentially.
    left: Cell<usize>,
}

/// The maximum number of schemas in a CRD. The largest kinds of Kubernetes have a few thousand.
const MAX_SCHEMAS: usize = 200_000;
/// The maximum length of a chain of references.
const MAX_REFERENCES: usize = 100;

impl<'a> Resolver<'a> {
    /// Converts the schema to one that a CRD may have. `above` are the names of the schemas that contain it.
    fn structural(&self, schema: &'a Value, above: &mut Vec<&'a str>) -> Map<Value> {
        let left = if above.len() > MAX_REFERENCES { 0 } else { self.left.get().saturating_sub(1) };
        self.left.set(left);
        if left == 0 {
            return Map::new();
        }
        let mut out = match reference(schema) {
            Some(name) => self.referred(name, above),
            None => Map::new(),
        };
        let referred = !out.is_empty();
        for (key, value) in schema.as_map().into_iter().flat_map(Map::iter) {
            let value = match (key, value) {
                ("$ref", _) => continue,
                ("allOf", _) if referred => continue,
                // Keywords at a reference override those of the type. An empty default is Go's zero value.
                ("default", Value::Map(map)) if map.is_empty() && referred => continue,
                ("properties", Value::Map(properties)) => Value::Map(
                    properties.iter().map(|(name, p)| (name.to_owned(), self.nested(p, above))).collect(),
                ),
                ("items" | "additionalProperties", Value::Map(_)) => self.nested(value, above),
                _ if key.starts_with("x-kubernetes-") && !STRUCTURAL.contains(&key) => continue,
                _ => value.clone(),
            };
            out.insert(key, value);
        }
        normalize(&mut out);
        out
    }

    fn nested(&self, schema: &'a Value, above: &mut Vec<&'a str>) -> Value {
        Value::Map(self.structural(schema, above))
    }

    /// A schema by name. If it contains itself, any value is allowed there.
    fn referred(&self, name: &'a str, above: &mut Vec<&'a str>) -> Map<Value> {
        let Some(schema) = self.schemas.get(name).filter(|_| !above.contains(&name)) else {
            return [("x-kubernetes-preserve-unknown-fields", Value::Bool(true))].into_iter().collect();
        };
        above.push(name);
        let out = self.structural(schema, above);
        above.pop();
        out
    }
}

/// The extensions that a CRD may have. Others are for clients.
const STRUCTURAL: &[&str] = &[
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-embedded-resource",
    "x-kubernetes-int-or-string",
    "x-kubernetes-list-type",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-map-type",
    "x-kubernetes-validations",
];

/// Converts a published node to one that a CRD may have.
fn normalize(schema: &mut Map<Value>) {
    // The server's own types have another form of int-or-string.
    let own_form = schema.get("format").and_then(Value::as_str) == Some("int-or-string");
    let of_numbers = schema.get("type").is_none()
        && schema.get("oneOf").and_then(Value::as_list).is_some_and(|all| {
            let ty =
                |i: usize| all.get(i).and_then(|branch: &Value| branch.get("type")).and_then(Value::as_str);
            all.len() == 2
                && matches!(
                    (ty(0), ty(1)),
                    (Some("string"), Some("number")) | (Some("integer"), Some("string"))
                )
        });
    if own_form || of_numbers {
        schema.remove("oneOf");
        schema.remove("format");
        schema.insert("x-kubernetes-int-or-string", true.into());
    }
    let any = |key| schema.get(key).and_then(Value::as_bool) == Some(true);
    let free = any("x-kubernetes-int-or-string") || any("x-kubernetes-preserve-unknown-fields");
    if schema.get("type").is_none() && !free {
        if schema.contains_key("properties") || schema.contains_key("additionalProperties") {
            schema.insert("type", "object".into());
        } else {
            schema.insert("x-kubernetes-preserve-unknown-fields", true.into());
        }
    }
}

fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Map(members.into_iter().collect())
}
