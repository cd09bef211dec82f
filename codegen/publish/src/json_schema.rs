//! Strict JSON Schemas for editors and offline validators: they describe what the server accepts without dropping a
//! field. Objects are closed, and nulls and defaults are treated as the server does.
//!
//! [`UNSAID`] lists what the server checks and JSON Schema cannot express. The schemas also check a status, although
//! the server drops it from new objects if it is a subresource.

use crate::ir::{Additional, Crd, Items, Limits, Schema, SchemaOf, Type};
use crate::recipe::types_of;
use crate::value::{Map, Value};
use std::borrow::Cow;

use super::openapi::{Form, META, definitions};
use super::possible::{self, Possible};
use std::collections::HashSet;

/// The keywords that the server checks in a way that JSON Schema cannot express, each with the reason.
pub const UNSAID: &[(&str, &str)] = &[
    ("x-kubernetes-validations", "rules are programs"),
    ("x-kubernetes-list-map-keys", "no keyword compares items by some of their fields"),
    ("x-kubernetes-embedded-resource", "names and labels in embedded metadata have grammars of their own"),
    (
        "format",
        "the server's formats are its own, so they are annotations; a list passes for a date-time there",
    ),
    ("pattern", "the server's patterns are Go's dialect, validators have that of ECMAScript"),
    ("multipleOf", "the server looks at the whole part of a factor where the value is an integer"),
    ("minProperties", "the server counts fields after defaults are added and nulls dropped"),
    ("maxProperties", "the server counts fields after defaults are added and nulls dropped"),
    ("integer", "the server's have 64 bits; bounds at every integer would only be in the way"),
    ("default", "the server fills a missing field, whose default then meets the junctors around it"),
];

/// A dialect of JSON Schema.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Draft {
    /// Draft 2020-12
    #[default]
    V2020,
    /// Draft-07, which more editors know
    V7,
}

/// What the server does with fields that a schema does not list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unknown {
    Kept,
    Dropped,
}

/// What the server does with a null before validation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nulls {
    /// It drops the null, or replaces it by the default.
    Dropped,
    Checked,
}

impl Nulls {
    fn dropped_if(is_dropped: bool) -> Nulls {
        if is_dropped { Nulls::Dropped } else { Nulls::Checked }
    }
}

/// Returns the JSON Schema of the version at `index`. `None` if there is no such version or it has no schema.
pub fn json_schema(crd: &Crd, index: usize, draft: Draft) -> Option<Value> {
    let version = crd.spec.versions.get(index)?;
    let schema = crd.spec.schema_of(index)?;
    let writer = Writer { draft };
    let mut root = writer.members(schema, Unknown::Dropped, SchemaOf::Resource);
    let api_version = format!("{}/{}", crd.spec.group, version.name);
    let kind = crd.spec.names.kind.as_str();
    let properties = root.entry_or_insert_with("properties", || Map::new().into());
    if let Value::Map(properties) = properties {
        let described = |name: &str| properties.get(name).and_then(|p| p.get("description")).cloned();
        let constant = |value: &str, description: Option<Value>| {
            let mut out = object([("type", "string".into()), ("const", value.into())]);
            if let (Value::Map(map), Some(text)) = (&mut out, description) {
                map.insert("description", text);
            }
            out
        };
        let (version, named) = (described("apiVersion"), described("kind"));
        let metadata = match properties.remove("metadata") {
            Some(Value::Map(own)) => writer.own_metadata(&own),
            Some(_) | None => writer.reference("ObjectMeta"),
        };
        let mut api_version = constant(&api_version, version);
        if let Value::Map(map) = &mut api_version
            && crd.spec.group.is_empty()
        {
            // The server expects a slash that it removes before, so it accepts no object of a CRD without a group.
            map.insert("not", Map::new().into());
        }
        properties.insert("apiVersion", api_version);
        properties.insert("kind", constant(kind, named));
        properties.insert("metadata", metadata);
    }
    require(&mut root, &["apiVersion", "kind", "metadata"]);
    root.insert("$schema", writer.dialect().into());
    root.insert("title", format!("{kind} ({api_version})").into());
    root.insert(writer.definitions(), writer.shared());
    Some(root.into())
}

