//! Checks of Deployments, ReplicaSets, StatefulSets and DaemonSets, besides those of their pods.

use super::words::{
    amount, amount_or_more, forbidden, invalid, invalid_text, negative, required, unsupported,
};
use super::{changed, find, pods, selectors, storage};
use crate::labels;
use crate::meta::{self, own};
use crate::mistake::Mistake;
use crdgen_core::diag::Kind;
use crdgen_core::json;
use crdgen_core::names;
use crdgen_core::value::Value;

type Mistakes = Vec<Mistake<'static>>;

/// The mistakes of a workload, in the order in which the server looks at its fields.
pub(super) fn mistakes(kind: &str, object: &Value, live: Option<&Value>) -> Mistakes {
    let number = |name: &str| negative(format!("spec.{name}"), find(object, &["spec", name]));
    let of_pods = || of_selector(kind, object).into_iter().chain(template(kind, object));
    let mut out = Vec::new();
    let mut changes: Mistakes = live.into_iter().flat_map(|live| fixed(kind, object, live)).collect();
    match kind {
        "Deployment" => {
            out.extend(number("replicas"));
            out.extend(of_pods());
            out.extend(strategy(object));
            out.extend(number("minReadySeconds"));
            out.extend(number("revisionHistoryLimit"));
            out.extend(deadline(object));
        }
        "StatefulSet" => {
            out.extend(stateful_set(object));
            out.extend(number("replicas"));
            out.extend(number("minReadySeconds"));
            out.extend(negative(
                "spec.ordinals.start".to_owned(),
                find(object, &["spec", "ordinals", "start"]),
            ));
            out.extend(service_name(object));
            out.extend(of_pods());
        }
        "DaemonSet" => {
            out.append(&mut changes);
            out.extend(of_pods());
            out.extend(number("minReadySeconds"));
            out.extend(daemon_set(object));
            out.extend(number("revisionHistoryLimit"));
        }
        _ => {
            out.extend(number("replicas"));
            out.extend(number("minReadySeconds"));
            out.extend(of_pods());
        }
    }
    out.extend(changes);
    out
}

/// The mistakes in the template of pods.
fn template(kind: &str, object: &Value) -> Mistakes {
    let with_claims = (kind == "StatefulSet").then(|| with_volumes_of_claims(object));
    let mut out = pods::mistakes(kind, with_claims.as_ref().unwrap_or(object));
    if find(object, &["spec", "template", "spec", "activeDeadlineSeconds"]).is_some() {
        // The template of a Deployment is that of its ReplicaSets.
        let of = if kind == "Deployment" { "ReplicaSet" } else { kind };
        let why = format!("activeDeadlineSeconds in {of} is not Supported");
        out.push(forbidden("spec.template.spec.activeDeadlineSeconds".to_owned(), &why));
    }
    out
}

/// A StatefulSet whose template has a volume for each claim, in place of one of the same name.
fn with_volumes_of_claims(object: &Value) -> Value {
    let claims = find(object, &["spec", "volumeClaimTemplates"]).and_then(Value::as_list).unwrap_or_default();
    let names: Vec<&str> = claims.iter().map(|claim| meta::text(claim, "name")).collect();
    let volume = |name: &&str| {
        let claim = meta::map([("claimName", (*name).into())]);
        meta::map([("name", (*name).into()), ("persistentVolumeClaim", claim)])
    };
    let path = ["spec", "template", "spec", "volumes"];
    let own_volumes = find(object, &path).and_then(Value::as_list).unwrap_or_default();
    let others = own_volumes.iter().filter(|volume| !names.contains(&own(volume, "name"))).cloned();
    // Two claims of the same name have one volume.
    let of_claims = names.iter().enumerate().filter(|(i, name)| !names[..*i].contains(name));
    let mut out = object.clone();
    if !names.is_empty() {
        let all: Vec<Value> = of_claims.map(|(_, name)| volume(name)).chain(others).collect();
        meta::set_at(&mut out, &path, Value::List(all));
    }
    out
}

