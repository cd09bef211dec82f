//! Autoscalers have two versions. What the old one has no fields for is JSON in its annotations.

use super::values::at_mut;
use crate::json;
use crate::object::access;
use crate::value::{Map, Value};

pub(super) const OLD: &str = "autoscaling/v1";
pub(super) const NEW: &str = "autoscaling/v2";

const METRICS: &str = "autoscaling.alpha.kubernetes.io/metrics";
const CURRENT_METRICS: &str = "autoscaling.alpha.kubernetes.io/current-metrics";
const BEHAVIOR: &str = "autoscaling.alpha.kubernetes.io/behavior";
const CONDITIONS: &str = "autoscaling.alpha.kubernetes.io/conditions";

/// The annotations that the conversion writes. The new version never has them.
const ANNOTATIONS: [&str; 6] = [
    METRICS,
    CURRENT_METRICS,
    BEHAVIOR,
    CONDITIONS,
    "autoscaling.alpha.kubernetes.io/scale-down-tolerance",
    "autoscaling.alpha.kubernetes.io/scale-up-tolerance",
];

/// The fields of the old version in the order in which Go writes them.
const ORDER: [&str; 40] = [
    "type",
    "status",
    "lastTransitionTime",
    "reason",
    "message",
    "observedGeneration",
    "object",
    "pods",
    "resource",
    "containerResource",
    "external",
    "target",
    "kind",
    "name",
    "apiVersion",
    "metricName",
    "metricSelector",
    "targetAverageUtilization",
    "targetValue",
    "targetAverageValue",
    "currentAverageUtilization",
    "currentValue",
    "currentAverageValue",
    "selector",
    "averageValue",
    "container",
    "matchLabels",
    "matchExpressions",
    "key",
    "operator",
    "values",
    "ScaleUp",
    "ScaleDown",
    "StabilizationWindowSeconds",
    "SelectPolicy",
    "Policies",
    "Type",
    "Value",
    "PeriodSeconds",
    "Tolerance",
];

/// An amount that the old version always writes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Amount {
    Optional,
    /// Required in the status only.
    OfStatus,
    Required,
}

/// A field in the old version, and its place in the new one.
type Field = (&'static str, &'static [&'static str], Amount);

const NAME: Field = ("metricName", &["metric", "name"], Amount::Optional);
const SELECTOR: Field = ("selector", &["metric", "selector"], Amount::Optional);
const UTILIZATION: Field = ("targetAverageUtilization", &["target", "averageUtilization"], Amount::Optional);
const AVERAGE: Field = ("targetAverageValue", &["target", "averageValue"], Amount::OfStatus);

/// The fields of the sources of metrics. In the status, `current` takes the place of `target`.
const SOURCES: [(&str, &[Field]); 5] = [
    (
        "object",
        &[
            ("target", &["describedObject"], Amount::Optional),
            NAME,
            ("targetValue", &["target", "value"], Amount::Required),
            SELECTOR,
            ("averageValue", &["target", "averageValue"], Amount::Optional),
        ],
    ),
    ("pods", &[NAME, ("targetAverageValue", &["target", "averageValue"], Amount::Required), SELECTOR]),
    ("resource", &[("name", &["name"], Amount::Optional), UTILIZATION, AVERAGE]),
    (
        "containerResource",
        &[
            ("name", &["name"], Amount::Optional),
            UTILIZATION,
            AVERAGE,
            ("container", &["container"], Amount::Optional),
        ],
    ),
    (
        "external",
        &[
            NAME,
            ("metricSelector", &["metric", "selector"], Amount::Optional),
            ("targetValue", &["target", "value"], Amount::OfStatus),
            ("targetAverageValue", &["target", "averageValue"], Amount::Optional),
        ],
    ),
];

/// Where metrics are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Spec,
    Status,
}

impl Place {
    fn old_name(self, name: &str) -> String {
        match (self, name.strip_prefix("target")) {
            (Place::Status, Some(rest)) if !rest.is_empty() => format!("current{rest}"),
            _ => name.to_owned(),
        }
    }

    fn new_path<'p>(self, path: &[&'p str]) -> Vec<&'p str> {
        let step =
            |step: &&'p str| if self == Place::Status && *step == "target" { "current" } else { *step };
        path.iter().map(step).collect()
    }

    fn requires(self, amount: Amount) -> bool {
        amount == Amount::Required || amount == Amount::OfStatus && self == Place::Status
    }
}

