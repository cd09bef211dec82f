//! Lints for single nodes of a schema.

use super::Lints;
use crate::diag::codes::lint::{
    BOOLEAN, BOOLEAN_NAME, BOOLEAN_VALUE, DESCRIPTION, FLOAT, LIST_TYPE, METADATA, NO_NUMBER, UNBOUNDED,
    UNSIGNED,
};
use crate::diag::{Code, Diag, Diags, Level};
use crate::ir::{Additional, NumberSize, Schema, Type};
use crate::path::Path;
use crate::value::{Value, is_yaml_bool};
use crate::walk::Node;

pub(super) fn check(node: &Node<'_>, path: &Path<'_>, lints: &Lints, out: &mut Diags) {
    let schema = node.schema;
    let mut advise = |code: &'static Code, detail: &str, help: &str| {
        if lints.is_on(code) {
            out.push(Diag::own(code, Level::Warning, path, detail).help(help));
        }
    };
    let is_known_by_the_server = || {
        node.parent().is_some_and(|up| up.up.is_none() || up.schema.ext.embedded_resource)
            && matches!(node.name(), Some("apiVersion" | "kind" | "metadata"))
    };
    if node.name().is_some() && schema.description.is_empty() && !is_known_by_the_server() {
        advise(&DESCRIPTION, "no description", "describe what the field is for");
    }
    if keeps_no_metadata(node) && !is_known_by_the_server() {
        let detail = "the server drops all metadata of the embedded object: its schema has no fields here";
        let help = "list the fields that you need, such as `labels` and `annotations`; in Rust, write \
                    `#[schema(metadata = \"settable\")]` on the field with the embedded object";
        advise(&METADATA, detail, help);
    }
    if let Some(name @ ("true" | "false")) = node.name() {
        let keys = if name == "true" { "y, yes or on" } else { "n, no or off" };
        let detail = format!("a field named {name}: was it {keys}, which YAML reads as a boolean?");
        advise(&BOOLEAN_NAME, &detail, "quote the key, or better choose another name");
    }
    match &schema.ty {
        Some(Type::Array) if schema.ext.list_type.is_none() => {
            let help = match schema.item().and_then(|item| item.ty.as_ref()) {
                Some(Type::Object) => {
                    "write `x-kubernetes-list-type: map` with x-kubernetes-list-map-keys, or `atomic`"
                }
                Some(Type::Array | Type::String | Type::Integer | Type::Number | Type::Boolean)
                | Some(Type::Other(_))
                | None => "write `x-kubernetes-list-type: set`, or `atomic`",
            };
            advise(&LIST_TYPE, "a list without x-kubernetes-list-type", help);
        }
        Some(Type::Number) => {
            advise(&FLOAT, "a float", "use an integer of a smaller unit, or a quantity as a string");
        }
        Some(Type::Boolean) => {
            advise(&BOOLEAN, "a boolean", "a string with `enum` could get a third value later");
        }
        Some(Type::Array | Type::Object | Type::String | Type::Integer | Type::Other(_)) | None => {}
    }
    if let Some((keyword, bound)) = schema.bound_of_other_type() {
        let size = NumberSize::of(schema.ty.as_ref(), &schema.limits.format);
        let keyword = keyword.name();
        let detail = format!("the server rejects every value here: {keyword} {bound} is not of type {size}");
        advise(&NO_NUMBER, &detail, "write a number of this type and format");
    }
    // Users of Kubernetes know `"True"` and `"False"` from conditions.
    let surprises = |text: &&str| is_yaml_bool(text) && !["true", "false"].contains(&&*text.to_lowercase());
    if let Some(value) = schema.limits.enumeration.iter().filter_map(Value::as_str).find(surprises) {
        let detail = format!("without quotes, YAML reads the value {value} as a boolean");
        advise(&BOOLEAN_VALUE, &detail, "rename the value. Otherwise your users must quote it");
    }
    if schema.limits.format.starts_with("uint") {
        let detail = format!("format {} is not known to the server", schema.limits.format);
        let help = "use `format: int64` (or int32) with `minimum: 0`";
        advise(&UNSIGNED, &detail, help);
    }
    if let Some(limit) = missing_limit(schema)
        && multiplies_rules(schema)
    {
        let detail = format!("no {limit}, which makes the rules here expensive");
        advise(&UNBOUNDED, &detail, &format!("add `{limit}`"));
    }
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
