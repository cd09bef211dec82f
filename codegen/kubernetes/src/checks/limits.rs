//! Checks of resources, quotas, ranges of limits and classes of priority.

use super::at::{At, Mistakes};
use super::is_domain_missing;
use super::rows::{Check::*, Row, is_changed, is_new};
use crdgen_core::diag::Kind;
use crdgen_core::go::quantity::Quantity;
use crdgen_core::names;
use std::collections::BTreeSet;

/// What a quota counts.
const COUNTED: [&str; 9] = [
    "configmaps",
    "persistentvolumeclaims",
    "pods",
    "replicationcontrollers",
    "resourcequotas",
    "secrets",
    "services",
    "services.loadbalancers",
    "services.nodeports",
];
/// What a quota measures.
const MEASURED: [&str; 10] = [
    "cpu",
    "ephemeral-storage",
    "limits.cpu",
    "limits.ephemeral-storage",
    "limits.memory",
    "memory",
    "requests.cpu",
    "requests.ephemeral-storage",
    "requests.memory",
    "requests.storage",
];
const OF_PODS: [&str; 7] =
    ["cpu", "limits.cpu", "limits.memory", "memory", "pods", "requests.cpu", "requests.memory"];
const SCOPES: [&str; 7] = [
    "BestEffort",
    "CrossNamespacePodAffinity",
    "NotBestEffort",
    "NotTerminating",
    "PriorityClass",
    "Terminating",
    "VolumeAttributesClass",
];

pub(super) const QUOTA: &[Row] = &[("spec.hard", Code(counted)), ("spec", Code(scopes))];
pub(super) const QUOTA_STATUS: &[Row] = &[("status.hard", Code(counted)), ("status.used", Code(counted))];
pub(super) const LIMIT_RANGE: &[Row] = &[("spec.limits", Code(limits))];
pub(super) const PRIORITY_CLASS: &[Row] = &[
    (
        "",
        If(
            is_new,
            &[
                ("", Code(priority)),
                ("preemptionPolicy", In(&[("", Known(&["PreemptLowerPriority", "Never"]))])),
            ],
        ),
    ),
    ("value", ForbiddenIf(is_changed, "may not be changed in an update.")),
    ("preemptionPolicy", Fixed),
];

fn is_quota(name: &str) -> bool {
    let has_pages = name.starts_with("hugepages-") || name.starts_with("requests.hugepages-");
    has_pages || COUNTED.contains(&name) || MEASURED.contains(&name)
}

/// What is wrong with the name of a resource.
pub(super) fn wrong_resource(name: &str) -> Vec<String> {
    let mistakes = names::qualified_name(name);
    if mistakes.is_empty() && is_domain_missing(name) && name != "storage" && !is_quota(name) {
        return vec!["must be a standard resource type or fully qualified".to_owned()];
    }
    mistakes
}

/// What is wrong with the name of a resource of containers.
pub(super) fn wrong_resource_of_container(name: &str) -> Vec<String> {
    let mut out = wrong_resource(name);
    let is_native = is_domain_missing(name) || name.contains("kubernetes.io/");
    if is_domain_missing(name) && !is_of_container(name) {
        out.push("must be a standard resource for containers".to_owned());
    } else if !is_native && !is_extended(name) {
        out.push("doesn't follow extended resource name standard".to_owned());
    }
    out
}

fn is_of_container(name: &str) -> bool {
    matches!(name, "cpu" | "memory" | "ephemeral-storage") || name.starts_with("hugepages-")
}

fn is_extended(name: &str) -> bool {
    !is_domain_missing(name)
        && !name.contains("kubernetes.io/")
        && !name.starts_with("requests.")
        && names::qualified_name(&format!("requests.{name}")).is_empty()
}

/// The mistakes in an amount of a resource.
pub(super) fn amount(name: &str, at: &At<'_>, out: &mut Mistakes) {
    let Some(amount) = at.quantity() else { return };
    if amount.sign() < 0 {
        out.push(at.invalid("must be greater than or equal to 0"));
    }
    // Whole numbers have no thousandth parts.
    let is_counted = is_extended(name) || COUNTED.contains(&name);
    if is_counted && amount.as_milli().is_none_or(|milli| milli % 1000 != 0) {
        out.push(at.invalid("must be an integer"));
    }
}

