//! The paths at which a kind is served, and the operations there.

use crate::ir::Spec;
use crate::value::{Map, Value};

use super::schema::{Members, finish};
use super::shared::{META, NAMESPACE, SCALE, is_shared, parameter, reference};
use super::words::{Case, Words, identifier};

/// One operation.
struct Operation {
    method: &'static str,
    action: Action,
    /// What it returns, and what it expects if that is the same.
    sample: Sample,
}

#[derive(Clone, Copy, PartialEq)]
enum Action {
    List,
    Post,
    DeleteCollection,
    Get,
    Put,
    Delete,
    Patch,
}

#[derive(Clone, Copy)]
enum Sample {
    Kind,
    List,
    Status,
    Scale,
}

const LIST: Operation = Operation { method: "get", action: Action::List, sample: Sample::List };
const COLLECTION: [Operation; 3] = [
    LIST,
    Operation { method: "post", action: Action::Post, sample: Sample::Kind },
    Operation { method: "delete", action: Action::DeleteCollection, sample: Sample::Status },
];
const ITEM: [Operation; 4] = [
    Operation { method: "get", action: Action::Get, sample: Sample::Kind },
    Operation { method: "put", action: Action::Put, sample: Sample::Kind },
    Operation { method: "delete", action: Action::Delete, sample: Sample::Status },
    Operation { method: "patch", action: Action::Patch, sample: Sample::Kind },
];

const fn subresource(sample: Sample) -> [Operation; 3] {
    [
        Operation { method: "get", action: Action::Get, sample },
        Operation { method: "put", action: Action::Put, sample },
        Operation { method: "patch", action: Action::Patch, sample },
    ]
}

/// Everything that determines the paths of a kind, except its names.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub(super) v2: bool,
    pub(super) namespaced: bool,
    pub(super) status: bool,
    pub(super) scale: bool,
}

impl Shape {
    pub(super) fn of(spec: &Spec, index: usize, v2: bool) -> Shape {
        let subresources = spec.subresources_of(index);
        Shape {
            v2,
            namespaced: spec.scope == "Namespaced",
            status: subresources.is_some_and(|it| it.status),
            scale: subresources.is_some_and(|it| it.scale.is_some()),
        }
    }

    /// The number of the shape, below 16.
    pub(super) fn number(self) -> usize {
        [self.v2, self.namespaced, self.status, self.scale].iter().fold(0, |n, &set| n * 2 + usize::from(set))
    }
}

/// All paths of a kind, with their operations.
pub(super) fn paths(words: &Words, shape: Shape) -> Vec<(String, Value)> {
    let Words { root, plural, .. } = words;
    let all = format!("{root}/{plural}");
    let root =
        if shape.namespaced { format!("{root}/namespaces/{{namespace}}/{plural}") } else { all.clone() };
    let item = format!("{root}/{{name}}");
    let mut out = Vec::new();
    if shape.namespaced {
        out.push((
            all,
            Place { words, shape, named: false, namespaced: false, sub: "", suffix: "ForAllNamespaces" }
                .item(&[LIST]),
        ));
    }
    let place = Place { words, shape, named: false, namespaced: shape.namespaced, sub: "", suffix: "" };
    out.push((root, place.item(&COLLECTION)));
    let place = Place { named: true, ..place };
    out.push((item.clone(), place.item(&ITEM)));
    if shape.status {
        out.push((
            format!("{item}/status"),
            Place { sub: "status", ..place }.item(&subresource(Sample::Kind)),
        ));
    }
    if shape.scale {
        out.push((
            format!("{item}/scale"),
            Place { sub: "scale", ..place }.item(&subresource(Sample::Scale)),
        ));
    }
    out
}

#[derive(Clone, Copy)]
struct Place<'a> {
    words: &'a Words,
    shape: Shape,
    /// Whether the path has `{name}`.
    named: bool,
    /// Whether the path has `{namespace}`.
    namespaced: bool,
    sub: &'a str,
    suffix: &'a str,
}

