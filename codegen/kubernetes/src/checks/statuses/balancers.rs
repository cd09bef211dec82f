//! Checks of the addresses of load balancers, which services and ingresses have in their status.

use crate::checks::find;
use crate::checks::words::{forbidden, invalid_text, required, unsupported, wrong_address};
use crate::meta::own;
use crate::mistake::Mistake;
use crdgen_core::go::net::Ip;
use crdgen_core::names;
use crdgen_core::value::Value;

type Mistakes = Vec<Mistake<'static>>;

const FIELD: &str = "status.loadBalancer.ingress";
const MODES: [&str; 2] = ["Proxy", "VIP"];

fn addresses(object: &Value) -> &[Value] {
    find(object, &["status", "loadBalancer", "ingress"]).and_then(Value::as_list).unwrap_or_default()
}

/// The mistakes in the status of a service.
pub(super) fn of_service(object: &Value, live: Option<&Value>) -> Mistakes {
    let is_balancer = object.get("spec").is_some_and(|spec| own(spec, "type") == "LoadBalancer");
    let addresses = addresses(object);
    if !is_balancer && !addresses.is_empty() {
        return vec![forbidden(FIELD.to_owned(), "may only be used when `spec.type` is 'LoadBalancer'")];
    }
    let each = |(i, address): (usize, &Value)| {
        let ip = address_mistakes(i, address, live);
        ip.into_iter().chain(mode(i, address)).chain(host_name(i, address)).collect::<Mistakes>()
    };
    addresses.iter().enumerate().flat_map(each).collect()
}

/// The mistakes in the status of an ingress.
pub(super) fn of_ingress(object: &Value, live: Option<&Value>) -> Mistakes {
    let each = |(i, address): (usize, &Value)| {
        address_mistakes(i, address, live).into_iter().chain(host_name(i, address)).collect::<Mistakes>()
    };
    addresses(object).iter().enumerate().flat_map(each).collect()
}

/// What is wrong with an address. Those that were there before stay.
fn address_mistakes(i: usize, address: &Value, live: Option<&Value>) -> Option<Mistake<'static>> {
    let ip = own(address, "ip");
    let was_there = live.is_some_and(|live| addresses(live).iter().any(|old| own(old, "ip") == ip));
    let why = wrong_address(ip).filter(|_| !ip.is_empty() && !was_there)?;
    Some(invalid_text(format!("{FIELD}[{i}].ip"), ip, why))
}

fn mode(i: usize, address: &Value) -> Option<Mistake<'static>> {
    let field = || format!("{FIELD}[{i}].ipMode");
    let has_address = !own(address, "ip").is_empty();
    match find(address, &["ipMode"]).and_then(Value::as_str) {
        None if has_address => Some(required(field(), "must be specified when `ip` is set")),
        Some(_) if !has_address => Some(forbidden(field(), "may not be specified when `ip` is not set")),
        Some(mode) if !MODES.contains(&mode) => Some(unsupported(field(), mode, &MODES)),
        _ => None,
    }
}

fn host_name(i: usize, address: &Value) -> Mistakes {
    let name = own(address, "hostname");
    if name.is_empty() {
        return Vec::new();
    }
    let mut why = names::dns1123_subdomain(name);
    if Ip::parse(name).is_ok() {
        why.push("must be a DNS name, not an IP address".into());
    }
    why.iter().map(|why| invalid_text(format!("{FIELD}[{i}].hostname"), name, why)).collect()
}
