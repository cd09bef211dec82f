//! What pods use.

use super::amounts::{Amount, Amounts};
use crdgen_core::apply::sum_of_containers;
use crdgen_core::go::time::Time;
use crdgen_core::value::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// What quotas measure of pods, besides what begins with [`PREFIXES`], and extended resources.
pub(super) const MEASURED: [&str; 10] = [
    "cpu",
    "memory",
    "ephemeral-storage",
    "requests.cpu",
    "requests.memory",
    "requests.ephemeral-storage",
    "limits.cpu",
    "limits.memory",
    "limits.ephemeral-storage",
    "pods",
];
pub(super) const PREFIXES: [&str; 2] = ["hugepages-", "requests.hugepages-"];

/// What each container has to say itself if a quota measures it.
const REQUIRED: [&str; 6] =
    ["cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory"];

/// The resources of which quotas also measure the limits.
const OF_LIMITS: [&str; 3] = ["cpu", "memory", "ephemeral-storage"];

/// Whether a resource is none of Kubernetes' own.
pub(super) fn is_extended(name: &str) -> bool {
    name.contains('/') && !name.contains("kubernetes.io/")
}

/// Whether a pod ends by itself.
pub(crate) fn is_terminating(pod: &Value) -> bool {
    let seconds = pod.get("spec").and_then(|spec| spec.get("activeDeadlineSeconds")?.as_int());
    seconds.is_some_and(|seconds| seconds >= 0)
}

/// Whether a pod still uses resources, at a time in seconds.
fn is_live(pod: &Value, now: i64) -> bool {
    let phase = pod.get("status").map_or("", |status| status.text("phase"));
    let metadata = pod.get("metadata");
    let number = |name: &str| metadata.and_then(|metadata| metadata.get(name)?.as_int());
    let deleted = metadata.and_then(|metadata| metadata.get("deletionTimestamp")?.as_str());
    let ends = deleted.and_then(Time::parse).zip(number("deletionGracePeriodSeconds"));
    let is_over = ends.is_some_and(|(deleted, grace)| now > deleted.instant().0 + grace);
    !matches!(phase, "Failed" | "Succeeded") && !is_over
}

/// What a whole pod asks for or may have of a resource.
fn of_pod(spec: &Value, part: &str, resource: &str) -> Option<Amount> {
    let amount = |at: &Value| Amount::read(at.get(resource)?.as_str()?);
    let whole = spec.get("resources").and_then(|it| amount(it.get(part)?));
    let is_of_pods = matches!(resource, "cpu" | "memory") || resource.starts_with("hugepages-");
    let found =
        whole.filter(|_| is_of_pods).or_else(|| Amount::read(&sum_of_containers(spec, part, resource)?.text));
    let overhead = spec.get("overhead").and_then(amount);
    match (found, overhead) {
        // The overhead counts only if there is a limit.
        (None, overhead) => overhead.filter(|_| part == "requests"),
        (Some(found), Some(overhead)) if part == "requests" || !found.is_zero() => Some(found.add(&overhead)),
        (found, _) => found,
    }
}

/// What a pod uses. A pod that has ended is only counted.
pub(super) fn usage(pod: &Value, now: i64) -> Amounts {
    let mut out = BTreeMap::from([("count/pods".to_owned(), Amount::number(1))]);
    if !is_live(pod, now) {
        return out;
    }
    let spec = pod.get("spec").unwrap_or(&Value::Null);
    out.insert("pods".to_owned(), Amount::number(1));
    for resource in resources(spec) {
        let request = of_pod(spec, "requests", &resource);
        if let Some(limit) = of_pod(spec, "limits", &resource).filter(|_| OF_LIMITS.contains(&&*resource)) {
            out.insert(format!("limits.{resource}"), limit);
        }
        let Some(request) = request else { continue };
        if OF_LIMITS.contains(&&*resource) || resource.starts_with(PREFIXES[0]) {
            out.insert(resource.clone(), request.clone());
            out.insert(format!("requests.{resource}"), request);
        } else if is_extended(&resource) {
            out.insert(format!("requests.{resource}"), request);
        }
    }
    out
}

fn list<'v>(spec: &'v Value, name: &str) -> &'v [Value] {
    spec.get(name).and_then(Value::as_list).unwrap_or_default()
}

fn containers(spec: &Value) -> impl Iterator<Item = &Value> {
    list(spec, "containers").iter().chain(list(spec, "initContainers"))
}

/// The names of all resources of a pod.
fn resources(spec: &Value) -> BTreeSet<String> {
    let of = |at: &Value| {
        let parts =
            ["requests", "limits"].into_iter().filter_map(|part| at.get("resources")?.get(part)?.as_map());
        parts.flat_map(Map::keys).map(str::to_owned).collect::<Vec<_>>()
    };
    let overhead = spec.get("overhead").and_then(Value::as_map).into_iter().flat_map(Map::keys);
    let own = containers(spec).chain([spec]).flat_map(of);
    own.chain(overhead.map(str::to_owned)).collect()
}

/// What the containers of a pod do not say, although a quota measures it: names of resources, and of containers.
pub(crate) fn missing(pod: &Value, measured: &[&str]) -> BTreeMap<String, BTreeSet<String>> {
    let mut out: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let spec = pod.get("spec").unwrap_or(&Value::Null);
    let is_set = |part: &str| {
        let whole = spec.get("resources").and_then(|it| it.get(part)?.as_map());
        whole.is_some_and(|whole| !whole.is_empty())
    };
    if is_set("requests") || is_set("limits") {
        return out;
    }
    for container in containers(spec) {
        let says = |name: &str| {
            let (part, resource) = match name.split_once('.') {
                Some((part, resource)) => (part, resource),
                None => ("requests", name),
            };
            container.get("resources").and_then(|it| it.get(part)?.get(resource)).is_some()
        };
        for name in measured.iter().filter(|name| REQUIRED.contains(name) && !says(name)) {
            out.entry((*name).to_owned()).or_default().insert(container.text("name").to_owned());
        }
    }
    out
}
