//! Lints that need only a schema and its name.

use super::{Advice, At, Lint, Topic};
use crate::diag::codes::lint::{
    BOOLEAN, BOOLEAN_NAME, BOOLEAN_VALUE, DESCRIPTION, FLOAT, LIST_TYPE, METADATA, NO_NUMBER, UNBOUNDED,
    UNSIGNED,
};
use crate::ir::{Additional, NumberSize, Schema, Type};
use crate::value::{Value, is_yaml_bool};
use crate::walk::Node;

pub(super) static LINTS: [Lint; 10] = [
    Lint {
        code: &DESCRIPTION,
        topic: None,
        fires: "properties: {spec: {type: object}}",
        silent: "properties: {spec: {type: object, description: How it runs.}}",
        check: description,
    },
    Lint {
        code: &METADATA,
        topic: None,
        fires: "properties: {spec: {type: object, properties: {template: {type: object, properties: {metadata: {type: object}, spec: {type: object}}}}}}",
        silent: "properties: {spec: {type: object, properties: {template: {type: object, properties: {metadata: {type: object, properties: {labels: {type: object, additionalProperties: {type: string}}}}, spec: {type: object}}}}}}",
        check: metadata,
    },
    Lint {
        code: &LIST_TYPE,
        topic: Some(Topic::Lists),
        fires: "properties: {spec: {type: object, properties: {zones: {type: array, items: {type: string}}}}}",
        silent: "properties: {spec: {type: object, properties: {zones: {type: array, x-kubernetes-list-type: set, items: {type: string}}}}}",
        check: list_type,
    },
    Lint {
        code: &FLOAT,
        topic: Some(Topic::Values),
        fires: "properties: {spec: {type: object, properties: {ratio: {type: number}}}}",
        silent: "properties: {spec: {type: object, properties: {ratioPercent: {type: integer, format: int32}}}}",
        check: float,
    },
    Lint {
        code: &UNSIGNED,
        topic: Some(Topic::Values),
        fires: "properties: {spec: {type: object, properties: {replicas: {type: integer, format: uint32}}}}",
        silent: "properties: {spec: {type: object, properties: {replicas: {type: integer, format: int64, minimum: 0}}}}",
        check: unsigned,
    },
    Lint {
        code: &BOOLEAN,
        topic: Some(Topic::Values),
        fires: "properties: {spec: {type: object, properties: {paused: {type: boolean}}}}",
        silent: "properties: {spec: {type: object, properties: {mode: {type: string, enum: [Running, Paused]}}}}",
        check: boolean,
    },
    Lint {
        code: &BOOLEAN_NAME,
        topic: Some(Topic::Names),
        fires: "properties: {spec: {type: object, properties: {on: {type: string}}}}",
        silent: "properties: {spec: {type: object, properties: {\"on\": {type: string}}}}",
        check: boolean_name,
    },
    Lint {
        code: &NO_NUMBER,
        topic: None,
        fires: "properties: {spec: {type: object, properties: {port: {type: integer, minimum: 0.5}}}}",
        silent: "properties: {spec: {type: object, properties: {port: {type: integer, minimum: 1}}}}",
        check: no_number,
    },
    Lint {
        code: &BOOLEAN_VALUE,
        topic: None,
        fires: "properties: {spec: {type: object, properties: {mode: {type: string, enum: [\"on\", \"off\"]}}}}",
        silent: "properties: {spec: {type: object, properties: {mode: {type: string, enum: [Enabled, Disabled]}}}}",
        check: boolean_value,
    },
    Lint {
        code: &UNBOUNDED,
        topic: None,
        fires: "properties: {spec: {type: object, properties: {name: {type: string, x-kubernetes-validations: [{rule: \"self != 'root'\"}]}}}}",
        silent: "properties: {spec: {type: object, properties: {name: {type: string, maxLength: 63, x-kubernetes-validations: [{rule: \"self != 'root'\"}]}}}}",
        check: unbounded,
    },
];

fn description(node: &Node<'_>, out: &mut Vec<Advice>) {
    if node.name().is_some() && node.schema.description.is_empty() && !is_known_by_the_server(node) {
        out.push(Advice::new(At::Here, "no description", "describe what the field is for"));
    }
}

fn metadata(node: &Node<'_>, out: &mut Vec<Advice>) {
    if keeps_no_metadata(node) && !is_known_by_the_server(node) {
        let detail = "the server drops all metadata of the embedded object: its schema has no fields here";
        let help = "list the fields that you need, such as `labels` and `annotations`; in Rust, write \
                    `#[schema(metadata = \"settable\")]` on the field with the embedded object";
        out.push(Advice::new(At::Here, detail, help));
    }
}

fn list_type(node: &Node<'_>, out: &mut Vec<Advice>) {
    if node.schema.ty != Some(Type::Array) || node.schema.ext.list_type.is_some() {
        return;
    }
    let of_objects = node.schema.item().is_some_and(|item| item.ty == Some(Type::Object));
    let help = match of_objects {
        true => "write `x-kubernetes-list-type: map` with x-kubernetes-list-map-keys, or `atomic`",
        false => "write `x-kubernetes-list-type: set`, or `atomic`",
    };
    out.push(Advice::new(At::Here, "a list without x-kubernetes-list-type", help));
}

