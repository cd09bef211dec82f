//! Names of references.

use super::{Advice, At, Lint, Topic};
use crate::diag::codes::api::REFERENCE_NAME;
use crate::walk::Node;

pub(super) const LINT: Lint = Lint {
    code: &REFERENCE_NAME,
    topic: Some(Topic::Names),
    fires: "properties: {spec: {type: object, properties: {secretReference: {type: object, properties: {name: {type: string}}}}}}",
    silent: "properties: {spec: {type: object, properties: {secretRef: {type: object, properties: {name: {type: string}}}}}}",
    check,
};

fn check(node: &Node<'_>, out: &mut Vec<Advice>) {
    let Some(name) = node.name() else { return };
    for (long, short) in [("Reference", "Ref"), ("References", "Refs")] {
        if let Some(start) = name.strip_suffix(long) {
            let help = format!("write `{start}{short}`");
            out.push(Advice::new(At::Here, format!("the name `{name}` ends in `{long}`"), help));
        }
    }
}