/// The amounts of the status of a node.
pub(super) fn amounts_of_node(at: &At<'_>, out: &mut Mistakes) {
    for (name, member) in at.members() {
        amount(name, &member.shown_as(at.field.name(name)), out);
    }
}

/// The amounts that a quota counts.
fn counted(at: &At<'_>, out: &mut Mistakes) {
    for (name, member) in at.members() {
        out.extend(wrong_resource(name).iter().map(|why| member.invalid_text(name, why)));
        if is_domain_missing(name) && !is_quota(name) {
            out.push(member.invalid_text(name, "must be a standard resource for quota"));
        }
        amount(name, &member, out);
    }
}

/// What a quota is about.
fn scopes(spec: &At<'_>, out: &mut Mistakes) {
    let at = spec.get("scopes");
    let scopes = at.texts();
    for scope in &scopes {
        if !SCOPES.contains(scope) {
            out.push(at.invalid("unsupported scope"));
        }
        let others = spec.get("hard").map().filter(|(name, _)| is_quota(name) && !is_in_scope(scope, name));
        out.extend(others.map(|_| at.invalid("unsupported scope applied to resource")));
    }
    out.extend(conflicts(&scopes).map(|()| at.invalid("conflicting scopes")));
    scope_selector(spec, out);
    let as_set = |scopes: Vec<&str>| scopes.into_iter().map(str::to_owned).collect::<BTreeSet<_>>();
    if !at.is_new() && as_set(at.old_texts()) != as_set(scopes) {
        out.push(at.immutable());
    }
}

/// The pairs of scopes that select nothing together.
fn conflicts(scopes: &[&str]) -> impl Iterator<Item = ()> {
    let pairs = [("BestEffort", "NotBestEffort"), ("Terminating", "NotTerminating")];
    pairs.into_iter().filter(|(one, other)| scopes.contains(one) && scopes.contains(other)).map(|_| ())
}

/// The selector of a quota. The server's fields have no numbers, and it shows `scopes` for some of them.
fn scope_selector(spec: &At<'_>, out: &mut Mistakes) {
    let list = spec.get("scopeSelector.matchExpressions");
    for expression in list.each() {
        let part = |name| expression.get(name).shown_as(list.field.child(name));
        let (scope, operator, values) = (part("scopeName"), part("operator"), part("values"));
        if !SCOPES.contains(&scope.text()) {
            out.push(scope.invalid_text(scope.text(), "unsupported scope"));
        }
        let hard = spec.get("hard");
        let others = hard.map().filter(|(name, _)| is_quota(name) && !is_in_scope(scope.text(), name));
        out.extend(others.map(|_| {
            let selector = spec.get("scopeSelector").shown_as(list.field.clone());
            selector.invalid_of("ScopeSelector", "unsupported scope applied to resource")
        }));
        let has_none = !matches!(scope.text(), "PriorityClass" | "VolumeAttributesClass");
        if has_none && SCOPES.contains(&scope.text()) && operator.text() != "Exists" {
            out.push(operator.invalid_text(operator.text(), ONLY_EXISTS));
        }
        match operator.text() {
            "In" | "NotIn" if values.is_empty() => {
                let why = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
                out.push(values.required(why));
            }
            "Exists" | "DoesNotExist" if !values.is_empty() => {
                let why = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
                out.push(values.invalid(why));
            }
            "In" | "NotIn" | "Exists" | "DoesNotExist" => {}
            text => out.push(operator.invalid_text(text, "not a valid selector operator")),
        }
    }
    let names: Vec<&str> = list.each().map(|expression| expression.get("scopeName").text()).collect();
    let scopes = spec.get("scopes").shown_as(list.field);
    out.extend(conflicts(&names).map(|()| scopes.invalid("conflicting scopes")));
}

const ONLY_EXISTS: &str = "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, \
                           ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or \
                           ResourceQuotaScopeCrossNamespacePodAffinity";

