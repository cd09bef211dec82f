//! Checks of quotas, of ranges of limits and of classes of priority.

use super::words::{duplicate, forbidden, immutable, in_go, invalid, invalid_text, required, unsupported};
use super::{find, is_domain_missing};
use crate::meta::{own, texts};
use crate::mistake::Mistake;
use crdgen_core::diag::Kind;
use crdgen_core::go::quantity::Quantity;
use crdgen_core::names;
use crdgen_core::value::{Map, Value};
use std::collections::BTreeSet;

type Mistakes = Vec<Mistake<'static>>;

/// What a quota counts.
pub(super) const COUNTED: [&str; 9] = [
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

fn is_quota(name: &str) -> bool {
    let has_pages = name.starts_with("hugepages-") || name.starts_with("requests.hugepages-");
    has_pages || COUNTED.contains(&name) || MEASURED.contains(&name)
}

/// The mistakes in the name of a resource.
pub(super) fn resource_name(field: &str, name: &str) -> Mistakes {
    let invalid = |why: &str| invalid_text(field.to_owned(), name, why);
    let mistakes = names::qualified_name(name);
    if mistakes.is_empty() && is_domain_missing(name) && name != "storage" && !is_quota(name) {
        return vec![invalid("must be a standard resource type or fully qualified")];
    }
    mistakes.iter().map(|why| invalid(why)).collect()
}

/// Whether amounts of a resource are whole numbers.
fn is_counted(name: &str) -> bool {
    let is_extended = !is_domain_missing(name)
        && !name.contains("kubernetes.io/")
        && !name.starts_with("requests.")
        && names::qualified_name(&format!("requests.{name}")).is_empty();
    is_extended || COUNTED.contains(&name)
}

fn amounts<'v>(object: &'v Value, name: &str) -> impl Iterator<Item = (&'v str, &'v Value)> {
    object.get(name).and_then(Value::as_map).into_iter().flat_map(Map::iter)
}

/// The mistakes of a quota.
pub(super) fn quota(object: &Value, live: Option<&Value>) -> Mistakes {
    let nothing = Value::Null;
    let spec = object.get("spec").unwrap_or(&nothing);
    let mut out = counted(spec, "spec", "hard");
    out.extend(scopes(spec, live));
    out
}

/// The mistakes in the status of a quota.
pub(super) fn quota_status(object: &Value) -> Mistakes {
    let Some(status) = object.get("status") else { return Vec::new() };
    ["hard", "used"].into_iter().flat_map(|part| counted(status, "status", part)).collect()
}

/// The mistakes in the amounts of the status of a node.
pub(super) fn amounts_of_kind(status: &Value, part: &str) -> Mistakes {
    amounts(status, part)
        .flat_map(|(name, amount)| amount_of(format!("status.{part}.{name}"), name, amount))
        .collect()
}

/// The mistakes in an amount of a resource.
fn amount_of(field: String, name: &str, amount: &Value) -> Mistakes {
    let mut out = Vec::new();
    let Some(text) = amount.as_str() else { return out };
    let Ok(parsed) = Quantity::parse(text) else { return out };
    if parsed.sign() < 0 {
        out.push(invalid_text(field.clone(), text, "must be greater than or equal to 0"));
    }
    if is_counted(name) && text.ends_with(['m', 'u', 'n']) {
        out.push(invalid_text(field, text, "must be an integer"));
    }
    out
}

/// The mistakes in the amounts that a quota counts.
fn counted(object: &Value, at: &str, part: &str) -> Mistakes {
    let mut out = Vec::new();
    for (name, amount) in amounts(object, part) {
        let field = format!("{at}.{part}[{name}]");
        out.extend(resource_name(&field, name));
        if is_domain_missing(name) && !is_quota(name) {
            out.push(invalid_text(field.clone(), name, "must be a standard resource for quota"));
        }
        out.extend(amount_of(field, name, amount));
    }
    out
}

