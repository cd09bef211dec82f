//! Checks of labels and of what selects them.

use super::at::{At, Mistakes};
use super::rows::{Check, Check::*, Row, check};
use crdgen_core::names;

const REQUIREMENT: &[Row] = &[
    ("", Code(number_of_values)),
    ("key", Name(names::qualified_name)),
    ("values[]", Name(names::label_value)),
];

pub(super) const SELECTOR: Check = Code(selector);
pub(super) const LABELS: Check = Code(labels);
pub(super) const ANNOTATIONS: Check = Code(annotations);

/// The mistakes in a selector.
pub(super) fn selector(at: &At<'_>, out: &mut Mistakes) {
    check(&[("matchLabels", LABELS), ("matchExpressions[]", All(REQUIREMENT))], at, out);
}

/// The mistake in the number of values that an operator gets.
pub(super) fn number_of_values(at: &At<'_>, out: &mut Mistakes) {
    let (operator, values) = (at.get("operator"), at.get("values"));
    match operator.text() {
        "In" | "NotIn" if values.is_empty() => {
            out.push(values.required("must be specified when `operator` is 'In' or 'NotIn'"));
        }
        "Exists" | "DoesNotExist" if !values.is_empty() => {
            out.push(values.forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
        }
        "In" | "NotIn" | "Exists" | "DoesNotExist" => {}
        other => out.push(operator.invalid_text(other, "not a valid selector operator")),
    }
}

/// The mistakes in labels.
pub(super) fn labels(at: &At<'_>, out: &mut Mistakes) {
    for (key, value) in at.map() {
        let value = value.as_str().unwrap_or_default();
        out.extend(names::qualified_name(key).iter().map(|why| at.invalid_text(key, why)));
        out.extend(names::label_value(value).iter().map(|why| at.invalid_text(value, why)));
    }
}

/// The mistakes in the names of annotations, which the server compares in lower case.
pub(super) fn annotations(at: &At<'_>, out: &mut Mistakes) {
    for (key, _) in at.map() {
        let mistakes = names::qualified_name(&key.to_lowercase());
        out.extend(mistakes.iter().map(|why| at.invalid_text(key, why)));
    }
}
