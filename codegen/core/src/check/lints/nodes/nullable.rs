//! Nullable fields.

use super::{Advice, At, Lint, Topic};
use crate::diag::codes::api::NULLABLE;
use crate::walk::Node;

pub(super) const LINT: Lint = Lint {
    code: &NULLABLE,
    topic: Some(Topic::Values),
    fires: "properties: {spec: {type: object, properties: {limit: {type: integer, nullable: true}}}}",
    silent: "properties: {spec: {type: object, properties: {limit: {type: integer}}}}",
    check,
};

fn check(node: &Node<'_>, out: &mut Vec<Advice>) {
    // No object has a status that is null: the server drops it. The derives make it nullable because a new object has none.
    let is_status = node.depth() == 1 && node.name() == Some("status");
    if node.schema.nullable && node.name().is_some() && !is_status {
        let help = "make the field optional instead, so that it is absent or set";
        out.push(Advice::new(At::Keyword("nullable"), "a field that may be null", help));
    }
}
