//! The defaults that the server's code sets in its own kinds.

use super::encoding::QUANTITY;
use super::images;
use super::table::Table;
use crate::go;
use crate::value::{Map, Value};

/// Sets the defaults of a decoded object.
pub(super) fn set(table: &Table, model: &str, object: &mut Value) {
    if object.as_map().is_none() {
        return;
    }
    table.rules.apply(model, object);
    match model {
        "io.k8s.api.core.v1.Pod" => {
            set_requests(object);
            set_host_ports(object);
        }
        "io.k8s.api.core.v1.NodeStatus" => set_allocatable(object),
        "io.k8s.api.core.v1.Service" => set_modes(object),
        "io.k8s.api.core.v1.Container" | "io.k8s.api.core.v1.EphemeralContainer" => {
            set_pull_policy(object, "image", "imagePullPolicy");
        }
        "io.k8s.api.core.v1.LimitRangeItem" => set_limits(object),
        "io.k8s.api.apps.v1.StatefulSetSpec" => set_types_of_claims(object),
        "io.k8s.api.core.v1.ImageVolumeSource" => set_pull_policy(object, "reference", "pullPolicy"),
        _ => {}
    }
    let properties = table.types.get(model).and_then(|schema| schema.get("properties")?.as_map());
    let Value::Map(members) = object else { return };
    let is_core = model.starts_with("io.k8s.api.core.v1.");
    for (name, property) in properties.into_iter().flat_map(Map::iter) {
        match (members.get_mut(name), property.get("default")) {
            (Some(Value::Null) | None, Some(default)) if is_declared(default) => {
                members.insert(name, default.clone());
            }
            (Some(Value::Map(amounts)), _) if is_core && is_resources(property) => {
                amounts.values_mut().for_each(round_up);
            }
            (Some(member), _) => below(table, property, member),
            (None, _) => {}
        }
    }
}

/// Whether a default of a schema is more than the zero of the type.
fn is_declared(default: &Value) -> bool {
    match default {
        Value::Str(text) => !text.is_empty(),
        Value::Int(number) => *number != 0,
        Value::Map(map) => !map.is_empty(),
        Value::Bool(is) => *is,
        Value::Null => false,
        Value::Float(_) | Value::List(_) => true,
    }
}

/// Sets the defaults in a value of a schema without a name.
fn below(table: &Table, schema: &Value, value: &mut Value) {
    if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
        return set(table, name, value);
    }
    match value {
        Value::List(items) => {
            if let Some(of_items) = schema.get("items") {
                items.iter_mut().for_each(|item| below(table, of_items, item));
            }
        }
        Value::Map(members) => {
            if let Some(values) = schema.get("additionalProperties") {
                members.values_mut().for_each(|member| below(table, values, member));
            }
        }
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => {}
    }
}

/// Whether a field has amounts of resources by their names.
fn is_resources(property: &Value) -> bool {
    let values = property.get("additionalProperties").and_then(|it| it.get("$ref"));
    values.and_then(Value::as_str) == Some(QUANTITY)
}

/// Amounts of resources have no more than three decimal places.
fn round_up(amount: &mut Value) {
    if let Some(rounded) = amount.as_str().and_then(go::canonical_resource) {
        *amount = Value::from(rounded);
    }
}

/// Pods can get everything that a node has.
fn set_allocatable(status: &mut Value) {
    let Value::Map(status) = status else { return };
    if let Some(capacity) =
        status.get("capacity").filter(|it| it.as_map().is_some_and(|it| !it.is_empty())).cloned()
    {
        status.entry_or_insert_with("allocatable", || capacity);
    }
}

/// The addresses of a load balancer are virtual, unless they say something else.
fn set_modes(service: &mut Value) {
    let ty = service.get("spec").and_then(|spec| spec.get("type")).and_then(Value::as_str);
    if ty != Some("LoadBalancer") {
        return;
    }
    let path = ["status", "loadBalancer", "ingress"];
    let found = path.iter().try_fold(service, |at, name| at.as_map_mut()?.get_mut(name));
    let Some(Value::List(addresses)) = found else { return };
    for address in addresses.iter_mut().filter_map(Value::as_map_mut) {
        if address.get("ip").is_some() {
            address.entry_or_insert_with("ipMode", || Value::from("VIP"));
        }
    }
}

/// Images with the tag `latest` are pulled always. Without a tag or digest, this is the tag.
fn set_pull_policy(object: &mut Value, image: &str, policy: &str) {
    let Value::Map(members) = object else { return };
    if members.get(policy).is_some_and(|policy| !policy.is_null()) {
        return;
    }
    let image = members.text(image);
    let is_latest = images::tag(image) == Some("latest");
    members.insert(policy, Value::from(if is_latest { "Always" } else { "IfNotPresent" }));
}

/// In pods, requests are by default the limits.
fn set_requests(pod: &mut Value) {
    let Some(Value::Map(spec)) = pod.as_map_mut().and_then(|map| map.get_mut("spec")) else { return };
    for list in ["containers", "initContainers"] {
        let Some(Value::List(containers)) = spec.get_mut(list) else { continue };
        for container in containers.iter_mut().filter_map(Value::as_map_mut) {
            if let Some(Value::Map(resources)) = container.get_mut("resources") {
                complete(resources, "limits", "requests");
            }
        }
    }
}

/// The ports of pods in the network of their host are those of the host.
fn set_host_ports(pod: &mut Value) {
    let Some(Value::Map(spec)) = pod.as_map_mut().and_then(|map| map.get_mut("spec")) else { return };
    if spec.get("hostNetwork") != Some(&Value::Bool(true)) {
        return;
    }
    for list in ["containers", "initContainers"] {
        let Some(Value::List(containers)) = spec.get_mut(list) else { continue };
        for container in containers.iter_mut().filter_map(Value::as_map_mut) {
            let Some(Value::List(ports)) = container.get_mut("ports") else { continue };
            for port in ports.iter_mut().filter_map(Value::as_map_mut) {
                let own = port.get("containerPort").cloned();
                let is_unset = matches!(port.get("hostPort"), None | Some(Value::Null | Value::Int(0)));
                if let (true, Some(own)) = (is_unset, own) {
                    port.insert("hostPort", own);
                }
            }
        }
    }
}

/// Adds to a map what another map has in addition.
fn complete(object: &mut Map<Value>, from: &str, to: &str) {
    let Some(all) = object.get(from).and_then(Value::as_map).cloned() else { return };
    if let Value::Map(map) = object.entry_or_insert_with(to, || Value::Map(Map::new())) {
        for (name, value) in all {
            map.entry_or_insert_with(&name, || value);
        }
    }
}

/// By default, limits of containers are the maximum, and requests are the limits or the minimum.
fn set_limits(item: &mut Value) {
    let Value::Map(item) = item else { return };
    if item.get("type").and_then(Value::as_str) == Some("Container") {
        complete(item, "max", "default");
        complete(item, "default", "defaultRequest");
        complete(item, "min", "defaultRequest");
    }
}

/// The server writes the types of the claims in stateful sets.
fn set_types_of_claims(spec: &mut Value) {
    let claims = spec.as_map_mut().and_then(|spec| spec.get_mut("volumeClaimTemplates"));
    let Some(Value::List(claims)) = claims else { return };
    for claim in claims.iter_mut().filter_map(Value::as_map_mut) {
        claim.insert("apiVersion", Value::from("v1"));
        claim.insert("kind", Value::from("PersistentVolumeClaim"));
    }
}
