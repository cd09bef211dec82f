//! What objects use.

use super::amounts::{Amount, Amounts};
use super::pods;
use crate::store::Resource;
use crdgen_core::value::Value;
use std::collections::BTreeMap;

/// The resources that have a name of their own in quotas, besides `count/…`.
const OLD: [&str; 4] = ["configmaps", "replicationcontrollers", "resourcequotas", "secrets"];

/// What quotas measure of services.
const OF_SERVICES: [&str; 3] = ["services", "services.loadbalancers", "services.nodeports"];

/// What quotas measure of claims, also for each class of storage.
const OF_CLAIMS: [&str; 2] = ["persistentvolumeclaims", "requests.storage"];

/// What comes between the class and what is measured of its claims.
const OF_CLASS: &str = ".storageclass.storage.k8s.io/";

/// The name by which quotas count the objects of a resource.
fn count(resource: &Resource) -> String {
    let Resource { plural, group } = resource;
    if group.is_empty() { format!("count/{plural}") } else { format!("count/{plural}.{group}") }
}

/// Whether what a quota limits is measured in the objects of a resource.
pub(crate) fn is_measured(resource: &Resource, name: &str) -> bool {
    if name == count(resource) {
        return true;
    }
    match &*resource.plural {
        _ if !resource.group.is_empty() => false,
        "pods" => {
            let is_request = pods::is_extended(name) && name.starts_with("requests.");
            pods::MEASURED.contains(&name)
                || pods::PREFIXES.iter().any(|it| name.starts_with(it))
                || is_request
        }
        "services" => OF_SERVICES.contains(&name),
        "persistentvolumeclaims" => {
            let of_class = name.split_once(OF_CLASS).map_or(name, |(_, of_class)| of_class);
            OF_CLAIMS.contains(&of_class)
        }
        plural => plural == name && OLD.contains(&plural),
    }
}

/// What an object of a resource uses, at a time in seconds.
pub(crate) fn of_object(resource: &Resource, object: &Value, now: i64) -> Amounts {
    let one = |name: &str| (name.to_owned(), Amount::number(1));
    let mut out = BTreeMap::from([one(&count(resource))]);
    match &*resource.plural {
        _ if !resource.group.is_empty() => {}
        "pods" => return pods::usage(object, now),
        "services" => out.extend(of_service(object)),
        "persistentvolumeclaims" => out.extend(of_claim(object)),
        plural if OLD.contains(&plural) => out.extend([one(plural)]),
        _ => {}
    }
    out
}

fn of_service(service: &Value) -> [(String, Amount); 3] {
    let spec = service.get("spec").unwrap_or(&Value::Null);
    let ports = spec.get("ports").and_then(Value::as_list).unwrap_or_default();
    let is_balancer = spec.text("type") == "LoadBalancer";
    // The server may not have given out the ports of nodes yet.
    let gets_ports = spec.get("allocateLoadBalancerNodePorts") != Some(&Value::Bool(false));
    let has_port = |port: &&Value| port.get("nodePort").and_then(Value::as_int).unwrap_or_default() != 0;
    let nodes = match spec.text("type") {
        "NodePort" => ports.len(),
        "LoadBalancer" if gets_ports => ports.len(),
        "LoadBalancer" => ports.iter().filter(has_port).count(),
        _ => 0,
    };
    let number = |number: usize| Amount::number(i64::try_from(number).unwrap_or(i64::MAX));
    let [services, balancers, of_nodes] = OF_SERVICES.map(str::to_owned);
    [(services, number(1)), (balancers, number(usize::from(is_balancer))), (of_nodes, number(nodes))]
}

fn of_claim(claim: &Value) -> Vec<(String, Amount)> {
    let spec = claim.get("spec").unwrap_or(&Value::Null);
    let amount = |at: Option<&Value>| Amount::read(at?.get("storage")?.as_str()?).map(Amount::rounded_up);
    let wanted = amount(spec.get("resources").and_then(|it| it.get("requests")));
    let given = amount(claim.get("status").and_then(|it| it.get("allocatedResources")));
    let storage = match (wanted, given) {
        (Some(wanted), Some(given)) if given.compare(&wanted).is_gt() => Some(given),
        (wanted, _) => wanted,
    };
    let annotations = claim.get("metadata").and_then(|metadata| metadata.get("annotations"));
    let old = annotations.map_or("", |it| it.text("volume.beta.kubernetes.io/storage-class"));
    let class = if old.is_empty() { spec.text("storageClassName") } else { old };
    let [claims, of_storage] = OF_CLAIMS;
    let all = [(claims, Some(Amount::number(1))), (of_storage, storage)];
    let all = all.into_iter().filter_map(|(name, amount)| Some((name, amount?)));
    all.flat_map(|(name, amount)| {
        let of_class = (!class.is_empty()).then(|| (format!("{class}{OF_CLASS}{name}"), amount.clone()));
        of_class.into_iter().chain([(name.to_owned(), amount)])
    })
    .collect()
}
