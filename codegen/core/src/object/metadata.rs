//! Decodes the metadata of objects as the server does: values of wrong types are errors or are dropped, unknown and
//! empty fields are dropped, and times become UTC.

use super::Unknown;
use super::unknown::Owner;
use crate::diag::Diag;
use crate::go;
use crate::go::time::{Layout, why_not};
use crate::ir::{Additional, Extensions, Items, Metadata, OwnerReference, Schema, Type as JsonType};
use crate::json;
use crate::path::{Path, Step};
use crate::value::{Map, Value, is_yaml_bool};
use std::fmt;
use std::sync::OnceLock;

/// Metadata after decoding.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decoded {
    /// The fields that are set, as the server writes them.
    pub fields: Map<Value>,
    /// The unknown fields, which were dropped.
    pub unknown: Vec<Unknown>,
}

/// Why metadata cannot be decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// The metadata is not an object. The text names the type that it has instead.
    NoObject(&'static str),
    /// A value has a wrong type.
    Field(Wrong),
}

/// A value of a wrong type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The message of Go's decoder.
    pub words: String,
    /// The path of the value.
    pub field: String,
    /// The steps to the value in the object.
    pub steps: Vec<Step>,
    /// The help about the value.
    pub help: Option<&'static str>,
}

impl Wrong {
    /// Adds the steps and the help of the value to a diagnostic.
    pub fn locate(&self, diag: Diag) -> Diag {
        let help = self.help.map(str::to_owned);
        Diag { field: self.field.clone(), steps: self.steps.clone(), help, ..diag }
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Malformed::NoObject(found) => write!(f, "invalid metadata: expected object, got {found}"),
            Malformed::Field(wrong) => f.write_str(&wrong.words),
        }
    }
}

/// What happens to fields of the wrong type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrongTypes {
    /// The first one is an error with the message of Go's decoder.
    Rejected,
    /// They are dropped, as in stored objects.
    Dropped,
}

/// Decodes the metadata at a path.
pub fn decode(metadata: &Value, wrong_types: WrongTypes, at: &Path<'_>) -> Result<Decoded, Malformed> {
    let mut decoder = Decoder::default();
    let fields = decoder.structure(&OBJECT_META, metadata, &Path::ROOT, at);
    let Some(error) = decoder.malformed.or(decoder.error) else {
        return Ok(Decoded { fields, unknown: decoder.unknown });
    };
    let Value::Map(map) = metadata else {
        return Err(match wrong_types {
            WrongTypes::Dropped => Malformed::NoObject(metadata.go_type()),
            WrongTypes::Rejected => Malformed::Field(error),
        });
    };
    if wrong_types == WrongTypes::Rejected {
        return Err(Malformed::Field(error));
    }
    let mut out = Decoded::default();
    let mut kept = Vec::new();
    for (name, value) in map.iter() {
        let mut decoder = Decoder::default();
        let one = Value::Map(std::iter::once((name, value.clone())).collect());
        let fields = decoder.structure(&OBJECT_META, &one, &Path::ROOT, at);
        if decoder.error.is_none() && decoder.malformed.is_none() {
            kept.extend(fields);
            out.unknown.append(&mut decoder.unknown);
        }
    }
    out.fields = kept.into_iter().collect();
    Ok(out)
}

enum Type {
    Text,
    Int,
    /// A pointer in Go, so zero is kept.
    OptionalInt,
    OptionalBool,
    Time,
    Texts,
    TextMap,
    Structs(&'static Struct),
    /// Any value, unchanged.
    Raw,
}

struct Struct {
    name: &'static str,
    /// The names and types of the fields, and whether a field is written if it is empty.
    fields: &'static [(&'static str, Type, bool)],
}

