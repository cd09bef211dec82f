//! Random histories of objects: several managers apply, update and patch them, take fields from each other, write their status
//! and scale them, while the types of lists change. Each step is a request of op `apply`; the oracle's answer to it is the
//! object of the next step.

use crdgen_core::json::to_string;
use crdgen_core::value::{Map, Value};

use crate::rng::Rng;

const MANAGERS: [&str; 4] = ["a", "b", "c", "kubectl"];
const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// A history: the object as it is stored, and the CRD, which may change.
pub struct History {
    rng: Rng,
    crd: Value,
    live: Option<Value>,
    /// What each manager applied last. It mostly applies nearly the same again.
    configs: Map<Value>,
}

fn map<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Map(members.into_iter().collect())
}

fn text(s: &str) -> Value {
    Value::from(s)
}

fn texts(items: &[&str]) -> Value {
    Value::List(items.iter().map(|item| text(item)).collect())
}

fn one(rng: &mut Rng, words: &[&str]) -> Value {
    text(words[rng.below(words.len())])
}

fn path<'v>(value: &'v Value, names: &[&str]) -> Option<&'v Value> {
    names.iter().try_fold(value, |value, name| value.get(name))
}

impl History {
    /// Starts a history with a random CRD, or with this one.
    pub fn new(seed: u64, number: u64, crd: Option<&Value>) -> History {
        let mut rng = Rng::of_case(seed, number);
        let has_versions = |crd: &&Value| {
            path(crd, &["spec", "versions"])
                .and_then(Value::as_list)
                .is_some_and(|versions| !versions.is_empty())
        };
        let mut crd = crd.filter(has_versions).cloned().unwrap_or_else(|| random_crd(&mut rng));
        // The oracle calls no webhooks.
        if let Some(Value::Map(spec)) = crd.as_map_mut().and_then(|map| map.get_mut("spec")) {
            spec.remove("conversion");
        }
        History { rng, crd, live: None, configs: Map::new() }
    }

    /// Returns the next request.
    pub fn request(&mut self) -> Value {
        if self.rng.chance(6) {
            self.change_schema();
        }
        let versions =
            path(&self.crd, &["spec", "versions"]).and_then(Value::as_list).unwrap_or_default().to_vec();
        let version = versions[self.rng.below(versions.len())].clone();
        let subresource = match (&self.live, version.get("subresources"), self.rng.below(20)) {
            (Some(_), Some(it), 0..4) if it.get("status").is_some() => "status",
            (Some(_), Some(it), 4..7) if it.get("scale").is_some() => "scale",
            _ => "",
        };
        let manager = *self.rng.pick(&MANAGERS);
        let kind = match self.rng.below(20) {
            0..10 => "apply",
            10..15 if self.live.is_some() => "patch-merge",
            _ => "update",
        };
        let body = match kind {
            _ if subresource == "scale" => self.scale(),
            "apply" => self.config(manager, &version, subresource),
            "patch-merge" => self.patch(&version),
            _ => self.update(&version),
        };
        let mut out = vec![
            ("op", text("apply")),
            ("crd", to_string(&self.crd).into()),
            ("version", version.get("name").cloned().unwrap_or_default()),
            ("request", to_string(&body).into()),
            ("kind", text(kind)),
            ("manager", text(manager)),
            ("force", self.rng.chance(40).into()),
        ];
        out.extend(self.live.as_ref().map(|live| ("live", to_string(live).into())));
        if !subresource.is_empty() {
            out.push(("subresource", text(subresource)));
        }
        Value::Map(out.into_iter().collect())
    }

    /// Continues with the answer of the oracle to the last request.
    pub fn continue_with(&mut self, answer: &Value) {
        let Some(object) = answer.get("object") else { return };
        let mut object = object.clone();
        // Now and then an object comes from before there were managed fields.
        if self.rng.chance(4)
            && let Some(metadata) = object.as_map_mut().and_then(|map| map.get_mut("metadata"))
            && let Value::Map(metadata) = metadata
        {
            metadata.remove("managedFields");
        }
        self.live = Some(object);
    }

    fn group_version(&self, version: &Value) -> String {
        let group = path(&self.crd, &["spec", "group"]).and_then(Value::as_str).unwrap_or_default();
        format!("{group}/{}", version.get("name").and_then(Value::as_str).unwrap_or_default())
    }

