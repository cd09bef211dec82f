//! Where kinds have the specs of their pods, and the quality of service of a pod, which the server computes when the pod is created.

use super::values::{at, texts};
use crate::go::quantity::Quantity;
use crate::object::access;
use crate::object::write::NOW;
use crate::object::write::Warning;
use crate::value::{Map, Value};
use std::collections::BTreeSet;

/// The resources of whole pods, besides huge pages.
const OF_PODS: [&str; 2] = ["cpu", "memory"];
const HUGE_PAGES: &str = "hugepages-";

/// The prefix of the annotations that had the profiles of AppArmor before there was a field.
const APP_ARMOR: &str = "container.apparmor.security.beta.kubernetes.io/";

/// Where a kind has the spec of its pods.
pub(super) fn spec(kind: &str) -> Option<&'static [&'static str]> {
    match kind {
        "Pod" => Some(&["spec"]),
        "PodTemplate" => Some(&["template", "spec"]),
        "CronJob" => Some(&["spec", "jobTemplate", "spec", "template", "spec"]),
        "DaemonSet" | "Deployment" | "Job" | "ReplicaSet" | "ReplicationController" | "StatefulSet" => {
            Some(&["spec", "template", "spec"])
        }
        _ => None,
    }
}

/// A sum of quantities.
#[derive(Clone, Debug)]
pub struct Sum {
    /// The amount.
    pub amount: Quantity,
    /// How the server writes it.
    pub text: String,
}

/// What all containers of a pod ask for or may have of a resource: those for the start run before the others, unless they go on.
/// `None` if no container says anything.
pub fn sum_of_containers(spec: &Value, part: &str, resource: &str) -> Option<Sum> {
    let list = |name: &str| spec.get(name).and_then(Value::as_list).unwrap_or_default();
    let amount = |container: &Value| {
        let text = at(container, &["resources", part, resource])?.as_str()?;
        Quantity::parse(text).ok()
    };
    let (regular, first) = (list("containers"), list("initContainers"));
    let text = |container| at(container, &["resources", part, resource]).and_then(Value::as_str);
    let is_binary = regular.iter().chain(first).find_map(text)?.ends_with('i');
    let zero = || Quantity::from_int(0);
    let mut sum = regular.iter().filter_map(amount).fold(zero(), |sum, amount| sum.add(&amount));
    let (mut going_on, mut most) = (zero(), zero());
    for container in first {
        let Some(amount) = amount(container) else { continue };
        let goes_on = container.get("restartPolicy").and_then(Value::as_str) == Some("Always");
        let now = going_on.add(&amount);
        if goes_on {
            sum = sum.add(&amount);
            going_on = now.clone();
        }
        if now.compare(&most).is_gt() {
            most = now;
        }
    }
    let amount = if most.compare(&sum).is_gt() { most } else { sum };
    let text = amount.written(is_binary);
    Some(Sum { amount, text })
}

/// Completes what a whole pod asks for and may have, if it says some of that: the requests are those of its containers, or else
/// the limits of the pod. A limit is that of its containers, if they all have one, or the request of the pod if that is more.
pub(super) fn complete_resources(pod: &mut Value) {
    let Some(spec) = pod.get("spec") else { return };
    let amounts =
        |part: &str| at(spec, &["resources", part]).and_then(Value::as_map).cloned().unwrap_or_default();
    let (mut requests, mut limits) = (amounts("requests"), amounts("limits"));
    if requests.is_empty() && limits.is_empty() {
        return;
    }
    let sum = |part: &str, name: &str| sum_of_containers(spec, part, name);
    for name in huge_pages(spec) {
        if let (None, Some(sum)) = (requests.get(&name), sum("limits", &name)) {
            limits.entry_or_insert_with(&name, || Value::from(sum.text));
        }
    }
    for name in OF_PODS {
        if let Some(sum) = sum("requests", name) {
            requests.entry_or_insert_with(name, || Value::from(sum.text));
        }
    }
    let is_of_pods = |name: &str| OF_PODS.contains(&name) || name.starts_with(HUGE_PAGES);
    for (name, limit) in limits.iter().filter(|(name, _)| is_of_pods(name)) {
        requests.entry_or_insert_with(name, || limit.clone());
    }
    for (name, request) in requests.iter().filter(|(name, _)| is_of_pods(name)) {
        let all_have = containers_of(spec).all(|it| at(it, &["resources", "limits", name]).is_some());
        let Some(sum) = sum("limits", name).filter(|_| all_have) else { continue };
        let asked = request.as_str().and_then(|text| Quantity::parse(text).ok());
        let is_more = asked.is_some_and(|asked| asked.compare(&sum.amount).is_gt());
        limits.entry_or_insert_with(name, || if is_more { request.clone() } else { Value::from(sum.text) });
    }
    for (part, amounts) in [("requests", requests), ("limits", limits)] {
        if !amounts.is_empty() {
            _ = access::set_nested(pod, &["spec", "resources", part], Value::Map(amounts));
        }
    }
}