static OBJECT_META: Struct = Struct {
    name: "ObjectMeta",
    fields: &[
        ("annotations", Type::TextMap, false),
        ("creationTimestamp", Type::Time, false),
        ("deletionGracePeriodSeconds", Type::OptionalInt, false),
        ("deletionTimestamp", Type::Time, false),
        ("finalizers", Type::Texts, false),
        ("generateName", Type::Text, false),
        ("generation", Type::Int, false),
        ("labels", Type::TextMap, false),
        ("managedFields", Type::Structs(&MANAGED_FIELDS), false),
        ("name", Type::Text, false),
        ("namespace", Type::Text, false),
        ("ownerReferences", Type::Structs(&OWNER_REFERENCE), false),
        ("resourceVersion", Type::Text, false),
        ("selfLink", Type::Text, false),
        ("uid", Type::Text, false),
    ],
};

/// The schema of metadata, with all fields that the server knows.
pub(crate) fn schema() -> &'static Schema {
    static SCHEMA: OnceLock<Schema> = OnceLock::new();
    SCHEMA.get_or_init(|| OBJECT_META.schema())
}

impl Struct {
    fn schema(&self) -> Schema {
        let properties = self.fields.iter().map(|(name, ty, _)| ((*name).to_owned(), ty.schema()));
        Schema { properties: properties.collect(), ..Schema::of(JsonType::Object) }
    }
}

impl Type {
    fn schema(&self) -> Schema {
        let list = |item| Schema { items: Some(Items::One(Box::new(item))), ..Schema::of(JsonType::Array) };
        match self {
            Type::Text | Type::Time => Schema::of(JsonType::String),
            Type::Int | Type::OptionalInt => Schema::of(JsonType::Integer),
            Type::OptionalBool => Schema::of(JsonType::Boolean),
            Type::Texts => list(Schema::of(JsonType::String)),
            Type::TextMap => Schema {
                additional_properties: Some(Additional::Schema(Box::new(Schema::of(JsonType::String)))),
                ..Schema::of(JsonType::Object)
            },
            Type::Structs(of) => list(of.schema()),
            Type::Raw => Schema {
                ext: Extensions { preserve_unknown_fields: Some(true), ..Extensions::default() },
                ..Schema::default()
            },
        }
    }
}

static OWNER_REFERENCE: Struct = Struct {
    name: "OwnerReference",
    fields: &[
        ("apiVersion", Type::Text, true),
        ("blockOwnerDeletion", Type::OptionalBool, false),
        ("controller", Type::OptionalBool, false),
        ("kind", Type::Text, true),
        ("name", Type::Text, true),
        ("uid", Type::Text, true),
    ],
};

static MANAGED_FIELDS: Struct = Struct {
    name: "ManagedFieldsEntry",
    fields: &[
        ("apiVersion", Type::Text, false),
        ("fieldsType", Type::Text, false),
        ("fieldsV1", Type::Raw, false),
        ("manager", Type::Text, false),
        ("operation", Type::Text, false),
        ("subresource", Type::Text, false),
        ("time", Type::Time, false),
    ],
};

#[derive(Default)]
struct Decoder {
    /// The first value of a wrong type. Go's decoder continues after it.
    error: Option<Wrong>,
    /// The first invalid time. Go's decoder stops there.
    malformed: Option<Wrong>,
    unknown: Vec<Unknown>,
}

/// The place to which a value is decoded, for messages.
#[derive(Clone, Copy)]
struct Target<'a> {
    of: &'static Struct,
    /// The field as Go's decoder names it, without indices.
    field: &'a Path<'a>,
    /// Its place in the object.
    at: &'a Path<'a>,
}

impl<'a> Target<'a> {
    fn at(self, at: &'a Path<'a>) -> Target<'a> {
        Target { at, ..self }
    }
}

