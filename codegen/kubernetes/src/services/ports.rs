//! The ports that nodes open for services.

use super::{Change, NotGiven, Used, given};
use crate::checks::services::needs_health_check;
use crate::field::Field;
use crate::mistake::Mistake;
use crdgen_core::value::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The first port, and how many there are.
const PORTS: (i64, i64) = (30_000, 2_768);

/// The ports that are free, and those that the service takes.
struct Pool<'u> {
    used: &'u Used,
    taken: BTreeSet<i64>,
    next: u64,
}

/// Why a service does not get a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NotFree {
    OutOfRange,
    Taken,
}

impl fmt::Display for NotFree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotFree::OutOfRange => {
                let (first, number) = PORTS;
                let last = first + number - 1;
                write!(
                    f,
                    "provided port is not in the valid range. The range of valid ports is {first}-{last}"
                )
            }
            NotFree::Taken => f.write_str("provided port is already allocated"),
        }
    }
}

impl Pool<'_> {
    fn take(&mut self, port: i64) -> Result<(), NotFree> {
        let (first, number) = PORTS;
        if !self.used.is_dry_run && !(first..first + number).contains(&port) {
            return Err(NotFree::OutOfRange);
        }
        if self.used.ports.contains(&port) || !self.taken.insert(port) {
            return Err(NotFree::Taken);
        }
        Ok(())
    }

    fn take_any(&mut self) -> i64 {
        let (first, number) = PORTS;
        let start = i64::try_from(self.next >> 1).unwrap_or_default();
        let mut ports = (0..number).map(|i| first + start.wrapping_add(i).rem_euclid(number));
        let free = ports.find(|port| !self.used.ports.contains(port) && !self.taken.contains(port));
        self.taken.extend(free);
        free.unwrap_or_default()
    }
}

fn number(port: &Value, name: &str) -> i64 {
    port.get(name).and_then(Value::as_int).unwrap_or_default()
}

/// The ports of nodes that a service has.
pub(super) fn of_nodes(spec: &Value) -> BTreeSet<i64> {
    let ports = spec.get("ports").and_then(Value::as_list).unwrap_or_default();
    ports.iter().map(|port| number(port, "nodePort")).filter(|port| *port != 0).collect()
}

fn has_node_ports(spec: &Value) -> bool {
    matches!(spec.text("type"), "LoadBalancer" | "NodePort")
}

/// Whether ports without one of the nodes get one.
fn gets_node_ports(spec: &Value) -> bool {
    match spec.text("type") {
        "NodePort" => true,
        "LoadBalancer" => spec.get("allocateLoadBalancerNodePorts") != Some(&Value::Bool(false)),
        _ => false,
    }
}

