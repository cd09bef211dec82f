//! The places that the server's texts of fields name.

use crdgen_core::path::Step;
use crdgen_core::value::Value;

/// Returns the steps to a field such as `spec.containers[0].image` or `metadata.labels[example.com/a]`, as far as the object has it.
pub(crate) fn steps(field: &str, object: &Value) -> Vec<Step> {
    let (mut rest, mut at, mut out) = (field, Some(object), Vec::new());
    while !rest.is_empty() {
        let (step, after) = first(rest, at);
        at = at.and_then(|at| match &step {
            Step::Key(name) => at.get(name),
            Step::Index(i) => at.as_list()?.get(*i),
        });
        out.push(step);
        rest = after;
    }
    out
}

/// The first step of a text, and the rest of the text.
fn first<'f>(field: &'f str, at: Option<&Value>) -> (Step, &'f str) {
    let (name, after) = match field.strip_prefix('[').and_then(|inside| inside.split_once(']')) {
        Some((name, after)) => (name, after),
        None => field.split_at(field.find(['.', '[']).filter(|end| *end > 0).unwrap_or(field.len())),
    };
    let index = at.and_then(Value::as_list).and_then(|_| name.parse().ok());
    (index.map_or_else(|| Step::Key(name.to_owned()), Step::Index), after.strip_prefix('.').unwrap_or(after))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crdgen_core::json;

    #[test]
    fn texts_of_fields_are_steps() {
        let object = json::read(br#"{"spec":{"list":[{"name":"a"}]},"metadata":{"labels":{"a.b/c":"x"}}}"#);
        let object = object.expect("JSON");
        let key = |name: &str| Step::Key(name.to_owned());
        assert_eq!(
            steps("spec.list[0].name", &object),
            [key("spec"), key("list"), Step::Index(0), key("name")]
        );
        assert_eq!(steps("metadata.labels[a.b/c]", &object), [key("metadata"), key("labels"), key("a.b/c")]);
        assert_eq!(steps("spec.missing", &object), [key("spec"), key("missing")]);
        assert_eq!(steps("[].x", &object), [key(""), key("x")]);
        assert_eq!(steps("a.[", &object), [key("a"), key("[")]);
    }
}
