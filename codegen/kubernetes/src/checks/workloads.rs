//! Checks of Deployments, ReplicaSets, StatefulSets, DaemonSets and ReplicationControllers, besides those of their pods.

use super::at::{At, Mistakes};
use super::claims::CLAIM;
use super::internal;
use super::pods::endless;
use super::rows::{Check::*, Row, check, is_new};
use super::selectors;
use super::words::{amount, amount_or_more};
use crate::labels;
use crate::meta;
use crdgen_core::diag::Kind;
use crdgen_core::value::Value;
use crdgen_core::{json, names};

pub(super) const DEPLOYMENT: &[Row] = &[
    ("spec.replicas", NotNegative),
    ("spec", Code(|at, out| selected(at, "deployment", out))),
    ("spec.template", Code(endless)),
    // The template of a Deployment is that of its ReplicaSets.
    (
        "spec.template.spec.activeDeadlineSeconds",
        Forbidden("activeDeadlineSeconds in ReplicaSet is not Supported"),
    ),
    ("spec.strategy", Code(strategy)),
    ("spec.minReadySeconds", NotNegative),
    ("spec.revisionHistoryLimit", NotNegative),
    ("spec.progressDeadlineSeconds", Code(deadline)),
    ("spec.selector", FixedAs("*LabelSelector")),
];

pub(super) const REPLICA_SET: &[Row] = &[
    ("spec.replicas", NotNegative),
    ("spec.minReadySeconds", NotNegative),
    ("spec", Code(|at, out| selected(at, "deployment", out))),
    ("spec.template", Code(endless)),
    (
        "spec.template.spec.activeDeadlineSeconds",
        Forbidden("activeDeadlineSeconds in ReplicaSet is not Supported"),
    ),
    ("spec.selector", FixedAs("*LabelSelector")),
];

pub(super) const STATEFUL_SET: &[Row] = &[
    ("spec.podManagementPolicy", NeedsName(management)),
    ("spec.updateStrategy", Code(strategy_of_set)),
    ("spec.persistentVolumeClaimRetentionPolicy", In(RETENTION)),
    // What is there already stays.
    ("", If(is_new, &[("spec.volumeClaimTemplates[].spec", All(CLAIM))])),
    ("spec.replicas", NotNegative),
    ("spec.minReadySeconds", NotNegative),
    ("spec.ordinals.start", NotNegative),
    ("", If(is_new, &[("spec.serviceName", NameOrEmpty(names::dns1123_label))])),
    ("spec", Code(|at, out| selected(at, "statefulset", out))),
    ("", Code(template_of_set)),
    (
        "spec.template.spec.activeDeadlineSeconds",
        Forbidden("activeDeadlineSeconds in StatefulSet is not Supported"),
    ),
    ("spec.selector", FixedAs("*LabelSelector")),
    ("spec.volumeClaimTemplates", FixedAs("[PersistentVolumeClaim")),
    ("spec.serviceName", Fixed),
    ("spec.podManagementPolicy", Fixed),
];

const RETENTION: &[Row] =
    &[("whenDeleted", OneOf(&["Retain", "Delete"])), ("whenScaled", OneOf(&["Retain", "Delete"]))];

pub(super) const DAEMON_SET: &[Row] = &[
    ("spec.selector", FixedAs("*LabelSelector")),
    ("spec", Code(|at, out| selected(at, "daemonset", out))),
    ("spec.template", Code(endless)),
    (
        "spec.template.spec.activeDeadlineSeconds",
        Forbidden("activeDeadlineSeconds in DaemonSet is not Supported"),
    ),
    ("spec.minReadySeconds", NotNegative),
    ("spec.updateStrategy", Code(daemons)),
    ("spec.revisionHistoryLimit", NotNegative),
];

pub(super) const CONTROLLER: &[Row] = &[
    ("spec.selector", Required("")),
    ("spec.template", Code(template_of_controller)),
    // Types say this, and the server checks them last.
    ("spec.replicas", NotNegative),
    ("spec.minReadySeconds", NotNegative),
];

fn template_of_controller(at: &At<'_>, out: &mut Mistakes) {
    if !at.is_set() {
        return out.push(at.required(""));
    }
    let labels = at.get("metadata.labels");
    let is_other = |(name, value)| labels.value.and_then(|labels| labels.get(name)) != Some(value);
    if at.root("spec.selector").map().any(is_other) {
        out.push(labels.invalid("`selector` does not match template `labels`"));
    }
    endless(at, out);
    let why = "activeDeadlineSeconds in ReplicationController is not Supported";
    check(&[("spec.activeDeadlineSeconds", Forbidden(why))], at, out);
}

