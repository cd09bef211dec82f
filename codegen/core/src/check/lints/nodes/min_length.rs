//! Required values that may be empty.

use super::{Advice, At, Lint, Topic};
use crate::diag::codes::api::MIN_LENGTH;
use crate::ir::Type;
use crate::walk::{Node, Via};

pub(super) const LINT: Lint = Lint {
    code: &MIN_LENGTH,
    topic: Some(Topic::Values),
    fires: "properties: {spec: {type: object, required: [image], properties: {image: {type: string}}}}",
    silent: "properties: {spec: {type: object, required: [image], properties: {image: {type: string, minLength: 1}}}}",
    check,
};

fn check(node: &Node<'_>, out: &mut Vec<Advice>) {
    let (schema, limits) = (node.schema, &node.schema.limits);
    let is_required = node
        .parent()
        .zip(node.name())
        .is_some_and(|(parent, name)| parent.schema.limits.required.iter().any(|required| required == name));
    let is_item = matches!(node.up, Some((_, Via::Items)));
    let is_free = limits.enumeration.is_empty() && limits.pattern.is_empty() && limits.format.is_empty();
    let (keyword, what) = match &schema.ty {
        Some(Type::String) if limits.min_length.is_none() && is_free => ("minLength", "text"),
        Some(Type::Array) if limits.min_items.is_none() && is_required => ("minItems", "list"),
        Some(Type::Object) if limits.min_properties.is_none() && is_required && schema.value().is_some() => {
            ("minProperties", "map")
        }
        _ => return,
    };
    if is_required || is_item {
        let kind = if is_item { "an item" } else { "a required value" };
        let help = format!("add `{keyword}: 1`, or `{keyword}: 0` if an empty {what} means something");
        out.push(Advice::new(At::Here, format!("{kind} that may be an empty {what}"), help));
    }
}