fn containers_of(spec: &Value) -> impl Iterator<Item = &Value> {
    let list = |name: &str| spec.get(name).and_then(Value::as_list).unwrap_or_default();
    list("containers").iter().chain(list("initContainers"))
}

/// The huge pages that containers may have.
fn huge_pages(spec: &Value) -> BTreeSet<String> {
    let limits = containers_of(spec).filter_map(|it| at(it, &["resources", "limits"])?.as_map());
    limits.flat_map(Map::keys).filter(|name| name.starts_with(HUGE_PAGES)).map(str::to_owned).collect()
}

/// The address of a pod is the first of its addresses. If both are there, the one address counts.
pub(super) fn complete_addresses(pod: &mut Value) {
    let Some(Value::Map(status)) = pod.as_map_mut().and_then(|pod| pod.get_mut("status")) else { return };
    let one = status.text("podIP").to_owned();
    let first = status.get("podIPs").and_then(|all| all.as_list()?.first()?.get("ip")?.as_str());
    match first.map(str::to_owned) {
        Some(first) if one.is_empty() => drop(status.insert("podIP", Value::from(first))),
        Some(first) if first == one => {}
        None if one.is_empty() => {}
        _ => drop(status.insert("podIPs", Value::List(vec![texts([("ip", &one)])]))),
    }
}

/// The condition of a new pod that waits for its gates.
pub(super) fn gated(pod: &Value) -> Option<Value> {
    at(pod, &["spec", "schedulingGates"]).and_then(Value::as_list).filter(|gates| !gates.is_empty())?;
    let mut condition = texts([
        ("type", "PodScheduled"),
        ("status", "False"),
        ("lastTransitionTime", NOW),
        ("reason", "SchedulingGated"),
        ("message", "Scheduling is blocked due to non-empty scheduling gates"),
    ]);
    condition.as_map_mut()?.insert("lastProbeTime", Value::Null);
    Some(condition)
}

/// Keeps what clients leave out of the status of a pod, since older ones do not know it.
pub(super) fn keep_status(pod: &mut Value, live: &Value) {
    let Some(old) = live.get("status").and_then(Value::as_map) else { return };
    let Some(Value::Map(status)) = pod.as_map_mut().and_then(|pod| pod.get_mut("status")) else { return };
    for name in KEPT {
        if let (true, Some(was)) = (is_zero(status.get(name)), old.get(name)) {
            status.insert(name, was.clone());
        }
    }
    let mut conditions = old.get("conditions").and_then(Value::as_list).unwrap_or_default().to_vec();
    let Some(Value::List(new)) = status.get_mut("conditions") else { return };
    for condition in new.iter_mut().filter_map(Value::as_map_mut) {
        // Several conditions can have the same type.
        let same = conditions.iter().position(|old| old.get("type") == condition.get("type"));
        let Some(same) = same.map(|same| conditions.remove(same)) else { continue };
        if let (true, Some(was)) = (is_zero(condition.get(OBSERVED)), same.get(OBSERVED)) {
            condition.insert(OBSERVED, was.clone());
        }
    }
}

const OBSERVED: &str = "observedGeneration";

/// The fields of the status of a pod that stay if a client leaves them out.
const KEPT: [&str; 5] = [
    "qosClass",
    "resourceClaimStatuses",
    "extendedResourceClaimStatus",
    "nodeAllocatableResourceClaimStatuses",
    OBSERVED,
];

fn is_zero(value: Option<&Value>) -> bool {
    match value {
        None | Some(Value::Null) => true,
        Some(Value::Str(text)) => text.is_empty(),
        Some(Value::Int(number)) => *number == 0,
        Some(Value::Bool(_) | Value::Float(_) | Value::List(_) | Value::Map(_)) => false,
    }
}

