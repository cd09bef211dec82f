//! Schemas and rules.

use super::object::{Object, all, float};
use crate::ir::{
    Additional, Dependency, Extensions, ExternalDocs, Foreign, Items, Limits, Rule, Schema, Type,
};
use crate::value::{Map, Value};

/// A schema as it stands in a definition.
pub fn schema(schema: &Schema) -> Value {
    let Schema {
        ty,
        nullable,
        title,
        description,
        default,
        example,
        external_docs,
        properties,
        items,
        additional_properties,
        ext,
        rules,
        limits,
        foreign,
        empty: _,
    } = schema;
    let out = match foreign {
        Some(foreign) => write_foreign(Object::new(), foreign),
        None => Object::new(),
    };
    let out = out
        .some("additionalProperties", additional_properties.as_ref().map(additional))
        .some("default", default.clone())
        .text("description", description)
        .some("example", example.clone())
        .some("externalDocs", external_docs.as_ref().map(docs))
        .some("items", items.as_ref().and_then(write_items))
        .flag("nullable", *nullable)
        .some("properties", named(properties, self::schema))
        .text("title", title)
        .text("type", ty.as_ref().map_or("", Type::as_str));
    let out = write_limits(out, limits);
    write_extensions(out, ext).list("x-kubernetes-validations", rules, rule).build()
}

/// A validation rule as it stands in a definition.
pub fn rule(rule: &Rule) -> Value {
    let Rule { rule, message, message_expression, reason, field_path, optional_old_self } = rule;
    Object::new()
        .text("fieldPath", field_path)
        .text("message", message)
        .text("messageExpression", message_expression)
        .some("optionalOldSelf", *optional_old_self)
        .some("reason", reason.as_deref())
        .set("rule", rule.as_str())
        .build()
}

fn write_limits(out: Object, limits: &Limits) -> Object {
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
    out.list("allOf", all_of, schema)
        .list("anyOf", any_of, schema)
        .list("enum", enumeration, Value::clone)
        .flag("exclusiveMaximum", *exclusive_maximum)
        .flag("exclusiveMinimum", *exclusive_minimum)
        .text("format", format)
        .some("maxItems", *max_items)
        .some("maxLength", *max_length)
        .some("maxProperties", *max_properties)
        .some("maximum", maximum.map(float))
        .some("minItems", *min_items)
        .some("minLength", *min_length)
        .some("minProperties", *min_properties)
        .some("minimum", minimum.map(float))
        .some("multipleOf", multiple_of.map(float))
        .some("not", not.as_deref().map(schema))
        .list("oneOf", one_of, schema)
        .text("pattern", pattern)
        .texts("required", required)
        .flag("uniqueItems", *unique_items)
}

fn write_extensions(out: Object, ext: &Extensions) -> Object {
    let Extensions {
        preserve_unknown_fields,
        embedded_resource,
        int_or_string,
        list_type,
        list_map_keys,
        map_type,
        unions: _, // no server knows them
    } = ext;
    out.flag("x-kubernetes-embedded-resource", *embedded_resource)
        .flag("x-kubernetes-int-or-string", *int_or_string)
        .texts("x-kubernetes-list-map-keys", list_map_keys)
        .some("x-kubernetes-list-type", list_type.as_deref())
        .some("x-kubernetes-map-type", map_type.as_deref())
        .some("x-kubernetes-preserve-unknown-fields", *preserve_unknown_fields)
}

fn write_foreign(out: Object, foreign: &Foreign) -> Object {
    let Foreign { id, schema, reference, pattern_properties, dependencies, additional_items, definitions } =
        foreign;
    out.some("$ref", reference.as_deref())
        .text("$schema", schema)
        .some("additionalItems", additional_items.as_ref().map(additional))
        .some("definitions", named(definitions, self::schema))
        .some("dependencies", named(dependencies, dependency))
        .text("id", id)
        .some("patternProperties", named(pattern_properties, self::schema))
}

fn named<T>(map: &Map<T>, write: impl Fn(&T) -> Value) -> Option<Value> {
    let written = || Value::Map(map.iter().map(|(name, item)| (name, write(item))).collect());
    (!map.is_empty()).then(written)
}

/// An empty list of schemas, which only stands for an unreadable value, is not written.
fn write_items(items: &Items) -> Option<Value> {
    match items {
        Items::One(item) => Some(schema(item)),
        Items::Many(list) if list.is_empty() => None,
        Items::Many(list) => Some(all(list, schema)),
    }
}

fn additional(additional: &Additional) -> Value {
    match additional {
        Additional::Allow(allow) => Value::Bool(*allow),
        Additional::Schema(value) => schema(value),
    }
}

fn dependency(dependency: &Dependency) -> Value {
    match dependency {
        Dependency::Schema(value) => schema(value),
        Dependency::Properties(names) if names.is_empty() => Value::Null,
        Dependency::Properties(names) => Value::from(names.clone()),
        Dependency::Nothing => Value::Null,
    }
}

fn docs(docs: &ExternalDocs) -> Value {
    let ExternalDocs { description, url } = docs;
    Object::new().text("description", description).text("url", url).build()
}
