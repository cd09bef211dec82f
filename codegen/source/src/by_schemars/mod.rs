//! Generates the same JSON Schema as schemars 1, for types that only have a schema for schemars. These are types of
//! dependencies: a project cannot change their derives with a `use` line. `crdgen::Schemars<T>` reads the same JSON
//! Schema at run time. Everything that the sources do not show is an error, so no schema is guessed.

mod containers;
mod known;
mod lines;
mod merge;

use super::Program;
use super::types::{Id, Instance, SchemaBy, Scope};
use crate::ir::Type;
use crate::value::{Map, Value};
use crdgen_rust::attrs::{self, Attrs, Code};
use crdgen_rust::report::Report;
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

/// A JSON Schema, or why it cannot be determined.
type Generated = Result<Value, NotKnown>;

/// The text of a schema, for `by_hand`, or why it cannot be determined.
pub(super) type GeneratedText = Result<Rc<str>, NotKnown>;

/// Why a schema cannot be determined, and in which type.
#[derive(Clone)]
pub(super) struct NotKnown {
    what: String,
    item: Option<String>,
}

/// A generation of schemars whose schemas crdgen can generate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Generation {
    /// 1.0 and 1.1.
    Older,
    /// 1.2.
    Newest,
}

impl Generation {
    fn of(version: &str) -> Option<Generation> {
        let mut numbers = version.split('.');
        match (numbers.next()?, numbers.next()?) {
            ("1", "0" | "1") => Some(Generation::Older),
            ("1", "2") => Some(Generation::Newest),
            _ => None,
        }
    }
}

impl From<String> for NotKnown {
    fn from(what: String) -> Self {
        NotKnown { what, item: None }
    }
}

impl From<&str> for NotKnown {
    fn from(what: &str) -> Self {
        what.to_owned().into()
    }
}

impl fmt::Display for NotKnown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.item {
            Some(item) => write!(f, "`{item}` has {}", self.what),
            None => write!(f, "there is {}", self.what),
        }
    }
}

/// More levels than any schema that a server accepts.
const MAX_DEPTH: usize = 100;

impl Program<'_> {
    /// The schema that schemars generates for a type, with the schemas in `$defs` and the name of the type.
    pub(super) fn generated(&self, id: Id) -> GeneratedText {
        self.generated.get(id, || {
            let (names, definitions) = (HashMap::new(), Map::new());
            Generator { program: self, root: id, depth: 0, is_older: false, names, definitions }.text()
        })
    }
}

struct Generator<'p, 's> {
    program: &'p Program<'s>,
    /// The type whose schema is generated.
    root: Id,
    depth: usize,
    /// Whether schemars is older than 1.2, which writes flattened fields and the names of maps differently.
    is_older: bool,
    /// The names of the schemas in `$defs`.
    names: HashMap<Id, String>,
    definitions: Map<Value>,
}

impl Generator<'_, '_> {
    fn text(&mut self) -> GeneratedText {
        let mut schema = self.schema(self.root)?;
        if !self.definitions.is_empty() {
            insert(&mut schema, "$defs", Value::Map(std::mem::take(&mut self.definitions)));
        }
        let name = self.name(self.root).unwrap_or_default();
        Ok(format!("{name}\n{}", crate::json::to_string(&schema)).into())
    }