/// Whether a scope selects objects that use a resource.
fn is_in_scope(scope: &str, resource: &str) -> bool {
    match scope {
        "BestEffort" => resource == "pods",
        "VolumeAttributesClass" => matches!(resource, "persistentvolumeclaims" | "requests.storage"),
        scope if SCOPES.contains(&scope) => OF_PODS.contains(&resource),
        _ => true,
    }
}

/// The limits of a LimitRange.
fn limits(at: &At<'_>, out: &mut Mistakes) {
    let mut seen = BTreeSet::new();
    for limit in at.each() {
        let ty = limit.get("type");
        let mut mistakes = names::qualified_name(ty.text());
        let is_known = matches!(ty.text(), "Pod" | "Container" | "PersistentVolumeClaim");
        if mistakes.is_empty() && is_domain_missing(ty.text()) && !is_known {
            mistakes.push("must be a standard limit type or fully qualified".to_owned());
        }
        out.extend(ty.wrong_text(mistakes));
        out.extend((!seen.insert(ty.text())).then(|| ty.duplicate_text(ty.text())));
        amounts(&limit, ty.text(), out);
    }
}

/// The amounts of a limit.
fn amounts(limit: &At<'_>, ty: &str, out: &mut Mistakes) {
    let mut names = BTreeSet::new();
    for part in ["max", "min", "default", "defaultRequest", "maxLimitRequestRatio"] {
        let at = limit.get(part);
        if part.starts_with("default") && ty == "Pod" {
            out.extend((!at.is_empty()).then(|| at.forbidden("may not be specified when `type` is 'Pod'")));
            continue;
        }
        for (name, member) in at.members() {
            let mut wrong = wrong_resource(name);
            if matches!(ty, "Pod" | "Container") && is_domain_missing(name) && !is_of_container(name) {
                wrong.push("must be a standard resource for containers".to_owned());
            }
            out.extend(wrong.iter().map(|why| member.invalid_text(name, why)));
            names.insert(name);
        }
    }
    let has_storage = |part| limit.get(part).value.is_some_and(|it| it.get("storage").is_some());
    if ty == "PersistentVolumeClaim" && !has_storage("min") && !has_storage("max") {
        let why = "either minimum or maximum storage value is required, but neither was provided";
        out.push(limit.get("limits").required(why));
    }
    for name in names {
        compared(limit, ty, name, out);
        ratio(limit, name, out);
    }
}

/// A part, what it is called, and another one that must not be less; then the part with the mistake, and whose value is shown.
type Order = ((&'static str, &'static str), (&'static str, &'static str), &'static str, &'static str);
const ORDER: [Order; 6] = [
    (("min", "min"), ("max", "max"), "min", "min"),
    (("min", "min"), ("defaultRequest", "default request"), "defaultRequest", "defaultRequest"),
    (("defaultRequest", "default request"), ("max", "max"), "defaultRequest", "defaultRequest"),
    (("defaultRequest", "default request"), ("default", "default limit"), "defaultRequest", "defaultRequest"),
    (("min", "min"), ("default", "default"), "default", "min"),
    (("default", "default"), ("max", "max"), "default", "max"),
];

/// The amount of a resource in a part of a limit.
fn part_of(limit: &At<'_>, part: &'static str, name: &str) -> Option<(String, Quantity)> {
    let text = limit.get(part).value?.get(name)?.as_str()?;
    Some((text.to_owned(), Quantity::parse(text).ok()?))
}

fn compared(limit: &At<'_>, ty: &str, name: &str, out: &mut Mistakes) {
    for ((less, less_name), (more, more_name), field, shown) in ORDER {
        // Defaults of pods are not compared.
        if ty == "Pod" && (less.starts_with("default") || more.starts_with("default")) {
            continue;
        }
        let (Some((less_text, small)), Some((more_text, large))) =
            (part_of(limit, less, name), part_of(limit, more, name))
        else {
            continue;
        };
        if small.compare(&large).is_gt() {
            let shown = if shown == less { &less_text } else { &more_text };
            let why = format!("{less_name} value {less_text} is greater than {more_name} value {more_text}");
            let at = limit.get(field);
            out.push(at.shown_as(at.field.key(name)).invalid_text(shown, &why));
        }
    }
}

