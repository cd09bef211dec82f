//! Checks of network policies.

use super::words::{forbidden, invalid, invalid_text, network, port, port_name, required, unsupported};
use super::{find, selectors};
use crate::meta::{own, texts};
use crate::mistake::Mistake;
use crdgen_core::go::net::Prefix;
use crdgen_core::value::Value;

type Mistakes = Vec<Mistake<'static>>;

/// The mistakes of a policy.
pub(super) fn mistakes(object: &Value) -> Mistakes {
    let nothing = Value::Null;
    let spec = object.get("spec").unwrap_or(&nothing);
    let mut out = selectors::mistakes(spec.get("podSelector"), "spec.podSelector");
    for (direction, peers) in [("ingress", "from"), ("egress", "to")] {
        for (i, rule) in list(spec, direction).iter().enumerate() {
            let field = |name: &str, i: usize, j: usize| format!("spec.{direction}[{i}].{name}[{j}]");
            let ports = list(rule, "ports").iter().enumerate();
            out.extend(ports.flat_map(|(j, port)| of_port(port, &field("ports", i, j))));
            let peers_of = list(rule, peers).iter().enumerate();
            out.extend(peers_of.flat_map(|(j, peer)| of_peer(peer, &field(peers, i, j))));
        }
    }
    let types = texts(spec, "policyTypes");
    if types.len() > 2 {
        let list = find(spec, &["policyTypes"]).unwrap_or(&nothing);
        out.push(invalid("spec.policyTypes".to_owned(), list, "may not specify more than two policyTypes"));
        return out;
    }
    for (i, ty) in types.into_iter().enumerate() {
        if !matches!(ty, "Ingress" | "Egress") {
            out.push(unsupported(format!("spec.policyTypes[{i}]"), ty, &["Ingress", "Egress"]));
        }
    }
    out
}

fn list<'v>(object: &'v Value, name: &str) -> &'v [Value] {
    object.get(name).and_then(Value::as_list).unwrap_or_default()
}

fn of_port(one: &Value, at: &str) -> Mistakes {
    let field = |name: &str| format!("{at}.{name}");
    let protocol = own(one, "protocol");
    let mut out = Vec::new();
    if !matches!(protocol, "" | "TCP" | "UDP" | "SCTP") {
        out.push(unsupported(field("protocol"), protocol, &["TCP", "UDP", "SCTP"]));
    }
    let end = find(one, &["endPort"]);
    let end_without = |of: &str| {
        end.map(|end| invalid(field("endPort"), end, &format!("may not be specified when `port` is {of}")))
    };
    match find(one, &["port"]) {
        None => out.extend(end_without("not specified")),
        Some(Value::Str(name)) => {
            out.extend(end_without("non-numeric"));
            out.extend(port_name(&field("port"), name));
        }
        Some(number) => {
            out.extend(port(field("port"), number));
            if let Some(end) = end {
                if end.as_int() < number.as_int() {
                    out.push(invalid(field("endPort"), end, "must be greater than or equal to `port`"));
                }
                out.extend(port(field("endPort"), end));
            }
        }
    }
    out
}

fn of_peer(peer: &Value, at: &str) -> Mistakes {
    let mut out = Vec::new();
    let selected = ["podSelector", "namespaceSelector"].into_iter().filter_map(|name| {
        let selector = find(peer, &[name]).filter(|selector| !selector.is_null())?;
        Some((name, selector))
    });
    let mut selectors = 0;
    for (name, selector) in selected {
        selectors += 1;
        out.extend(selectors::mistakes(Some(selector), &format!("{at}.{name}")));
    }
    let block = find(peer, &["ipBlock"]).filter(|block| !block.is_null());
    match (block, selectors) {
        (None, 0) => out.push(required(at.to_owned(), "must specify a peer")),
        (None, _) => {}
        (Some(block), others) => {
            out.extend(of_block(block, &format!("{at}.ipBlock")));
            if others > 0 {
                out.push(forbidden(at.to_owned(), "may not specify both ipBlock and another peer"));
            }
        }
    }
    out
}

fn of_block(block: &Value, at: &str) -> Mistakes {
    let text = own(block, "cidr");
    if text.is_empty() {
        return vec![required(format!("{at}.cidr"), "")];
    }
    if let Some(mistake) = network(format!("{at}.cidr"), text) {
        return vec![mistake];
    }
    let Ok(whole) = Prefix::parse(text) else { return Vec::new() };
    let mut out = Vec::new();
    for (i, text) in texts(block, "except").into_iter().enumerate() {
        let field = format!("{at}.except[{i}]");
        match (network(field.clone(), text), Prefix::parse(text)) {
            (Some(mistake), _) => out.push(mistake),
            (None, Ok(part)) if !whole.contains(part.ip) || whole.bits() >= part.bits() => {
                out.push(invalid_text(field, text, "must be a strict subset of `cidr`"));
            }
            (None, _) => {}
        }
    }
    out
}
