//! Names of times.

use super::{Advice, At, Lint, Topic};
use crate::diag::codes::api::TIMESTAMP_NAME;
use crate::walk::Node;

pub(super) const LINT: Lint = Lint {
    code: &TIMESTAMP_NAME,
    topic: Topic::Names,
    fires: "properties: {status: {type: object, properties: {startTimestamp: {type: string, format: date-time}}}}",
    silent: "properties: {status: {type: object, properties: {startTime: {type: string, format: date-time}}}}",
    check,
};

fn check(node: &Node<'_>, out: &mut Vec<Advice>) {
    let Some(name) = node.name() else { return };
    for (long, short) in [("Timestamp", "Time"), ("TimeStamp", "Time"), ("timestamp", "time")] {
        if let Some(start) = name.strip_suffix(long) {
            let help = format!("write `{start}{short}`");
            out.push(Advice::new(At::Here, format!("the name `{name}` ends in `{long}`"), help));
        }
    }
}
