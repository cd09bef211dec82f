//! Checks of endpoints and their slices.

use super::words::{
    NO_ADDRESS, duplicate, immutable, invalid_text, port, required, unsupported, wrong_address,
};
use super::{PROTOCOLS, find};
use crate::meta::{own, texts};
use crate::mistake::Mistake;
use crdgen_core::diag::Kind;
use crdgen_core::go::net::Ip;
use crdgen_core::names;
use crdgen_core::value::Value;
use std::collections::BTreeSet;

type Mistakes = Vec<Mistake<'static>>;

fn list<'v>(object: &'v Value, name: &str) -> &'v [Value] {
    object.get(name).and_then(Value::as_list).unwrap_or_default()
}

fn label(field: &str, name: &str) -> Mistakes {
    let mistakes = if name.is_empty() { Vec::new() } else { names::dns1123_label(name) };
    mistakes.iter().map(|why| invalid_text(field.to_owned(), name, why)).collect()
}

fn node(field: &str, name: &str) -> Mistakes {
    let mistakes = if name.is_empty() { Vec::new() } else { names::dns1123_subdomain(name) };
    mistakes.iter().map(|why| invalid_text(field.to_owned(), name, why)).collect()
}

/// The mistakes of an Endpoints.
pub(super) fn endpoints(object: &Value) -> Mistakes {
    let mut out = Vec::new();
    for (i, subset) in list(object, "subsets").iter().enumerate() {
        let lists = ["addresses", "notReadyAddresses"];
        if lists.iter().all(|name| list(subset, name).is_empty()) {
            let why = "must specify `addresses` or `notReadyAddresses`";
            out.push(required(format!("subsets[{i}]"), why));
        }
        for name in lists {
            for (j, address) in list(subset, name).iter().enumerate() {
                let field = |part: &str| format!("subsets[{i}].{name}[{j}].{part}");
                let ip = own(address, "ip");
                out.extend(wrong_address(ip).map(|why| invalid_text(field("ip"), ip, why)));
                out.extend(label(&field("hostname"), own(address, "hostname")));
                out.extend(node(&field("nodeName"), own(address, "nodeName")));
                out.extend(special(&field("ip"), ip));
            }
        }
        let ports = list(subset, "ports");
        for (j, one) in ports.iter().enumerate() {
            let field = |part: &str| format!("subsets[{i}].ports[{j}].{part}");
            match own(one, "name") {
                "" if ports.len() > 1 => out.push(required(field("name"), "")),
                name => out.extend(label(&field("name"), name)),
            }
            out.extend(port(field("port"), find(one, &["port"]).unwrap_or(&Value::Int(0))));
            out.extend(protocol(&field("protocol"), own(one, "protocol")));
            out.extend(app_protocol(&field("appProtocol"), own(one, "appProtocol")));
        }
    }
    out
}

fn protocol(field: &str, protocol: &str) -> Option<Mistake<'static>> {
    match protocol {
        "" => Some(required(field.to_owned(), "")),
        known if PROTOCOLS.contains(&known) => None,
        other => Some(unsupported(field.to_owned(), other, &PROTOCOLS)),
    }
}

fn app_protocol(field: &str, name: &str) -> Mistakes {
    let mistakes = if name.is_empty() { Vec::new() } else { names::qualified_name(name) };
    mistakes.iter().map(|why| invalid_text(field.to_owned(), name, why)).collect()
}

/// Addresses that no endpoint can have.
pub(super) fn special(field: &str, text: &str) -> Mistakes {
    let invalid = |why: &str| invalid_text(field.to_owned(), text, why);
    let Ok((ip, _)) = Ip::parse(text) else { return vec![invalid("must be a valid IP address")] };
    let unspecified = format!("may not be unspecified ({text})");
    let reasons = [
        (ip.is_unspecified(), unspecified.as_str()),
        (ip.is_loopback(), "may not be in the loopback range (127.0.0.0/8, ::1/128)"),
        (ip.is_link_local_unicast(), "may not be in the link-local range (169.254.0.0/16, fe80::/10)"),
        (
            ip.is_link_local_multicast(),
            "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)",
        ),
    ];
    reasons.into_iter().filter(|(is_so, _)| *is_so).map(|(_, why)| invalid(why)).collect()
}

const ADDRESS_TYPES: [&str; 3] = ["FQDN", "IPv4", "IPv6"];
const MOST_ADDRESSES: usize = 100;

/// The mistakes of an EndpointSlice.
pub(super) fn slice(object: &Value, live: Option<&Value>) -> Mistakes {
    let ty = own(object, "addressType");
    let mut out = Vec::new();
    let mut seen = BTreeSet::new();
    for (i, one) in list(object, "ports").iter().enumerate() {
        let (field, name) = (|part: &str| format!("ports[{i}].{part}"), own(one, "name"));
        out.extend(label(&field("name"), name));
        if !seen.insert(name) {
            out.push(duplicate(field("name"), name));
        }
        out.extend(protocol(&field("protocol"), own(one, "protocol")));
        out.extend(app_protocol(&field("appProtocol"), own(one, "appProtocol")));
    }
    // Those that are there are not checked again.
    let is_checked = live.is_none_or(|live| live.get("endpoints") != object.get("endpoints"));
    let endpoints = if is_checked { list(object, "endpoints") } else { &[] };
    let at = |i: usize| format!("endpoints[{i}]");
    for (i, endpoint) in endpoints.iter().enumerate() {
        out.extend(of_slice(endpoint, ty, &at(i)));
    }
    if live.is_some_and(|live| live.get("addressType") != object.get("addressType")) {
        // The server does not show the value here.
        out.push(immutable("addressType", None));
    }
    // Types say this, and the server checks them last.
    match ty {
        "" => out.push(required("addressType".to_owned(), "")),
        known if ADDRESS_TYPES.contains(&known) => {}
        other => out.push(unsupported("addressType".to_owned(), other, &ADDRESS_TYPES)),
    }
    for (i, endpoint) in endpoints.iter().enumerate() {
        out.extend(number_of_addresses(endpoint, &at(i)));
    }
    out
}

fn number_of_addresses(endpoint: &Value, at: &str) -> Option<Mistake<'static>> {
    let field = format!("{at}.addresses");
    match texts(endpoint, "addresses").len() {
        0 => Some(required(field, "")),
        1..=MOST_ADDRESSES => None,
        number => {
            let why = format!("{number}: must have at most {MOST_ADDRESSES} items");
            Some(Mistake::new(field, Kind::TooMany, why))
        }
    }
}

fn of_slice(endpoint: &Value, ty: &str, at: &str) -> Mistakes {
    let mut out = Vec::new();
    let all = format!("{at}.addresses");
    for (i, text) in texts(endpoint, "addresses").into_iter().enumerate() {
        let field = format!("{all}[{i}]");
        match (ty, Ip::parse(text)) {
            ("IPv4" | "IPv6", Err(_)) => out.push(invalid_text(field, text, NO_ADDRESS)),
            ("IPv4" | "IPv6", Ok((ip, _))) => {
                if matches!(ip, Ip::V4(_)) != (ty == "IPv4") {
                    out.push(invalid_text(all.clone(), text, &format!("must be an {ty} address")));
                }
                out.extend(special(&field, text));
            }
            _ => {}
        }
    }
    out.extend(node(&format!("{at}.nodeName"), own(endpoint, "nodeName")));
    out.extend(label(&format!("{at}.hostname"), own(endpoint, "hostname")));
    out
}