/// An autoscaler in another version. `None` if the object is not one, or has the version.
pub(super) fn convert(object: &Value, api_version: &str) -> Option<Value> {
    let text = |name| object.get(name).and_then(Value::as_str);
    let mut converted = object.clone();
    match (text("kind")?, text("apiVersion")?, api_version) {
        ("HorizontalPodAutoscaler", OLD, NEW) => to_new(&mut converted),
        ("HorizontalPodAutoscaler", NEW, OLD) => to_old(&mut converted),
        _ => return None,
    }
    converted.as_map_mut()?.insert("apiVersion", api_version.into());
    Some(converted)
}

/// Removes the annotations that only the old version has.
pub(super) fn remove_annotations(object: &mut Value) {
    let annotations = at_mut(object, &["metadata", "annotations"]).and_then(Value::as_map_mut);
    if let Some(annotations) = annotations {
        annotations.retain(|name, _| !ANNOTATIONS.contains(&name));
    }
}

fn find<'v>(object: &'v Value, path: &[&str]) -> Option<&'v Value> {
    path.iter().try_fold(object, |at, name| at.get(name)).filter(|value| !value.is_null())
}

fn take(object: &mut Value, path: &[&str]) -> Option<Value> {
    let (last, way) = path.split_last()?;
    at_mut(object, way)?.as_map_mut()?.remove(last).filter(|value| !value.is_null())
}

fn set(object: &mut Value, path: &[&str], value: Value) {
    // A part of the path that is not an object cannot be decoded.
    _ = access::set_nested(object, path, value);
}

/// The metric of the one resource for which the old version has fields: in the target or the current value.
fn of_cpu(place: &str, value: Map<Value>) -> Value {
    let resource = [("name", Value::from("cpu")), (place, Value::Map(value))];
    let resource = resource.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    let metric = [("type", Value::from("Resource")), ("resource", Value::Map(resource))];
    Value::Map(metric.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// The utilization of the CPU in a metric, if it is about that.
fn cpu_utilization<'v>(metric: &'v Value, place: &str) -> Option<&'v Value> {
    let is_cpu = find(metric, &["type"])?.as_str() == Some("Resource")
        && find(metric, &["resource", "name"])?.as_str() == Some("cpu");
    find(metric, &["resource", place, "averageUtilization"]).filter(|_| is_cpu)
}

/// The utilization that the server's code defaults to.
const DEFAULT_UTILIZATION: i64 = 80;