/// The template has a volume for each claim, in place of one of the same name.
fn template_of_set(at: &At<'_>, out: &mut Mistakes) {
    let claims = at.get("spec.volumeClaimTemplates");
    let mut names: Vec<&str> = Vec::new();
    for claim in claims.each() {
        let name = claim.get("metadata.name").text();
        // Two claims of the same name have one volume.
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let template = at.get("spec.template");
    let of_claims = names.iter().map(|name| {
        let claim = meta::map([("claimName", (*name).into())]);
        meta::map([("name", (*name).into()), ("persistentVolumeClaim", claim)])
    });
    let others = template.get("spec.volumes");
    let others = others.items().iter().filter(|volume| !names.contains(&volume.text("name")));
    let all: Vec<Value> = of_claims.chain(others.cloned()).collect();
    let mut changed = template.value.cloned().unwrap_or_default();
    if !names.is_empty() {
        meta::set_at(&mut changed, &["spec", "volumes"], Value::List(all));
    }
    // Each pod gets other ones.
    if let Some(Value::Map(spec)) = changed.as_map_mut().and_then(|template| template.get_mut("spec")) {
        spec.remove("hostname");
        spec.remove("subdomain");
    }
    endless(&At { value: Some(&changed), ..template }, out);
}

/// The labels of the template must be selected.
fn selected(spec: &At<'_>, of: &str, out: &mut Mistakes) {
    let (at, template) = (spec.get("selector"), spec.get("template"));
    if at.is_set() {
        let before = out.len();
        selectors::selector(&at, out);
        if at.is_empty() {
            return out.push(at.invalid(&format!("empty selector is invalid for {of}")));
        }
        if out.len() > before {
            let shown = internal::shown(at.value, "LabelSelector");
            // The server's code for daemon sets does not report it.
            match of {
                "daemonset" => {}
                "statefulset" => out.push(at.mistake(Kind::Invalid, shown)),
                _ => out.push(at.invalid_as(&shown, "invalid label selector")),
            }
            return;
        }
    } else if of != "daemonset" {
        // The server's code for daemon sets has no such check.
        out.push(at.required(""));
    }
    check_selected(&at, &template, out);
}

/// Checks that a selector selects a template.
pub(super) fn check_selected(selector: &At<'_>, template: &At<'_>, out: &mut Mistakes) {
    let template_value = template.value.unwrap_or(&Value::Null);
    let is_selected = |selector| labels::of_labels(selector).is_none_or(|it| it.matches(template_value));
    if !selector.value.is_some_and(is_selected) {
        let labels = template.get("metadata.labels");
        out.push(labels.invalid("`selector` does not match template `labels`"));
    }
}

/// How long a rollout of a Deployment may take.
fn deadline(at: &At<'_>, out: &mut Mistakes) {
    check(&[("", NotNegative)], at, out);
    if at.int().is_some_and(|deadline| deadline <= at.root("spec.minReadySeconds").number()) {
        out.push(at.invalid("must be greater than minReadySeconds"));
    }
}

/// How a Deployment replaces its pods.
fn strategy(at: &At<'_>, out: &mut Mistakes) {
    let (ty, rolling) = (at.get("type"), at.get("rollingUpdate"));
    let (surge, unavailable) = (rolling.get("maxSurge"), rolling.get("maxUnavailable"));
    match (ty.text(), rolling.is_set()) {
        ("Recreate", true) => {
            out.push(rolling.forbidden("may not be specified when strategy `type` is 'Recreate'"));
        }
        ("Recreate", false) => {}
        ("RollingUpdate", true) => {
            out.extend(amount(&unavailable));
            out.extend(amount_or_more(&surge));
            if is_zero(&surge) && is_zero(&unavailable) {
                let shown = unavailable.value.map_or_else(|| "0".to_owned(), json::to_string);
                out.push(unavailable.invalid_as(&shown, "may not be 0 when `maxSurge` is 0"));
            }
        }
        ("RollingUpdate", false) => {
            out.push(rolling.required("this should be defaulted and never be nil"));
        }
        _ => {
            let why = format!(
                "{}: supported values: \"Recreate\", \"RollingUpdate\"",
                internal::shown(at.value, "DeploymentStrategy")
            );
            out.push(at.mistake(Kind::NotSupported, why));
        }
    }
}

fn is_zero(amount: &At<'_>) -> bool {
    match amount.value {
        // What is not a percentage counts as 0.
        Some(Value::Str(text)) => {
            text.strip_suffix('%').and_then(|it| it.parse::<i64>().ok()).unwrap_or_default() == 0
        }
        _ => amount.number() == 0,
    }
}

fn management(policy: &str) -> Vec<String> {
    let is_known = matches!(policy, "OrderedReady" | "Parallel");
    (!is_known).then(|| "must be 'OrderedReady' or 'Parallel'".to_owned()).into_iter().collect()
}

fn strategy_of_set(at: &At<'_>, out: &mut Mistakes) {
    let (ty, rolling) = (at.get("type"), at.get("rollingUpdate"));
    match ty.text() {
        "OnDelete" if rolling.is_set() => {
            out.push(rolling.invalid_of(
                "RollingUpdateStatefulSetStrategy",
                "only allowed for updateStrategy 'RollingUpdate'",
            ));
        }
        "RollingUpdate" if rolling.is_set() => {
            check(&[("partition", NotNegative), ("maxUnavailable", Amount)], &rolling, out);
            let unavailable = rolling.get("maxUnavailable");
            if unavailable.is_set() && is_zero(&unavailable) {
                out.push(unavailable.invalid("cannot be 0"));
            }
        }
        "OnDelete" | "RollingUpdate" => {}
        "" => out.push(at.required("")),
        _ => {
            out.push(at.invalid_of("StatefulSetUpdateStrategy", "must be 'RollingUpdate' or 'OnDelete'"));
        }
    }
}

fn daemons(at: &At<'_>, out: &mut Mistakes) {
    let (ty, rolling) = (at.get("type"), at.get("rollingUpdate"));
    let (surge, unavailable) = (rolling.get("maxSurge"), rolling.get("maxUnavailable"));
    match ty.text() {
        "OnDelete" => {}
        "RollingUpdate" => {
            out.extend(amount(&unavailable));
            out.extend(amount(&surge));
            match (is_zero(&surge), is_zero(&unavailable)) {
                (true, true) => out.push(unavailable.required("cannot be 0 when maxSurge is 0")),
                (false, false) => out.push(surge.invalid("may not be set when maxUnavailable is non-zero")),
                _ => {}
            }
        }
        _ => {
            let why = format!(
                "{}: supported values: \"RollingUpdate\", \"OnDelete\"",
                internal::shown(at.value, "DaemonSetUpdateStrategy")
            );
            out.push(at.mistake(Kind::NotSupported, why));
        }
    }
}