/// The mistakes in what a quota is about.
fn scopes(spec: &Value, live: Option<&Value>) -> Mistakes {
    let mut out = Vec::new();
    let nothing = Value::Null;
    let scopes = texts(spec, "scopes");
    let list = find(spec, &["scopes"]).unwrap_or(&nothing);
    let wrong = |why: &str| invalid("spec.scopes".to_owned(), list, why);
    for scope in &scopes {
        if !SCOPES.contains(scope) {
            out.push(wrong("unsupported scope"));
        }
        let names = amounts(spec, "hard").map(|(name, _)| name);
        let others = names.filter(|name| is_quota(name) && !is_in_scope(scope, name));
        out.extend(others.map(|_| wrong("unsupported scope applied to resource")));
    }
    out.extend(conflicts(&scopes).map(|()| wrong("conflicting scopes")));
    if let Some(selector) = spec.get("scopeSelector").filter(|it| !it.is_null()) {
        out.extend(scope_selector(spec, selector, list));
    }
    let had = live.and_then(|live| live.get("spec")).map(|spec| texts(spec, "scopes"));
    let as_set = |scopes: &[&str]| scopes.iter().map(ToString::to_string).collect::<BTreeSet<_>>();
    if live.is_some() && as_set(&had.unwrap_or_default()) != as_set(&scopes) {
        out.push(immutable("spec.scopes", Some(list)));
    }
    out
}

/// The pairs of scopes that select nothing together.
fn conflicts(scopes: &[&str]) -> impl Iterator<Item = ()> {
    let pairs = [("BestEffort", "NotBestEffort"), ("Terminating", "NotTerminating")];
    pairs.into_iter().filter(|(one, other)| scopes.contains(one) && scopes.contains(other)).map(|_| ())
}

/// The mistakes in the selector of a quota. The server's fields have no numbers, and it shows `scopes` for some of them.
fn scope_selector(spec: &Value, selector: &Value, scopes: &Value) -> Mistakes {
    const AT: &str = "spec.scopeSelector.matchExpressions";
    let field = |name: &str| format!("{AT}.{name}");
    let mut out = Vec::new();
    let expressions = find(selector, &["matchExpressions"]).and_then(Value::as_list).unwrap_or_default();
    for expression in expressions {
        let (scope, operator) = (own(expression, "scopeName"), own(expression, "operator"));
        if !SCOPES.contains(&scope) {
            out.push(invalid_text(field("scopeName"), scope, "unsupported scope"));
        }
        let names = amounts(spec, "hard").map(|(name, _)| name);
        let others = names.filter(|name| is_quota(name) && !is_in_scope(scope, name));
        out.extend(others.map(|_| {
            let why = format!("{}: unsupported scope applied to resource", selector_in_go(expressions));
            Mistake::new(AT, Kind::Invalid, why)
        }));
        let has_none = !matches!(scope, "PriorityClass" | "VolumeAttributesClass") && SCOPES.contains(&scope);
        if has_none && operator != "Exists" {
            out.push(invalid_text(field("operator"), operator, ONLY_EXISTS));
        }
        let values = find(expression, &["values"]).unwrap_or(&Value::Null);
        let is_empty = values.as_list().is_none_or(<[Value]>::is_empty);
        match operator {
            "In" | "NotIn" if is_empty => {
                let why = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
                out.push(required(field("values"), why));
            }
            "Exists" | "DoesNotExist" if !is_empty => {
                let why = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
                out.push(invalid(field("values"), values, why));
            }
            "In" | "NotIn" | "Exists" | "DoesNotExist" => {}
            _ => out.push(invalid_text(field("operator"), operator, "not a valid selector operator")),
        }
    }
    let names: Vec<&str> = expressions.iter().map(|expression| own(expression, "scopeName")).collect();
    out.extend(conflicts(&names).map(|()| invalid(AT.to_owned(), scopes, "conflicting scopes")));
    out
}

const ONLY_EXISTS: &str = "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, \
                           ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or \
                           ResourceQuotaScopeCrossNamespacePodAffinity";

