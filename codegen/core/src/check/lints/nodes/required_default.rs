//! Required fields with a default.

use super::{Advice, At, Lint, Topic};
use crate::diag::codes::api::REQUIRED_DEFAULT;
use crate::walk::Node;

pub(super) const LINT: Lint = Lint {
    code: &REQUIRED_DEFAULT,
    topic: Some(Topic::Values),
    fires: "properties: {spec: {type: object, required: [mode], properties: {mode: {type: string, default: fast}}}}",
    silent: "properties: {spec: {type: object, properties: {mode: {type: string, default: fast}}}}",
    check,
};

fn check(node: &Node<'_>, out: &mut Vec<Advice>) {
    let has_default =
        |name: &&String| node.schema.properties.get(name).is_some_and(|field| field.default.is_some());
    let names = node.schema.limits.required.iter().enumerate();
    for (number, name) in names.filter(|(_, name)| has_default(name)) {
        let detail = format!("`{name}` is required, but its default makes sure that it is never absent");
        let help = format!("remove `{name}` from `required`, or remove the default");
        out.push(Advice::new(At::Required(number), detail, help));
    }
}
