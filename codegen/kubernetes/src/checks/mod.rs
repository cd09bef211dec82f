//! Checks that the server's code makes of Kubernetes' own kinds, and that no schema has: the ones that tests of controllers meet.

mod autoscalers;
mod changes;
mod classes;
mod coordination;
mod cron;
mod data;
mod endpoints;
mod events;
mod ingresses;
mod job_policies;
mod jobs;
mod limits;
mod permissions;
mod pods;
mod policies;
mod rows;
mod selectors;
pub(crate) mod services;
mod signing;
mod statuses;
mod storage;
mod table;
mod volumes;
mod warnings;
mod webhooks;
pub(crate) mod words;
mod workloads;

use crate::meta::{own, texts};
use crate::mistake::Mistake;
use crdgen_core::diag::Kind;
use crdgen_core::value::Value;
use crdgen_core::{go, json, names};

/// The protocols of ports, in the order of the server's messages.
const PROTOCOLS: [&str; 3] = ["SCTP", "TCP", "UDP"];

/// Whether a name has no domain. Such names are Kubernetes' own.
pub(crate) fn is_domain_missing(name: &str) -> bool {
    !name.contains('/')
}

/// A finalizer of a built-in object that has no domain, and is none of Kubernetes' own.
pub(crate) fn unknown_finalizer(field: String, name: &str) -> Option<Mistake<'static>> {
    let is_known = matches!(name, "kubernetes" | "orphan" | "foregroundDeletion");
    let why = "name is neither a standard finalizer name nor is it fully qualified";
    (is_domain_missing(name) && !is_known).then(|| words::invalid_text(field, name, why))
}

fn namespace(object: &Value, live: Option<&Value>) -> Vec<Mistake<'static>> {
    let spec = object.get("spec").filter(|_| live.is_none());
    let finalizers = spec.map(|spec| texts(spec, "finalizers")).unwrap_or_default();
    let field = || "spec.finalizers".to_owned();
    let mut out = Vec::new();
    for name in finalizers {
        let mistakes = names::qualified_name(name);
        out.extend(mistakes.iter().map(|why| words::invalid_text(field(), name, why)));
        out.extend(unknown_finalizer(field(), name));
    }
    out
}

pub(crate) use changes::changes_of_pod;
pub use limits::quotient;
pub(crate) use statuses::status_mistakes;
pub(crate) use warnings::{of_status, warnings};

fn find<'v>(object: &'v Value, path: &[&str]) -> Option<&'v Value> {
    path.iter().try_fold(object, |at, name| at.get(name))
}

/// Which checks of a kind are here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Checks {
    /// Its schema says more.
    Some,
    /// All. Its schema also rejects what the server's code writes.
    All,
}

pub(crate) fn checks(kind: &str) -> Checks {
    match kind {
        "Event"
        | "HorizontalPodAutoscaler"
        | "MutatingWebhookConfiguration"
        | "ValidatingWebhookConfiguration" => Checks::All,
        _ => Checks::Some,
    }
}

/// The mistake of a Scale with a negative number of replicas.
pub(crate) fn negative_replicas(object: &Value) -> Option<Mistake<'static>> {
    words::negative("spec.replicas".to_owned(), find(object, &["spec", "replicas"]))
}

/// The mistakes: fields, and what is wrong with them.
pub(crate) fn mistakes(kind: &str, object: &Value, live: Option<&Value>) -> Vec<Mistake<'static>> {
    let mut out = of_code(kind, object, live);
    out.extend(rows::mistakes(table::of_kind(kind), object, live));
    out
}

/// The mistakes that no row of the table says.
fn of_code(kind: &str, object: &Value, live: Option<&Value>) -> Vec<Mistake<'static>> {
    match kind {
        "DaemonSet" | "Deployment" | "ReplicaSet" | "StatefulSet" => workloads::mistakes(kind, object, live),
        "ReplicationController" => workloads::controller(object),
        "Service" => services::mistakes(object, live),
        "Endpoints" => endpoints::endpoints(object),
        "EndpointSlice" => endpoints::slice(object, live),
        "IngressClass" => classes::mistakes(object, live),
        "RuntimeClass" => classes::runtime(object, live),
        "LimitRange" => limits::range(object),
        "Namespace" => namespace(object, live),
        "Node" => statuses::node(object, live),
        "NetworkPolicy" => policies::mistakes(object),
        "PersistentVolumeClaim" => storage::claim(object, live),
        "PersistentVolume" => volumes::volume(object, live),
        "PriorityClass" => limits::priority(object, live),
        "ResourceQuota" => limits::quota(object, live),
        "StorageClass" => storage::class(object, live),
        "Ingress" => ingresses::mistakes(object, live),
        "Lease" => coordination::lease(object),
        "PodDisruptionBudget" => coordination::budget(object),
        "ConfigMap" | "Secret" => {
            let changed = live.map(|live| {
                let fixed = immutable(object, live);
                if fixed.is_empty() { secret_type(kind, object, live).into_iter().collect() } else { fixed }
            });
            let data = data::mistakes(kind, object);
            changed.unwrap_or_default().into_iter().chain(data).chain(too_large(kind, object)).collect()
        }
        "ClusterRole" | "Role" => permissions::role(kind, object),
        "ClusterRoleBinding" | "RoleBinding" => permissions::binding(kind, object, live),
        "HorizontalPodAutoscaler" => {
            let status = autoscalers::status_mistakes(object);
            autoscalers::mistakes(object, live).into_iter().chain(status).collect()
        }
        "Job" => jobs::mistakes(object, live),
        "MutatingWebhookConfiguration" | "ValidatingWebhookConfiguration" => webhooks::mistakes(object, live),
        "CronJob" => jobs::of_cron_job(object, live),
        "Pod" => {
            let new = if live.is_none() { pods::of_new(object) } else { Vec::new() };
            pods::mistakes(kind, object).into_iter().chain(new).collect()
        }
        "PodTemplate" => pods::mistakes(kind, object),
        "CertificateSigningRequest" => signing::mistake(object, live).into_iter().collect(),
        "Event" => events::mistakes(object, live),
        _ => Vec::new(),
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

fn immutable(object: &Value, live: &Value) -> Vec<Mistake<'static>> {
    if live.get("immutable").and_then(Value::as_bool) != Some(true) {
        return Vec::new();
    }
    let why = "field is immutable when `immutable` is set";
    let is_kept = object.get("immutable").and_then(Value::as_bool) == Some(true);
    let first = (!is_kept).then_some("immutable");
    let others = ["data", "binaryData"].into_iter().filter(|name| object.get(name) != live.get(name));
    first.into_iter().chain(others).map(|name| Mistake::new(name, Kind::Forbidden, why)).collect()
}

fn secret_type(kind: &str, object: &Value, live: &Value) -> Option<Mistake<'static>> {
    let value = format!("\"{}\"", own(object, "type"));
    let is_changed = kind == "Secret" && own(object, "type") != own(live, "type");
    is_changed.then(|| Mistake::new("type", Kind::Invalid, format!("{value}: field is immutable")))
}