fn to_new(object: &mut Value) {
    let annotation = |object: &Value, name| -> Option<Value> {
        json::read(find(object, &["metadata", "annotations", name])?.as_str()?.as_bytes()).ok()
    };
    let utilization = |value: Value| {
        let target = [("type", Value::from("Utilization")), ("averageUtilization", value)];
        of_cpu("target", target.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    };
    let others = annotation(object, METRICS).and_then(|it| metrics_to_new(&it, Place::Spec));
    let mut metrics = others.unwrap_or_default();
    metrics.extend(take(object, &["spec", "targetCPUUtilizationPercentage"]).map(utilization));
    if metrics.is_empty() {
        metrics.push(utilization(Value::Int(DEFAULT_UTILIZATION)));
    }
    set(object, &["spec", "metrics"], Value::List(metrics));
    if let Some(behavior) = annotation(object, BEHAVIOR).and_then(behavior_to_new) {
        set(object, &["spec", "behavior"], behavior);
    }
    let current = take(object, &["status", "currentCPUUtilizationPercentage"]);
    let current = current.map(|value| {
        vec![of_cpu("current", [("averageUtilization".to_owned(), value)].into_iter().collect())]
    });
    let known = annotation(object, CURRENT_METRICS).and_then(|it| metrics_to_new(&it, Place::Status));
    if let Some(metrics) = known.or(current) {
        set(object, &["status", "currentMetrics"], Value::List(metrics));
    }
    if let Some(conditions @ Value::List(_)) = annotation(object, CONDITIONS) {
        set(object, &["status", "conditions"], conditions);
    }
    remove_annotations(object);
}

fn to_old(object: &mut Value) {
    remove_annotations(object);
    let list = |found: Option<Value>| match found {
        Some(Value::List(items)) => items,
        _ => Vec::new(),
    };
    let metrics = list(take(object, &["spec", "metrics"]));
    let behavior = take(object, &["spec", "behavior"]);
    let current = list(take(object, &["status", "currentMetrics"]));
    let conditions = list(take(object, &["status", "conditions"]));
    let mut annotate = |name, value: Value| {
        let text = json::to_string_by(&value, &|parent, name| match parent {
            // The keys of labels are not fields.
            Some("matchLabels") => 0,
            _ => ORDER.iter().position(|it| *it == name).unwrap_or(ORDER.len()),
        });
        set(object, &["metadata", "annotations", name], Value::from(text));
    };
    let (of_cpu, others): (Vec<_>, Vec<_>) =
        metrics.iter().partition(|metric| cpu_utilization(metric, "target").is_some());
    if !others.is_empty() {
        let others = others.into_iter().map(|metric| metric_to_old(metric, Place::Spec));
        annotate(METRICS, Value::List(others.collect()));
    }
    if let Some(behavior) = &behavior {
        annotate(BEHAVIOR, behavior_to_old(behavior));
    }
    if !current.is_empty() {
        let current = current.iter().map(|metric| metric_to_old(metric, Place::Status));
        annotate(CURRENT_METRICS, Value::List(current.collect()));
    }
    if !conditions.is_empty() {
        annotate(CONDITIONS, Value::List(conditions));
    }
    if let Some(value) = of_cpu.first().and_then(|metric| cpu_utilization(metric, "target")) {
        set(object, &["spec", "targetCPUUtilizationPercentage"], value.clone());
    }
    if let Some(value) = current.iter().rev().find_map(|metric| cpu_utilization(metric, "current")) {
        set(object, &["status", "currentCPUUtilizationPercentage"], value.clone());
    }
}

fn metric_to_old(metric: &Value, place: Place) -> Value {
    let mut out = Map::new();
    if let Some(ty) = metric.get("type") {
        out.insert("type", ty.clone());
    }
    for (source, fields) in SOURCES {
        let Some(from) = find(metric, &[source]) else { continue };
        let mut to = Map::new();
        for (old, new, amount) in fields {
            let value = find(from, &place.new_path(new)).cloned();
            let zero = place.requires(*amount).then(|| Value::from("0"));
            if let Some(value) = value.or(zero) {
                to.insert(place.old_name(old), value);
            }
        }
        out.insert(source, Value::Map(to));
    }
    Value::Map(out)
}

/// `None` if Go could not decode the metrics.
fn metrics_to_new(metrics: &Value, place: Place) -> Option<Vec<Value>> {
    metrics.as_list()?.iter().map(|metric| metric_to_new(metric, place)).collect()
}

fn metric_to_new(metric: &Value, place: Place) -> Option<Value> {
    let members = metric.as_map()?;
    let mut out = Value::Map(Map::new());
    set(&mut out, &["type"], members.get("type").cloned().unwrap_or_else(|| "".into()));
    for (source, fields) in SOURCES {
        let Some(from) = find(metric, &[source]) else { continue };
        let mut to = Value::Map(Map::new());
        for (old, new, amount) in fields {
            let name = place.old_name(old);
            let value = from.as_map()?.get(&name).filter(|value| !value.is_null()).cloned();
            if value.as_ref().is_some_and(|value| !has_type(&name, value)) {
                return None;
            }
            let zero = place.requires(*amount).then(|| Value::from("0"));
            if let Some(value) = value.or(zero) {
                set(&mut to, &place.new_path(new), value);
            }
        }
        if place == Place::Spec {
            set_target(source, &mut to);
        }
        set(&mut out, &[source], to);
    }
    Some(out)
}

/// Whether a field of a metric can have a value.
fn has_type(name: &str, value: &Value) -> bool {
    match name {
        "target" | "selector" | "metricSelector" => value.as_map().is_some(),
        "targetAverageUtilization" | "currentAverageUtilization" => value.as_int().is_some(),
        _ => value.as_str().is_some(),
    }
}

/// Sets the type of a target, which the old version does not have.
fn set_target(source: &str, to: &mut Value) {
    let has = |name| find(to, &["target", name]).is_some();
    let ty = match source {
        "resource" | "containerResource" if has("averageUtilization") => "Utilization",
        "object" if !has("averageValue") => "Value",
        "external" if has("value") => "Value",
        _ => "AverageValue",
    };
    let is_zero = find(to, &["target", "value"]).and_then(Value::as_str) == Some("0");
    if source == "object" && ty == "AverageValue" && is_zero {
        take(to, &["target", "value"]);
    }
    set(to, &["target", "type"], ty.into());
}

/// The behavior in the annotation has the fields of the server's internal type, whose names begin with upper case.
fn behavior_to_old(behavior: &Value) -> Value {
    let nulls = |value: &Value, names: &[&str], renamed: Value| {
        let Value::Map(mut members) = renamed else { return Value::Null };
        for name in names.iter().filter(|_| !value.is_null()) {
            members.entry_or_insert_with(name, || Value::Null);
        }
        Value::Map(members)
    };
    let rules = |name: &str| {
        let found = find(behavior, &[name]).unwrap_or(&Value::Null);
        let fields = ["StabilizationWindowSeconds", "SelectPolicy", "Policies", "Tolerance"];
        nulls(found, &fields, renamed(found, &str::to_ascii_uppercase))
    };
    let members = [("ScaleUp", rules("scaleUp")), ("ScaleDown", rules("scaleDown"))];
    Value::Map(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// `None` if Go could not decode the behavior, or if it is empty.
fn behavior_to_new(behavior: Value) -> Option<Value> {
    let behavior = renamed(&behavior, &str::to_ascii_lowercase);
    let members = behavior.as_map()?;
    let is_right = members.iter().all(|(name, rules)| {
        matches!(name, "scaleUp" | "scaleDown")
            && rules.as_map().is_some_and(|rules| rules.iter().all(is_rule))
    });
    (is_right && !members.is_empty()).then_some(behavior)
}

fn is_rule((name, value): (&str, &Value)) -> bool {
    match name {
        "stabilizationWindowSeconds" => value.as_int().is_some(),
        "selectPolicy" | "tolerance" => value.as_str().is_some(),
        "policies" => value.as_list().is_some_and(|items| {
            items.iter().all(|policy| {
                let number = |name| policy.get(name).is_none_or(|value| value.as_int().is_some());
                let has_type = policy.get("type").is_none_or(|ty| ty.as_str().is_some());
                policy.as_map().is_some() && has_type && number("value") && number("periodSeconds")
            })
        }),
        _ => false,
    }
}

/// The value without nulls, in which the first letters of all fields are changed.
fn renamed(value: &Value, change: &dyn Fn(&str) -> String) -> Value {
    match value {
        Value::Map(members) => {
            let members = members.iter().filter(|(_, value)| !value.is_null());
            let renamed_member = |(name, value): (&str, &Value)| {
                let end = name.chars().next().map_or(0, char::len_utf8);
                let (first, rest) = name.split_at(end);
                (format!("{}{rest}", change(first)), renamed(value, change))
            };
            Value::Map(members.map(renamed_member).collect())
        }
        Value::List(items) => Value::List(items.iter().map(|item| renamed(item, change)).collect()),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Value {
        json::read(text.as_bytes()).expect("JSON")
    }

    fn old(annotations: &str, spec: &str) -> Value {
        read(&format!(
            r#"{{"apiVersion":"autoscaling/v1","kind":"HorizontalPodAutoscaler","metadata":{{"annotations":{annotations}}},"spec":{spec}}}"#
        ))
    }

    #[test]
    fn autoscalers_keep_everything_in_the_old_version() {
        let new = read(
            r#"{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"annotations":{"a":"b"}},
                "spec":{"maxReplicas":3,"metrics":[
                    {"type":"Pods","pods":{"metric":{"name":"m","selector":{"matchLabels":{"name":"x","kind":"y"}}},"target":{"type":"AverageValue","averageValue":"1k"}}},
                    {"type":"Object","object":{"describedObject":{"kind":"Ingress","name":"i"},"metric":{"name":"r"},"target":{"type":"AverageValue","averageValue":"5"}}},
                    {"type":"External","external":{"metric":{"name":"q"},"target":{"type":"Value","value":"30"}}},
                    {"type":"ContainerResource","containerResource":{"name":"cpu","container":"c","target":{"type":"Utilization","averageUtilization":60}}},
                    {"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":50}}}],
                  "behavior":{"scaleDown":{"policies":[{"type":"Pods","value":1,"periodSeconds":30}]},"scaleUp":{"tolerance":"100m"}}},
                "status":{"currentMetrics":[{"type":"Resource","resource":{"name":"cpu","current":{"averageUtilization":33,"averageValue":"0"}}}],
                  "conditions":[{"type":"AbleToScale","status":"True","lastTransitionTime":null}]}}"#,
        );
        let old = convert(&new, OLD).expect("an autoscaler");
        assert_eq!(find(&old, &["spec", "targetCPUUtilizationPercentage"]), Some(&Value::Int(50)));
        assert_eq!(find(&old, &["status", "currentCPUUtilizationPercentage"]), Some(&Value::Int(33)));
        let annotation = |name| find(&old, &["metadata", "annotations", name]).and_then(Value::as_str);
        assert_eq!(
            annotation(METRICS),
            Some(
                r#"[{"type":"Pods","pods":{"metricName":"m","targetAverageValue":"1k","selector":{"matchLabels":{"kind":"y","name":"x"}}}},{"type":"Object","object":{"target":{"kind":"Ingress","name":"i"},"metricName":"r","targetValue":"0","averageValue":"5"}},{"type":"External","external":{"metricName":"q","targetValue":"30"}},{"type":"ContainerResource","containerResource":{"name":"cpu","targetAverageUtilization":60,"container":"c"}}]"#
            )
        );
        assert_eq!(
            annotation(BEHAVIOR),
            Some(
                r#"{"ScaleUp":{"StabilizationWindowSeconds":null,"SelectPolicy":null,"Policies":null,"Tolerance":"100m"},"ScaleDown":{"StabilizationWindowSeconds":null,"SelectPolicy":null,"Policies":[{"Type":"Pods","Value":1,"PeriodSeconds":30}],"Tolerance":null}}"#
            )
        );
        assert_eq!(convert(&old, NEW), Some(new));
    }

    #[test]
    fn the_old_version_has_a_default() {
        let new = convert(&old("{}", r#"{"maxReplicas":1}"#), NEW).expect("an autoscaler");
        let metrics = r#"[{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":80}}}]"#;
        assert_eq!(find(&new, &["spec", "metrics"]), Some(&read(metrics)));
    }

    #[test]
    fn annotations_that_cannot_be_decoded_are_dropped() {
        for (name, text) in [
            (METRICS, "{}"),
            (METRICS, "[1]"),
            (METRICS, r#"[{"type":"Pods","pods":{"metricName":1}}]"#),
            (BEHAVIOR, "{}"),
            (BEHAVIOR, r#"{"ScaleUp":{"Policies":[1]}}"#),
            (CONDITIONS, "1"),
            (CURRENT_METRICS, "x"),
        ] {
            let annotations =
                json::to_string(&Value::Map([(name.to_owned(), text.into())].into_iter().collect()));
            let plain = convert(&old("{}", r#"{"maxReplicas":1}"#), NEW);
            let found = convert(&old(&annotations, r#"{"maxReplicas":1}"#), NEW);
            assert_eq!(found, plain, "{name} {text}");
        }
    }
}