impl Change<'_> {
    fn wrong(&self, i: usize, port: i64, why: &str) -> NotGiven {
        let field = Field::from("spec.ports").index(i).child("nodePort");
        NotGiven::Invalid(vec![Mistake::invalid(field, &Value::Int(port), why)])
    }

    fn ports(&self) -> Vec<Value> {
        self.spec.get("ports").and_then(Value::as_list).unwrap_or_default().to_vec()
    }

    fn set_node_port(&mut self, i: usize, node: i64) {
        let ports = self.spec.as_map_mut().and_then(|spec| spec.get_mut("ports"));
        if let Some(Value::List(ports)) = ports
            && let Some(Value::Map(port)) = ports.get_mut(i)
        {
            match node {
                0 => drop(port.remove("nodePort")),
                node => drop(port.insert("nodePort", Value::Int(node))),
            }
        }
    }

    /// Ports that clients send without one of the nodes keep the one that the port of the same name has.
    pub(super) fn keep_ports(&mut self) {
        let Some(old) = self.old else { return };
        if gets_node_ports(old) && gets_node_ports(self.spec) {
            let kept: BTreeSet<i64> = of_nodes(old).intersection(&of_nodes(self.spec)).copied().collect();
            let ports = old.get("ports").and_then(Value::as_list).unwrap_or_default();
            let by_name: BTreeMap<&str, i64> =
                ports.iter().map(|port| (port.text("name"), number(port, "nodePort"))).collect();
            for (i, port) in self.ports().iter().enumerate() {
                let was = by_name.get(port.text("name")).copied().unwrap_or_default();
                if number(port, "nodePort") == 0 && !kept.contains(&was) {
                    self.set_node_port(i, was);
                }
            }
        }
        let name = "healthCheckNodePort";
        if needs_health_check(old)
            && needs_health_check(self.spec)
            && given(self.spec, name).is_none()
            && let Some(was) = given(old, name)
        {
            self.set(name, was.clone());
        }
    }

    /// Each port gets one of the nodes: the one that the client wants, or a free one.
    pub(super) fn give_ports(&mut self, used: &Used, random: u64) -> Result<(), NotGiven> {
        if !has_node_ports(self.spec) {
            return Ok(());
        }
        // The service has this one already.
        let health = self.old.map_or(0, |old| number(old, "healthCheckNodePort"));
        let mut pool = Pool { used, taken: BTreeSet::from([health]), next: random };
        match self.old {
            None => self.give_new_ports(&mut pool),
            Some(old) => self.give_changed_ports(old, &mut pool),
        }
    }

    fn give_new_ports(&mut self, pool: &mut Pool<'_>) -> Result<(), NotGiven> {
        let ports = self.ports();
        let gets = gets_node_ports(self.spec);
        // Ports with the same number share one of the nodes.
        let mut by_number: BTreeMap<i64, i64> = BTreeMap::new();
        for (i, port) in ports.iter().enumerate() {
            let (wanted, at) = (number(port, "nodePort"), number(port, "port"));
            if wanted == 0 && !gets {
                continue;
            }
            match by_number.get(&at) {
                Some(shared) if wanted == 0 => self.set_node_port(i, *shared),
                Some(shared) if wanted == *shared => {}
                Some(_) => pool.take(wanted).map_err(|why| self.wrong(i, wanted, &why.to_string()))?,
                None => {
                    let same = ports.iter().filter(|other| number(other, "port") == at);
                    let wanted = same.map(|other| number(other, "nodePort")).find(|node| *node != 0);
                    let node = match wanted {
                        Some(wanted) => pool
                            .take(wanted)
                            .map(|()| wanted)
                            .map_err(|why| self.wrong(i, wanted, &why.to_string()))?,
                        None => pool.take_any(),
                    };
                    self.set_node_port(i, node);
                    by_number.insert(at, node);
                }
            }
        }
        Ok(())
    }

    fn give_changed_ports(&mut self, old: &Value, pool: &mut Pool<'_>) -> Result<(), NotGiven> {
        let had = of_nodes(old);
        // None of the ports that the service had or wants is given out once more.
        let mut not_free = had.clone();
        not_free.extend(of_nodes(self.spec));
        let (gets, mut seen) = (gets_node_ports(self.spec), BTreeSet::new());
        for (i, port) in self.ports().iter().enumerate() {
            let (wanted, protocol) = (number(port, "nodePort"), port.text("protocol"));
            if wanted == 0 && gets {
                let node = loop {
                    let node = pool.take_any();
                    if !not_free.contains(&node) {
                        break node;
                    }
                };
                self.set_node_port(i, node);
            } else if wanted != 0 && !had.contains(&wanted) && !seen.iter().any(|(seen, _)| *seen == wanted) {
                pool.take(wanted).map_err(|why| self.wrong(i, wanted, &why.to_string()))?;
            }
            if wanted != 0 && !seen.insert((wanted, protocol)) {
                return Err(NotGiven::Failed(format!("duplicate nodePort: {{{protocol} {wanted}}}")));
            }
        }
        Ok(())
    }

    /// A load balancer that reaches only the pods of a node gets a port at which it asks whether there are some.
    pub(super) fn give_health_port(&mut self, used: &Used, random: u64) -> Result<(), NotGiven> {
        let name = "healthCheckNodePort";
        if !needs_health_check(self.spec) || self.old.is_some_and(needs_health_check) {
            return Ok(());
        }
        let mut pool = Pool { used, taken: of_nodes(self.spec), next: random };
        let wanted = number(self.spec, name);
        if wanted == 0 {
            let port = pool.take_any();
            self.set(name, Value::Int(port));
            return Ok(());
        }
        pool.take(wanted).map_err(|why| {
            NotGiven::Internal(format!("failed to allocate requested HealthCheck NodePort {wanted}: {why}"))
        })
    }

    /// A type that needs no ports of nodes loses those that it had.
    pub(super) fn drop_ports(&mut self, old: &Value) {
        if has_node_ports(old) && !has_node_ports(self.spec) && of_nodes(self.spec).is_subset(&of_nodes(old))
        {
            (0..self.ports().len()).for_each(|i| self.set_node_port(i, 0));
        }
        if needs_health_check(old) && !needs_health_check(self.spec) {
            self.drop_kept(&["healthCheckNodePort"]);
        }
    }
}
