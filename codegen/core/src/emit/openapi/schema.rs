//! A structural schema as the published documents write it. Inside junctors only what the structural
//! form keeps there is written.

use crate::ir::{Additional, Extensions, ExternalDocs, FieldUnion, Items, Limits, Rule, Schema};
use crate::json;
use crate::value::{Map, Value};

/// An object under construction; sorted once, when it is done.
pub(super) type Members = Vec<(&'static str, Value)>;

/// A schema at a structural position.
pub(super) fn structural(schema: &Schema) -> Value {
    let mut out = Members::new();
    if let Some(Items::One(items)) = &schema.items {
        out.push(("items", structural(items)));
    }
    properties(&schema.properties, structural, &mut out);
    match &schema.additional_properties {
        None => {}
        Some(Additional::Allow(allow)) => out.push(("additionalProperties", Value::Bool(*allow))),
        Some(Additional::Schema(s)) => out.push(("additionalProperties", structural(s))),
    }
    rest(schema, &mut out);
    finish(out)
}

/// A schema inside `allOf`, `anyOf`, `oneOf` or `not`; `additionalProperties` is not published there.
fn nested(schema: &Schema) -> Value {
    let mut out = Members::new();
    if let Some(Items::One(items)) = &schema.items {
        out.push(("items", nested(items)));
    }
    properties(&schema.properties, nested, &mut out);
    rest(schema, &mut out);
    finish(out)
}

/// An object of these members.
pub(super) fn finish(members: Members) -> Value {
    Value::Map(members.into_iter().collect())
}

fn properties(properties: &Map<Schema>, write: fn(&Schema) -> Value, out: &mut Members) {
    if !properties.is_empty() {
        let all: Map<Value> = properties.iter().map(|(name, schema)| (name, write(schema))).collect();
        out.push(("properties", all.into()));
    }
}

/// All but the schemas of fields, items and values.
fn rest(schema: &Schema, out: &mut Members) {
    let Schema {
        ty,
        nullable,
        title,
        description,
        default,
        example,
        external_docs,
        properties: _,
        items: _,
        additional_properties: _,
        ext,
        rules,
        limits,
        // No structural schema has any.
        foreign: _,
        empty: _,
    } = schema;
    if let Some(ty) = ty {
        out.push(("type", ty.as_str().into()));
    }
    flag("nullable", *nullable, out);
    text("title", title, out);
    text("description", description, out);
    if let Some(default) = default {
        out.push(("default", stored(default)));
    }
    if let Some(example) = example.as_ref().filter(|e| !is_empty(e)) {
        out.push(("example", stored(example)));
    }
    if let Some(ExternalDocs { description, url }) = external_docs {
        let mut docs = Members::new();
        text("description", description, &mut docs);
        text("url", url, &mut docs);
        out.push(("externalDocs", finish(docs)));
    }
    extensions(ext, out);
    if !rules.is_empty() {
        out.push(("x-kubernetes-validations", Value::List(rules.iter().map(rule).collect())));
    }
    validations(limits, out);
}

fn extensions(ext: &Extensions, out: &mut Members) {
    let Extensions {
        preserve_unknown_fields,
        embedded_resource,
        int_or_string,
        list_type,
        list_map_keys,
        map_type,
        unions,
    } = ext;
    flag("x-kubernetes-preserve-unknown-fields", *preserve_unknown_fields == Some(true), out);
    flag("x-kubernetes-embedded-resource", *embedded_resource, out);
    flag("x-kubernetes-int-or-string", *int_or_string, out);
    if let Some(list_type) = list_type {
        out.push(("x-kubernetes-list-type", list_type.as_str().into()));
    }
    strings("x-kubernetes-list-map-keys", list_map_keys, out);
    if let Some(map_type) = map_type {
        out.push(("x-kubernetes-map-type", map_type.as_str().into()));
    }
    if !unions.is_empty() {
        out.push(("x-kubernetes-unions", Value::List(unions.iter().map(union).collect())));
    }
}

fn union(union: &FieldUnion) -> Value {
    let FieldUnion { discriminator, fields } = union;
    let fields: Map<Value> = fields.iter().map(|(name, value)| (name, value.as_str().into())).collect();
    let mut out: Members = vec![("fields", fields.into())];
    text("discriminator", discriminator, &mut out);
    finish(out)
}

fn rule(rule: &Rule) -> Value {
    let Rule { rule, message, message_expression, reason, field_path, optional_old_self } = rule;
    let mut out: Members = vec![("rule", rule.as_str().into())];
    text("message", message, &mut out);
    text("messageExpression", message_expression, &mut out);
    if let Some(reason) = reason {
        out.push(("reason", reason.as_str().into()));
    }
    text("fieldPath", field_path, &mut out);
    if let Some(optional) = optional_old_self {
        out.push(("optionalOldSelf", Value::Bool(*optional)));
    }
    finish(out)
}

fn validations(limits: &Limits, out: &mut Members) {
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
    text("format", format, out);
    text("pattern", pattern, out);
    for (key, number) in [("maximum", maximum), ("minimum", minimum), ("multipleOf", multiple_of)] {
        if let Some(number) = number {
            out.push((key, Value::Float(*number)));
        }
    }
    flag("exclusiveMaximum", *exclusive_maximum, out);
    flag("exclusiveMinimum", *exclusive_minimum, out);
    flag("uniqueItems", *unique_items, out);
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
    strings("required", required, out);
    if !enumeration.is_empty() {
        out.push(("enum", Value::List(enumeration.iter().map(stored).collect())));
    }
    for (key, junctor) in [("allOf", all_of), ("anyOf", any_of), ("oneOf", one_of)] {
        if !junctor.is_empty() {
            out.push((key, Value::List(junctor.iter().map(nested).collect())));
        }
    }
    if let Some(not) = not {
        out.push(("not", nested(not)));
    }
}

fn flag(key: &'static str, set: bool, out: &mut Members) {
    if set {
        out.push((key, Value::Bool(true)));
    }
}

fn text(key: &'static str, text: &str, out: &mut Members) {
    if !text.is_empty() {
        out.push((key, text.into()));
    }
}

fn strings(key: &'static str, items: &[String], out: &mut Members) {
    if !items.is_empty() {
        out.push((key, Value::List(items.iter().map(|s| s.as_str().into()).collect())));
    }
}

/// A value as it is after the server has stored and read it: minus zero has become 0.
fn stored(value: &Value) -> Value {
    let mut value = value.clone();
    json::read_back(&mut value);
    value
}

/// What Go's `omitempty` leaves out of an example.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Str(s) => s.is_empty(),
        Value::List(items) => items.is_empty(),
        Value::Map(members) => members.is_empty(),
        Value::Bool(_) | Value::Int(_) | Value::Float(_) => false,
    }
}
