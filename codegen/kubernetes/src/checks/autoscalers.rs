//! Checks of autoscalers, in their newest version.

use super::find;
use super::words::{forbidden, invalid, invalid_text, negative, required, unsupported};
use crate::meta::own;
use crate::mistake::Mistake;
use crdgen_core::value::Value;
use crdgen_core::{GroupVersion, go, names};

type Mistakes = Vec<Mistake<'static>>;

const METRICS: [&str; 5] = ["ContainerResource", "External", "Object", "Pods", "Resource"];
const SELECT_POLICIES: [&str; 3] = ["Disabled", "Max", "Min"];
const POLICIES: [&str; 2] = ["Percent", "Pods"];
const LONGEST_PERIOD: i64 = 1800;
const LONGEST_WINDOW: i64 = 3600;

/// Which groups a reference may name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Group {
    /// It was the same before.
    Any,
    /// The core group has no name.
    WithCore,
    Named,
}

/// The mistakes of an autoscaler.
pub(super) fn mistakes(object: &Value, live: Option<&Value>) -> Mistakes {
    let nothing = Value::Null;
    let spec = object.get("spec").unwrap_or(&nothing);
    let number = |name: &str| spec.get(name).and_then(Value::as_int);
    let (least, most) = (number("minReplicas"), number("maxReplicas").unwrap_or_default());
    let mut out = Vec::new();
    let field = || "spec.maxReplicas".to_owned();
    if least.is_some_and(|least| most < least) {
        let why = "must be greater than or equal to `minReplicas`";
        out.push(invalid(field(), &Value::Int(most), why));
    }
    let target = spec.get("scaleTargetRef").unwrap_or(&nothing);
    out.extend(reference(target, "spec.scaleTargetRef", group_of_target(target, live)));
    let of_objects = if live.is_some_and(has_wrong_metrics) { Group::Any } else { Group::WithCore };
    out.extend(metrics(spec, least, of_objects));
    for name in ["scaleUp", "scaleDown"] {
        if let Some(rules) = find(spec, &["behavior", name]) {
            out.extend(scaling(rules, &format!("spec.behavior.{name}")));
        }
    }
    // Types say this, and the server checks them last.
    out.extend(negative("spec.minReplicas".to_owned(), find(spec, &["minReplicas"])));
    match most {
        0 => out.push(required(field(), "")),
        ..0 => out.push(invalid(field(), &Value::Int(most), "must be greater than or equal to 1")),
        _ => {}
    }
    out
}

/// The mistakes in the status of an autoscaler.
pub(super) fn status_mistakes(object: &Value) -> Mistakes {
    let conditions = find(object, &["status", "conditions"]).and_then(Value::as_list).unwrap_or_default();
    let generations = conditions.iter().enumerate().filter_map(|(i, condition)| {
        negative(format!("status.conditions[{i}].observedGeneration"), condition.get("observedGeneration"))
    });
    let replicas = ["currentReplicas", "desiredReplicas"]
        .into_iter()
        .filter_map(|name| negative(format!("status.{name}"), find(object, &["status", name])));
    generations.chain(replicas).collect()
}

fn group_of_target(target: &Value, live: Option<&Value>) -> Group {
    let is_same = |live: &Value| {
        let old = find(live, &["spec", "scaleTargetRef"]);
        old.is_some_and(|old| ["apiVersion", "kind"].iter().all(|name| own(old, name) == own(target, name)))
    };
    match own(target, "kind") {
        _ if live.is_some_and(is_same) => Group::Any,
        "ReplicationController" => Group::WithCore,
        _ => Group::Named,
    }
}

fn has_wrong_metrics(live: &Value) -> bool {
    let metrics = find(live, &["spec", "metrics"]).and_then(Value::as_list).unwrap_or_default();
    metrics.iter().filter(|metric| own(metric, "type") == "Object").any(|metric| {
        find(metric, &["object", "describedObject"])
            .is_some_and(|it| wrong_group(it, Group::WithCore).is_some())
    })
}

/// What is wrong with the version of a reference.
fn wrong_group(reference: &Value, group: Group) -> Option<String> {
    let api_version = own(reference, "apiVersion");
    if group == Group::Any {
        return None;
    }
    match GroupVersion::read(api_version) {
        None => Some(format!("unexpected GroupVersion string: {api_version}")),
        Some(found) if found.group.is_empty() && group == Group::Named => {
            Some("apiVersion must specify API group".to_owned())
        }
        Some(_) => None,
    }
}

fn reference(reference: &Value, field: &str, group: Group) -> Mistakes {
    let mut out = Vec::new();
    for name in ["kind", "name"] {
        out.extend(segment(own(reference, name), format!("{field}.{name}"), ""));
    }
    if let Some(why) = wrong_group(reference, group) {
        out.push(invalid_text(format!("{field}.apiVersion"), own(reference, "apiVersion"), &why));
    }
    out
}

