//! Checks of which nodes and which other pods a pod wants to be near.

use crate::checks::at::{At, Mistakes};
use crate::checks::rows::{Check::*, Row, check};
use crate::checks::selectors::SELECTOR;
use crate::checks::selectors::number_of_values;
use crdgen_core::names;
use std::collections::BTreeSet;

pub(super) const AFFINITY: &[Row] = &[
    ("nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution", In(NODE_SELECTOR)),
    ("nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[]", All(PREFERRED_NODE)),
    ("podAffinity", In(PODS)),
    ("podAntiAffinity", In(PODS)),
];

/// A selector of nodes.
pub(in crate::checks) const NODE_SELECTOR: &[Row] = &[
    ("nodeSelectorTerms", Required("must have at least one node selector term")),
    ("nodeSelectorTerms[]", All(NODE_TERM)),
];
pub(in crate::checks) const NODE_TERM: &[Row] = &[
    ("matchExpressions[]", All(EXPRESSION)),
    // The server accepts any values of preferred terms.
    ("matchExpressions[].values[]", Name(names::label_value)),
    ("matchFields[]", All(OF_FIELDS)),
];
const EXPRESSION: &[Row] = &[("", Code(values)), ("key", Name(names::qualified_name))];
const OF_FIELDS: &[Row] = &[("", Code(values_of_fields)), ("key", Code(field))];
const PREFERRED_NODE: &[Row] = &[
    ("weight", WEIGHT),
    ("preference", In(&[("matchExpressions[]", All(EXPRESSION)), ("matchFields[]", All(OF_FIELDS))])),
];

const PODS: &[Row] = &[
    ("requiredDuringSchedulingIgnoredDuringExecution[]", All(POD_TERM)),
    (
        "preferredDuringSchedulingIgnoredDuringExecution[]",
        All(&[("weight", WEIGHT), ("podAffinityTerm", In(POD_TERM))]),
    ),
];
const WEIGHT: crate::checks::rows::Check = ZeroOrBetween(1, 100, "must be in the range 1-100");
const POD_TERM: &[Row] = &[
    ("labelSelector", SELECTOR),
    ("namespaceSelector", SELECTOR),
    ("", Code(namespaces)),
    ("", Code(label_keys)),
    ("topologyKey", Required("can not be empty")),
    ("topologyKey", Name(names::qualified_name)),
];

fn values(at: &At<'_>, out: &mut Mistakes) {
    let values = at.get("values");
    match at.get("operator").text() {
        "Gt" | "Lt" if values.items().len() != 1 => {
            out.push(values.required("must be specified single value when `operator` is 'Lt' or 'Gt'"));
        }
        "Gt" | "Lt" => {}
        _ => number_of_values(at, out),
    }
}

fn values_of_fields(at: &At<'_>, out: &mut Mistakes) {
    let (operator, values) = (at.get("operator"), at.get("values"));
    match operator.text() {
        "In" | "NotIn" if values.items().len() != 1 => {
            let why = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
            out.push(values.required(why));
        }
        "In" | "NotIn" => {}
        other => out.push(operator.invalid_text(other, "not a valid selector operator")),
    }
    if at.get("key").text() == "metadata.name" {
        check(&[("values[]", Name(names::dns1123_subdomain))], at, out);
    }
}

fn field(at: &At<'_>, out: &mut Mistakes) {
    if at.text() != "metadata.name" {
        out.push(at.invalid_text(at.text(), "not a valid field selector key"));
    }
}

/// The server leaves out which one it is.
fn namespaces(at: &At<'_>, out: &mut Mistakes) {
    for name in at.get("namespaces").each() {
        out.extend(name.shown_as(at.field.child("namespace")).wrong_text(names::dns1123_label(name.text())));
    }
}

/// The keys of labels whose values come from the pod itself.
pub(super) fn label_keys(at: &At<'_>, out: &mut Mistakes) {
    let (same, other, selector) =
        (at.get("matchLabelKeys"), at.get("mismatchLabelKeys"), at.get("labelSelector"));
    for keys in [&same, &other] {
        if !keys.is_empty() && !selector.is_set() {
            out.push(keys.forbidden("must not be specified when labelSelector is not set"));
            continue;
        }
        check(&[("[]", Name(names::qualified_name))], keys, out);
    }
    let mut seen: BTreeSet<&str> = selector.get("matchLabels").map().map(|(key, _)| key).collect();
    for expression in selector.get("matchExpressions").each() {
        let key = expression.get("key").text();
        let place = same.texts().iter().rposition(|it| *it == key);
        if let Some(place) = place.filter(|_| seen.contains(key)) {
            let why = "exists in both matchLabelKeys and labelSelector";
            out.push(at.shown_as(at.field.index(place)).invalid_text(key, why));
        }
        seen.insert(key);
    }
    for key in same.each().filter(|key| other.texts().contains(&key.text())) {
        out.push(key.invalid("exists in both matchLabelKeys and mismatchLabelKeys"));
    }
}