impl Decoder {
    fn wrong(&mut self, value: &Value, target: Target<'_>, go: &str) {
        self.error.get_or_insert_with(|| {
            let mut found = value.json_type().to_owned();
            if go == "int64" && matches!(value, Value::Float(_)) {
                found = format!("number {}", json::to_string(value));
            }
            let of = target.of.name;
            let words = match target.field.is_root() {
                true => format!("json: cannot unmarshal {found} into Go value of type v1.{of}"),
                false => {
                    format!(
                        "json: cannot unmarshal {found} into Go struct field {of}.{} of type {go}",
                        target.field
                    )
                }
            };
            let help = match value {
                Value::Bool(_) if go == "string" => Some(
                    "put the value in quotes: YAML 1.1 reads y, n, yes, no, on and off as booleans, like true and false",
                ),
                Value::Int(_) | Value::Float(_) if go == "string" => Some("put the value in quotes"),
                Value::List(_) | Value::Str(_) if go == "map[string]string" => {
                    Some("write a key and a value, such as `app: web`")
                }
                Value::Str(_) if target.field.is_root() => Some("write fields, such as `name: my-object`"),
                Value::Str(text) if go == "bool" && is_yaml_bool(text) => Some("remove the quotes"),
                Value::Str(text) if go == "int64" && text.parse::<i64>().is_ok() => Some("remove the quotes"),
                _ if go == "bool" => Some("write `true` or `false`"),
                _ if go == "int64" => Some("write a whole number"),
                _ => None,
            };
            Wrong { words, field: target.at.to_string(), steps: target.at.steps(), help }
        });
    }

    /// Decodes the fields of a structure. `field` is its name in messages, `at` its place.
    fn structure(
        &mut self,
        of: &'static Struct,
        value: &Value,
        field: &Path<'_>,
        at: &Path<'_>,
    ) -> Map<Value> {
        let map = match value {
            Value::Null => &Map::new(),
            Value::Map(map) => map,
            other => {
                self.wrong(other, Target { of, field, at }, &format!("v1.{}", of.name));
                return Map::new();
            }
        };
        let mut out: Vec<(&str, Value)> = Vec::new();
        for (name, value) in map.iter() {
            let Ok(i) = of.fields.binary_search_by(|(n, ..)| (*n).cmp(name)) else {
                let known = of.fields.iter().map(|(name, ..)| *name);
                if at.child(name).has_room(self.unknown.len()) {
                    self.unknown.push(Unknown::new(at, name, Owner::Kubernetes, known, self.unknown.len()));
                }
                continue;
            };
            let (name, ty, _) = &of.fields[i];
            let target = Target { of, field: &field.child(name), at: &at.child(name) };
            out.extend(self.field(ty, value, target).map(|v| (*name, v)));
        }
        let missing =
            of.fields.iter().filter(|(name, _, always)| *always && !out.iter().any(|(n, _)| n == name));
        let missing: Vec<_> = missing.map(|(name, ..)| (*name, Value::from(""))).collect();
        out.into_iter().chain(missing).collect()
    }

    /// Decodes a field. None if it is empty.
    fn field(&mut self, ty: &Type, value: &Value, target: Target<'_>) -> Option<Value> {
        let at = target.at;
        match ty {
            Type::Raw => Some(value.clone()),
            _ if value.is_null() => None,
            Type::Text => self.text(value, target).filter(|t| !t.is_empty()).map(Value::Str),
            Type::Int => self.int(value, target).filter(|n| *n != 0).map(Value::Int),
            Type::OptionalInt => self.int(value, target).map(Value::Int),
            Type::OptionalBool => {
                if value.as_bool().is_none() {
                    self.wrong(value, target, "bool");
                }
                value.as_bool().map(Value::Bool)
            }
            Type::Time => self.time(value, target),
            Type::Texts => {
                let Value::List(items) = value else {
                    self.wrong(value, target, "[]string");
                    return None;
                };
                let text = |(i, item)| self.text(item, target.at(&at.index(i))).unwrap_or_default();
                let items: Vec<Value> = items.iter().enumerate().map(text).map(Value::Str).collect();
                (!items.is_empty()).then_some(Value::List(items))
            }
            Type::TextMap => {
                let Value::Map(map) = value else {
                    self.wrong(value, target, "map[string]string");
                    return None;
                };
                let text = |(name, v)| {
                    (name, Value::Str(self.text(v, target.at(&at.child(name))).unwrap_or_default()))
                };
                let map: Map<Value> = map.iter().map(text).collect();
                (!map.is_empty()).then_some(Value::Map(map))
            }
            Type::Structs(of) => {
                let Value::List(items) = value else {
                    self.wrong(value, target, &format!("[]v1.{}", of.name));
                    return None;
                };
                let each = |(i, item): (usize, &Value)| {
                    if !matches!(item, Value::Map(_) | Value::Null) {
                        self.wrong(item, target.at(&at.index(i)), &format!("v1.{}", of.name));
                    }
                    Value::Map(self.structure(of, item, target.field, &at.index(i)))
                };
                let items: Vec<Value> = items.iter().enumerate().map(each).collect();
                (!items.is_empty()).then_some(Value::List(items))
            }
        }
    }

