//! Checks of autoscalers, in their newest version.

use super::at::{At, Mistakes};
use super::limits::wrong_resource_of_container;
use super::rows::{Check::*, Row, check};
use crdgen_core::{GroupVersion, names};

/// The mistakes of an autoscaler.
pub(super) const AUTOSCALER: &[Row] = &[
    ("spec", Code(enough)),
    ("spec.scaleTargetRef", Code(target)),
    ("spec.metrics[]", Code(metric)),
    ("spec.metrics", Code(to_zero)),
    ("spec.behavior.scaleUp", In(RULES)),
    ("spec.behavior.scaleDown", In(RULES)),
    // Types say this, and the server checks them last.
    ("spec.minReplicas", NotNegative),
    ("spec.maxReplicas", RequiredIf(|at| at.number() == 0, "")),
    ("spec.maxReplicas", InvalidIf(|at| at.number() < 0, "must be greater than or equal to 1")),
    ("status.conditions[].observedGeneration", NotNegative),
    ("status.currentReplicas", NotNegative),
    ("status.desiredReplicas", NotNegative),
];

const RULES: &[Row] = &[
    ("stabilizationWindowSeconds", Between(0, i64::MAX, "must be greater than or equal to zero")),
    ("stabilizationWindowSeconds", Between(i64::MIN, 3600, "must be less than or equal to 3600")),
    ("selectPolicy", OneOf(&["Disabled", "Max", "Min"])),
    ("policies", Required("must specify at least one Policy")),
    ("policies[]", All(POLICY)),
    ("tolerance", InvalidIf(|at| at.is_negative(), "must be greater than or equal to 0")),
];

const POLICY: &[Row] = &[
    ("type", Of(&["Percent", "Pods"])),
    ("value", ZeroOrBetween(1, i64::MAX, "must be greater than zero")),
    ("periodSeconds", ZeroOrBetween(1, i64::MAX, "must be greater than zero")),
    ("periodSeconds", Between(i64::MIN, 1800, "must be less than or equal to 1800")),
];

const METRICS: &[&str] = &["ContainerResource", "External", "Object", "Pods", "Resource"];
/// The sources of metrics in the order in which the server looks at them: their fields, their types and their checks.
const SOURCES: [(&str, &str, &[Row]); 5] = [
    (
        "object",
        "Object",
        &[
            ("describedObject", Code(described)),
            ("", All(NAMED)),
            ("target", All(TARGET)),
            ("target", Code(of_object)),
        ],
    ),
    ("external", "External", &[("", All(NAMED)), ("target", All(TARGET)), ("target", Code(of_external))]),
    (
        "pods",
        "Pods",
        &[
            ("", All(NAMED)),
            ("target", All(TARGET)),
            ("target.averageValue", Required("must specify a positive target averageValue")),
        ],
    ),
    (
        "resource",
        "Resource",
        &[
            ("name", Required("must specify a resource name")),
            ("target", All(TARGET)),
            ("target", Code(of_resource)),
        ],
    ),
    (
        "containerResource",
        "ContainerResource",
        &[
            ("name", Required("must specify a resource name")),
            ("name", NameOrEmpty(wrong_resource_of_container)),
            ("container", Required("must specify a container")),
            ("container", NameOrEmpty(names::dns1123_label)),
            ("target", All(TARGET)),
            ("target", Code(of_resource)),
        ],
    ),
];
const NAMED: &[Row] = &[
    ("metric.name", Required("must specify a metric name")),
    ("metric.name", NameOrEmpty(names::path_segment)),
];

const POSITIVE: super::rows::Check =
    InvalidIf(|at| at.quantity().is_some_and(|amount| amount.sign() <= 0), "must be positive");
const TARGET: &[Row] = &[
    ("type", Required("must specify a metric target type")),
    ("type", Name(target_type)),
    ("value", POSITIVE),
    ("averageValue", POSITIVE),
    ("averageUtilization", Between(1, i64::MAX, "must be greater than 0")),
];

const REFERENCE: &[Row] =
    &[("kind", NeedsName(names::path_segment)), ("name", NeedsName(names::path_segment))];

fn target_type(ty: &str) -> Vec<String> {
    let is_known = matches!(ty, "Utilization" | "Value" | "AverageValue");
    let why = "must be either Utilization, Value, or AverageValue";
    (!is_known).then(|| why.to_owned()).into_iter().collect()
}

fn enough(at: &At<'_>, out: &mut Mistakes) {
    let most = at.get("maxReplicas");
    if at.get("minReplicas").int().is_some_and(|least| most.number() < least) {
        let why = "must be greater than or equal to `minReplicas`";
        out.push(most.invalid_as(&most.number().to_string(), why));
    }
}

