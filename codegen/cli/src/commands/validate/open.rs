//! Values that another program replaces before an object is applied: variables, templates and encrypted values.

use crdgen_core::diag::{Code, Diag, codes::object as codes};
use crdgen_core::path::Step;
use crdgen_core::read::has_placeholder;
use crdgen_core::value::Value;

/// Whether a verdict depends on a value that another program replaces. That a field is missing or unknown does not.
pub(super) fn is_open(diag: &Diag, object: &Value) -> bool {
    let is = |code: &Code| *diag.code == *code;
    if is(&codes::REQUIRED) || is(&codes::UNKNOWN_FIELD) || is(&codes::NO_CRD) || is(&codes::SAME_OBJECT) {
        return false;
    }
    if diag.steps.is_empty() {
        return false;
    }
    let value = diag.steps.iter().try_fold(object, |value, step| match step {
        Step::Key(key) => value.get(key),
        Step::Index(index) => value.as_list()?.get(*index),
    });
    value.is_some_and(has_open)
}

fn has_open(value: &Value) -> bool {
    match value {
        Value::Str(text) => is_replaced(text),
        Value::List(items) => items.iter().any(has_open),
        Value::Map(map) => map.iter().any(|(_, value)| has_open(value)),
        _ => false,
    }
}

/// Whether a text has a variable as Flux and envsubst write it, an action of a template or a placeholder, or is a value that
/// SOPS has encrypted.
fn is_replaced(text: &str) -> bool {
    if text.starts_with("ENC[AES256_GCM,") && text.ends_with(']') {
        return true;
    }
    let is_variable = |(at, _): (usize, &str)| {
        // clusterctl allows spaces.
        let name = text[at + 2..].trim_start_matches(' ');
        let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(name.len());
        let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        // `$${A}` means the text `${A}`.
        starts
            && name[end..].trim_start_matches(' ').starts_with(['}', ':', '=', '-', '?', '+', '/', '#', '%'])
            && !text[..at].ends_with('$')
    };
    text.match_indices("${").any(is_variable)
        || text.find("{{").is_some_and(|at| text[at..].contains("}}"))
        || has_placeholder(text)
}

#[cfg(test)]
mod tests {
    use super::is_replaced;

    #[test]
    fn finds_what_another_program_replaces() {
        for (text, wanted) in [
            ("${REPLICAS}", true),
            ("a-${name:=x}-b", true),
            ("${name:-x}", true),
            ("$${name}", false),
            ("${{ matrix }}", true),
            ("${1}", false),
            ("${a b}", false),
            ("$NAME", true),
            ("$name", false),
            ("{GATEWAY_CONTROLLER_NAME}", true),
            ("${ NAME }-x", true),
            ("{{ .Values.x }}", true),
            ("}} {{", false),
            ("ENC[AES256_GCM,data:x,type:str]", true),
            ("ENC[", false),
        ] {
            assert_eq!(is_replaced(text), wanted, "{text}");
        }
    }
}