    fn text(&mut self, value: &Value, target: Target<'_>) -> Option<String> {
        match value {
            Value::Str(text) => Some(text.clone()),
            Value::Null => None,
            other => {
                // Go has a separate type for UIDs.
                let go = if target.field.name() == Some("uid") { "types.UID" } else { "string" };
                self.wrong(other, target, go);
                None
            }
        }
    }

    fn int(&mut self, value: &Value, target: Target<'_>) -> Option<i64> {
        // The message shows the number as it is written.
        let mut written = value.clone();
        json::read_back(&mut written);
        if written.as_int().is_none() {
            self.wrong(value, target, "int64");
        }
        written.as_int()
    }

    fn time(&mut self, value: &Value, target: Target<'_>) -> Option<Value> {
        let Target { of, field, at } = target;
        let wrong = |words| Wrong { words, field: at.to_string(), steps: at.steps(), help: None };
        let Value::Str(text) = value else {
            let found = value.json_type();
            // Unlike other fields, a time ends the decoding.
            self.malformed.get_or_insert_with(|| {
                let of = of.name;
                wrong(format!(
                    "json: cannot unmarshal {found} into Go struct field {of}.{field} of type string"
                ))
            });
            return None;
        };
        let time = go::rfc3339(text);
        if time.is_none() {
            self.malformed.get_or_insert_with(|| wrong(why_not(text, Layout::Zoned)));
        }
        // Go's zero time counts as no time.
        time.filter(|t| t != "0001-01-01T00:00:00Z").map(Value::Str)
    }
}

/// Converts decoded fields to typed metadata.
pub fn typed(fields: &Map<Value>) -> Metadata {
    let text = |name: &str| fields.text(name).to_owned();
    let texts = |name: &str| -> Map<String> {
        let map = fields.get(name).and_then(Value::as_map);
        map.into_iter()
            .flat_map(Map::iter)
            .map(|(k, v)| (k, v.as_str().unwrap_or_default().to_owned()))
            .collect()
    };
    let list = |name: &str| fields.get(name).and_then(Value::as_list).unwrap_or_default();
    Metadata {
        name: text("name"),
        generate_name: text("generateName"),
        namespace: text("namespace"),
        self_link: text("selfLink"),
        uid: text("uid"),
        resource_version: text("resourceVersion"),
        generation: fields.get("generation").and_then(Value::as_int).unwrap_or_default(),
        creation_timestamp: fields.get("creationTimestamp").cloned().unwrap_or_default(),
        deletion_timestamp: fields.get("deletionTimestamp").cloned().unwrap_or_default(),
        deletion_grace_period_seconds: fields.get("deletionGracePeriodSeconds").and_then(Value::as_int),
        labels: texts("labels"),
        annotations: texts("annotations"),
        owner_references: list("ownerReferences").iter().map(owner).collect(),
        finalizers: list("finalizers").iter().map(|f| f.as_str().unwrap_or_default().to_owned()).collect(),
        managed_fields: list("managedFields").to_vec(),
    }
}

fn owner(value: &Value) -> OwnerReference {
    let text = |name: &str| value.text(name).to_owned();
    OwnerReference {
        api_version: text("apiVersion"),
        kind: text("kind"),
        name: text("name"),
        uid: text("uid"),
        controller: value.get("controller").and_then(Value::as_bool),
        block_owner_deletion: value.get("blockOwnerDeletion").and_then(Value::as_bool),
    }
}