    fn kind(&self) -> Value {
        path(&self.crd, &["spec", "names", "kind"]).cloned().unwrap_or_default()
    }

    /// A random object of a version.
    fn object(&mut self, version: &Value) -> Value {
        let schema = path(version, &["schema", "openAPIV3Schema"]).cloned().unwrap_or_default();
        let mut object = match random_value(&mut self.rng, &schema, 0) {
            object @ Value::Map(_) => object,
            _ => Value::Map(Map::new()),
        };
        let (api_version, kind) = (self.group_version(version), self.kind());
        let metadata = self.metadata();
        if let Value::Map(map) = &mut object {
            map.insert("apiVersion", Value::from(api_version));
            map.insert("kind", kind);
            map.insert("metadata", metadata);
        }
        object
    }

    fn metadata(&mut self) -> Value {
        let rng = &mut self.rng;
        let mut out = vec![("name", text("x"))];
        if rng.chance(40) {
            let labels = (0..rng.below(3)).map(|_| (*rng.pick(&NAMES), text("1"))).collect::<Map<Value>>();
            out.push(("labels", Value::Map(labels)));
        }
        if rng.chance(20) {
            let mut all: Map<Value> = (0..rng.below(2)).map(|_| (*rng.pick(&NAMES), text("1"))).collect();
            if rng.chance(30) {
                all.insert(LAST_APPLIED, text("{}"));
            }
            out.push(("annotations", Value::Map(all)));
        }
        if rng.chance(15) {
            out.push(("finalizers", texts(&["example.com/a", "example.com/b"][..1 + rng.below(2)])));
        }
        if rng.chance(15) {
            let owner = |rng: &mut Rng| {
                map([
                    ("apiVersion", text("v1")),
                    ("kind", text("Pod")),
                    ("name", text("p")),
                    ("uid", one(rng, &["1", "2"])),
                ])
            };
            let count = 1 + rng.below(2);
            out.push(("ownerReferences", Value::List((0..count).map(|_| owner(rng)).collect())));
        }
        Value::Map(out.into_iter().collect())
    }

    fn config(&mut self, manager: &str, version: &Value, subresource: &str) -> Value {
        let mut config = match self.configs.get(manager).cloned() {
            Some(config) if self.rng.chance(70) => config,
            _ => self.object(version),
        };
        let other = self.object(version);
        self.mix(&mut config, &other);
        let api_version = self.group_version(version);
        if let Value::Map(map) = &mut config {
            map.insert("apiVersion", Value::from(api_version));
            if subresource.is_empty() && self.rng.chance(60) {
                map.remove("status");
            }
            if let Some(Value::Map(metadata)) = map.get_mut("metadata") {
                metadata.insert("name", text("x"));
            }
        }
        self.configs.insert(manager.to_owned(), config.clone());
        if self.rng.chance(1) {
            *config.as_map_mut().and_then(|map| map.get_mut("kind")).unwrap_or(&mut Value::Null) =
                text("Other");
        }
        config
    }

    fn update(&mut self, version: &Value) -> Value {
        let mut object = match self.live.clone() {
            Some(live) if self.rng.chance(85) => live,
            _ => self.object(version),
        };
        let other = self.object(version);
        self.mix(&mut object, &other);
        let (api_version, kind) = (self.group_version(version), self.kind());
        let managed = match self.rng.below(10) {
            0 => Some(Value::List(vec![Value::Map(Map::new())])),
            1 | 2 => Some(Value::Null),
            _ => None,
        };
        let mut last_applied = to_string(&object);
        last_applied.truncate(if self.rng.chance(80) { last_applied.len() } else { 0 });
        if let Value::Map(map) = &mut object {
            map.insert("apiVersion", Value::from(api_version));
            map.insert("kind", kind);
            if let Some(Value::Map(metadata)) = map.get_mut("metadata") {
                metadata.insert("name", text("x"));
                if let Some(managed) = managed {
                    metadata.insert("managedFields", managed);
                }
                if self.rng.chance(12) {
                    let annotations = metadata.entry_or_insert_with("annotations", || Value::Map(Map::new()));
                    if let Value::Map(annotations) = annotations {
                        annotations.insert(LAST_APPLIED, last_applied.into());
                    }
                }
            }
        }
        object
    }