/// Returns the path at which kubeconform and yaml-language-server look for a schema: `group/kind_version.json`.
pub fn file_name(crd: &Crd, index: usize) -> Option<String> {
    let version = crd.spec.versions.get(index)?;
    let name = format!("{}_{}", crd.spec.names.kind.to_lowercase(), version.name);
    Some(format!("{}/{}", crdgen_text::file_name(&crd.spec.group, ""), crdgen_text::file_name(&name, "json")))
}

/// Adds to the required fields.
fn require(schema: &mut Map<Value>, names: &[&str]) {
    if let Value::List(required) = schema.entry_or_insert_with("required", || Value::List(Vec::new())) {
        for name in names {
            if !required.iter().any(|r| r.as_str() == Some(name)) {
                required.push((*name).into());
            }
        }
    }
}

const ANY_BUT_NULL: [&str; 5] = ["object", "array", "string", "number", "boolean"];

struct Writer {
    draft: Draft,
}

/// The name of the schema for values whose fields are all dropped.
const EMPTIED: &str = "emptied";

impl Writer {
    fn dialect(&self) -> &'static str {
        match self.draft {
            Draft::V2020 => "https://json-schema.org/draft/2020-12/schema",
            Draft::V7 => "http://json-schema.org/draft-07/schema#",
        }
    }

    fn definitions(&self) -> &'static str {
        match self.draft {
            Draft::V2020 => "$defs",
            Draft::V7 => "definitions",
        }
    }

    fn reference(&self, name: &str) -> Value {
        object([("$ref", format!("#/{}/{name}", self.definitions()).into())])
    }

    /// Writes a structural schema. `unknown` is what schemas around it do with unknown fields.
    fn schema(&self, schema: &Schema, unknown: Unknown, nulls: Nulls) -> Value {
        let members = self.members(schema, unknown, SchemaOf::Value);
        // `enum` is the only keyword that checks a null, and it rejects every null, even a listed one. A null that is
        // dropped is not checked.
        let listed = !schema.limits.enumeration.is_empty();
        let null = nulls == Nulls::Dropped || (schema.nullable && !listed);
        let judged = members.contains_key("enum")
            || ["allOf", "anyOf", "oneOf", "not"].iter().any(|k| members.contains_key(k));
        match members.get("type") {
            _ if !null => members.into(),
            Some(_) if !judged => with_null(members).into(),
            None if !judged => members.into(),
            Some(_) | None => or_null(members.into()),
        }
    }

    fn members(&self, schema: &Schema, unknown: Unknown, of: SchemaOf) -> Map<Value> {
        let mut out = Vec::new();
        for (key, text) in [("title", &schema.title), ("description", &schema.description)] {
            if !text.is_empty() {
                out.push((key, Value::from(text.as_str())));
            }
        }
        if let Some(default) = &schema.default {
            out.push(("default", default.clone()));
        }
        if let Some(example) = &schema.example {
            out.push(("examples", Value::List(vec![example.clone()])));
        }
        if schema.ext.int_or_string {
            out.push(("type", vec!["integer", "string"].into()));
        } else if let Some(ty) = &schema.ty {
            out.push(("type", ty.as_str().into()));
        }
        let possible = Possible::of(schema);
        if let Some(types) = possible.types {
            out.push(("type", possible::names(types).into()));
        }
        let unknown = if schema.preserves_unknown_fields() { Unknown::Kept } else { unknown };
        self.fields(schema, unknown, of, &mut out);
        if let Some(Items::One(items)) = &schema.items {
            out.push(("items", self.schema(items, unknown, Nulls::Checked)));
        }
        if schema.ext.list_type.as_deref() == Some("set") {
            out.push(("uniqueItems", true.into()));
        }
        limits(&unfolded(possible.limits), Some(schema), &mut out);
        let mut out: Map<Value> = out.into_iter().collect();
        if schema.ext.embedded_resource {
            require(&mut out, &["apiVersion", "kind"]);
        }
        out
    }

    /// The fields of an object, known and unknown ones.
    fn fields(&self, schema: &Schema, unknown: Unknown, of: SchemaOf, out: &mut Vec<(&'static str, Value)>) {
        let all_required: HashSet<&str> = schema.limits.required.iter().map(String::as_str).collect();
        let mut properties: Map<Value> = schema
            .properties
            .iter()
            .map(|(name, field)| {
                let required = all_required.contains(name);
                let droppable = !field.nullable && (!required || field.default.is_some());
                let mut written = self.schema(field, Unknown::Dropped, Nulls::dropped_if(droppable));
                // A null is dropped, so the field is missing, even if the field allows any type.
                if let (false, false, Value::Map(map)) = (field.nullable, droppable, &mut written) {
                    map.entry_or_insert_with("type", || ANY_BUT_NULL.to_vec().into());
                }
                (name, written)
            })
            .collect();
        if schema.ext.embedded_resource {
            let text = || object([("type", "string".into()), ("minLength", Value::Int(1))]);
            properties.insert("apiVersion", text());
            properties.insert("kind", text());
            properties.insert("metadata", self.reference("ObjectMeta"));
        }
        if !properties.is_empty() {
            out.push(("properties", properties.into()));
        }
        match &schema.additional_properties {
            Some(Additional::Schema(value)) => {
                let nulls = Nulls::dropped_if(!value.nullable);
                out.push(("additionalProperties", self.schema(value, Unknown::Dropped, nulls)));
            }
            Some(Additional::Allow(true)) => out.push(("additionalProperties", self.reference(EMPTIED))),
            Some(Additional::Allow(false)) => out.push(("additionalProperties", false.into())),
            None if unknown == Unknown::Dropped && (of.is_resource() || schema.ty == Some(Type::Object)) => {
                out.push(("additionalProperties", false.into()));
            }
            None => {}
        }
    }

    /// Metadata that the author restricts further. This is possible only for name and generateName.
    fn own_metadata(&self, own: &Map<Value>) -> Value {
        let mut own = own.clone();
        own.remove("additionalProperties");
        object([("allOf", Value::List(vec![self.reference("ObjectMeta"), own.into()]))])
    }

    /// The Kubernetes types that all objects use.
    fn shared(&self) -> Value {
        let wanted = ["ObjectMeta", "OwnerReference", "ManagedFieldsEntry", "FieldsV1", "Time"];
        let mut out: Map<Value> = wanted
            .iter()
            .filter_map(|name| {
                Some((
                    *name,
                    self.native(definitions(Form::V3).get(&format!("{META}{name}"))?, Nulls::Checked),
                ))
            })
            .collect();
        let emptied = [("additionalProperties", false.into()), ("items", self.reference(EMPTIED))];
        out.insert(EMPTIED, object(emptied));
        out.into()
    }

    /// A type that the server decodes into a struct: it is closed, and a null counts as absent.
    fn native(&self, schema: &Value, nulls: Nulls) -> Value {
        let Value::Map(map) = schema else { return schema.clone() };
        if let Some(target) = map.get("$ref").and_then(Value::as_str) {
            let name = target.rsplit('.').next().unwrap_or_default();
            return or_null(self.reference(name));
        }
        let mut out: Map<Value> = Map::new();
        for (key, value) in map.iter() {
            let value = match (key, value) {
                ("default" | "format", _) => continue,
                ("properties", Value::Map(fields)) => {
                    out.insert("additionalProperties", false.into());
                    fields
                        .iter()
                        .map(|(name, field)| (name, self.native(field, Nulls::Dropped)))
                        .collect::<Map<Value>>()
                        .into()
                }
                ("items" | "additionalProperties", value) => self.native(value, Nulls::Dropped),
                ("allOf", Value::List(parts)) => {
                    Value::List(parts.iter().map(|p| self.native(p, Nulls::Checked)).collect())
                }
                ("type", Value::Str(ty)) if nulls == Nulls::Dropped => vec![ty.as_str(), "null"].into(),
                (key, _) if key.starts_with("x-") => continue,
                (_, value) => value.clone(),
            };
            out.insert(key, value);
        }
        out.into()
    }
}

