//! The published schema of a kind and of its list.

use crate::ir::{Crd, Limits, Schema, Type};
use crate::unfold::{self, each_child};
use crate::value::{Map, Value};

use super::schema::{Members, finish, structural};
use super::shared::{META, reference, type_meta};
use super::{Names, Options, in_references};

/// The schema of the kind. `schema` is none if there is no schema that may be published.
pub(super) fn kind(crd: &Crd, names: &Names<'_>, schema: Option<&Schema>, options: &Options) -> Value {
    let keeps_unknown = crd.spec.preserve_unknown_fields == Some(true);
    let mut out = match schema {
        // kubectl assumes that a schema with properties is complete, so the properties are left out if unknown fields
        // are kept.
        Some(schema) if !(options.v2 && (schema.preserves_unknown_fields() || keeps_unknown)) => {
            described(schema.clone(), options)
        }
        Some(_) | None => Map::from_iter([("type", Value::from("object"))]),
    };
    tail(names, names.kind, &mut out);
    out.into()
}

/// The schema of the kind's list.
pub(super) fn list(names: &Names<'_>, options: &Options) -> Value {
    let doc = format!("List of {}. More info: {CONVENTIONS}", names.plural);
    let items = finish(vec![
        ("type", "array".into()),
        ("items", reference(&in_references(names.model(names.kind)), options.v2)),
        ("description", doc.into()),
    ]);
    let properties = finish(vec![
        ("apiVersion", type_meta("apiVersion")),
        ("kind", type_meta("kind")),
        ("items", items),
        (
            "metadata",
            described_reference(
                "ListMeta",
                &format!("Standard list metadata. More info: {CONVENTIONS}#types-kinds"),
                options,
            ),
        ),
    ]);
    let mut out: Map<Value> = Map::from_iter([
        ("type", Value::from("object")),
        ("description", format!("{} is a list of {}", names.list_kind, names.kind).into()),
        ("required", vec!["items"].into()),
        ("properties", properties),
    ]);
    tail(names, names.list_kind, &mut out);
    out.into()
}

const CONVENTIONS: &str =
    "https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md";

/// The author's schema, unfolded and reduced to what the options allow, with apiVersion, kind and metadata.
fn described(mut schema: Schema, options: &Options) -> Map<Value> {
    if options.unfold {
        unfold::unions(&mut schema);
        unfold::int_or_string_apart(&mut schema);
    } else {
        schema.drop_unions();
    }
    unfold::int_or_string(&mut schema);
    if options.strip_value_validation {
        strip_validations(&mut schema);
    }
    if options.strip_nullable {
        strip_nullable(&mut schema);
    }
    if options.unfold {
        unfold::embedded_resources(&mut schema, options.v2 || options.strip_value_validation);
        if options.v2 {
            unfold::drop_patterns(&mut schema);
        }
    }
    if options.v2 {
        to_v2(&mut schema);
        if !options.keep_defaults {
            strip_defaults(&mut schema);
        }
    }
    let mut out = match structural(&schema) {
        Value::Map(map) => map,
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) | Value::List(_) => {
            Map::new()
        }
    };
    if let Some(Value::Map(properties)) = out.get_mut("properties") {
        properties.values_mut().for_each(|p| embedded(p, options));
    }
    if let Some(value) = out.get_mut("additionalProperties") {
        embedded(value, options);
    }
    let properties = out.entry_or_insert_with("properties", || Map::new().into());
    if let Value::Map(properties) = properties {
        properties.insert("metadata", object_meta(options));
        properties.insert("apiVersion", type_meta("apiVersion"));
        properties.insert("kind", type_meta("kind"));
    }
    if out.get("x-kubernetes-embedded-resource").is_some() {
        let mut root = Value::Map(out);
        embed(&mut root, options);
        out = match root {
            Value::Map(map) => map,
            Value::Null
            | Value::Bool(_)
            | Value::Int(_)
            | Value::Float(_)
            | Value::Str(_)
            | Value::List(_) => Map::new(),
        };
    }
    out
}

/// Adds apiVersion, kind and metadata to embedded resources, at this node and below.
fn embedded(schema: &mut Value, options: &Options) {
    if options.unfold {
        return;
    }
    let Value::Map(map) = schema else { return };
    if let Some(Value::Map(properties)) = map.get_mut("properties") {
        properties.values_mut().for_each(|p| embedded(p, options));
    }
    for key in ["items", "additionalProperties"] {
        if let Some(child) = map.get_mut(key) {
            embedded(child, options);
        }
    }
    embed(schema, options);
}