impl Place<'_> {
    /// The entry of a path. Parameters that all operations share are listed once, next to the operations.
    fn item(&self, operations: &[Operation]) -> Value {
        let of = |o: &Operation| parameters(o.action);
        let common: Vec<&str> = of(&operations[0])
            .iter()
            .copied()
            .filter(|p| operations[1..].iter().all(|o| of(o).contains(p)))
            .collect();
        let mut shared: Vec<Value> = common.iter().map(|p| self.parameter(p)).collect();
        if self.named {
            let text = format!("name of the {}", self.words.kind);
            let param = finish(vec![
                ("name", "name".into()),
                ("in", "path".into()),
                ("description", text.into()),
                ("required", true.into()),
                ("type", "string".into()),
                ("uniqueItems", true.into()),
            ]);
            shared.push(if self.shape.v2 { param } else { to_v3(&param) });
        }
        if self.namespaced {
            shared.push(self.parameter(NAMESPACE));
        }
        shared.push(self.parameter(PRETTY));
        sort(&mut shared);
        let mut out: Members = vec![("parameters", Value::List(shared))];
        for operation in operations {
            out.push((operation.method, self.operation(operation, &common)));
        }
        finish(out)
    }

    fn operation(&self, operation: &Operation, common: &[&str]) -> Value {
        let Words { group, version, kind, tag, .. } = self.words;
        let v2 = self.shape.v2;
        let gvk = finish(vec![
            ("group", group.as_str().into()),
            ("version", version.as_str().into()),
            ("kind", kind.as_str().into()),
        ]);
        let mut out: Members = vec![
            ("description", self.description(operation.action).into()),
            ("operationId", self.operation_id(operation.action).into()),
            ("tags", vec![tag.as_str()].into()),
            ("responses", self.responses(operation)),
            ("x-kubernetes-action", operation.action.name().into()),
            ("x-kubernetes-group-version-kind", gvk),
        ];
        let mut params: Vec<Value> = parameters(operation.action)
            .iter()
            .filter(|p| !common.contains(p))
            .map(|p| self.parameter(p))
            .collect();
        let consumes: &[&str] = match operation.action {
            Action::Patch => &[
                "application/json-patch+json",
                "application/merge-patch+json",
                "application/apply-patch+yaml",
            ],
            Action::List
            | Action::Post
            | Action::DeleteCollection
            | Action::Get
            | Action::Put
            | Action::Delete => TYPES,
        };
        if v2 {
            params.extend(self.body_v2(operation));
            out.push(("consumes", consumes.to_vec().into()));
            out.push(("produces", TYPES.to_vec().into()));
            out.push(("schemes", vec!["https"].into()));
        } else if let Some(model) = self.body(operation) {
            let mut body: Members = vec![("content", self.content(&model, consumes))];
            if operation.action != Action::Delete {
                body.push(("required", true.into()));
            }
            out.push(("requestBody", finish(body)));
        }
        if !params.is_empty() {
            sort(&mut params);
            out.push(("parameters", Value::List(params)));
        }
        finish(out)
    }

    fn description(&self, action: Action) -> String {
        let Words { kind, a_kind, .. } = self.words;
        let sub = if self.sub.is_empty() { String::new() } else { format!(" {} of", self.sub) };
        match action {
            Action::List => format!("list{sub} objects of kind {kind}"),
            Action::Post => format!("create{sub}{a_kind}"),
            Action::Delete => format!("delete{sub}{a_kind}"),
            Action::DeleteCollection => format!("delete collection of {kind}"),
            Action::Get => format!("read{sub} the specified {kind}"),
            Action::Put => format!("replace{sub} the specified {kind}"),
            Action::Patch => format!("partially update{sub} the specified {kind}"),
        }
    }

    fn operation_id(&self, action: Action) -> String {
        let (verb, rest) = match action {
            Action::List => ("list", ""),
            Action::Post => ("create", ""),
            Action::Delete => ("delete", ""),
            Action::DeleteCollection => ("delete", "collection"),
            Action::Get => ("read", ""),
            Action::Put => ("replace", ""),
            Action::Patch => ("patch", ""),
        };
        let scope = if self.shape.namespaced && self.suffix.is_empty() { "Namespaced" } else { "" };
        let mut sub = self.sub.to_owned();
        if let Some(first) = sub.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        let Words { id, id_kind_first, id_kind, .. } = self.words;
        let before = identifier(&format!("{rest}{scope}"), Case::Upper);
        let kind = if before.is_empty() { id_kind_first } else { id_kind };
        format!("{verb}{id}{before}{kind}{sub}{}", self.suffix)
    }

    fn responses(&self, operation: &Operation) -> Value {
        let codes: &[(&str, &str)] = match operation.action {
            Action::Post => &[("200", "OK"), ("201", "Created"), ("202", "Accepted")],
            Action::Delete => &[("200", "OK"), ("202", "Accepted")],
            Action::Put => &[("200", "OK"), ("201", "Created")],
            Action::List | Action::DeleteCollection | Action::Get | Action::Patch => &[("200", "OK")],
        };
        let model = self.model(operation.sample);
        let mut out: Members = codes
            .iter()
            .map(|(code, text)| {
                let content = if self.shape.v2 {
                    ("schema", reference(&model, self.shape.v2))
                } else {
                    ("content", self.content(&model, TYPES))
                };
                (*code, finish(vec![("description", (*text).into()), content]))
            })
            .collect();
        out.push(("401", finish(vec![("description", "Unauthorized".into())])));
        finish(out)
    }

    fn content(&self, model: &str, types: &[&str]) -> Value {
        let entry = |ty: &&str| ((*ty).to_owned(), finish(vec![("schema", reference(model, self.shape.v2))]));
        types.iter().map(entry).collect::<Map<Value>>().into()
    }

    fn model(&self, sample: Sample) -> String {
        match sample {
            Sample::Kind => self.words.model.clone(),
            Sample::List => self.words.list_model.clone(),
            Sample::Status => format!("{META}Status"),
            Sample::Scale => format!("{SCALE}Scale"),
        }
    }

    /// The model of the body that an operation expects.
    fn body(&self, operation: &Operation) -> Option<String> {
        match operation.action {
            Action::Post | Action::Put => Some(self.model(operation.sample)),
            Action::Patch => Some(format!("{META}Patch")),
            Action::Delete => Some(format!("{META}DeleteOptions")),
            Action::List | Action::DeleteCollection | Action::Get => None,
        }
    }

    fn body_v2(&self, operation: &Operation) -> Option<Value> {
        match operation.action {
            Action::Patch => Some(self.parameter("body-78PwaGsr")),
            Action::Delete => Some(self.parameter("body-2Y1dVQaQ")),
            Action::Post | Action::Put => Some(finish(vec![
                ("name", "body".into()),
                ("in", "body".into()),
                ("required", true.into()),
                ("schema", reference(&self.model(operation.sample), self.shape.v2)),
            ])),
            Action::List | Action::DeleteCollection | Action::Get => None,
        }
    }

    fn parameter(&self, name: &str) -> Value {
        if self.shape.v2 && is_shared(name) {
            finish(vec![("$ref", format!("#/parameters/{name}").into())])
        } else if self.shape.v2 {
            parameter(name).clone()
        } else {
            to_v3(parameter(name))
        }
    }
}