/// A name that must be there, and that can be a step of a path.
fn segment(name: &str, field: String, missing: &str) -> Mistakes {
    match name {
        "" => vec![required(field, missing)],
        name => {
            let mistakes = names::path_segment(name);
            mistakes.iter().map(|why| invalid_text(field.clone(), name, why)).collect()
        }
    }
}

fn metrics(spec: &Value, least: Option<i64>, of_objects: Group) -> Mistakes {
    let metrics = spec.get("metrics").and_then(Value::as_list).unwrap_or_default();
    let mut out: Mistakes = metrics
        .iter()
        .enumerate()
        .flat_map(|(i, one)| metric(one, &format!("spec.metrics[{i}]"), of_objects))
        .collect();
    let is_from_outside = |metric: &Value| matches!(own(metric, "type"), "Object" | "External");
    if least == Some(0) && !metrics.iter().any(is_from_outside) {
        let why = "must specify at least one Object or External metric to support scaling to zero replicas";
        out.push(forbidden("spec.metrics".to_owned(), why));
    }
    out
}

/// The sources of metrics in the order in which the server looks at them: their fields and their types.
const SOURCES: [(&str, &str); 5] = [
    ("object", "Object"),
    ("external", "External"),
    ("pods", "Pods"),
    ("resource", "Resource"),
    ("containerResource", "ContainerResource"),
];

fn metric(metric: &Value, field: &str, of_objects: Group) -> Mistakes {
    let ty = own(metric, "type");
    let mut out = Vec::new();
    if ty.is_empty() {
        out.push(required(format!("{field}.type"), "must specify a metric source type"));
    }
    if !METRICS.contains(&ty) {
        out.push(unsupported(format!("{field}.type"), ty, &METRICS));
    }
    let present: Vec<_> =
        SOURCES.into_iter().filter_map(|(name, _)| Some((name, find(metric, &[name])?))).collect();
    // The server checks only the first one.
    if let Some((name, source)) = present.first() {
        out.extend(checked_source(name, source, &format!("{field}.{name}"), of_objects));
    }
    let wanted = SOURCES.iter().find(|(_, of)| *of == ty).map(|(name, _)| *name);
    match wanted {
        Some(wanted) if !present.iter().any(|(name, _)| *name == wanted) => {
            let why = "must populate information for the given metric source";
            out.push(required(format!("{field}.{wanted}"), why));
        }
        Some(_) | None => {}
    }
    if present.len() != 1 {
        let others = present.iter().filter(|(name, _)| Some(*name) != wanted);
        let why = "must populate the given metric source only";
        out.extend(others.map(|(name, _)| forbidden(format!("{field}.{name}"), why)));
    }
    out
}

fn checked_source(name: &str, source: &Value, field: &str, of_objects: Group) -> Mistakes {
    let nothing = Value::Null;
    let mut out = Vec::new();
    match name {
        "object" => {
            let described = source.get("describedObject").unwrap_or(&nothing);
            out.extend(reference(described, &format!("{field}.describedObject"), of_objects));
        }
        "resource" if own(source, "name").is_empty() => {
            out.push(required(format!("{field}.name"), "must specify a resource name"));
        }
        "containerResource" => {
            let of_containers = ["cpu", "memory", "ephemeral-storage"];
            match own(source, "name") {
                "" => out.push(required(format!("{field}.name"), "must specify a resource name")),
                name => out.extend(resource(name, &format!("{field}.name"), &of_containers)),
            }
            match own(source, "container") {
                "" => out.push(required(format!("{field}.container"), "must specify a container")),
                name => {
                    let mistakes = names::dns1123_label(name);
                    let field = || format!("{field}.container");
                    out.extend(mistakes.iter().map(|why| invalid_text(field(), name, why)));
                }
            }
        }
        _ => {}
    }
    if matches!(name, "object" | "external" | "pods") {
        let metric = find(source, &["metric", "name"]).and_then(Value::as_str).unwrap_or_default();
        out.extend(segment(metric, format!("{field}.metric.name"), "must specify a metric name"));
    }
    let target = source.get("target").unwrap_or(&nothing);
    let at = format!("{field}.target");
    out.extend(checked_target(target, &at));
    let has = |name: &str| find(target, &[name]).is_some();
    let (value, average, utilization) = (has("value"), has("averageValue"), has("averageUtilization"));
    let missing = |name: &str, why: &str| required(format!("{at}.{name}"), why);
    let both = |name: &str, why: &str| forbidden(format!("{at}.{name}"), why);
    match name {
        "object" if !value && !average => {
            out.push(missing("averageValue", "must set either a target value or averageValue"));
        }
        "external" if !value && !average => {
            let why = "must set either a target value for metric or a per-pod target";
            out.push(missing("averageValue", why));
        }
        "external" if value && average => {
            out.push(both("value", "may not set both a target value for metric and a per-pod target"));
        }
        "pods" if !average => {
            out.push(missing("averageValue", "must specify a positive target averageValue"))
        }
        "resource" | "containerResource" if !utilization && !average => {
            let why = "must set either a target raw value or a target utilization";
            out.push(missing("averageUtilization", why));
        }
        "resource" | "containerResource" if utilization && average => {
            out.push(both("averageValue", "may not set both a target raw value and a target utilization"));
        }
        _ => {}
    }
    out
}