/// A selector as Go shows it.
fn selector_in_go(expressions: &[Value]) -> String {
    let shown = expressions.iter().map(|it| in_go(it, &["scopeName", "operator", "values"]));
    format!(r#"{{"MatchExpressions":[{}]}}"#, shown.collect::<Vec<_>>().join(","))
}

/// Whether a scope selects objects that use a resource.
fn is_in_scope(scope: &str, resource: &str) -> bool {
    match scope {
        "BestEffort" => resource == "pods",
        "VolumeAttributesClass" => matches!(resource, "persistentvolumeclaims" | "requests.storage"),
        scope if SCOPES.contains(&scope) => OF_PODS.contains(&resource),
        _ => true,
    }
}

/// The mistakes of a LimitRange.
pub(super) fn range(object: &Value) -> Mistakes {
    let (mut out, mut seen) = (Vec::new(), BTreeSet::new());
    let limits = find(object, &["spec", "limits"]).and_then(Value::as_list).unwrap_or_default();
    for (i, limit) in limits.iter().enumerate() {
        let ty = own(limit, "type");
        let field = |name: &str| format!("spec.limits[{i}].{name}");
        let mistakes = names::qualified_name(ty);
        out.extend(mistakes.iter().map(|why| invalid_text(field("type"), ty, why)));
        let is_known = matches!(ty, "Pod" | "Container" | "PersistentVolumeClaim");
        if mistakes.is_empty() && is_domain_missing(ty) && !is_known {
            let why = "must be a standard limit type or fully qualified";
            out.push(invalid_text(field("type"), ty, why));
        }
        if !seen.insert(ty) {
            out.push(duplicate(field("type"), ty));
        }
        out.extend(of_limit(limit, ty, &field("")));
    }
    out
}

/// The mistakes in the amounts of a limit. `at` is its field, with a dot.
fn of_limit(limit: &Value, ty: &str, at: &str) -> Mistakes {
    let mut out = Vec::new();
    let mut names = BTreeSet::new();
    for part in ["max", "min", "default", "defaultRequest", "maxLimitRequestRatio"] {
        let is_default = part.starts_with("default");
        if is_default && ty == "Pod" {
            if amounts(limit, part).next().is_some() {
                out.push(forbidden(format!("{at}{part}"), "may not be specified when `type` is 'Pod'"));
            }
            continue;
        }
        for (name, _) in amounts(limit, part) {
            let field = format!("{at}{part}[{name}]");
            out.extend(resource_name(&field, name));
            let is_of_container =
                matches!(name, "cpu" | "memory" | "ephemeral-storage") || name.starts_with("hugepages-");
            if matches!(ty, "Pod" | "Container") && is_domain_missing(name) && !is_of_container {
                out.push(invalid_text(field, name, "must be a standard resource for containers"));
            }
            names.insert(name);
        }
    }
    let amount = |part: &str, name: &str| {
        let text = limit.get(part)?.get(name)?.as_str()?;
        Some((text.to_owned(), Quantity::parse(text).ok()?))
    };
    if ty == "PersistentVolumeClaim" && amount("min", "storage").or(amount("max", "storage")).is_none() {
        let why = "either minimum or maximum storage value is required, but neither was provided";
        out.push(required(format!("{at}limits"), why));
    }
    // One part, what it is called, and another one that must not be less; then the part with the mistake, and whose value is shown.
    const ORDER: [(&str, &str, &str, &str, &str, &str); 6] = [
        ("min", "min", "max", "max", "min", "min"),
        ("min", "min", "defaultRequest", "default request", "defaultRequest", "defaultRequest"),
        ("defaultRequest", "default request", "max", "max", "defaultRequest", "defaultRequest"),
        ("defaultRequest", "default request", "default", "default limit", "defaultRequest", "defaultRequest"),
        ("min", "min", "default", "default", "default", "min"),
        ("default", "default", "max", "max", "default", "max"),
    ];
    for name in names {
        for (less, less_name, more, more_name, field, shown) in ORDER {
            // Defaults of pods are not compared.
            if ty == "Pod" && (less.starts_with("default") || more.starts_with("default")) {
                continue;
            }
            let (Some((less_text, less_amount)), Some((more_text, more_amount))) =
                (amount(less, name), amount(more, name))
            else {
                continue;
            };
            if less_amount.compare(&more_amount).is_gt() {
                let shown = if shown == less { &less_text } else { &more_text };
                let why =
                    format!("{less_name} value {less_text} is greater than {more_name} value {more_text}");
                out.push(invalid_text(format!("{at}{field}[{name}]"), shown, &why));
            }
        }
        let field = |part: &str| format!("{at}{part}[{name}]");
        if let Some((text, ratio)) = amount("maxLimitRequestRatio", name) {
            let mut wrong = |why: String| out.push(invalid_text(field("maxLimitRequestRatio"), &text, &why));
            if ratio.compare(&Quantity::from_int(1)).is_lt() {
                wrong(format!("ratio {text} is less than 1"));
            }
            if let (Some((_, least)), Some((_, most))) = (amount("min", name), amount("max", name)) {
                let whole = quotient(&most, &least);
                if quotient(&ratio, &Quantity::from_int(1)) > whole {
                    wrong(format!("ratio {text} is greater than max/min = {whole:.6}"));
                }
            }
        }
        if let (false, Some((limit, limits)), Some((request, requests))) =
            (is_overcommitted(name), amount("default", name), amount("defaultRequest", name))
            && limits.compare(&requests).is_ne()
        {
            let why = format!("default value {limit} must equal to defaultRequest value {request} in {name}");
            out.push(invalid_text(field("defaultRequest"), &request, &why));
        }
    }
    out
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

/// Whether limits of a resource may be above its requests.
fn is_overcommitted(name: &str) -> bool {
    let is_native = is_domain_missing(name) || name.contains("kubernetes.io/");
    is_native && !name.starts_with("hugepages-")
}

/// The greatest value of a class that is not the system's.
const HIGHEST: i64 = 1_000_000_000;

/// The mistakes of a PriorityClass.
pub(super) fn priority(object: &Value, live: Option<&Value>) -> Mistakes {
    let policy = object.get("preemptionPolicy");
    let mut out = Vec::new();
    if let Some(live) = live {
        if object.get("value") != live.get("value") {
            out.push(forbidden("value".to_owned(), "may not be changed in an update."));
        }
        if policy != live.get("preemptionPolicy") {
            out.push(immutable("preemptionPolicy", policy));
        }
        return out;
    }
    let name = crate::meta::text(object, "name");
    let value = object.get("value").and_then(Value::as_int).unwrap_or_default();
    if name.starts_with("system-") {
        out.extend(of_system(object, name, value).map(|why| {
            let why = format!(
                "priority class names with 'system-' prefix are reserved for system use only. error: {why}"
            );
            forbidden("metadata.name".to_owned(), &why)
        }));
    } else if value > HIGHEST {
        let why = format!("maximum allowed value of a user defined priority is {HIGHEST}");
        out.push(forbidden("value".to_owned(), &why));
    }
    match policy.and_then(Value::as_str) {
        None | Some("PreemptLowerPriority" | "Never") => {}
        Some("") => out.push(required("preemptionPolicy".to_owned(), "")),
        Some(other) => {
            let field = "preemptionPolicy".to_owned();
            out.push(unsupported(field, other, &["PreemptLowerPriority", "Never"]));
        }
    }
    out
}

/// Why a class is none of the system's.
fn of_system(object: &Value, name: &str, value: i64) -> Option<String> {
    let wanted = match name {
        "system-node-critical" => 2_000_001_000,
        "system-cluster-critical" => 2_000_000_000,
        _ => return Some(format!("{name} is not a known system priority class")),
    };
    if value != wanted {
        return Some(format!("value of {name} PriorityClass must be {wanted}"));
    }
    let is_default = object.get("globalDefault").and_then(Value::as_bool) == Some(true);
    is_default.then(|| format!("globalDefault of {name} PriorityClass must be false"))
}
