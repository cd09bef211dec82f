//! Durations as text.

use super::{Advice, At, Lint, Topic};
use crate::diag::codes::api::DURATION;
use crate::walk::Node;

pub(super) const LINT: Lint = Lint {
    code: &DURATION,
    topic: Some(Topic::Values),
    fires: "properties: {spec: {type: object, properties: {timeout: {type: string, format: duration}}}}",
    silent: "properties: {spec: {type: object, properties: {timeoutSeconds: {type: integer, format: int32}}}}",
    check,
};

fn check(node: &Node<'_>, out: &mut Vec<Advice>) {
    if node.schema.limits.format == "duration" {
        let help = "use an integer with the unit in its name, such as `timeoutSeconds`";
        out.push(Advice::new(At::Here, "a duration as text", help));
    }
}