/// Writes the constraints. `at` is the structural node that they apply to, if it is known: a field with a default in it
/// is never missing.
fn limits(limits: &Limits, at: Option<&Schema>, out: &mut Vec<(&'static str, Value)>) {
    let Limits {
        format,
        maximum,
        exclusive_maximum,
        minimum,
        exclusive_minimum,
        multiple_of,
        max_length,
        min_length,
        pattern,
        max_items,
        min_items,
        unique_items,
        max_properties,
        min_properties,
        required,
        enumeration,
        all_of,
        any_of,
        one_of,
        not,
    } = limits;
    for (key, text) in [("format", format), ("pattern", pattern)] {
        if !text.is_empty() {
            out.push((key, text.as_str().into()));
        }
    }
    for (bound, exclusive, key, exclusive_key) in [
        (maximum, exclusive_maximum, "maximum", "exclusiveMaximum"),
        (minimum, exclusive_minimum, "minimum", "exclusiveMinimum"),
    ] {
        if let Some(bound) = bound {
            out.push((if *exclusive { exclusive_key } else { key }, Value::Float(*bound)));
        }
    }
    if let Some(factor) = multiple_of {
        out.push(("multipleOf", Value::Float(*factor)));
    }
    for (key, count) in [
        ("maxLength", max_length),
        ("minLength", min_length),
        ("maxItems", max_items),
        ("minItems", min_items),
        ("maxProperties", max_properties),
        ("minProperties", min_properties),
    ] {
        if let Some(count) = count {
            out.push((key, Value::Int(*count)));
        }
    }
    if *unique_items {
        out.push(("uniqueItems", true.into()));
    }
    let defaulted =
        |name: &String| at.and_then(|s| s.properties.get(name)).is_some_and(|p| p.default.is_some());
    let missing: Vec<&str> = required.iter().filter(|name| !defaulted(name)).map(String::as_str).collect();
    if !missing.is_empty() {
        out.push(("required", missing.into()));
    }
    if !enumeration.is_empty() {
        out.push(("enum", Value::List(enumeration.clone())));
    }
    for (key, junctor) in [("allOf", all_of), ("anyOf", any_of), ("oneOf", one_of)] {
        if !junctor.is_empty() {
            out.push((key, Value::List(junctor.iter().map(|clause| nested(clause, at)).collect())));
        }
    }
    if let Some(not) = not {
        out.push(("not", nested(not, at)));
    }
}

/// Writes a schema inside a junctor. It contains only constraints, for the structural node `at`.
fn nested(schema: &Schema, at: Option<&Schema>) -> Value {
    let mut out = Vec::new();
    if let Some(ty) = &schema.ty {
        out.push(("type", ty.as_str().into()));
    }
    let possible = Possible::of(schema);
    if let Some(types) = possible.types {
        let types = types & at.map_or(types, types_of);
        out.push(("type", possible::names(types).into()));
    }
    let field = |name: &str| at.and_then(|s| s.properties.get(name).or_else(|| s.value()));
    let null = || object([("type", "null".into())]);
    let mut fields: Map<Value> = schema
        .properties
        .iter()
        .map(|(name, clause)| {
            let written = nested(clause, field(name));
            // A null that stays is checked by `type` and `enum`, and both reject it.
            let stays = field(name).is_none_or(|f| f.nullable);
            let refused = stays && (clause.ty.is_some() || !clause.limits.enumeration.is_empty());
            let written = if refused {
                object([("not", null()), ("allOf", Value::List(vec![written]))])
            } else {
                or_null(written)
            };
            (name, written)
        })
        .collect();
    // A null that is dropped counts as missing.
    for name in &schema.limits.required {
        let dropped = field(name).is_some_and(|f| !f.nullable && f.default.is_none());
        if dropped {
            let clause = fields.entry_or_insert_with(name, || Map::new().into());
            let written = std::mem::take(clause);
            *clause = match written {
                Value::Map(mut members) if !members.contains_key("not") => {
                    members.insert("not", null());
                    members.into()
                }
                other => object([("not", null()), ("allOf", Value::List(vec![other]))]),
            };
        }
    }
    if !fields.is_empty() {
        out.push(("properties", fields.into()));
    }
    if let Some(Items::One(items)) = &schema.items {
        out.push(("items", nested(items, at.and_then(Schema::item))));
    }
    if let Some(Additional::Schema(value)) = &schema.additional_properties {
        out.push(("additionalProperties", nested(value, at.and_then(Schema::value))));
    }
    limits(&possible.limits, at, &mut out);
    Value::Map(out.into_iter().collect())
}

/// Moves the values of an optional enum, which are in `allOf`, to the schema itself. Editors do not show them otherwise.
fn unfolded(mut limits: Cow<'_, Limits>) -> Cow<'_, Limits> {
    let only_values = |clause: &Schema| {
        let limits = Limits { enumeration: clause.limits.enumeration.clone(), ..Limits::default() };
        !limits.enumeration.is_empty() && *clause == Schema { limits, ..Schema::default() }
    };
    if limits.enumeration.is_empty() && limits.all_of.iter().any(only_values) {
        let limits = limits.to_mut();
        if let Some(at) = limits.all_of.iter().position(only_values) {
            limits.enumeration = limits.all_of.remove(at).limits.enumeration;
        }
    }
    limits
}

/// A schema that also allows null. The types and values list it, and all other keywords that reject it only apply to
/// other values. With `anyOf`, editors would say of every wrong value that null was expected.
fn or_null(written: Value) -> Value {
    let Value::Map(members) = written else { return written };
    let (mut kept, others): (Vec<_>, Vec<_>) = with_null(members)
        .into_iter()
        .partition(|(keyword, value)| *keyword == *"enum" || member_takes_null(keyword, value));
    for (keyword, value) in &mut kept {
        if let Value::List(values) = value
            && *keyword == *"enum"
            && !values.contains(&Value::Null)
        {
            values.push(Value::Null);
        }
    }
    let mut out: Map<Value> = kept.into_iter().collect();
    if !others.is_empty() {
        out.insert("if", object([("type", "null".into())]));
        out.insert("else", others.into_iter().collect::<Map<Value>>().into());
    }
    out.into()
}

/// Whether a schema is known to allow null. Editors handle it better without an unnecessary `anyOf`.
fn takes_null(schema: &Value) -> bool {
    schema.as_map().is_none_or(|members| members.iter().all(|(keyword, it)| member_takes_null(keyword, it)))
}

fn member_takes_null(keyword: &str, value: &Value) -> bool {
    let is_null = |value: &Value| *value == Value::Null || value.as_str() == Some("null");
    let lists = |value: &Value| value.as_list().map_or(is_null(value), |list| list.iter().any(is_null));
    match keyword {
        "type" | "enum" => lists(value),
        "not" => ["type", "enum"].iter().any(|keyword| value.get(keyword).is_some_and(|it| !lists(it))),
        "anyOf" => value.as_list().is_some_and(|list| list.iter().any(takes_null)),
        "allOf" => value.as_list().is_some_and(|list| list.iter().all(takes_null)),
        "oneOf" | "const" | "$ref" => false,
        // What `or_null` writes.
        "if" => value.get("type").is_some_and(lists),
        // All other keywords apply to one type of values.
        _ => true,
    }
}

/// Adds null to the types.
fn with_null(mut members: Map<Value>) -> Map<Value> {
    let types = match members.remove("type") {
        Some(Value::List(mut types)) => {
            if !types.iter().any(|ty| ty.as_str() == Some("null")) {
                types.push("null".into());
            }
            types
        }
        Some(ty) => vec![ty, "null".into()],
        None => return members,
    };
    members.insert("type", Value::List(types));
    members
}

fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Map(members.into_iter().collect())
}
