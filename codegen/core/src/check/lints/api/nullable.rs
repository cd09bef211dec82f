//! Nullable fields.

use super::{Advice, At, Lint, Topic};
use crate::diag::codes::api::NULLABLE;
use crate::walk::Node;

pub(super) const LINT: Lint = Lint {
    code: &NULLABLE,
    topic: Topic::Values,
    fires: "properties: {spec: {type: object, properties: {limit: {type: integer, nullable: true}}}}",
    silent: "properties: {spec: {type: object, properties: {limit: {type: integer}}}}",
    check,
};

fn check(node: &Node<'_>, out: &mut Vec<Advice>) {
    if node.schema.nullable && node.name().is_some() {
        let help = "make the field optional instead, so that it is absent or set";
        out.push(Advice::new(At::Keyword("nullable"), "a field that may be null", help));
    }
}