    fn patch(&mut self, version: &Value) -> Value {
        let mut patch = self.object(version);
        if let Value::Map(map) = &mut patch {
            for name in ["apiVersion", "kind"] {
                map.remove(name);
            }
            if self.rng.chance(30) {
                map.remove("metadata");
            }
            for part in ["spec", "status"] {
                if let Some(Value::Map(part)) = map.get_mut(part) {
                    let names: Vec<String> = part.keys().map(str::to_owned).collect();
                    for name in names {
                        if self.rng.chance(25) {
                            part.insert(name, Value::Null);
                        }
                    }
                }
            }
        }
        patch
    }

    fn scale(&mut self) -> Value {
        let mut spec = vec![("replicas", Value::Int(self.rng.below(4) as i64))];
        spec.truncate(usize::from(self.rng.chance(90)));
        map([
            ("apiVersion", text("autoscaling/v1")),
            ("kind", text("Scale")),
            ("metadata", map([("name", text("x"))])),
            ("spec", Value::Map(spec.into_iter().collect())),
        ])
    }

    /// Replaces, removes and adds some parts of a value.
    fn mix(&mut self, value: &mut Value, other: &Value) {
        match (&mut *value, other) {
            (Value::Map(map), Value::Map(others)) => {
                let names: Vec<String> = map.keys().chain(others.keys()).map(str::to_owned).collect();
                for name in names {
                    match (map.get_mut(&name), others.get(&name)) {
                        (Some(_), _) if self.rng.chance(8) => drop(map.remove(&name)),
                        (Some(mine), Some(other)) => self.mix(mine, other),
                        (None, Some(other)) if self.rng.chance(25) => drop(map.insert(name, other.clone())),
                        _ => {}
                    }
                }
            }
            (Value::List(items), Value::List(others)) => {
                if self.rng.chance(20) && !items.is_empty() {
                    items.remove(self.rng.below(items.len()));
                }
                if self.rng.chance(20) {
                    items.reverse();
                }
                if self.rng.chance(30) {
                    items.extend(others.first().cloned());
                }
                if self.rng.chance(15) {
                    items.clone_from(others);
                }
            }
            (value, other) if self.rng.chance(25) => *value = other.clone(),
            _ => {}
        }
    }

    /// Changes the type of lists or objects in one version.
    fn change_schema(&mut self) {
        let mut crd = self.crd.clone();
        let versions = crd.as_map_mut().and_then(|map| map.get_mut("spec")).and_then(|spec| {
            match spec.as_map_mut()?.get_mut("versions")? {
                Value::List(versions) => Some(versions),
                _ => None,
            }
        });
        for version in versions.into_iter().flatten() {
            if self.rng.chance(60)
                && let Some(Value::Map(schema)) = version.as_map_mut().and_then(|map| map.get_mut("schema"))
                && let Some(root) = schema.get_mut("openAPIV3Schema")
            {
                change_types(&mut self.rng, root);
            }
        }
        self.crd = crd;
    }
}

/// Changes list types and map types.
fn change_types(rng: &mut Rng, schema: &mut Value) {
    let Value::Map(map) = schema else { return };
    if rng.chance(30) && map.get("type").and_then(Value::as_str) == Some("array") {
        let is_object = map.get("items").is_some_and(|items| items.get("properties").is_some());
        match rng.below(3) {
            0 => {
                map.insert("x-kubernetes-list-type", text("atomic"));
                map.remove("x-kubernetes-list-map-keys");
            }
            _ if is_object => {
                map.insert("x-kubernetes-list-type", text("map"));
                map.insert("x-kubernetes-list-map-keys", texts(&["name"]));
            }
            _ => {
                map.insert("x-kubernetes-list-type", text("set"));
                map.remove("x-kubernetes-list-map-keys");
            }
        }
    }
    if rng.chance(15) && map.get("properties").is_some() && map.get("x-kubernetes-map-type").is_some() {
        map.insert("x-kubernetes-map-type", one(rng, &["atomic", "granular"]));
    }
    for name in ["properties", "items", "additionalProperties"] {
        match map.get_mut(name) {
            Some(Value::Map(fields)) if name == "properties" => {
                fields.values_mut().for_each(|field| change_types(rng, field));
            }
            Some(child @ Value::Map(_)) => change_types(rng, child),
            _ => {}
        }
    }
}

