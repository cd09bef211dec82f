//! Checks that the server's code makes of Kubernetes' own kinds, and that no schema has: the ones that tests of controllers meet.

mod autoscalers;
mod coordination;
mod cron;
mod data;
mod events;
mod ingresses;
mod jobs;
mod permissions;
mod pods;
mod selectors;
mod services;
mod signing;
mod webhooks;
mod words;
mod workloads;

use crate::meta::own;
use crate::status::Mistake;
use crdgen_core::diag::Kind;
use crdgen_core::value::Value;
use crdgen_core::{go, json};

fn find<'v>(object: &'v Value, path: &[&str]) -> Option<&'v Value> {
    path.iter().try_fold(object, |at, name| at.get(name))
}

/// Which checks of a kind are here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Checks {
    /// Its schema says more.
    Some,
    /// All, but those of metadata. Its schema also rejects what the server's code writes.
    All,
    /// All, also those of metadata.
    AllWithMetadata,
}

pub(super) fn checks(kind: &str) -> Checks {
    match kind {
        "Event" => Checks::AllWithMetadata,
        "HorizontalPodAutoscaler" | "MutatingWebhookConfiguration" | "ValidatingWebhookConfiguration" => {
            Checks::All
        }
        _ => Checks::Some,
    }
}

/// The mistakes: fields, and what is wrong with them.
pub(super) fn mistakes(kind: &str, object: &Value, live: Option<&Value>) -> Vec<Mistake<'static>> {
    match kind {
        "DaemonSet" | "Deployment" | "ReplicaSet" | "StatefulSet" => workloads::mistakes(kind, object, live),
        "Service" => services::mistakes(object),
        "Ingress" => ingresses::mistakes(object, live),
        "Lease" => coordination::lease(object),
        "PodDisruptionBudget" => coordination::budget(object),
        "ConfigMap" | "Secret" => {
            let changed =
                live.and_then(|live| immutable(object, live).or_else(|| secret_type(kind, object, live)));
            let data = data::mistakes(kind, object);
            changed.into_iter().chain(data).chain(too_large(kind, object)).collect()
        }
        "ClusterRole" | "Role" => permissions::role(kind, object),
        "ClusterRoleBinding" | "RoleBinding" => permissions::binding(kind, object, live),
        "HorizontalPodAutoscaler" => {
            let status = autoscalers::status_mistakes(object);
            autoscalers::mistakes(object, live).into_iter().chain(status).collect()
        }
        "Job" => jobs::mistakes(object, live),
        "MutatingWebhookConfiguration" | "ValidatingWebhookConfiguration" => webhooks::mistakes(object, live),
        "CronJob" => jobs::of_cron_job(object),
        "Pod" | "PodTemplate" => pods::mistakes(kind, object),
        _ => mistake(kind, object, live).into_iter().collect(),
    }
}

/// The first mistake of kinds for which the server says only one, or for which one is enough.
fn mistake(kind: &str, object: &Value, live: Option<&Value>) -> Option<Mistake<'static>> {
    match kind {
        "CertificateSigningRequest" => signing::mistake(object, live),
        "Event" => events::mistake(object, live),
        _ => None,
    }
}

/// A field that never changes, if it has changed.
fn changed(
    field: &'static str,
    path: &[&str],
    why: &str,
    object: &Value,
    live: &Value,
) -> Option<Mistake<'static>> {
    let (new, old) = (find(object, path), find(live, path));
    let value = || new.map_or_else(|| "null".to_owned(), json::to_string);
    (new != old).then(|| Mistake::new(field, Kind::Invalid, format!("{}: {why}", value())))
}

/// The most bytes in the values of a ConfigMap or a Secret.
const MOST_BYTES: usize = 1 << 20;

fn too_large(kind: &str, object: &Value) -> Option<Mistake<'static>> {
    let texts = |name| object.get(name).and_then(Value::as_map).into_iter().flat_map(|map| map.values());
    let plain = |value: &Value| value.as_str().map_or(0, str::len);
    let encoded = |value: &Value| {
        let bytes = value.as_str().and_then(go::base64_decode);
        bytes.map_or(0, |bytes| bytes.len())
    };
    let (field, bytes) = if kind == "ConfigMap" {
        let all = texts("data").map(plain).chain(texts("binaryData").map(encoded));
        ("[]", all.sum::<usize>())
    } else {
        ("data", texts("data").map(encoded).sum())
    };
    let why = format!("may not be more than {MOST_BYTES} bytes");
    (bytes > MOST_BYTES).then(|| Mistake::new(field, Kind::TooLong, why))
}

fn immutable(object: &Value, live: &Value) -> Option<Mistake<'static>> {
    let is_fixed = live.get("immutable").and_then(Value::as_bool) == Some(true);
    let is_changed = |name: &str| object.get(name) != live.get(name);
    let field = ["immutable", "data", "binaryData"].into_iter().find(|name| is_changed(name))?;
    is_fixed.then(|| Mistake::new(field, Kind::Forbidden, "field is immutable when `immutable` is set"))
}

fn secret_type(kind: &str, object: &Value, live: &Value) -> Option<Mistake<'static>> {
    let value = format!("\"{}\"", own(object, "type"));
    let is_changed = kind == "Secret" && own(object, "type") != own(live, "type");
    is_changed.then(|| Mistake::new("type", Kind::Invalid, format!("{value}: field is immutable")))
}