fn embed(schema: &mut Value, options: &Options) {
    let Value::Map(map) = schema else { return };
    // kubectl rejects unknown fields next to known ones, so in v2 the schema is left out if unknown fields are kept.
    let open = options.v2 && map.contains_key("x-kubernetes-preserve-unknown-fields");
    if open || !map.contains_key("x-kubernetes-embedded-resource") {
        return;
    }
    let with_text = |property: &str, text: String| {
        let mut out = type_meta(property);
        if let Value::Map(map) = &mut out {
            map.insert("description", text.into());
        }
        out
    };
    if let Value::Map(properties) = map.entry_or_insert_with("properties", || Map::new().into()) {
        let text = format!(
            "apiVersion defines the versioned schema of this representation of an object. More info: {CONVENTIONS}#resources"
        );
        properties.insert("apiVersion", with_text("apiVersion", text));
        let text = format!(
            "kind is a string value representing the type of this object. In CamelCase. More info: {CONVENTIONS}#types-kinds"
        );
        properties.insert("kind", with_text("kind", text));
        properties.insert("metadata", object_meta(options));
    }
    if let Value::List(required) = map.entry_or_insert_with("required", || Value::List(Vec::new())) {
        for name in ["kind", "apiVersion"] {
            if !required.iter().any(|r| r.as_str() == Some(name)) {
                required.push(name.into());
            }
        }
    }
}

/// Adds what follows the schema of a kind or list: its group, version and kind, and its selectable fields.
fn tail(names: &Names<'_>, kind: &str, out: &mut Map<Value>) {
    let gvk =
        finish(vec![("group", names.group.into()), ("version", names.version.into()), ("kind", kind.into())]);
    out.insert("x-kubernetes-group-version-kind", Value::List(vec![gvk]));
    if !names.selectable_fields.is_empty() {
        let fields = names.selectable_fields.iter().map(|field| {
            let path = field.json_path.strip_prefix('.').unwrap_or(&field.json_path);
            finish(vec![("fieldPath", path.into())])
        });
        out.insert("x-kubernetes-selectable-fields", Value::List(fields.collect()));
    }
}

fn object_meta(options: &Options) -> Value {
    described_reference(
        "ObjectMeta",
        &format!("Standard object's metadata. More info: {CONVENTIONS}#metadata"),
        options,
    )
}

/// A reference with a description, which v3 allows only around an `allOf`.
fn described_reference(meta: &str, description: &str, options: &Options) -> Value {
    let target = reference(&format!("{META}{meta}"), options.v2);
    let mut out: Members = vec![("description", description.into())];
    match target {
        Value::Map(map) if options.v2 => out.extend(map.into_iter().map(|(_, target)| ("$ref", target))),
        target => out.push(("allOf", Value::List(vec![target]))),
    }
    finish(out)
}

fn strip_validations(schema: &mut Schema) {
    schema.limits = Limits::default();
    each_child(schema, strip_validations);
}

fn strip_nullable(schema: &mut Schema) {
    schema.nullable = false;
    each_child(schema, strip_nullable);
}

fn strip_defaults(schema: &mut Schema) {
    schema.default = None;
    each_child(schema, strip_defaults);
}

/// Removes what v2 lacks: junctors and null. Also, kubectl cannot handle types, properties and items of values that
/// have unknown fields or nulls.
fn to_v2(schema: &mut Schema) {
    let limits = &mut schema.limits;
    limits.all_of.clear();
    limits.one_of.clear();
    limits.any_of.clear();
    limits.not = None;
    if schema.nullable {
        schema.ty = None;
        schema.nullable = false;
        schema.items = None;
        schema.properties = Map::new();
    }
    if schema.preserves_unknown_fields() {
        schema.items = None;
        schema.properties = Map::new();
        if schema.ty == Some(Type::Object) {
            schema.ty = None;
        }
    }
    if schema.items.is_none() && schema.ty == Some(Type::Array) {
        schema.ty = None;
    }
    let nullable = |name: &String| schema.properties.get(name).is_some_and(|p| p.nullable);
    schema.limits.required.retain(|name| !nullable(name));
    if schema.value().is_some_and(|value| value.nullable) {
        schema.limits.required.clear();
    }
    each_child(schema, to_v2);
}
