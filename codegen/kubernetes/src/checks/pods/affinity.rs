//! Checks of which nodes and which other pods a pod wants to be near.

use super::{
    Mistakes, Pod, always_named, forbidden, invalid, invalid_text, list, number, own, required, set,
};
use crate::checks::selectors;
use crate::meta::texts;
use crate::mistake::Mistake;
use crdgen_core::names;
use crdgen_core::value::{Map, Value};
use std::collections::BTreeSet;

const REQUIRED: &str = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED: &str = "preferredDuringSchedulingIgnoredDuringExecution";

pub(super) fn mistakes(pod: &Pod<'_>) -> Mistakes {
    let Some(affinity) = set(pod.spec, "affinity") else { return Vec::new() };
    let at = pod.field("affinity");
    let mut out = Vec::new();
    if let Some(nodes) = set(affinity, "nodeAffinity") {
        let at = format!("{at}.nodeAffinity");
        if let Some(selector) = set(nodes, REQUIRED) {
            out.extend(node_selector(selector, &format!("{at}.{REQUIRED}")));
        }
        for (i, preferred) in list(nodes, PREFERRED).iter().enumerate() {
            let at = format!("{at}.{PREFERRED}[{i}]");
            out.extend(weight(preferred, &at));
            if let Some(term) = set(preferred, "preference") {
                // The server accepts any values here.
                out.extend(node_term(term, Values::Any, &format!("{at}.preference")));
            }
        }
    }
    for name in ["podAffinity", "podAntiAffinity"] {
        let Some(pods) = set(affinity, name) else { continue };
        let at = format!("{at}.{name}");
        for (i, term) in list(pods, REQUIRED).iter().enumerate() {
            out.extend(pod_term(term, &format!("{at}.{REQUIRED}[{i}]")));
        }
        for (i, preferred) in list(pods, PREFERRED).iter().enumerate() {
            let at = format!("{at}.{PREFERRED}[{i}]");
            out.extend(weight(preferred, &at));
            if let Some(term) = set(preferred, "podAffinityTerm") {
                out.extend(pod_term(term, &format!("{at}.podAffinityTerm")));
            }
        }
    }
    out
}

fn weight(preferred: &Value, at: &str) -> Option<Mistake<'static>> {
    let weight = number(preferred, "weight").unwrap_or_default();
    let is_wrong = !(1..=100).contains(&weight);
    is_wrong.then(|| invalid(format!("{at}.weight"), &Value::Int(weight), "must be in the range 1-100"))
}

/// The mistakes in a selector of nodes.
pub(crate) fn node_selector(selector: &Value, at: &str) -> Mistakes {
    let at = format!("{at}.nodeSelectorTerms");
    let terms = list(selector, "nodeSelectorTerms");
    if terms.is_empty() {
        return vec![required(at, "must have at least one node selector term")];
    }
    let terms = terms.iter().enumerate();
    terms.flat_map(|(i, term)| node_term(term, Values::OfLabels, &format!("{at}[{i}]"))).collect()
}

/// Which values a term may name.
#[derive(Clone, Copy, PartialEq)]
enum Values {
    /// Those that labels may have.
    OfLabels,
    Any,
}

fn node_term(term: &Value, allowed: Values, at: &str) -> Mistakes {
    let mut out = Vec::new();
    for (i, expression) in list(term, "matchExpressions").iter().enumerate() {
        let at = format!("{at}.matchExpressions[{i}]");
        let field = |name: &str| format!("{at}.{name}");
        let (operator, values) = (own(expression, "operator"), texts(expression, "values"));
        match operator {
            "Gt" | "Lt" if values.len() != 1 => {
                let why = "must be specified single value when `operator` is 'Lt' or 'Gt'";
                out.push(required(field("values"), why));
            }
            "Gt" | "Lt" => {}
            other => out.extend(selectors::values_of(other, &values, field)),
        }
        out.extend(always_named(names::qualified_name, &field("key"), own(expression, "key")));
        for (i, value) in values.iter().enumerate().filter(|_| allowed == Values::OfLabels) {
            out.extend(always_named(names::label_value, &field(&format!("values[{i}]")), value));
        }
    }
    for (i, expression) in list(term, "matchFields").iter().enumerate() {
        let field = |name: &str| format!("{at}.matchFields[{i}].{name}");
        let (operator, values) = (own(expression, "operator"), texts(expression, "values"));
        match operator {
            "In" | "NotIn" if values.len() != 1 => {
                let why = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
                out.push(required(field("values"), why));
            }
            "In" | "NotIn" => {}
            other => out.push(invalid_text(field("operator"), other, "not a valid selector operator")),
        }
        match own(expression, "key") {
            "metadata.name" => {
                for (i, value) in values.iter().enumerate() {
                    let field = field(&format!("values[{i}]"));
                    out.extend(always_named(names::dns1123_subdomain, &field, value));
                }
            }
            key => out.push(invalid_text(field("key"), key, "not a valid field selector key")),
        }
    }
    out
}

fn pod_term(term: &Value, at: &str) -> Mistakes {
    let field = |name: &str| format!("{at}.{name}");
    let selector = set(term, "labelSelector");
    let mut out = selectors::mistakes(selector, &field("labelSelector"));
    out.extend(selectors::mistakes(set(term, "namespaceSelector"), &field("namespaceSelector")));
    for name in texts(term, "namespaces") {
        out.extend(always_named(names::dns1123_label, &field("namespace"), name));
    }
    out.extend(label_keys(term, selector, at));
    let key = own(term, "topologyKey");
    if key.is_empty() {
        out.push(required(field("topologyKey"), "can not be empty"));
    }
    out.extend(always_named(names::qualified_name, &field("topologyKey"), key));
    out
}

/// The keys of labels whose values come from the pod itself.
pub(super) fn label_keys(term: &Value, selector: Option<&Value>, at: &str) -> Mistakes {
    let (same, other) = (texts(term, "matchLabelKeys"), texts(term, "mismatchLabelKeys"));
    let mut out = Vec::new();
    for (name, keys) in [("matchLabelKeys", &same), ("mismatchLabelKeys", &other)] {
        if !keys.is_empty() && selector.is_none() {
            let why = "must not be specified when labelSelector is not set";
            out.push(forbidden(format!("{at}.{name}"), why));
            continue;
        }
        for (i, key) in keys.iter().enumerate() {
            out.extend(always_named(names::qualified_name, &format!("{at}.{name}[{i}]"), key));
        }
    }
    if let Some(selector) = selector {
        let labels = set(selector, "matchLabels").and_then(Value::as_map);
        let mut seen: BTreeSet<&str> = labels.into_iter().flat_map(Map::keys).collect();
        for expression in list(selector, "matchExpressions") {
            let key = own(expression, "key");
            let place = same.iter().rposition(|it| *it == key);
            if let Some(place) = place.filter(|_| seen.contains(key)) {
                let why = "exists in both matchLabelKeys and labelSelector";
                out.push(invalid_text(format!("{at}[{place}]"), key, why));
            }
            seen.insert(key);
        }
    }
    for (i, key) in same.iter().enumerate().filter(|(_, key)| other.contains(key)) {
        let why = "exists in both matchLabelKeys and mismatchLabelKeys";
        out.push(invalid_text(format!("{at}.matchLabelKeys[{i}]"), key, why));
    }
    out
}