impl Action {
    fn name(self) -> &'static str {
        match self {
            Action::List => "list",
            Action::Post => "post",
            Action::DeleteCollection => "deletecollection",
            Action::Get => "get",
            Action::Put => "put",
            Action::Delete => "delete",
            Action::Patch => "patch",
        }
    }
}

const TYPES: &[&str] = &["application/json", "application/yaml"];
const PRETTY: &str = "pretty-tJGM1-ng";

/// The query parameters of an operation, by their names in v2.
fn parameters(action: Action) -> &'static [&'static str] {
    match action {
        Action::List | Action::DeleteCollection => &[
            "allowWatchBookmarks-HC2hJt-J",
            "continue-QfD61s0i",
            "fieldSelector-xIcQKXFG",
            "labelSelector-5Zw57w4C",
            "limit-1NfNmdNH",
            "resourceVersion-5WAnf1kx",
            "resourceVersionMatch-t8XhRHeC",
            "sendInitialEvents-rLXlEK_k",
            "shardSelector-Kgyki_3_",
            "timeoutSeconds-yvYezaOC",
            "watch-XNNPZGbK",
        ],
        Action::Get => &["resourceVersion-5WAnf1kx"],
        Action::Post | Action::Put => &["dryRun", "fieldManager-Qy4HdaTW", "fieldValidation"],
        Action::Patch => &["dryRun", "fieldManager-7c6nTn1T", "fieldValidation", "force-tOGGb0Yi"],
        Action::Delete => &[
            "dryRun",
            "gracePeriodSeconds--K5HaBOS",
            "ignoreStoreReadErrorWithClusterBreakingPotential-QbNkfIqj",
            "orphanDependents-uRB25kX5",
            "propagationPolicy-6jk3prlO",
        ],
    }
}

/// v3 puts the type of a parameter into a schema.
fn to_v3(parameter: &Value) -> Value {
    let Value::Map(map) = parameter else { return Value::Null };
    let is_type = |key: &str| matches!(key, "type" | "uniqueItems" | "format");
    let schema: Map<Value> = map.iter().filter(|(k, _)| is_type(k)).map(|(k, v)| (k, v.clone())).collect();
    let mut out: Map<Value> = map.iter().filter(|(k, _)| !is_type(k)).map(|(k, v)| (k, v.clone())).collect();
    out.insert("schema", schema.into());
    out.into()
}

/// Parameters are sorted by name, including those that v2 refers to.
fn sort(parameters: &mut [Value]) {
    let name = |p: &Value| -> String {
        let text = p.get("name").or_else(|| p.get("$ref")).and_then(Value::as_str).unwrap_or_default();
        match text.strip_prefix("#/parameters/") {
            Some(shared) => parameter(shared).text("name").to_owned(),
            None => text.to_owned(),
        }
    };
    parameters.sort_by_cached_key(name);
}
