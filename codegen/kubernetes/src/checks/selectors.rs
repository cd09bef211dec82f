//! Checks of label selectors.

use super::words::{forbidden, invalid_text, required};
use crate::meta::{own, texts};
use crate::mistake::Mistake;
use crdgen_core::value::{Map, Value};
use crdgen_core::{json, names};

/// The mistakes in the selector at a field.
pub(super) fn mistakes(selector: Option<&Value>, field: &str) -> Vec<Mistake<'static>> {
    let Some(selector) = selector else { return Vec::new() };
    let mut out = labels(selector.get("matchLabels"), &format!("{field}.matchLabels"));
    let expressions = selector.get("matchExpressions").and_then(Value::as_list).unwrap_or_default();
    for (i, expression) in expressions.iter().enumerate() {
        let field = |name: &str| format!("{field}.matchExpressions[{i}].{name}");
        let (operator, values) = (own(expression, "operator"), texts(expression, "values"));
        out.extend(values_of(operator, &values, field));
        let key = own(expression, "key");
        out.extend(names::qualified_name(key).iter().map(|why| invalid_text(field("key"), key, why)));
        for (i, value) in values.into_iter().enumerate() {
            let field = field(&format!("values[{i}]"));
            let mistakes = names::label_value(value);
            out.extend(mistakes.iter().map(|why| invalid_text(field.clone(), value, why)));
        }
    }
    out
}

/// The mistake in the number of values that an operator gets.
pub(super) fn values_of(
    operator: &str,
    values: &[&str],
    field: impl Fn(&str) -> String,
) -> Option<Mistake<'static>> {
    match operator {
        "In" | "NotIn" if values.is_empty() => {
            Some(required(field("values"), "must be specified when `operator` is 'In' or 'NotIn'"))
        }
        "Exists" | "DoesNotExist" if !values.is_empty() => {
            let why = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
            Some(forbidden(field("values"), why))
        }
        "In" | "NotIn" | "Exists" | "DoesNotExist" => None,
        other => Some(invalid_text(field("operator"), other, "not a valid selector operator")),
    }
}

/// The mistakes in labels.
pub(super) fn labels(labels: Option<&Value>, field: &str) -> Vec<Mistake<'static>> {
    let mut out = Vec::new();
    for (key, value) in labels.and_then(Value::as_map).into_iter().flat_map(Map::iter) {
        let value = value.as_str().unwrap_or_default();
        out.extend(names::qualified_name(key).iter().map(|why| invalid_text(field.to_owned(), key, why)));
        out.extend(names::label_value(value).iter().map(|why| invalid_text(field.to_owned(), value, why)));
    }
    out
}

/// The mistakes in the names of annotations.
pub(super) fn annotations(annotations: Option<&Value>, field: &str) -> Vec<Mistake<'static>> {
    let names = annotations.and_then(Value::as_map).into_iter().flat_map(Map::keys);
    // The server compares them in lower case.
    let wrong = names.flat_map(|name| {
        let mistakes = names::qualified_name(&name.to_lowercase());
        mistakes.into_iter().map(move |why| invalid_text(field.to_owned(), name, &why))
    });
    wrong.collect()
}

/// A selector as Go shows it.
pub(super) fn shown(selector: &Value) -> String {
    let part = |name: &str| selector.get(name).map(|part| format!("\"{name}\":{}", json::to_string(part)));
    let parts: Vec<String> = ["matchLabels", "matchExpressions"].into_iter().filter_map(part).collect();
    format!("{{{}}}", parts.join(","))
}