fn ratio(limit: &At<'_>, name: &str, out: &mut Mistakes) {
    let field = |part| {
        let at = limit.get(part);
        at.shown_as(at.field.key(name))
    };
    let amount = |part| part_of(limit, part, name);
    if let Some((text, ratio)) = amount("maxLimitRequestRatio") {
        let mut wrong = |why: String| out.push(field("maxLimitRequestRatio").invalid_text(&text, &why));
        if ratio.compare(&Quantity::from_int(1)).is_lt() {
            wrong(format!("ratio {text} is less than 1"));
        }
        if let (Some((_, least)), Some((_, most))) = (amount("min"), amount("max")) {
            let (ratio, whole) = ratios(&ratio, &most, &least);
            if ratio > whole {
                wrong(format!("ratio {text} is greater than max/min = {whole:.6}"));
            }
        }
    }
    let is_native = is_domain_missing(name) || name.contains("kubernetes.io/");
    let is_overcommitted = is_native && !name.starts_with("hugepages-");
    if let (false, Some((limit, limits)), Some((request, requests))) =
        (is_overcommitted, amount("default"), amount("defaultRequest"))
        && limits.compare(&requests).is_ne()
    {
        let why = format!("default value {limit} must equal to defaultRequest value {request} in {name}");
        out.push(field("defaultRequest").invalid_text(&request, &why));
    }
}

/// A ratio, and that of the largest and the least amount. The server counts in thousandths, unless the amounts are large.
#[expect(clippy::cast_precision_loss, reason = "so does the server")]
fn ratios(ratio: &Quantity, most: &Quantity, least: &Quantity) -> (f64, f64) {
    let whole = [ratio, most, least].map(|amount| amount.scaled(0));
    match whole.iter().all(|amount| *amount < i64::MAX / 1000) {
        true => {
            let [ratio, most, least] = [ratio, most, least].map(|amount| amount.scaled(-3) as f64);
            (ratio / 1000.0, most / least)
        }
        false => (whole[0] as f64, whole[1] as f64 / whole[2] as f64),
    }
}

/// How often an amount contains another one, as the server computes it.
pub fn quotient(all: &Quantity, one: &Quantity) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "so does the server")]
    let exact = |amount: i64| amount as f64;
    match (all.as_milli(), one.as_milli()) {
        (Some(all), Some(one)) => exact(all) / exact(one),
        _ => all.as_float() / one.as_float(),
    }
}

/// The greatest value of a class that is not the system's.
const HIGHEST: i64 = 1_000_000_000;

fn priority(at: &At<'_>, out: &mut Mistakes) {
    let (name, value) = (at.get("metadata.name"), at.get("value"));
    if name.text().starts_with("system-") {
        let why = |why: String| {
            format!(
                "priority class names with 'system-' prefix are reserved for system use only. error: {why}"
            )
        };
        out.extend(wrong_system_class(at, name.text()).map(|it| name.forbidden(&why(it))));
    } else if value.number() > HIGHEST {
        let why = format!("maximum allowed value of a user defined priority is {HIGHEST}");
        out.push(value.forbidden(&why));
    }
}

/// Why a class is none of the system's.
fn wrong_system_class(at: &At<'_>, name: &str) -> Option<String> {
    let wanted = match name {
        "system-node-critical" => 2_000_001_000,
        "system-cluster-critical" => 2_000_000_000,
        _ => return Some(format!("{name} is not a known system priority class")),
    };
    if at.get("value").number() != wanted {
        return Some(format!("value of {name} PriorityClass must be {wanted}"));
    }
    at.get("globalDefault").is_true().then(|| format!("globalDefault of {name} PriorityClass must be false"))
}

/// The amounts of a claim: the server shows them as whole numbers.
pub(super) fn not_negative(at: &At<'_>) -> Option<crate::mistake::Mistake> {
    let amount = at.quantity().filter(|amount| amount.sign() < 0)?;
    let shown = amount.as_int().map_or_else(|| "null".to_owned(), |number| number.to_string());
    Some(at.mistake(Kind::Invalid, format!("{shown}: must be a valid resource quantity")))
}