fn random_crd(rng: &mut Rng) -> Value {
    let mut names = vec!["v1"];
    if rng.chance(50) {
        names.push("v2");
    }
    let mut spec = random_object(rng, 0, 5);
    if let Value::Map(map) = &mut spec
        && let Some(Value::Map(fields)) = map.get_mut("properties")
    {
        fields.insert("replicas", map_of_type("integer"));
    }
    let status = random_object(rng, 1, 3);
    let [with_status, with_scale] = [rng.chance(60), rng.chance(50)];
    let storage = rng.below(names.len());
    let mut versions = Vec::new();
    for (i, name) in names.iter().enumerate() {
        let mut root = map([
            ("type", text("object")),
            ("properties", map([("spec", spec.clone()), ("status", status.clone())])),
        ]);
        if i > 0 {
            change_types(rng, &mut root);
        }
        let mut version = vec![
            ("name", text(name)),
            ("served", true.into()),
            ("storage", (i == storage).into()),
            ("schema", map([("openAPIV3Schema", root)])),
        ];
        let mut subresources = Vec::new();
        if with_status {
            subresources.push(("status", Value::Map(Map::new())));
        }
        if with_scale && rng.chance(90) {
            subresources.push((
                "scale",
                map([
                    ("specReplicasPath", text(".spec.replicas")),
                    ("statusReplicasPath", text(".status.replicas")),
                ]),
            ));
        }
        if !subresources.is_empty() {
            version.push(("subresources", Value::Map(subresources.into_iter().collect())));
        }
        versions.push(Value::Map(version.into_iter().collect()));
    }
    map([
        ("apiVersion", text("apiextensions.k8s.io/v1")),
        ("kind", text("CustomResourceDefinition")),
        ("metadata", map([("name", text("things.example.com"))])),
        (
            "spec",
            map([
                ("group", text("example.com")),
                ("scope", one(rng, &["Namespaced", "Cluster"])),
                (
                    "names",
                    map([
                        ("plural", text("things")),
                        ("singular", text("thing")),
                        ("kind", text("Thing")),
                        ("listKind", text("ThingList")),
                    ]),
                ),
                ("versions", Value::List(versions)),
            ]),
        ),
    ])
}

fn map_of_type(ty: &str) -> Value {
    map([("type", text(ty))])
}

fn random_object(rng: &mut Rng, depth: usize, most: usize) -> Value {
    let count = 1 + rng.below(most);
    let fields: Map<Value> =
        (0..count).map(|i| (NAMES[i % NAMES.len()], random_schema(rng, depth + 1))).collect();
    let mut out = vec![("type", text("object")), ("properties", Value::Map(fields))];
    if rng.chance(12) {
        out.push(("x-kubernetes-map-type", one(rng, &["atomic", "granular"])));
    }
    if rng.chance(8) {
        out.push(("x-kubernetes-preserve-unknown-fields", true.into()));
    }
    Value::Map(out.into_iter().collect())
}

fn random_schema(rng: &mut Rng, depth: usize) -> Value {
    let shallow = depth < 4;
    let mut schema = match rng.below(if shallow { 16 } else { 6 }) {
        0 => map([("type", text("string")), ("default", text("d"))]),
        1 => map_of_type("integer"),
        2 => map_of_type("boolean"),
        3 => map([("x-kubernetes-int-or-string", true.into())]),
        4 => map([("type", text("string")), ("format", text("date-time"))]),
        5 => map_of_type("number"),
        6 | 7 => random_object(rng, depth, 3),
        8 => map([("type", text("object")), ("additionalProperties", random_schema(rng, depth + 1))]),
        9 => map([("type", text("object")), ("x-kubernetes-preserve-unknown-fields", true.into())]),
        10 => map([("x-kubernetes-preserve-unknown-fields", true.into())]),
        11 => map([
            ("type", text("array")),
            ("x-kubernetes-list-type", text("set")),
            ("items", map([("type", one(rng, &["string", "integer"]))])),
        ]),
        12 | 13 => {
            let mut item = random_object(rng, depth, 2);
            let mut keys = vec!["name"];
            if let Value::Map(map) = &mut item {
                map.remove("x-kubernetes-map-type");
                if let Some(Value::Map(fields)) = map.get_mut("properties") {
                    fields.insert("name", map_of_type("string"));
                    if rng.chance(30) {
                        keys.push("port");
                        let mut port = map_of_type("integer");
                        if rng.chance(60)
                            && let Value::Map(port) = &mut port
                        {
                            port.insert("default", Value::Int(80));
                        }
                        fields.insert("port", port);
                    }
                }
            }
            map([
                ("type", text("array")),
                ("x-kubernetes-list-type", text("map")),
                ("x-kubernetes-list-map-keys", texts(&keys)),
                ("items", item),
            ])
        }
        14 => {
            let mut list = vec![("type", text("array")), ("items", random_schema(rng, depth + 1))];
            if rng.chance(50) {
                list.push(("x-kubernetes-list-type", text("atomic")));
            }
            Value::Map(list.into_iter().collect())
        }
        _ => map([
            ("type", text("object")),
            ("x-kubernetes-embedded-resource", true.into()),
            ("x-kubernetes-preserve-unknown-fields", true.into()),
        ]),
    };
    if rng.chance(8)
        && let Value::Map(map) = &mut schema
        && map.get("default").is_none()
    {
        map.insert("nullable", true.into());
    }
    schema
}

