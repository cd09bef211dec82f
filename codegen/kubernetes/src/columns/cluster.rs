//! Nodes, events, and what is about the whole cluster.

use super::{Cell, Shown, boolean, count, date, integer, none, number, or_none, text, wide};
use crate::meta;
use crdgen_core::object::table::age_at;
use crdgen_core::value::Value;
use std::collections::BTreeSet;

impl Shown<'_> {
    pub(super) fn definition(&self) -> Vec<Cell> {
        let version = |version: &Value| {
            let is = |name: &str| version.get(name).and_then(Value::as_bool) == Some(true);
            let storage = if is("storage") { "(storage)" } else { "" };
            is("served").then(|| format!("{}{storage}", version.text("name")))
        };
        let mut versions: Vec<String> = self.list(&["spec", "versions"]).iter().filter_map(version).collect();
        versions.sort_unstable();
        let short: Vec<&str> =
            self.list(&["spec", "names", "shortNames"]).iter().filter_map(Value::as_str).collect();
        let conditions = self.list(&["status", "conditions"]);
        let is_established = |it: &Value| it.text("type") == "Established" && it.text("status") == "True";
        vec![
            self.name(),
            text("Scope", self.text(&["spec", "scope"])),
            text("Versions", versions.join(",")),
            date("Created At", meta::text(self.object, "creationTimestamp")),
            wide("Group", self.text(&["spec", "group"])),
            wide("Kind", self.text(&["spec", "names", "kind"])),
            wide("ShortNames", short.join(",")),
            Cell { is_wide: true, ..boolean("Established", conditions.iter().any(is_established)) },
        ]
    }

    pub(super) fn role_binding(&self) -> Vec<Cell> {
        let role = format!("{}/{}", self.text(&["roleRef", "kind"]), self.text(&["roleRef", "name"]));
        let subjects = |kind: &str| {
            let of_kind = self.list(&["subjects"]).iter().filter(|subject| subject.text("kind") == kind);
            let names: Vec<String> = of_kind
                .map(|subject| match subject.text("namespace") {
                    namespace if kind == "ServiceAccount" => format!("{namespace}/{}", subject.text("name")),
                    _ => subject.text("name").to_owned(),
                })
                .collect();
            names.join(", ")
        };
        let mut cells = self.with(vec![text("Role", role)]);
        cells.push(wide("Users", subjects("User")));
        cells.push(wide("Groups", subjects("Group")));
        cells.push(wide("ServiceAccounts", subjects("ServiceAccount")));
        cells
    }

    pub(super) fn node(&self) -> Vec<Cell> {
        let ready = self.list(&["status", "conditions"]).iter().find(|it| it.text("type") == "Ready");
        let mut status = match ready {
            Some(ready) if ready.text("status") == "True" => "Ready",
            Some(_) => "NotReady",
            None => "Unknown",
        }
        .to_owned();
        if self.is_set(&["spec", "unschedulable"]) == Some(true) {
            status.push_str(",SchedulingDisabled");
        }
        let labels = self.find(&["metadata", "labels"]).and_then(Value::as_map);
        let mut roles = BTreeSet::new();
        for (name, value) in labels.into_iter().flat_map(|labels| labels.iter()) {
            let of_value = || (name == "kubernetes.io/role").then(|| value.as_str().unwrap_or_default());
            roles.extend(name.strip_prefix("node-role.kubernetes.io/").or_else(of_value));
        }
        roles.remove("");
        let roles: Vec<&str> = roles.into_iter().collect();
        let info = |name: &str| self.text(&["status", "nodeInfo", name]).to_owned();
        let known = |name: &str| match info(name) {
            text if text.is_empty() => "<unknown>".to_owned(),
            text => text,
        };
        let address = |ty: &str| {
            let addresses = self.list(&["status", "addresses"]);
            let found = addresses.iter().find(|address| address.text("type") == ty);
            or_none(found.map_or("", |address| address.text("address")).to_owned())
        };
        let kernel = match info("architecture") {
            architecture if architecture.is_empty() => known("kernelVersion"),
            architecture => format!("{} ({architecture})", known("kernelVersion")),
        };
        let mut cells = self.with(vec![text("Status", status), text("Roles", or_none(roles.join(",")))]);
        cells.push(text("Version", info("kubeletVersion")));
        cells.push(wide("Internal-IP", address("InternalIP")));
        cells.push(wide("External-IP", address("ExternalIP")));
        cells.push(wide("OS-Image", known("osImage")));
        cells.push(wide("Kernel-Version", kernel));
        cells.push(wide("Container-Runtime", known("containerRuntimeVersion")));
        cells
    }

    /// An event of either group.
    pub(super) fn event(&self) -> Vec<Cell> {
        let either = |old: &[&str], new: &[&str]| match self.text(old) {
            "" => self.text(new).to_owned(),
            text => text.to_owned(),
        };
        let age = |time: &str| age_at(time, self.now);
        let time = |name: &str, new: &str| either(&[name], &[new]);
        let first = match time("firstTimestamp", "deprecatedFirstTimestamp") {
            time if time.is_empty() => age(self.text(&["eventTime"])),
            time => age(&time),
        };
        let series = self.find(&["series"]).filter(|it| !it.is_null());
        let last = match (series, time("lastTimestamp", "deprecatedLastTimestamp")) {
            (Some(series), _) => age(series.text("lastObservedTime")),
            (None, time) if time.is_empty() => first.clone(),
            (None, time) => age(&time),
        };
        let times = match series {
            Some(series) => series.get("count").and_then(Value::as_int).unwrap_or_default(),
            None => self.number(&["count"]).max(self.number(&["deprecatedCount"])).max(1),
        };
        let about = |name: &str| either(&["involvedObject", name], &["regarding", name]);
        let object = match (about("kind").to_lowercase(), about("name")) {
            (kind, name) if name.is_empty() => kind,
            (kind, name) => format!("{kind}/{name}"),
        };
        let source = |name: &str| either(&["source", name], &["deprecatedSource", name]);
        let or = |text: String, other: String| if text.is_empty() { other } else { text };
        let component = or(source("component"), either(&["reportingComponent"], &["reportingController"]));
        let host = or(source("host"), self.text(&["reportingInstance"]).to_owned());
        let source = if host.is_empty() { component } else { format!("{component}, {host}") };
        let message = either(&["message"], &["note"]);
        vec![
            text("Last Seen", last),
            text("Type", self.text(&["type"])),
            text("Reason", self.text(&["reason"])),
            text("Object", object),
            wide("Subobject", about("fieldPath")),
            wide("Source", source),
            text("Message", message.trim()),
            wide("First Seen", first),
            Cell { is_wide: true, ..number("Count", times) },
            wide("Name", meta::text(self.object, "name")),
        ]
    }

    pub(super) fn signing_request(&self) -> Vec<Cell> {
        let conditions = self.list(&["status", "conditions"]);
        let is = |ty: &str| conditions.iter().any(|it| it.text("type") == ty);
        let mut status = match () {
            () if is("Denied") => "Denied",
            () if is("Approved") => "Approved",
            () => "Pending",
        }
        .to_owned();
        if is("Failed") {
            status.push_str(",Failed");
        }
        if !self.text(&["status", "certificate"]).is_empty() {
            status.push_str(",Issued");
        }
        let lasts = self.find(&["spec", "expirationSeconds"]).and_then(Value::as_int);
        let lasts = lasts.map_or_else(none, |seconds| age_at("1970-01-01T00:00:00Z", seconds));
        vec![
            self.name(),
            self.age(),
            text("SignerName", or_none(self.text(&["spec", "signerName"]).to_owned())),
            text("Requestor", self.text(&["spec", "username"])),
            text("RequestedDuration", lasts),
            text("Condition", status),
        ]
    }

    pub(super) fn quota(&self) -> Vec<Cell> {
        let hard = self.find(&["status", "hard"]).and_then(Value::as_map);
        let (mut requests, mut limits) = (Vec::new(), Vec::new());
        for (name, hard) in hard.into_iter().flat_map(|hard| hard.iter()) {
            let used = self.find(&["status", "used", name]).and_then(Value::as_str).unwrap_or("0");
            let shown = format!("{name}: {used}/{}", hard.as_str().unwrap_or_default());
            if name.starts_with("limits.") { limits.push(shown) } else { requests.push(shown) }
        }
        self.with(vec![text("Request", requests.join(", ")), text("Limit", limits.join(", "))])
    }

    pub(super) fn priority(&self) -> Vec<Cell> {
        let is_default = self.is_set(&["globalDefault"]).unwrap_or_default();
        let value = integer("Value", self.number(&["value"]));
        let mut cells = self.with(vec![value, boolean("Global-Default", is_default)]);
        cells.push(text("PreemptionPolicy", self.text(&["preemptionPolicy"])));
        cells
    }

    pub(super) fn webhooks(&self) -> Vec<Cell> {
        self.with(vec![integer("Webhooks", count(self.list(&["webhooks"]).len()))])
    }
}
