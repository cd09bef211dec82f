//! Warnings about containers.

use super::list;
use super::storage::fraction;
use crate::checks::find;
use crate::meta::own;
use crdgen_core::go;
use crdgen_core::value::Value;

/// A container, and its place.
type Placed<'v> = (String, &'v Value);

/// All containers of a pod, in the order in which the server visits them.
pub(super) fn all<'v>(spec: &'v Value, at: &str) -> Vec<Placed<'v>> {
    let mut out = Vec::new();
    for name in ["initContainers", "containers", "ephemeralContainers"] {
        let containers = list(spec, &[name]).iter().enumerate();
        out.extend(containers.map(|(i, container)| (format!("{at}.{name}[{i}]"), container)));
    }
    out
}

/// Amounts of bytes that are not whole.
pub(super) fn resources(container: &Value, at: &str) -> Vec<String> {
    let mut out = Vec::new();
    for resource in ["memory", "ephemeral-storage"] {
        for kind in ["limits", "requests"] {
            let amount = find(container, &["resources", kind, resource]);
            out.extend(amount.and_then(|it| fraction(&format!("{at}.resources.{kind}[{resource}]"), it)));
        }
    }
    out
}

/// Variables that hide another one of the same name, unless they refer to it.
pub(super) fn env(container: &Value, at: &str) -> Vec<String> {
    let mut out = Vec::new();
    let variables = list(container, &["env"]);
    for (i, variable) in variables.iter().enumerate() {
        let name = own(variable, "name");
        if !variables[..i].iter().any(|other| own(other, "name") == name) {
            continue;
        }
        let (reference, value) = (format!("$({name})"), own(variable, "value"));
        let is_from = variable.get("valueFrom").is_some_and(|it| !it.is_null());
        if is_from || value == reference || !value.contains(&reference) {
            let name = go::quote(name);
            out.push(format!(
                "{at}.env[{i}]: hides previous definition of {name}, which may be dropped when using apply"
            ));
        }
    }
    out
}

/// A port of a container.
struct Port<'v> {
    field: String,
    number: i64,
    host_port: i64,
    host_ip: &'v str,
    protocol: &'v str,
    name: &'v str,
}

/// Ports of several containers that are the same, or almost.
pub(super) fn ports(containers: &[Placed<'_>]) -> Vec<String> {
    let mut all: Vec<Port<'_>> = Vec::new();
    for (place, container) in containers {
        for (i, port) in list(container, &["ports"]).iter().enumerate() {
            let number = |name: &str| port.get(name).and_then(Value::as_int).unwrap_or_default();
            all.push(Port {
                field: format!("{place}.ports[{i}]"),
                number: number("containerPort"),
                host_port: number("hostPort"),
                host_ip: own(port, "hostIP"),
                protocol: own(port, "protocol"),
                name: own(port, "name"),
            });
        }
    }
    let mut out = Vec::new();
    for (i, port) in all.iter().enumerate() {
        let Port { field, number, host_port, host_ip, protocol, name } = port;
        if !host_ip.is_empty() && *host_port == 0 {
            out.push(format!(
                "{field}: hostIP set without hostPort: {{Name:{name} HostPort:0 ContainerPort:{number} Protocol:{protocol} \
                 HostIP:{host_ip}}}"
            ));
        }
        for other in all[..i].iter().filter(|other| (other.number, other.protocol) == (*number, *protocol)) {
            let is_same_host = other.host_port == *host_port;
            let what = if is_same_host && other.host_ip == *host_ip {
                "duplicate"
            } else if *host_port == 0 || other.host_port == 0 {
                "overlapping"
            } else if is_same_host && other.host_ip.is_empty() != host_ip.is_empty() {
                "dangerously ambiguous"
            } else {
                continue;
            };
            out.push(format!("{field}: {what} port definition with {}", other.field));
        }
    }
    for (i, port) in all.iter().enumerate().filter(|(_, port)| !port.name.is_empty()) {
        if let Some(other) = all[..i].iter().find(|other| other.name == port.name) {
            let (field, name, other) = (&port.field, go::quote(port.name), &other.field);
            out.push(format!(
                "{field}: duplicate port name {name} with {other}, services and probes that select ports by name will use {other}"
            ));
        }
    }
    out
}