/// A resource of containers. Those with a domain are extended ones.
fn resource(name: &str, field: &str, known: &[&str]) -> Mistakes {
    let mut out: Mistakes =
        names::qualified_name(name).iter().map(|why| invalid_text(field.to_owned(), name, why)).collect();
    let is_known = known.contains(&name) || name.starts_with("hugepages-") || name.contains('/');
    if out.is_empty() && !is_known {
        for why in [
            "must be a standard resource type or fully qualified",
            "must be a standard resource for containers",
        ] {
            out.push(invalid_text(field.to_owned(), name, why));
        }
    }
    out
}

fn checked_target(target: &Value, field: &str) -> Mistakes {
    let ty = own(target, "type");
    let mut out = Vec::new();
    if ty.is_empty() {
        out.push(required(format!("{field}.type"), "must specify a metric target type"));
    }
    if !matches!(ty, "Utilization" | "Value" | "AverageValue") {
        let why = "must be either Utilization, Value, or AverageValue";
        out.push(invalid_text(format!("{field}.type"), ty, why));
    }
    for name in ["value", "averageValue"] {
        let amount = find(target, &[name]).and_then(Value::as_str);
        let is_positive =
            |text: &str| go::quantity::Quantity::parse(text).is_ok_and(|amount| amount.sign() > 0);
        if let Some(text) = amount.filter(|text| !is_positive(text)) {
            out.push(invalid_text(format!("{field}.{name}"), text, "must be positive"));
        }
    }
    let utilization = find(target, &["averageUtilization"]);
    if let Some(number) = utilization.filter(|number| number.as_int().is_some_and(|number| number < 1)) {
        out.push(invalid(format!("{field}.averageUtilization"), number, "must be greater than 0"));
    }
    out
}

fn scaling(rules: &Value, field: &str) -> Mistakes {
    let mut out = Vec::new();
    if let Some(window) = find(rules, &["stabilizationWindowSeconds"]) {
        let field = || format!("{field}.stabilizationWindowSeconds");
        let seconds = window.as_int().unwrap_or_default();
        if seconds < 0 {
            out.push(invalid(field(), window, "must be greater than or equal to zero"));
        }
        if seconds > LONGEST_WINDOW {
            out.push(invalid(field(), window, &format!("must be less than or equal to {LONGEST_WINDOW}")));
        }
    }
    let select = find(rules, &["selectPolicy"]).and_then(Value::as_str);
    if let Some(text) = select.filter(|text| !SELECT_POLICIES.contains(text)) {
        out.push(unsupported(format!("{field}.selectPolicy"), text, &SELECT_POLICIES));
    }
    let policies = rules.get("policies").and_then(Value::as_list).unwrap_or_default();
    if policies.is_empty() {
        out.push(required(format!("{field}.policies"), "must specify at least one Policy"));
    }
    for (i, one) in policies.iter().enumerate() {
        out.extend(policy(one, &format!("{field}.policies[{i}]")));
    }
    let tolerance = find(rules, &["tolerance"]).and_then(Value::as_str);
    let is_negative = |text: &str| go::quantity::Quantity::parse(text).is_ok_and(|amount| amount.sign() < 0);
    if let Some(text) = tolerance.filter(|text| is_negative(text)) {
        out.push(invalid_text(format!("{field}.tolerance"), text, "must be greater than or equal to 0"));
    }
    out
}

fn policy(policy: &Value, field: &str) -> Mistakes {
    let mut out = Vec::new();
    if !POLICIES.contains(&own(policy, "type")) {
        out.push(unsupported(format!("{field}.type"), own(policy, "type"), &POLICIES));
    }
    let zero = Value::Int(0);
    for name in ["value", "periodSeconds"] {
        let number = find(policy, &[name]).unwrap_or(&zero);
        let seconds = number.as_int().unwrap_or_default();
        if seconds <= 0 {
            out.push(invalid(format!("{field}.{name}"), number, "must be greater than zero"));
        }
        if name == "periodSeconds" && seconds > LONGEST_PERIOD {
            let why = format!("must be less than or equal to {LONGEST_PERIOD}");
            out.push(invalid(format!("{field}.{name}"), number, &why));
        }
    }
    out
}
