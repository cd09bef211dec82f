//! Schemas.

use super::context::{Cx, Decode};
use crate::ir::{
    Additional, Dependency, Empty, ExternalDocs, FieldUnion, Foreign, Items, Keyword, Rule, Schema, Type,
};
use crate::path::Path;
use crate::value::{Map, Value};

impl Decode for Schema {
    fn decode(value: Value, at: &Path<'_>, cx: &mut Cx) -> Schema {
        cx.nested(at, |cx| {
            let mut out = Schema { empty: empty(&value), ..Schema::default() };
            fields(value, at, cx, &mut out);
            if out.foreign.as_deref().is_some_and(|f| *f == Foreign::default()) {
                out.foreign = None;
            }
            out
        })
    }
}

/// The lists and maps that are set but empty.
fn empty(value: &Value) -> Empty {
    let mut out = Empty::default();
    let Value::Map(map) = value else { return out };
    for (key, value) in map.iter() {
        let is_empty = match value {
            Value::List(items) => items.is_empty(),
            Value::Map(map) => map.is_empty(),
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => false,
        };
        if let (true, Some(keyword)) = (is_empty, Keyword::of(key)) {
            out.add(keyword);
        }
    }
    out
}

/// The most common fields come first, because they are searched in this order.
fn fields(mut value: Value, at: &Path<'_>, cx: &mut Cx, out: &mut Schema) {
    if let Some(unions) = value.as_map_mut().and_then(|map| map.remove(Keyword::Unions.name())) {
        cx.unknown_to_servers(&at.child(Keyword::Unions.name()), || {
            "no server accepts it; `crdgen openapi --unfold --definitions` writes it with oneOf, enum and rules"
                .to_owned()
        });
        out.ext.unions = unions.as_list().unwrap_or_default().iter().map(field_union).collect();
    }
    object!(cx, at, value, {
        "description" => out.description;
        "type" => out.ty, with ty;
        "properties" => out.properties;
        "items" => out.items;
        "required" => out.limits.required;
        "format" => out.limits.format;
        "enum" => out.limits.enumeration;
        "default" => out.default;
        "additionalProperties" => out.additional_properties;
        "maxLength" => out.limits.max_length;
        "minLength" => out.limits.min_length;
        "pattern" => out.limits.pattern;
        "maximum" => out.limits.maximum;
        "minimum" => out.limits.minimum;
        "maxItems" => out.limits.max_items;
        "minItems" => out.limits.min_items;
        "maxProperties" => out.limits.max_properties;
        "minProperties" => out.limits.min_properties;
        "nullable" => out.nullable;
        "anyOf" => out.limits.any_of;
        "oneOf" => out.limits.one_of;
        "allOf" => out.limits.all_of;
        "not" => out.limits.not;
        "x-kubernetes-preserve-unknown-fields" => out.ext.preserve_unknown_fields;
        "x-kubernetes-embedded-resource" => out.ext.embedded_resource;
        "x-kubernetes-int-or-string" => out.ext.int_or_string;
        "x-kubernetes-list-type" => out.ext.list_type;
        "x-kubernetes-list-map-keys" => out.ext.list_map_keys;
        "x-kubernetes-map-type" => out.ext.map_type;
        "x-kubernetes-validations" => out.rules;
        "title" => out.title;
        "example" => out.example;
        "externalDocs" => out.external_docs;
        "exclusiveMaximum" => out.limits.exclusive_maximum;
        "exclusiveMinimum" => out.limits.exclusive_minimum;
        "multipleOf" => out.limits.multiple_of;
        "uniqueItems" => out.limits.unique_items;
        "id" => foreign(out).id;
        "$schema" => foreign(out).schema;
        "$ref" => foreign(out).reference;
        "patternProperties" => foreign(out).pattern_properties;
        "dependencies" => foreign(out).dependencies;
        "additionalItems" => foreign(out).additional_items;
        "definitions" => foreign(out).definitions;
    });
}

/// The server ignores this value, so no value is an error.
fn field_union(value: &Value) -> FieldUnion {
    let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
    let fields = value.get("fields").and_then(Value::as_map);
    FieldUnion {
        discriminator: text(value.get("discriminator")),
        fields: fields.map(Map::iter).into_iter().flatten().map(|(k, v)| (k, text(Some(v)))).collect(),
    }
}

fn foreign(schema: &mut Schema) -> &mut Foreign {
    schema.foreign.get_or_insert_default()
}

fn ty(value: Value, at: &Path<'_>, cx: &mut Cx) -> Option<Type> {
    let name = String::decode(value, at, cx);
    if name.is_empty() { None } else { Some(Type::new(&name)) }
}

/// The server accepts any value here. A value that is neither an object nor a list counts as an empty list.
impl Decode for Items {
    fn decode(value: Value, at: &Path<'_>, cx: &mut Cx) -> Items {
        cx.leniently(|cx| match value {
            Value::Map(_) => Items::One(Box::decode(value, at, cx)),
            Value::List(_) => Items::Many(Vec::decode(value, at, cx)),
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => {
                Items::Many(Vec::new())
            }
        })
    }
}

impl Decode for Additional {
    fn decode(value: Value, at: &Path<'_>, cx: &mut Cx) -> Additional {
        match value {
            Value::Map(_) => cx.leniently(|cx| Additional::Schema(Box::decode(value, at, cx))),
            Value::Bool(allow) => Additional::Allow(allow),
            other => {
                cx.wrong(at, &other, "a boolean or a schema");
                Additional::Allow(false)
            }
        }
    }
}

/// As for items, the server accepts any value.
impl Decode for Dependency {
    fn decode(value: Value, at: &Path<'_>, cx: &mut Cx) -> Dependency {
        cx.leniently(|cx| match value {
            Value::Map(_) => Dependency::Schema(Box::decode(value, at, cx)),
            Value::List(_) => Dependency::Properties(Vec::decode(value, at, cx)),
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => {
                Dependency::Nothing
            }
        })
    }
}

impl Decode for Rule {
    fn decode(value: Value, at: &Path<'_>, cx: &mut Cx) -> Rule {
        let mut out = Rule::default();
        object!(cx, at, value, {
            "rule" => out.rule;
            "message" => out.message;
            "messageExpression" => out.message_expression;
            "reason" => out.reason;
            "fieldPath" => out.field_path;
            "optionalOldSelf" => out.optional_old_self;
        });
        out
    }
}

impl Decode for ExternalDocs {
    fn decode(value: Value, at: &Path<'_>, cx: &mut Cx) -> ExternalDocs {
        let mut out = ExternalDocs::default();
        object!(cx, at, value, {
            "description" => out.description;
            "url" => out.url;
        });
        out
    }
}