/// Sets the profiles of AppArmor that annotations have, and warns about these.
pub(super) fn take_profiles(pod: &mut Value, warnings: &mut Vec<Warning>) {
    if at(pod, &["spec", "os", "name"]).and_then(Value::as_str) == Some("windows") {
        return;
    }
    let of_pod = at(pod, &["spec", "securityContext", "appArmorProfile"]).cloned();
    let annotations =
        at(pod, &["metadata", "annotations"]).and_then(Value::as_map).cloned().unwrap_or_default();
    let spec = pod.as_map_mut().and_then(|pod| pod.get_mut("spec")?.as_map_mut());
    let Some(spec) = spec.filter(|_| annotations.keys().any(|name| name.starts_with(APP_ARMOR))) else {
        return;
    };
    for list in ["initContainers", "containers", "ephemeralContainers"] {
        let Some(Value::List(containers)) = spec.get_mut(list) else { continue };
        for container in containers.iter_mut().filter_map(Value::as_map_mut) {
            let name = container.text("name").to_owned();
            let annotation = annotations.get(&format!("{APP_ARMOR}{name}")).and_then(Value::as_str);
            let Some(profile) = annotation.and_then(profile).filter(|it| of_pod.as_ref() != Some(it)) else {
                continue;
            };
            let context = container.entry_or_insert_with("securityContext", || Value::Map(Map::new()));
            if let Value::Map(context) = context {
                context.entry_or_insert_with("appArmorProfile", || {
                    warnings.push(Warning::from(format!(
                        "metadata.annotations[{APP_ARMOR}{name}]: deprecated since v1.30; use the \"appArmorProfile\" field instead"
                    )));
                    profile
                });
            }
        }
    }
}

/// The profile that an annotation names, if it is one.
fn profile(annotation: &str) -> Option<Value> {
    match annotation.strip_prefix("localhost/") {
        None if annotation == "unconfined" => Some(texts([("type", "Unconfined")])),
        None if annotation == "runtime/default" => Some(texts([("type", "RuntimeDefault")])),
        Some(file) if !file.is_empty() && file.trim() == file => {
            Some(texts([("type", "Localhost"), ("localhostProfile", file)]))
        }
        _ => None,
    }
}

/// The resources that decide.
const RESOURCES: [&str; 2] = ["cpu", "memory"];

/// Returns the class as `status.qosClass` has it. Quantities are in their canonical form, and a request is never above its
/// limit. So the sums of all containers are equal exactly if those of each container are.
pub fn quality_of_service(pod: &Value) -> &'static str {
    let containers = containers(pod);
    let amounts = |kind| containers.iter().flat_map(move |one| RESOURCES.map(|name| amount(one, kind, name)));
    if amounts("requests").chain(amounts("limits")).all(|amount| amount.is_none()) {
        return "BestEffort";
    }
    let is_guaranteed = amounts("limits")
        .zip(amounts("requests"))
        .all(|(limit, request)| limit.is_some() && request == limit);
    if is_guaranteed { "Guaranteed" } else { "Burstable" }
}

/// What has resources: the pod, if it says what it needs as a whole, or else its containers.
fn containers(pod: &Value) -> Vec<&Value> {
    let Some(spec) = pod.get("spec") else { return Vec::new() };
    if spec
        .get("resources")
        .is_some_and(|whole| ["requests", "limits"].iter().any(|it| whole.get(it).is_some()))
    {
        return vec![spec];
    }
    ["containers", "initContainers"]
        .into_iter()
        .filter_map(|name| spec.get(name).and_then(Value::as_list))
        .flatten()
        .collect()
}

/// A quantity that is not zero.
fn amount<'v>(container: &'v Value, kind: &str, resource: &str) -> Option<&'v str> {
    let quantity = container.get("resources")?.get(kind)?.get(resource)?.as_str()?;
    Some(quantity).filter(|text| *text != "0")
}

#[cfg(test)]
mod tests {
    use super::quality_of_service;
    use crate::yaml;

    #[test]
    fn qualities() {
        for (containers, expected) in [
            ("[{}]", "BestEffort"),
            ("[{resources: {requests: {cpu: '0', example.com/gpu: '1'}}}]", "BestEffort"),
            ("[{resources: {requests: {cpu: '1'}}}]", "Burstable"),
            (
                "[{resources: {limits: {cpu: '1', memory: 1Gi}, requests: {cpu: '1', memory: 1Gi}}}]",
                "Guaranteed",
            ),
            (
                "[{resources: {limits: {cpu: '1', memory: 1Gi}, requests: {cpu: '1', memory: 1Gi}}}, {}]",
                "Burstable",
            ),
            (
                "[{resources: {limits: {cpu: '2', memory: 1Gi}, requests: {cpu: '1', memory: 1Gi}}}]",
                "Burstable",
            ),
        ] {
            let (documents, _) = yaml::read(format!("spec: {{containers: {containers}}}").as_bytes());
            assert_eq!(quality_of_service(&documents[0].value), expected, "{containers}");
        }
    }
}
