//! Maps of other values than texts.

use super::{Advice, At, Lint, Topic};
use crate::diag::codes::api::MAP;
use crate::ir::Type;
use crate::walk::Node;

pub(super) const LINT: Lint = Lint {
    code: &MAP,
    topic: Some(Topic::Lists),
    fires: "properties: {spec: {type: object, properties: {ports: {type: object, additionalProperties: {type: object, properties: {number: {type: integer}}}}}}}",
    silent: "properties: {spec: {type: object, properties: {labels: {type: object, additionalProperties: {type: string}}}}}",
    check,
};

fn check(node: &Node<'_>, out: &mut Vec<Advice>) {
    let what = match node.schema.value().and_then(|value| value.ty.as_ref()) {
        Some(Type::Object) => "objects",
        Some(Type::Array) => "lists",
        Some(Type::Integer | Type::Number) => "numbers",
        Some(Type::Boolean) => "booleans",
        // Labels are maps of texts.
        Some(Type::String | Type::Other(_)) | None => return,
    };
    let help = "use a list with `x-kubernetes-list-type: map` and the name of an item as a field";
    out.push(Advice::new(At::Here, format!("a map of {what}"), help));
}
