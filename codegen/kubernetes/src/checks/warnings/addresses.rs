//! Addresses and networks that are not written as they should be.

use super::list;
use crate::meta::{own, texts};
use crdgen_core::go;
use crdgen_core::go::net::{Ip, Prefix};
use crdgen_core::value::Value;

/// The warning about an address. The checks have rejected what Go does not read.
pub(super) fn address(field: &str, text: &str) -> Option<String> {
    let canonical = Ip::parse(text).ok()?.0.to_string();
    (canonical != text).then(|| {
        let (text, canonical) = (go::quote(text), go::quote(&canonical));
        format!("{field}: IPv6 address {text} should be in RFC 5952 canonical format ({canonical})")
    })
}

/// The warning about a network.
pub(super) fn network(field: &str, text: &str) -> Option<String> {
    let prefix = Prefix::parse(text).ok()?;
    let (ip, _) = Ip::parse(text.split('/').next()?).ok()?;
    let (masked, quoted) = (prefix.masked(), go::quote(text));
    if masked != prefix {
        let (network, single) = (go::quote(&masked.to_string()), go::quote(&format!("{ip}/{}", ip.bits())));
        return Some(format!(
            "{field}: CIDR value {quoted} is ambiguous in this context (should be {network} or {single}?)"
        ));
    }
    let canonical = prefix.to_string();
    (canonical != text).then(|| {
        let canonical = go::quote(&canonical);
        format!("{field}: IPv6 CIDR value {quoted} should be in RFC 5952 canonical format ({canonical})")
    })
}

fn is_managed(object: &Value, label: &str, by: &[&str]) -> bool {
    let labels = object.get("metadata").and_then(|metadata| metadata.get("labels"));
    labels.is_some_and(|labels| by.contains(&own(labels, label)))
}

pub(super) fn endpoints(object: &Value) -> Vec<String> {
    if is_managed(object, "endpoints.kubernetes.io/managed-by", &["endpoint-controller"]) {
        return Vec::new();
    }
    let mut out = Vec::new();
    for (i, subset) in list(object, &["subsets"]).iter().enumerate() {
        for name in ["addresses", "notReadyAddresses"] {
            for (j, one) in list(subset, &[name]).iter().enumerate() {
                out.extend(address(&format!("subsets[{i}].{name}[{j}].ip"), own(one, "ip")));
            }
        }
    }
    out
}

pub(super) fn slice(object: &Value, is_new: bool) -> Vec<String> {
    let mut out = Vec::new();
    if is_new && own(object, "addressType") == "FQDN" {
        out.push("spec.addressType: FQDN endpoints are deprecated".to_owned());
    }
    let controllers = ["endpointslice-controller.k8s.io", "endpointslicemirroring-controller.k8s.io"];
    if is_managed(object, "endpointslice.kubernetes.io/managed-by", &controllers) {
        return out;
    }
    for (i, endpoint) in list(object, &["endpoints"]).iter().enumerate() {
        for (j, text) in texts(endpoint, "addresses").into_iter().enumerate() {
            out.extend(address(&format!("endpoints[{i}].addresses[{j}]"), text));
        }
    }
    out
}

pub(super) fn network_policy(object: &Value) -> Vec<String> {
    let mut out = Vec::new();
    for (rules, peers) in [("ingress", "from"), ("egress", "to")] {
        for (i, rule) in list(object, &["spec", rules]).iter().enumerate() {
            for (j, peer) in list(rule, &[peers]).iter().enumerate() {
                let Some(block) = peer.get("ipBlock") else { continue };
                let at = format!("spec.{rules}[{i}].{peers}[{j}].ipBlock");
                out.extend(network(&format!("{at}.cidr"), own(block, "cidr")));
                for (k, text) in texts(block, "except").into_iter().enumerate() {
                    out.extend(network(&format!("{at}.except[{k}]"), text));
                }
            }
        }
    }
    out
}