/// The labels of the template must be selected.
fn of_selector(kind: &str, object: &Value) -> Mistakes {
    let field = || "spec.selector".to_owned();
    let mut out = Vec::new();
    let selector = find(object, &["spec", "selector"]).filter(|selector| !selector.is_null());
    match selector {
        // The server's code for daemon sets has no such check.
        None if kind == "DaemonSet" => {}
        None => out.push(required(field(), "")),
        Some(selector) => {
            out.extend(selectors::mistakes(Some(selector), "spec.selector"));
            if selector.as_map().is_none_or(|selector| selector.is_empty()) {
                let of = if kind == "ReplicaSet" { "deployment".to_owned() } else { kind.to_lowercase() };
                out.push(invalid(field(), selector, &format!("empty selector is invalid for {of}")));
                return out;
            }
            if !out.is_empty() {
                // The server's code for daemon sets does not report it.
                let shown = selectors::shown(selector);
                match kind {
                    "DaemonSet" => {}
                    "StatefulSet" => out.push(Mistake::new(field(), Kind::Invalid, shown)),
                    _ => {
                        let why = format!("{shown}: invalid label selector");
                        out.push(Mistake::new(field(), Kind::Invalid, why));
                    }
                }
                return out;
            }
        }
    }
    let template = find(object, &["spec", "template"]).unwrap_or(&Value::Null);
    let labels = find(template, &["metadata", "labels"]).unwrap_or(&Value::Null);
    let is_selected =
        |selector| labels::of_labels(selector).is_none_or(|selector| selector.matches(template));
    if !selector.is_some_and(is_selected) {
        let field = "spec.template.metadata.labels".to_owned();
        out.push(invalid(field, labels, "`selector` does not match template `labels`"));
    }
    out
}

