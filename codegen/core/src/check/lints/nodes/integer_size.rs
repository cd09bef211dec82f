//! Integers without a size.

use super::{Advice, At, Lint, Topic};
use crate::diag::codes::api::INTEGER_SIZE;
use crate::ir::Type;
use crate::walk::Node;

pub(super) const LINT: Lint = Lint {
    code: &INTEGER_SIZE,
    topic: Some(Topic::Values),
    fires: "properties: {spec: {type: object, properties: {replicas: {type: integer}}}}",
    silent: "properties: {spec: {type: object, properties: {replicas: {type: integer, format: int32}}}}",
    check,
};

fn check(node: &Node<'_>, out: &mut Vec<Advice>) {
    let has_size = matches!(node.schema.limits.format.as_str(), "int32" | "int64");
    if node.schema.ty == Some(Type::Integer) && !has_size {
        let help = "write `format: int32` or `format: int64`";
        out.push(Advice::new(At::Here, "an integer without a size", help));
    }
}
