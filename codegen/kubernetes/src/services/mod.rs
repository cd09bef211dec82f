//! What the server sets in services, and what it gives out to them.

mod addresses;
mod ports;

use crate::checks::services::{is_reached, needs_address};
use crate::meta;
use crate::mistake::Mistake;
use crdgen_core::value::Value;
use std::collections::BTreeSet;

/// The spec of a service, and what it was before an update.
struct Change<'v> {
    spec: &'v mut Value,
    old: Option<&'v Value>,
}

/// What other services have.
#[derive(Debug, Default)]
pub struct Used {
    addresses: BTreeSet<String>,
    ports: BTreeSet<i64>,
    /// A dry run may take ports that are used, and those outside of the range.
    is_dry_run: bool,
}

/// Why a service does not get what it needs.
#[derive(Clone, Debug, PartialEq)]
pub enum NotGiven {
    /// The service is invalid.
    Invalid(Vec<Mistake>),
    /// The server fails with this message alone.
    Failed(String),
    /// The server fails with an internal error.
    Internal(String),
}

/// A service gets addresses and ports of nodes, and loses them if its new type does not need them. Where they are free, `random`
/// chooses them.
///
/// # Errors
/// Fails if the service is invalid, or if what it wants is not free.
pub fn give(object: &mut Value, live: Option<&Value>, used: &Used, random: u64) -> Result<(), NotGiven> {
    let is_balancer = object.get("spec").is_some_and(|spec| spec.text("type") == "LoadBalancer");
    if live.is_some() && !is_balancer {
        // It may have been one.
        meta::set_at(object, &["status", "loadBalancer"], meta::map([]));
    }
    let Some(spec) = object.as_map_mut().and_then(|map| map.get_mut("spec")) else { return Ok(()) };
    if spec.as_map().is_none() {
        return Ok(());
    }
    let mut change = Change { spec, old: live.and_then(|live| live.get("spec")) };
    change.keep_ports();
    change.keep_addresses();
    change.drop_affinity();
    change.give_families()?;
    change.give_address(used, random)?;
    change.give_ports(used, random >> 33)?;
    change.give_health_port(used, random >> 17)?;
    change.drop_unneeded();
    Ok(())
}

impl Used {
    /// Returns that there are no other services.
    pub fn new(is_dry_run: bool) -> Used {
        Used { is_dry_run, ..Used::default() }
    }

    /// Adds what another service has.
    pub fn add(&mut self, service: &Value) {
        let Some(spec) = service.get("spec") else { return };
        self.addresses.extend(meta::texts(spec, "clusterIPs").into_iter().map(str::to_owned));
        self.ports.extend(ports::of_nodes(spec));
        self.ports.extend(spec.get("healthCheckNodePort").and_then(Value::as_int));
    }
}

/// A field that has a value. For Go, zero is the same as nothing.
fn given<'v>(spec: &'v Value, name: &str) -> Option<&'v Value> {
    spec.get(name).filter(|value| match value {
        Value::Null | Value::Int(0) => false,
        Value::Str(text) => !text.is_empty(),
        Value::List(items) => !items.is_empty(),
        _ => true,
    })
}

impl Change<'_> {
    fn text(&self, name: &str) -> &str {
        self.spec.text(name)
    }

    fn old_text(&self, name: &str) -> &str {
        self.old.map_or("", |old| old.text(name))
    }

    fn set(&mut self, name: &str, value: Value) {
        if let Value::Map(spec) = &mut *self.spec {
            spec.insert(name, value);
        }
    }

    fn remove(&mut self, name: &str) {
        if let Value::Map(spec) = &mut *self.spec {
            spec.remove(name);
        }
    }

    /// Without affinity, it is not configured.
    fn drop_affinity(&mut self) {
        if self.text("sessionAffinity") == "None" {
            self.remove("sessionAffinityConfig");
        }
    }

    /// Whether a field is as before.
    fn keeps(&self, name: &str) -> bool {
        self.old.is_some_and(|old| given(old, name) == given(self.spec, name))
    }

    /// A type that does not need a field loses it, unless the client changes the field too.
    fn drop_unneeded(&mut self) {
        if self.text("type") == "ExternalName" {
            self.remove("internalTrafficPolicy");
        }
        let Some(old) = self.old else { return };
        if needs_address(old) && !needs_address(self.spec) {
            if self.keeps("clusterIP") && self.keeps("clusterIPs") {
                self.remove("clusterIP");
                self.remove("clusterIPs");
            }
            self.drop_kept(&["ipFamilies", "ipFamilyPolicy"]);
        }
        self.drop_ports(old);
        if old.text("type") == "LoadBalancer" && self.text("type") != "LoadBalancer" {
            self.drop_kept(&["allocateLoadBalancerNodePorts", "loadBalancerClass"]);
        }
        if is_reached(old) && !is_reached(self.spec) {
            self.drop_kept(&["externalTrafficPolicy"]);
        }
    }

    fn drop_kept(&mut self, names: &[&str]) {
        for name in names {
            if self.keeps(name) {
                self.remove(name);
            }
        }
    }
}
