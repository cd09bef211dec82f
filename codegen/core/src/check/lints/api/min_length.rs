//! Required texts that may be empty.

use super::{Advice, At, Lint, Topic};
use crate::diag::codes::api::MIN_LENGTH;
use crate::ir::Type;
use crate::walk::Node;

pub(super) const LINT: Lint = Lint {
    code: &MIN_LENGTH,
    topic: Topic::Values,
    fires: "properties: {spec: {type: object, required: [image], properties: {image: {type: string}}}}",
    silent: "properties: {spec: {type: object, required: [image], properties: {image: {type: string, minLength: 1}}}}",
    check,
};

fn check(node: &Node<'_>, out: &mut Vec<Advice>) {
    let limits = &node.schema.limits;
    let is_required = node
        .parent()
        .zip(node.name())
        .is_some_and(|(parent, name)| parent.schema.limits.required.iter().any(|required| required == name));
    let is_free = limits.min_length.is_none()
        && limits.enumeration.is_empty()
        && limits.pattern.is_empty()
        && limits.format.is_empty();
    if node.schema.ty == Some(Type::String) && is_required && is_free {
        let help = "add `minLength: 1`, or `minLength: 0` if an empty text means something";
        out.push(Advice::new(At::Here, "a required text that may be empty", help));
    }
}