    /// Like schemars' `subschema_for`: a reference for a type with a name, and otherwise the schema itself.
    fn subschema(&mut self, id: Id) -> Generated {
        let id = self.forwarded(id);
        let Some(base) = self.name(id) else { return self.schema(id) };
        if id == self.root {
            return Ok(reference("#"));
        }
        if let Some(name) = self.names.get(&id) {
            return Ok(reference(&format!("#/$defs/{name}")));
        }
        if !base.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-')) {
            return Err(format!("the name `{base}` of its schema").into());
        }
        let is_used = |name: &str| self.names.values().any(|used| used == name);
        let mut name = base.clone();
        let mut number = 1;
        while is_used(&name) {
            number += 1;
            name = format!("{base}{number}");
        }
        self.names.insert(id, name.clone());
        let schema = self.schema(id)?;
        self.definitions.insert(name.as_str(), schema);
        Ok(reference(&format!("#/$defs/{name}")))
    }

    /// The schema of a type itself.
    fn schema(&mut self, id: Id) -> Generated {
        if self.depth > MAX_DEPTH || self.program.effort.step().is_err() {
            return Err("a schema that is too deep or too large".into());
        }
        self.depth += 1;
        let schema = self.of_instance(id);
        self.depth -= 1;
        schema
    }

    fn of_instance(&mut self, id: Id) -> Generated {
        match self.program.instance(id) {
            Instance::Item(item, _) => self.item(id, item),
            Instance::Known(path, parts) => self.known(path, &parts),
            Instance::Tuple(parts) if parts.is_empty() => Ok(of_type("null")),
            Instance::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.subschema(*part)).collect::<Result<Vec<_>, _>>()?;
                Ok(tuple(parts))
            }
            Instance::Array(_, 0) => Ok(object([("type", "array".into()), ("maxItems", Value::Int(0))])),
            Instance::Array(item, len) if len <= 32 => {
                let len = Value::Int(i64::try_from(len).unwrap_or_default());
                let items = self.subschema(item)?;
                Ok(object([
                    ("type", "array".into()),
                    ("items", items),
                    ("minItems", len.clone()),
                    ("maxItems", len),
                ]))
            }
            Instance::Slice(item) => self.list(item),
            Instance::Written(item) => {
                let text = self.program.written(item).ok_or("a schema that is written by hand")?;
                let (_, text) = text.split_once('\n').unwrap_or_default();
                crate::json::read(text.as_bytes()).map_err(|_| "a schema that is written by hand".into())
            }
            // Its schema is recognized by its name. Here it only matters whether it is an object.
            Instance::Kubernetes(name) if id != self.root => {
                let is_object =
                    crate::k8s::find(name).is_some_and(|ty| ty.shallow().ty == Some(Type::Object));
                Ok(if is_object { of_type("object") } else { Value::Map(Map::new()) })
            }
            Instance::Kubernetes(name) => {
                Err(format!("the type `{name}` of k8s-openapi, which has no name here").into())
            }
            Instance::BySchemars(inner) => self.schema(inner),
            Instance::Array(..) | Instance::Root(_) | Instance::Unknown => {
                Err("a type that crdgen cannot find".into())
            }
        }
    }

    /// The name of the schema of a type, if schemars refers to it by name.
    fn name(&self, id: Id) -> Option<String> {
        match self.program.instance(id) {
            Instance::Item(item, _) => Some(self.item_name(item)),
            Instance::Written(item) => {
                let text = self.program.written(item)?;
                text.split_once('\n').map(|(name, _)| name.rsplit("::").next().unwrap_or(name).to_owned())
            }
            Instance::Kubernetes(name) => crate::k8s::openapi_name(name),
            _ => None,
        }
    }

    /// The type whose schema is exactly that of the given one: the type inside a pointer, or inside a transparent
    /// struct without documentation.
    fn forwarded(&self, id: Id) -> Id {
        let mut at = id;
        for _ in 0..MAX_DEPTH {
            let next = match self.program.instance(at) {
                Instance::Known(path, parts) if known::is_forwarded(path) => parts.first().copied(),
                Instance::Item(item, _) => self.transparent(at, item),
                Instance::BySchemars(inner) => Some(inner),
                _ => None,
            };
            match next {
                Some(next) => at = next,
                None => break,
            }
        }
        at
    }

    /// Whether a field of this type may be left out.
    fn is_option(&self, id: Id) -> bool {
        matches!(self.program.instance(self.forwarded(id)), Instance::Known("std::option::Option", _))
    }

    fn list(&mut self, item: Id) -> Generated {
        let items = self.subschema(item)?;
        Ok(object([("type", "array".into()), ("items", items)]))
    }

    /// The scope inside an item.
    fn scope(&self, id: Id) -> Option<Scope> {
        Some(self.program.scope(id)?.schema_by(SchemaBy::Schemars))
    }

    /// The number of a type in the source.
    fn type_of(&self, ty: &syn::Type, scope: &Scope) -> Result<Id, NotKnown> {
        let (id, errors) = self.program.found.apart(|| self.program.type_of(ty, scope));
        if errors.is_empty() {
            Ok(id)
        } else {
            Err("a type that crdgen cannot find, or that has no schema".into())
        }
    }

    /// The attributes at one place, if all of them are serde's.
    fn attributes(&self, attributes: &[syn::Attribute], place: u8, item: usize) -> Result<Attrs, NotKnown> {
        let cfg = self.program.world.cfg_of(item);
        let (mut report, mut code) = (Report::default(), Vec::new());
        let target = attrs::Target { report: &mut report, code: &mut code, as_is: false };
        let own: Vec<syn::Attribute> =
            attributes.iter().filter(|it| !it.path().is_ident("kube")).cloned().collect();
        let read = attrs::read(&own, place, &|tokens| cfg.enabled(tokens), target);
        if report.has_errors() || !read.says_nothing() {
            return Err("an attribute of schemars".into());
        }
        if !read.doc_code.is_empty() {
            return Err("documentation that the compiler puts together".into());
        }
        let serde = &read.serde;
        if serde.serialize_with.is_some() && serde.deserialize_with.is_some() {
            return Err("an attribute `with` of serde".into());
        }
        if serde.into.is_some() || serde.from.is_some() || serde.remote {
            return Err("a type that serde reads or writes as another type".into());
        }
        Ok(read)
    }

    /// The value of code, as serde writes it.
    fn code(&self, code: &Code, scope: &Scope) -> Result<Option<Value>, NotKnown> {
        self.program.value_of_code(code, scope).map_err(|_| "a default that crdgen cannot evaluate".into())
    }
}

fn object<const N: usize>(pairs: [(&str, Value); N]) -> Value {
    Value::Map(pairs.into_iter().collect())
}

fn of_type(name: &str) -> Value {
    object([("type", name.into())])
}

fn reference(to: &str) -> Value {
    object([("$ref", to.into())])
}

fn tuple(parts: Vec<Value>) -> Value {
    let len = Value::Int(i64::try_from(parts.len()).unwrap_or_default());
    let mut out = object([("type", "array".into()), ("maxItems", len.clone())]);
    if !parts.is_empty() {
        insert(&mut out, "prefixItems", Value::List(parts));
        insert(&mut out, "minItems", len);
    }
    out
}

/// Sets a key of a schema, which becomes an object if it is `true` or `false`.
fn insert(schema: &mut Value, key: &str, value: Value) {
    match schema {
        Value::Bool(true) => *schema = Value::Map(Map::new()),
        Value::Bool(false) => *schema = object([("not", Value::Map(Map::new()))]),
        _ => {}
    }
    if let Some(map) = schema.as_map_mut() {
        map.insert(key, value);
    }
}
