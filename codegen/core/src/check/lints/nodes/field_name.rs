//! Names of fields that are not in camel case.

use super::{Advice, At, Lint, Topic};
use crate::diag::codes::api::FIELD_NAME;
use crate::walk::Node;

pub(super) const LINT: Lint = Lint {
    code: &FIELD_NAME,
    topic: Some(Topic::Names),
    fires: "properties: {spec: {type: object, properties: {max_replicas: {type: integer}}}}",
    silent: "properties: {spec: {type: object, properties: {maxReplicas: {type: integer}}}}",
    check,
};

fn check(node: &Node<'_>, out: &mut Vec<Advice>) {
    let Some(name) = node.name() else { return };
    let is_camel =
        name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(|c| c.is_ascii_alphanumeric());
    if !is_camel {
        let help = "write it like `maxReplicas`";
        out.push(Advice::new(At::Here, format!("the name `{name}` is not in camel case"), help));
    }
}