/// A value of a schema, which now and then is wrong.
fn random_value(rng: &mut Rng, schema: &Value, depth: usize) -> Value {
    if rng.chance(1) && depth > 1 {
        return if rng.chance(50) { Value::Null } else { text("wrong") };
    }
    if schema.get("nullable").is_some() && rng.chance(20) {
        return Value::Null;
    }
    let number = |rng: &mut Rng| Value::Int(rng.below(3) as i64);
    match schema.get("type").and_then(Value::as_str) {
        Some("string") if schema.get("format").and_then(Value::as_str) == Some("date-time") => {
            one(rng, &["2020-01-01T00:00:00Z", "2021-01-01T00:00:00Z"])
        }
        Some("string") => one(rng, &NAMES[..3]),
        Some("integer") => number(rng),
        Some("number") => Value::Float(rng.below(4) as f64 / 2.0),
        Some("boolean") => rng.chance(50).into(),
        Some("array") => {
            let item = schema.get("items").cloned().unwrap_or_default();
            let count = rng.below(4);
            Value::List((0..count).map(|_| random_value(rng, &item, depth + 1)).collect())
        }
        Some(_) => {
            let mut out = Map::new();
            for (name, field) in
                schema.get("properties").and_then(Value::as_map).into_iter().flat_map(Map::iter)
            {
                let is_key = matches!(name, "name" | "spec");
                if depth > 8 || !(rng.chance(if is_key { 95 } else { 55 })) {
                    continue;
                }
                if depth == 0 && matches!(name, "apiVersion" | "kind" | "metadata") {
                    continue;
                }
                out.insert(name.to_owned(), random_value(rng, field, depth + 1));
            }
            if let Some(values @ Value::Map(_)) = schema.get("additionalProperties") {
                for _ in 0..rng.below(3) {
                    out.insert(*rng.pick(&NAMES), random_value(rng, values, depth + 1));
                }
            }
            if schema.get("x-kubernetes-embedded-resource").is_some() {
                out.insert("apiVersion", text("v1"));
                out.insert("kind", text("Pod"));
                out.insert("metadata", map([("name", one(rng, &NAMES))]));
            }
            if schema.get("x-kubernetes-preserve-unknown-fields").is_some() || rng.chance(1) {
                let name = if rng.chance(50) { "x" } else { "y" };
                out.insert(name, any_value(rng, 0));
            }
            Value::Map(out)
        }
        None if schema.get("x-kubernetes-int-or-string").is_some() => {
            if rng.chance(50) {
                number(rng)
            } else {
                text("50%")
            }
        }
        None => any_value(rng, 0),
    }
}

fn any_value(rng: &mut Rng, depth: usize) -> Value {
    match rng.below(if depth > 2 { 4 } else { 7 }) {
        0 => Value::Int(rng.below(3) as i64),
        1 => one(rng, &NAMES),
        2 => rng.chance(50).into(),
        3 => Value::Float(0.5),
        4 => Value::List((0..rng.below(3)).map(|_| any_value(rng, depth + 1)).collect()),
        _ => Value::Map((0..rng.below(3)).map(|_| (*rng.pick(&NAMES), any_value(rng, depth + 1))).collect()),
    }
}
