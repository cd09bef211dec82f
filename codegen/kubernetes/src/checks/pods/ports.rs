//! Checks of the ports of containers.

use super::{Containers, Mistakes, Pod, invalid, list, number, own, required, unless_known};
use crate::checks::words::{duplicate, port, port_name};
use crdgen_core::value::Value;
use std::collections::BTreeSet;

const PROTOCOLS: [&str; 3] = ["SCTP", "TCP", "UDP"];

pub(super) fn mistakes(container: &Value, at: &str) -> Mistakes {
    let (mut out, mut seen) = (Vec::new(), BTreeSet::new());
    for (i, of) in list(container, "ports").iter().enumerate() {
        let field = |name: &str| format!("{at}[{i}].{name}");
        let name = own(of, "name");
        if !name.is_empty() {
            let wrong = port_name(&field("name"), name);
            if wrong.is_empty() && !seen.insert(name) {
                out.push(duplicate(field("name"), name));
            }
            out.extend(wrong);
        }
        match of.get("containerPort") {
            None | Some(Value::Int(0)) => out.push(required(field("containerPort"), "")),
            Some(number) => out.extend(port(field("containerPort"), number)),
        }
        if let Some(number) = of.get("hostPort").filter(|number| number.as_int() != Some(0)) {
            out.extend(port(field("hostPort"), number));
        }
        out.extend(unless_known(field("protocol"), own(of, "protocol"), &PROTOCOLS));
    }
    out
}

/// Each port of a host can be used once.
pub(super) fn twice_on_host(containers: &[Value], at: &str) -> Mistakes {
    let (mut out, mut seen) = (Vec::new(), BTreeSet::new());
    for (i, container) in containers.iter().enumerate() {
        for (j, of) in list(container, "ports").iter().enumerate() {
            let Some(port) = number(of, "hostPort").filter(|port| *port != 0) else { continue };
            let shown = format!("{}/{}/{port}", own(of, "protocol"), own(of, "hostIP"));
            if seen.contains(&shown) {
                out.push(duplicate(format!("{at}[{i}].ports[{j}].hostPort"), &shown));
            }
            seen.insert(shown);
        }
    }
    out
}

/// A pod in the network of its host has the ports of its containers there. Templates get them later.
pub(super) fn on_host(pod: &Pod<'_>) -> Mistakes {
    let mut out = Vec::new();
    if !pod.is("hostNetwork") {
        return out;
    }
    for (at, container) in pod.containers_of(Containers::Regular) {
        for (i, port) in list(container, "ports").iter().enumerate() {
            let on_host = number(port, "hostPort").unwrap_or_default();
            let is_other = on_host != number(port, "containerPort").unwrap_or_default();
            if is_other && (on_host != 0 || pod.name.is_some()) {
                let why = "must match `containerPort` when `hostNetwork` is true";
                out.push(invalid(format!("{at}.ports[{i}].hostPort"), &Value::Int(on_host), why));
            }
        }
    }
    out
}