fn float(node: &Node<'_>, out: &mut Vec<Advice>) {
    if node.schema.ty == Some(Type::Number) {
        let help = "use an integer of a smaller unit, or a quantity as a string";
        out.push(Advice::new(At::Here, "a float", help));
    }
}

fn unsigned(node: &Node<'_>, out: &mut Vec<Advice>) {
    let format = &node.schema.limits.format;
    if format.starts_with("uint") {
        let detail = format!("format {format} is not known to the server");
        out.push(Advice::new(At::Here, detail, "use `format: int64` (or int32) with `minimum: 0`"));
    }
}

fn boolean(node: &Node<'_>, out: &mut Vec<Advice>) {
    if node.schema.ty == Some(Type::Boolean) {
        let help = "a string with `enum` could get a third value later";
        out.push(Advice::new(At::Here, "a boolean", help));
    }
}

fn boolean_name(node: &Node<'_>, out: &mut Vec<Advice>) {
    if let Some(name @ ("true" | "false")) = node.name() {
        let keys = if name == "true" { "y, yes or on" } else { "n, no or off" };
        let detail = format!("a field named {name}: was it {keys}, which YAML reads as a boolean?");
        out.push(Advice::new(At::Here, detail, "quote the key, or better choose another name"));
    }
}

fn no_number(node: &Node<'_>, out: &mut Vec<Advice>) {
    let schema = node.schema;
    if let Some((keyword, bound)) = schema.bound_of_other_type() {
        let size = NumberSize::of(schema.ty.as_ref(), &schema.limits.format);
        let keyword = keyword.name();
        let detail = format!("the server rejects every value here: {keyword} {bound} is not of type {size}");
        out.push(Advice::new(At::Here, detail, "write a number of this type and format"));
    }
}

fn boolean_value(node: &Node<'_>, out: &mut Vec<Advice>) {
    // Users of Kubernetes know `"True"` and `"False"` from conditions.
    let surprises = |text: &&str| is_yaml_bool(text) && !["true", "false"].contains(&&*text.to_lowercase());
    if let Some(value) = node.schema.limits.enumeration.iter().filter_map(Value::as_str).find(surprises) {
        let detail = format!("without quotes, YAML reads the value {value} as a boolean");
        out.push(Advice::new(At::Here, detail, "rename the value. Otherwise your users must quote it"));
    }
}

fn unbounded(node: &Node<'_>, out: &mut Vec<Advice>) {
    if let Some(limit) = missing_limit(node.schema).filter(|_| multiplies_rules(node.schema)) {
        let detail = format!("no {limit}, which makes the rules here expensive");
        out.push(Advice::new(At::Here, detail, format!("add `{limit}`")));
    }
}

/// Whether a node is a part of an object that the server itself defines.
fn is_known_by_the_server(node: &Node<'_>) -> bool {
    node.parent().is_some_and(|up| up.up.is_none() || up.schema.ext.embedded_resource)
        && matches!(node.name(), Some("apiVersion" | "kind" | "metadata"))
}

/// Whether a node is the metadata of an object with a spec, and the server drops all fields in it.
fn keeps_no_metadata(node: &Node<'_>) -> bool {
    let schema = node.schema;
    node.name() == Some("metadata")
        && node.parent().is_some_and(|up| up.schema.properties.contains_key("spec"))
        && schema.ty == Some(Type::Object)
        && schema.properties.is_empty()
        && schema.additional_properties.is_none()
        && schema.ext.preserve_unknown_fields != Some(true)
}

/// The keyword that would limit an unlimited value.
pub(super) fn missing_limit(schema: &Schema) -> Option<&'static str> {
    let limits = &schema.limits;
    match &schema.ty {
        Some(Type::String) => {
            let bounded = limits.max_length.is_some() || !limits.enumeration.is_empty();
            let short = matches!(limits.format.as_str(), "date" | "date-time" | "duration");
            (!bounded && !short).then_some("maxLength")
        }
        Some(Type::Array) => limits.max_items.is_none().then_some("maxItems"),
        Some(Type::Object) => match &schema.additional_properties {
            Some(Additional::Schema(_) | Additional::Allow(true)) => {
                limits.max_properties.is_none().then_some("maxProperties")
            }
            Some(Additional::Allow(false)) | None => None,
        },
        Some(Type::Integer | Type::Number | Type::Boolean | Type::Other(_)) | None => None,
    }
}

/// Whether the maximum size of a value counts in the cost of rules: the value has rules itself, or it is a list or map
/// that contains rules, which run for each item.
fn multiplies_rules(schema: &Schema) -> bool {
    !schema.rules.is_empty()
        || schema.item().is_some_and(Schema::has_rules)
        || schema.value().is_some_and(Schema::has_rules)
}