/// A struct with the type of an update and nothing else, as Go writes it.
fn update_type(ty: &str) -> String {
    format!(r#"{{"Type":{},"RollingUpdate":null}}"#, json::to_string(&ty.into()))
}

/// How long a rollout of a Deployment may take.
fn deadline(object: &Value) -> Mistakes {
    let spec = |name: &str| find(object, &["spec", name]);
    let ready = spec("minReadySeconds").and_then(Value::as_int).unwrap_or_default();
    let deadline = spec("progressDeadlineSeconds").filter(|it| it.as_int().is_some_and(|it| it <= ready));
    let Some(deadline) = deadline else { return Vec::new() };
    let field = || "spec.progressDeadlineSeconds".to_owned();
    let order = invalid(field(), deadline, "must be greater than minReadySeconds");
    negative(field(), Some(deadline)).into_iter().chain([order]).collect()
}

/// How a Deployment replaces its pods.
fn strategy(object: &Value) -> Mistakes {
    let mut out = Vec::new();
    let ty = find(object, &["spec", "strategy", "type"]).and_then(Value::as_str).unwrap_or_default();
    let rolling = find(object, &["spec", "strategy", "rollingUpdate"]).filter(|it| !it.is_null());
    let field = |name: &str| format!("spec.strategy.rollingUpdate{name}");
    match (ty, rolling) {
        ("Recreate", Some(_)) => {
            let why = "may not be specified when strategy `type` is 'Recreate'";
            out.push(forbidden(field(""), why));
        }
        ("Recreate", None) => {}
        ("RollingUpdate", Some(rolling)) => {
            let (surge, unavailable) = (rolling.get("maxSurge"), rolling.get("maxUnavailable"));
            out.extend(amount(field(".maxUnavailable"), unavailable));
            out.extend(amount_or_more(field(".maxSurge"), surge));
            if is_zero(surge) && is_zero(unavailable) {
                let why = "may not be 0 when `maxSurge` is 0";
                out.push(invalid(field(".maxUnavailable"), unavailable.unwrap_or(&Value::Int(0)), why));
            }
        }
        ("RollingUpdate", None) => {
            out.push(required(field(""), "this should be defaulted and never be nil"));
        }
        (other, _) => {
            let why = format!("{}: supported values: \"Recreate\", \"RollingUpdate\"", update_type(other));
            out.push(Mistake::new("spec.strategy", Kind::NotSupported, why));
        }
    }
    out
}

fn is_zero(amount: Option<&Value>) -> bool {
    match amount {
        None => true,
        Some(Value::Int(number)) => *number == 0,
        // What is not a percentage counts as 0.
        Some(Value::Str(text)) => {
            text.strip_suffix('%').and_then(|it| it.parse::<i64>().ok()).unwrap_or_default() == 0
        }
        Some(_) => false,
    }
}

fn stateful_set(object: &Value) -> Mistakes {
    let text = |path: &[&str]| find(object, path).and_then(Value::as_str);
    let mut out = Vec::new();
    let policy = text(&["spec", "podManagementPolicy"]).unwrap_or_default();
    if !matches!(policy, "OrderedReady" | "Parallel") {
        let why = "must be 'OrderedReady' or 'Parallel'";
        out.push(invalid("spec.podManagementPolicy".to_owned(), &policy.into(), why));
    }
    let rolling = find(object, &["spec", "updateStrategy", "rollingUpdate"]).filter(|it| !it.is_null());
    match (text(&["spec", "updateStrategy", "type"]).unwrap_or_default(), rolling) {
        ("OnDelete", Some(rolling)) => {
            let member = |name: &str| rolling.get(name).map_or_else(|| "null".to_owned(), json::to_string);
            let partition = rolling.get("partition").and_then(Value::as_int).unwrap_or_default();
            let shown =
                format!(r#"{{"Partition":{partition},"MaxUnavailable":{}}}"#, member("maxUnavailable"));
            let why = format!("{shown}: only allowed for updateStrategy 'RollingUpdate'");
            out.push(Mistake::new("spec.updateStrategy.rollingUpdate", Kind::Invalid, why));
        }
        ("RollingUpdate", Some(rolling)) => {
            let field = |name: &str| format!("spec.updateStrategy.rollingUpdate.{name}");
            out.extend(negative(field("partition"), rolling.get("partition")));
            let unavailable = rolling.get("maxUnavailable");
            out.extend(amount(field("maxUnavailable"), unavailable));
            if let Some(zero) = unavailable.filter(|it| is_zero(Some(it))) {
                out.push(invalid(field("maxUnavailable"), zero, "cannot be 0"));
            }
        }
        ("OnDelete" | "RollingUpdate", None) => {}
        ("", _) => out.push(required("spec.updateStrategy".to_owned(), "")),
        (other, _) => {
            let why = format!("{}: must be 'RollingUpdate' or 'OnDelete'", update_type(other));
            out.push(Mistake::new("spec.updateStrategy", Kind::Invalid, why));
        }
    }
    for name in ["whenDeleted", "whenScaled"] {
        let policy = text(&["spec", "persistentVolumeClaimRetentionPolicy", name]);
        if let Some(policy) = policy.filter(|policy| !matches!(*policy, "Retain" | "Delete")) {
            let field = format!("spec.persistentVolumeClaimRetentionPolicy.{name}");
            out.push(unsupported(field, policy, &["Retain", "Delete"]));
        }
    }
    let claims = find(object, &["spec", "volumeClaimTemplates"]).and_then(Value::as_list).unwrap_or_default();
    for (i, claim) in claims.iter().enumerate() {
        let spec = claim.get("spec").unwrap_or(&Value::Null);
        out.extend(storage::of_claim(spec, &format!("spec.volumeClaimTemplates[{i}].spec")));
    }
    out
}

/// The name of the service that gives the pods their names, if there is one.
fn service_name(object: &Value) -> Mistakes {
    let name = find(object, &["spec", "serviceName"]).and_then(Value::as_str).filter(|name| !name.is_empty());
    let mistakes = name.map(names::dns1123_label).unwrap_or_default();
    let field = || "spec.serviceName".to_owned();
    mistakes.iter().map(|why| invalid_text(field(), name.unwrap_or_default(), why)).collect()
}

fn daemon_set(object: &Value) -> Mistakes {
    let strategy = find(object, &["spec", "updateStrategy"]).unwrap_or(&Value::Null);
    let rolling = find(strategy, &["rollingUpdate"]).unwrap_or(&Value::Null);
    let field = |name: &str| format!("spec.updateStrategy.rollingUpdate.{name}");
    let (surge, unavailable) = (rolling.get("maxSurge"), rolling.get("maxUnavailable"));
    let mut out = Vec::new();
    match own(strategy, "type") {
        "OnDelete" => {}
        "RollingUpdate" => {
            out.extend(amount(field("maxUnavailable"), unavailable));
            out.extend(amount(field("maxSurge"), surge));
            match (is_zero(surge), is_zero(unavailable)) {
                _ if !out.is_empty() => {}
                (true, true) => {
                    out.push(required(field("maxUnavailable"), "cannot be 0 when maxSurge is 0"));
                }
                (false, false) => {
                    let why = "may not be set when maxUnavailable is non-zero";
                    out.push(invalid(field("maxSurge"), surge.unwrap_or(&Value::Null), why));
                }
                _ => {}
            }
        }
        other => {
            let why = format!("{}: supported values: \"RollingUpdate\", \"OnDelete\"", update_type(other));
            out.push(Mistake::new("spec.updateStrategy", Kind::NotSupported, why));
        }
    }
    out
}

/// The fields that never change.
fn fixed(kind: &str, object: &Value, live: &Value) -> Mistakes {
    const OF_SETS: [(&str, &str); 4] = [
        ("spec.selector", "selector"),
        ("spec.volumeClaimTemplates", "volumeClaimTemplates"),
        ("spec.serviceName", "serviceName"),
        ("spec.podManagementPolicy", "podManagementPolicy"),
    ];
    let fields = if kind == "StatefulSet" { &OF_SETS[..] } else { &OF_SETS[..1] };
    let why = "field is immutable";
    fields.iter().filter_map(|(field, name)| changed(field, &["spec", name], why, object, live)).collect()
}

/// The mistakes of a ReplicationController.
pub(super) fn controller(object: &Value) -> Mistakes {
    let nothing = Value::Null;
    let spec = object.get("spec").unwrap_or(&nothing);
    let mut out = Vec::new();
    let selector = spec.get("selector").and_then(Value::as_map).filter(|selector| !selector.is_empty());
    if selector.is_none() {
        out.push(required("spec.selector".to_owned(), ""));
    }
    // Its type says this, and the server checks types last.
    let of_numbers = ["replicas", "minReadySeconds"]
        .into_iter()
        .filter_map(|name| negative(format!("spec.{name}"), find(spec, &[name])));
    let Some(template) = spec.get("template").filter(|it| !it.is_null()) else {
        out.push(required("spec.template".to_owned(), ""));
        out.extend(of_numbers);
        return out;
    };
    let labels = find(template, &["metadata", "labels"]).unwrap_or(&nothing);
    let is_other = |(name, value): (&str, &Value)| labels.get(name) != Some(value);
    if selector.is_some_and(|selector| selector.iter().any(is_other)) {
        let field = "spec.template.metadata.labels".to_owned();
        out.push(invalid(field, labels, "`selector` does not match template `labels`"));
    }
    out.extend(pods::mistakes("ReplicationController", object));
    if find(template, &["spec", "activeDeadlineSeconds"]).is_some() {
        let why = "activeDeadlineSeconds in ReplicationController is not Supported";
        out.push(forbidden("spec.template.spec.activeDeadlineSeconds".to_owned(), why));
    }
    out.extend(of_numbers);
    out
}
