//! What the server sets in services.

use crate::meta;
use crate::verbs::Call;
use crdgen_core::value::{Map, Value};

/// A service gets an address, which never changes.
pub(super) fn service(call: &mut Call<'_>, object: &mut Value, live: Option<&Value>) {
    let address = live.and_then(|live| live.get("spec")?.get("clusterIP").cloned());
    let random = call.state.random.next();
    let Some(Value::Map(spec)) = object.as_map_mut().and_then(|map| map.get_mut("spec")) else { return };
    if meta::own(&Value::Map(spec.clone()), "type") == "ExternalName" {
        return;
    }
    let address = spec
        .entry_or_insert_with("clusterIP", || {
            address.unwrap_or_else(|| format!("10.96.{}.{}", random >> 8 & 0xff, 1 + random % 254).into())
        })
        .clone();
    spec.entry_or_insert_with("clusterIPs", || Value::List(vec![address]));
    spec.entry_or_insert_with("ipFamilies", || vec!["IPv4"].into());
    spec.entry_or_insert_with("ipFamilyPolicy", || "SingleStack".into());
    if matches!(meta::own(&Value::Map(spec.clone()), "type"), "LoadBalancer" | "NodePort") {
        give_node_ports(spec, live, random);
    }
}

/// The first of the ports that nodes open for services, and how many there are.
const NODE_PORTS: (i64, i64) = (30_000, 2_768);

/// Each port of the service gets one of the nodes, which it keeps.
fn give_node_ports(spec: &mut Map<Value>, live: Option<&Value>, random: u64) {
    let old = live.and_then(|live| live.get("spec")?.get("ports")?.as_list()).unwrap_or_default();
    let Some(Value::List(ports)) = spec.get_mut("ports") else { return };
    let mut next = i64::try_from(random >> 33).unwrap_or_default();
    for port in ports {
        let is_same = |old: &&Value| ["port", "protocol"].iter().all(|name| old.get(name) == port.get(name));
        let kept = old.iter().find(is_same).and_then(|old| old.get("nodePort").cloned());
        next = next.wrapping_add(1);
        if let Value::Map(port) = port {
            let (first, number) = NODE_PORTS;
            port.entry_or_insert_with("nodePort", || {
                kept.unwrap_or(Value::Int(first + next.rem_euclid(number)))
            });
        }
    }
}
