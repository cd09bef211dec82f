//! Services, and what leads to them.

use super::{Cell, Shown, none, or_none, text};
use crdgen_core::value::Value;

/// How many ports and endpoints a cell has.
const MOST: usize = 3;
/// The longest cell with addresses.
const WIDTH: usize = 16;

impl Shown<'_> {
    pub(super) fn service(&self) -> Vec<Cell> {
        let joined = |items: &[Value], text: &dyn Fn(&Value) -> String| {
            let texts: Vec<String> = items.iter().map(text).collect();
            texts.join(",")
        };
        let plain = |item: &Value| item.as_str().unwrap_or_default().to_owned();
        let externals = self.list(&["spec", "externalIPs"]);
        let ingress = |item: &Value| match item.text("ip") {
            "" => item.text("hostname").to_owned(),
            ip => ip.to_owned(),
        };
        let addresses = self.list(&["status", "loadBalancer", "ingress"]);
        let external = match self.text(&["spec", "type"]) {
            "ExternalName" => self.text(&["spec", "externalName"]).to_owned(),
            "LoadBalancer" if addresses.is_empty() && externals.is_empty() => "<pending>".to_owned(),
            "LoadBalancer" => {
                let all = [joined(addresses, &ingress), joined(externals, &plain)];
                let all: Vec<&str> = all.iter().map(String::as_str).filter(|text| !text.is_empty()).collect();
                all.join(",")
            }
            _ => or_none(joined(externals, &plain)),
        };
        let port = |port: &Value| {
            let number = |name: &str| port.get(name).and_then(Value::as_int).unwrap_or_default();
            match (number("port"), number("nodePort")) {
                (at, 0) => format!("{at}/{}", port.text("protocol")),
                (at, on_node) => format!("{at}:{on_node}/{}", port.text("protocol")),
            }
        };
        let ports = or_none(joined(self.list(&["spec", "ports"]), &port));
        let address = or_none(self.text(&["spec", "clusterIP"]).to_owned());
        let mut cells = self.with(vec![
            text("Type", self.text(&["spec", "type"])),
            text("Cluster-IP", address),
            text("External-IP", external),
            text("Port(s)", ports),
        ]);
        cells.push(self.selector(&["spec", "selector"]));
        cells
    }

    pub(super) fn ingress(&self) -> Vec<Cell> {
        let class =
            self.find(&["spec", "ingressClassName"]).and_then(Value::as_str).map_or_else(none, str::to_owned);
        let rules = self.list(&["spec", "rules"]);
        let (mut hosts, mut has_more) = (Vec::new(), false);
        for rule in rules {
            has_more |= hosts.len() == MOST;
            let host = rule.text("host");
            if !has_more && !host.is_empty() {
                hosts.push(host);
            }
        }
        let hosts = match (hosts.is_empty(), has_more) {
            (true, _) => "*".to_owned(),
            (false, false) => hosts.join(","),
            (false, true) => format!("{} + {} more...", hosts.join(","), rules.len().saturating_sub(MOST)),
        };
        let address = |item: &Value| match item.text("ip") {
            "" => item.text("hostname").to_owned(),
            ip => ip.to_owned(),
        };
        let mut addresses: Vec<String> =
            self.list(&["status", "loadBalancer", "ingress"]).iter().map(address).collect();
        addresses.retain(|address| !address.is_empty());
        addresses.sort_unstable();
        addresses.dedup();
        let mut addresses = addresses.join(",");
        if addresses.chars().count() > WIDTH {
            addresses = format!("{}...", addresses.chars().take(WIDTH - 3).collect::<String>());
        }
        let ports = if self.list(&["spec", "tls"]).is_empty() { "80" } else { "80, 443" };
        self.with(vec![
            text("Class", class),
            text("Hosts", hosts),
            text("Address", addresses),
            text("Ports", ports),
        ])
    }

    pub(super) fn endpoints(&self) -> Vec<Cell> {
        let mut all = Vec::new();
        for subset in self.list(&["subsets"]) {
            let list = |name: &str| subset.get(name).and_then(Value::as_list).unwrap_or_default();
            for port in list("ports") {
                let number = port.get("port").and_then(Value::as_int).unwrap_or_default();
                all.extend(
                    list("addresses").iter().map(|address| format!("{}:{number}", address.text("ip"))),
                );
            }
            if list("ports").is_empty() {
                all.extend(list("addresses").iter().map(|address| address.text("ip").to_owned()));
            }
        }
        self.with(vec![text("Endpoints", some_of(&all, none()))])
    }

    pub(super) fn slice(&self) -> Vec<Cell> {
        let port = |port: &Value| match port.get("port").and_then(Value::as_int) {
            Some(number) => number.to_string(),
            None => port.text("name").to_owned(),
        };
        let ports: Vec<String> = self.list(&["ports"]).iter().map(port).collect();
        let addresses = |endpoint: &Value| {
            let addresses = endpoint.get("addresses").and_then(Value::as_list).unwrap_or_default();
            addresses.iter().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>()
        };
        let endpoints: Vec<String> = self.list(&["endpoints"]).iter().flat_map(addresses).collect();
        let unset = || "<unset>".to_owned();
        self.with(vec![
            text("AddressType", self.text(&["addressType"])),
            text("Ports", some_of(&ports, unset())),
            text("Endpoints", some_of(&endpoints, unset())),
        ])
    }

    pub(super) fn network_policy(&self) -> Vec<Cell> {
        let labels = Cell { is_wide: false, name: "Pod-Selector", ..self.selector(&["spec", "podSelector"]) };
        self.with(vec![labels])
    }
}

/// The first texts, and how many there are besides.
fn some_of(texts: &[String], none: String) -> String {
    match texts.len().saturating_sub(MOST) {
        0 if texts.is_empty() => none,
        0 => texts.join(","),
        more => format!("{} + {more} more...", texts[..MOST].join(",")),
    }
}
