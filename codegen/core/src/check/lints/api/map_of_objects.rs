//! Maps of objects.

use super::{Advice, At, Lint, Topic};
use crate::diag::codes::api::MAP_OF_OBJECTS;
use crate::ir::Type;
use crate::walk::Node;

pub(super) const LINT: Lint = Lint {
    code: &MAP_OF_OBJECTS,
    topic: Topic::Lists,
    fires: "properties: {spec: {type: object, properties: {ports: {type: object, additionalProperties: {type: object, properties: {number: {type: integer}}}}}}}",
    silent: "properties: {spec: {type: object, properties: {labels: {type: object, additionalProperties: {type: string}}}}}",
    check,
};

fn check(node: &Node<'_>, out: &mut Vec<Advice>) {
    if node.schema.value().is_some_and(|value| value.ty == Some(Type::Object)) {
        let help = "use a list with `x-kubernetes-list-type: map` and the name of an item as a field";
        out.push(Advice::new(At::Here, "a map of objects", help));
    }
}
