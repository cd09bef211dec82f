//! Lists of objects without a required field.

use super::super::kubernetes::is_of_kubernetes;
use super::{Advice, At, Lint, Topic};
use crate::diag::codes::api::OPTIONAL_ITEMS;
use crate::ir::Type;
use crate::walk::{Node, Via};

pub(super) const LINT: Lint = Lint {
    code: &OPTIONAL_ITEMS,
    topic: Some(Topic::Lists),
    fires: "properties: {spec: {type: object, properties: {ports: {type: array, items: {type: object, properties: {name: {type: string}, port: {type: integer}}}}}}}",
    silent: "properties: {spec: {type: object, properties: {ports: {type: array, items: {type: object, required: [name], properties: {name: {type: string}, port: {type: integer}}}}}}}",
    check,
};

fn check(node: &Node<'_>, out: &mut Vec<Advice>) {
    let items = node.schema.item().filter(|items| items.ty == Some(Type::Object));
    let is_open = items.is_some_and(|items| {
        let limits = &items.limits;
        let has_junctor = !limits.one_of.is_empty() || !limits.any_of.is_empty() || !limits.all_of.is_empty();
        !items.properties.is_empty() && limits.required.is_empty() && items.rules.is_empty() && !has_junctor
    });
    let is_of_others = |schema| is_of_kubernetes(&Node { schema, up: Some((node, Via::Items)) });
    if is_open && !items.is_some_and(is_of_others) {
        let help = "require the field that identifies an item, or one of several fields with a rule";
        out.push(Advice::new(At::Here, "no field of the items is required", help));
    }
}