/// What is wrong with the version of a reference. The core group has no name.
fn wrong_version(reference: &At<'_>) -> Option<String> {
    let api_version = reference.get("apiVersion").text();
    let is_wrong = GroupVersion::read(api_version).is_none();
    is_wrong.then(|| format!("unexpected GroupVersion string: {api_version}"))
}

/// The same, for a reference that must name a group.
fn wrong_group(reference: &At<'_>) -> Option<String> {
    let is_core = |api_version| GroupVersion::read(api_version).is_some_and(|found| found.group.is_empty());
    wrong_version(reference).or_else(|| {
        is_core(reference.get("apiVersion").text()).then(|| "apiVersion must specify API group".to_owned())
    })
}

fn target(at: &At<'_>, out: &mut Mistakes) {
    check(REFERENCE, at, out);
    let (version, kind) = (at.get("apiVersion"), at.get("kind"));
    // One that is there already stays.
    if at.is_new() || version.text() != version.old_text() || kind.text() != kind.old_text() {
        let is_core = kind.text() == "ReplicationController";
        let why = if is_core { wrong_version(at) } else { wrong_group(at) };
        out.extend(why.map(|why| version.invalid_text(version.text(), &why)));
    }
}

fn described(at: &At<'_>, out: &mut Mistakes) {
    check(REFERENCE, at, out);
    let live = at.live.map(|live| At::new(live, None).get("spec.metrics"));
    let was_wrong = live.is_some_and(|metrics| {
        let mut objects = metrics.each().filter(|metric| metric.get("type").text() == "Object");
        objects.any(|metric| {
            let described = metric.get("object.describedObject");
            described.is_set() && wrong_version(&described).is_some()
        })
    });
    let (version, why) = (at.get("apiVersion"), wrong_version(at).filter(|_| !was_wrong));
    out.extend(why.map(|why| version.invalid_text(version.text(), &why)));
}

fn to_zero(at: &At<'_>, out: &mut Mistakes) {
    let is_from_outside = |metric: At<'_>| matches!(metric.get("type").text(), "Object" | "External");
    if at.root("spec.minReplicas").int() == Some(0) && !at.each().any(is_from_outside) {
        let why = "must specify at least one Object or External metric to support scaling to zero replicas";
        out.push(at.forbidden(why));
    }
}

fn metric(at: &At<'_>, out: &mut Mistakes) {
    const TYPE: &[Row] = &[("type", Required("must specify a metric source type")), ("type", Of(METRICS))];
    check(TYPE, at, out);
    let ty = at.get("type").text();
    let present: Vec<_> = SOURCES.into_iter().filter(|(name, ..)| at.get(name).is_set()).collect();
    // The server checks only the first one.
    if let Some((name, _, rows)) = present.first() {
        check(rows, &at.get(name), out);
    }
    let wanted = SOURCES.iter().find(|(_, of, _)| *of == ty).map(|(name, ..)| *name);
    if let Some(wanted) = wanted.filter(|wanted| !present.iter().any(|(name, ..)| name == wanted)) {
        out.push(at.get(wanted).required("must populate information for the given metric source"));
    }
    if present.len() != 1 {
        let others = present.iter().filter(|(name, ..)| Some(*name) != wanted);
        let why = "must populate the given metric source only";
        out.extend(others.map(|(name, ..)| at.get(name).forbidden(why)));
    }
}

fn of_object(at: &At<'_>, out: &mut Mistakes) {
    if !at.get("value").is_set() && !at.get("averageValue").is_set() {
        let why = "must set either a target value or averageValue";
        out.push(at.get("averageValue").required(why));
    }
}

fn of_external(at: &At<'_>, out: &mut Mistakes) {
    let (value, average) = (at.get("value"), at.get("averageValue"));
    match (value.is_set(), average.is_set()) {
        (false, false) => {
            out.push(average.required("must set either a target value for metric or a per-pod target"));
        }
        (true, true) => {
            let why = "may not set both a target value for metric and a per-pod target";
            out.push(value.forbidden(why));
        }
        _ => {}
    }
}

fn of_resource(at: &At<'_>, out: &mut Mistakes) {
    let (utilization, average) = (at.get("averageUtilization"), at.get("averageValue"));
    match (utilization.is_set(), average.is_set()) {
        (false, false) => {
            let why = "must set either a target raw value or a target utilization";
            out.push(utilization.required(why));
        }
        (true, true) => {
            out.push(average.forbidden("may not set both a target raw value and a target utilization"));
        }
        _ => {}
    }
}
