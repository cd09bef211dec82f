//! Required fields of the status.

use super::{Advice, At, Lint, Topic, is_status};
use crate::diag::codes::api::STATUS_REQUIRED;
use crate::walk::Node;

pub(super) const LINT: Lint = Lint {
    code: &STATUS_REQUIRED,
    topic: Some(Topic::Status),
    fires: "properties: {status: {type: object, required: [ready], properties: {ready: {type: integer}}}}",
    silent: "properties: {status: {type: object, properties: {ready: {type: integer}}}}",
    check,
};

fn check(node: &Node<'_>, out: &mut Vec<Advice>) {
    if !is_status(node) {
        return;
    }
    for (number, name) in node.schema.limits.required.iter().enumerate() {
        let help = "make it optional, so that a controller can write the status step by step";
        out.push(Advice::new(At::Required(number), format!("the status requires `{name}`"), help));
    }
}
