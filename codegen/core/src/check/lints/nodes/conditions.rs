//! Conditions that server-side apply replaces as a whole.

use super::{Advice, At, Lint, Topic, is_in_status};
use crate::diag::codes::api::CONDITIONS;
use crate::ir::Type;
use crate::walk::Node;

pub(super) const LINT: Lint = Lint {
    code: &CONDITIONS,
    topic: Some(Topic::Status),
    fires: "properties: {status: {type: object, properties: {conditions: {type: array, items: {type: object, required: [type], properties: {type: {type: string}}}}}}}",
    silent: "properties: {status: {type: object, properties: {conditions: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [type], items: {type: object, required: [type], properties: {type: {type: string}}}}}}}",
    check,
};

fn check(node: &Node<'_>, out: &mut Vec<Advice>) {
    let (schema, ext) = (node.schema, &node.schema.ext);
    let is_map = ext.list_type.as_deref() == Some("map") && ext.list_map_keys == ["type"];
    if is_in_status(node, "conditions") && schema.ty != Some(Type::Array) {
        let help =
            "make it a list of objects with `type`, `status`, `reason`, `message` and `lastTransitionTime`";
        out.push(Advice::new(At::Here, "the conditions are not a list", help));
    } else if is_in_status(node, "conditions") && !is_map {
        let help = "write `x-kubernetes-list-type: map` and `x-kubernetes-list-map-keys: [type]`";
        out.push(Advice::new(At::Here, "the conditions are not a map by `type`", help));
    }
}
