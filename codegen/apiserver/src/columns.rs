//! What `kubectl get` shows of Kubernetes' own kinds: the server's code makes their columns.

use crate::meta::{self, own};
use crate::registry::{Kind, Role};
use crdgen_core::object::table::age_at;
use crdgen_core::value::Value;

/// A cell with the column that it is in.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cell {
    name: &'static str,
    ty: &'static str,
    /// Only wide tables show the cell.
    is_wide: bool,
    pub(crate) value: Value,
}

impl Cell {
    /// The definition of the column.
    pub(crate) fn column(&self) -> Value {
        meta::map([
            ("name", self.name.into()),
            ("type", self.ty.into()),
            ("format", if self.name == "Name" { "name" } else { "" }.into()),
            ("description", "".into()),
            ("priority", Value::Int(self.is_wide.into())),
        ])
    }
}

fn text(name: &'static str, value: impl Into<String>) -> Cell {
    Cell { name, ty: "string", is_wide: false, value: Value::from(value.into()) }
}

fn wide(name: &'static str, value: impl Into<String>) -> Cell {
    Cell { is_wide: true, ..text(name, value) }
}

fn integer(name: &'static str, value: i64) -> Cell {
    Cell { name, ty: "integer", is_wide: false, value: Value::Int(value) }
}

/// The object whose cells are made.
struct Shown<'o> {
    object: &'o Value,
    now: i64,
}

/// The cells of an object. `None` if its kind has no columns of its own.
pub(crate) fn cells(kind: &Kind, object: &Value, now: i64) -> Option<Vec<Cell>> {
    let shown = Shown { object, now };
    if kind.role == Role::Definition {
        return Some(shown.definition());
    }
    if !kind.has_code() {
        return None;
    }
    let cells = match &*kind.names.kind {
        "ConfigMap" => shown.config_map(),
        "ClusterRoleBinding" | "RoleBinding" => shown.role_binding(),
        "ClusterRole" | "Role" => {
            shown.with(vec![text("Created At", meta::text(object, "creationTimestamp"))], false)
        }
        "CronJob" => shown.cron_job(),
        "DaemonSet" => shown.daemon_set(),
        "Deployment" => shown.deployment(),
        "IngressClass" => {
            let parameters =
                shown.find(&["spec", "parameters"]).map_or_else(none, |it| own(it, "name").to_owned());
            let controller = text("Controller", shown.text(&["spec", "controller"]));
            shown.with(vec![controller, text("Parameters", parameters)], true)
        }
        "Lease" => shown.with(vec![text("Holder", shown.text(&["spec", "holderIdentity"]))], true),
        "Namespace" => shown.with(vec![text("Status", shown.text(&["status", "phase"]))], true),
        "PersistentVolumeClaim" => shown.claim(),
        "Pod" => shown.pod(),
        "ReplicaSet" | "ReplicationController" => shown.replica_set(),
        "Secret" => {
            let data = shown.count(&["data"]).to_string();
            shown.with(vec![text("Type", own(object, "type")), text("Data", data)], true)
        }
        "Service" => shown.service(),
        "ServiceAccount" => shown.with(Vec::new(), true),
        "StatefulSet" => shown.stateful_set(),
        _ => return None,
    };
    Some(cells)
}

fn none() -> String {
    "<none>".to_owned()
}

/// The text, or `<none>`.
fn or_none(text: String) -> String {
    if text.is_empty() { none() } else { text }
}

impl Shown<'_> {
    fn find(&self, path: &[&str]) -> Option<&Value> {
        path.iter().try_fold(self.object, |at, name| at.get(name))
    }

    fn text(&self, path: &[&str]) -> &str {
        self.find(path).and_then(Value::as_str).unwrap_or_default()
    }

    fn number(&self, path: &[&str]) -> i64 {
        self.find(path).and_then(Value::as_int).unwrap_or_default()
    }

    fn list(&self, path: &[&str]) -> &[Value] {
        self.find(path).and_then(Value::as_list).unwrap_or_default()
    }

    fn count(&self, path: &[&str]) -> usize {
        self.find(path).and_then(Value::as_map).map_or(0, |map| map.len())
    }

    fn name(&self) -> Cell {
        text("Name", meta::text(self.object, "name"))
    }

    fn age(&self) -> Cell {
        text("Age", age_at(meta::text(self.object, "creationTimestamp"), self.now))
    }

    /// The name, these cells, and the age.
    fn with(&self, cells: Vec<Cell>, has_age: bool) -> Vec<Cell> {
        let age = has_age.then(|| self.age());
        std::iter::once(self.name()).chain(cells).chain(age).collect()
    }

    fn definition(&self) -> Vec<Cell> {
        let version = |version: &Value| {
            let is = |name: &str| version.get(name).and_then(Value::as_bool) == Some(true);
            let storage = if is("storage") { "(storage)" } else { "" };
            is("served").then(|| format!("{}{storage}", own(version, "name")))
        };
        let mut versions: Vec<String> = self.list(&["spec", "versions"]).iter().filter_map(version).collect();
        versions.sort_unstable();
        let short: Vec<&str> =
            self.list(&["spec", "names", "shortNames"]).iter().filter_map(Value::as_str).collect();
        let conditions = self.list(&["status", "conditions"]);
        let established = conditions.iter().find(|it| own(it, "type") == "Established");
        vec![
            self.name(),
            text("Scope", self.text(&["spec", "scope"])),
            text("Versions", versions.join(",")),
            text("Created At", meta::text(self.object, "creationTimestamp")),
            wide("Group", self.text(&["spec", "group"])),
            wide("Kind", self.text(&["spec", "names", "kind"])),
            wide("ShortNames", short.join(",")),
            Cell {
                ty: "boolean",
                ..wide("Established", established.map_or("Unknown", |it| own(it, "status")))
            },
        ]
    }

    fn config_map(&self) -> Vec<Cell> {
        let data = self.count(&["data"]) + self.count(&["binaryData"]);
        self.with(vec![text("Data", data.to_string())], true)
    }

    fn role_binding(&self) -> Vec<Cell> {
        let role = format!("{}/{}", self.text(&["roleRef", "kind"]), self.text(&["roleRef", "name"]));
        let subjects = |kind: &str| {
            let of_kind = self.list(&["subjects"]).iter().filter(|subject| own(subject, "kind") == kind);
            let names: Vec<String> = of_kind
                .map(|subject| match own(subject, "namespace") {
                    namespace if kind == "ServiceAccount" => format!("{namespace}/{}", own(subject, "name")),
                    _ => own(subject, "name").to_owned(),
                })
                .collect();
            names.join(", ")
        };
        let mut cells = self.with(vec![text("Role", role)], true);
        cells.push(wide("Users", subjects("User")));
        cells.push(wide("Groups", subjects("Group")));
        cells.push(wide("ServiceAccounts", subjects("ServiceAccount")));
        cells
    }

    /// The names and the images of the containers in a template.
    fn containers(&self, template: &[&str]) -> [Cell; 2] {
        let path = [template, &["spec", "containers"]].concat();
        let of = |name: &str| {
            let texts: Vec<&str> = self.list(&path).iter().map(|container| own(container, name)).collect();
            texts.join(",")
        };
        [wide("Containers", of("name")), wide("Images", of("image"))]
    }

    /// The labels by which something is selected.
    fn selector(&self, path: &[&str]) -> Cell {
        let labels = self.find(path).and_then(Value::as_map);
        let labels = labels.into_iter().flat_map(|labels| labels.iter());
        let labels: Vec<String> =
            labels.map(|(name, value)| format!("{name}={}", value.as_str().unwrap_or_default())).collect();
        wide("Selector", or_none(labels.join(",")))
    }

    fn with_template(&self, cells: Vec<Cell>) -> Vec<Cell> {
        let mut cells = self.with(cells, true);
        cells.extend(self.containers(&["spec", "template"]));
        cells.push(match self.find(&["spec", "selector", "matchLabels"]) {
            Some(_) => self.selector(&["spec", "selector", "matchLabels"]),
            None => self.selector(&["spec", "selector"]),
        });
        cells
    }

    fn ready(&self) -> Cell {
        let (ready, wanted) = (self.number(&["status", "readyReplicas"]), self.number(&["spec", "replicas"]));
        text("Ready", format!("{ready}/{wanted}"))
    }

    fn deployment(&self) -> Vec<Cell> {
        let number =
            |name: &'static str, field: &str| text(name, self.number(&["status", field]).to_string());
        self.with_template(vec![
            self.ready(),
            number("Up-to-date", "updatedReplicas"),
            number("Available", "availableReplicas"),
        ])
    }

    fn replica_set(&self) -> Vec<Cell> {
        self.with_template(vec![
            integer("Desired", self.number(&["spec", "replicas"])),
            integer("Current", self.number(&["status", "replicas"])),
            integer("Ready", self.number(&["status", "readyReplicas"])),
        ])
    }

    fn daemon_set(&self) -> Vec<Cell> {
        let number = |name: &'static str, field: &str| integer(name, self.number(&["status", field]));
        let Value::Str(nodes) = self.selector(&["spec", "template", "spec", "nodeSelector"]).value else {
            return Vec::new();
        };
        self.with_template(vec![
            number("Desired", "desiredNumberScheduled"),
            number("Current", "currentNumberScheduled"),
            number("Ready", "numberReady"),
            number("Up-to-date", "updatedNumberScheduled"),
            number("Available", "numberAvailable"),
            text("Node Selector", nodes),
        ])
    }

    fn stateful_set(&self) -> Vec<Cell> {
        let mut cells = self.with(vec![self.ready()], true);
        cells.extend(self.containers(&["spec", "template"]));
        cells
    }

    fn cron_job(&self) -> Vec<Cell> {
        let active = i64::try_from(self.list(&["status", "active"]).len()).unwrap_or(i64::MAX);
        let last = match self.text(&["status", "lastScheduleTime"]) {
            "" => none(),
            time => age_at(time, self.now),
        };
        let suspend = self.find(&["spec", "suspend"]).and_then(Value::as_bool).unwrap_or_default();
        let suspend = Cell { name: "Suspend", ty: "boolean", is_wide: false, value: Value::Bool(suspend) };
        let mut cells = self.with(
            vec![
                text("Schedule", self.text(&["spec", "schedule"])),
                text("Timezone", or_none(self.text(&["spec", "timeZone"]).to_owned())),
                suspend,
                integer("Active", active),
                text("Last Schedule", last),
            ],
            true,
        );
        cells.extend(self.containers(&["spec", "jobTemplate", "spec", "template"]));
        cells.push(self.selector(&["spec", "jobTemplate", "spec", "selector", "matchLabels"]));
        cells
    }

    fn service(&self) -> Vec<Cell> {
        let joined = |items: &[Value], text: &dyn Fn(&Value) -> String| {
            let texts: Vec<String> = items.iter().map(text).collect();
            texts.join(",")
        };
        let plain = |item: &Value| item.as_str().unwrap_or_default().to_owned();
        let externals = self.list(&["spec", "externalIPs"]);
        let ingress = |item: &Value| match own(item, "ip") {
            "" => own(item, "hostname").to_owned(),
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
                (at, 0) => format!("{at}/{}", own(port, "protocol")),
                (at, on_node) => format!("{at}:{on_node}/{}", own(port, "protocol")),
            }
        };
        let ports = or_none(joined(self.list(&["spec", "ports"]), &port));
        let address = or_none(self.text(&["spec", "clusterIP"]).to_owned());
        let mut cells = self.with(
            vec![
                text("Type", self.text(&["spec", "type"])),
                text("Cluster-IP", address),
                text("External-IP", external),
                text("Port(s)", ports),
            ],
            true,
        );
        cells.push(self.selector(&["spec", "selector"]));
        cells
    }

    fn pod(&self) -> Vec<Cell> {
        let statuses = self.list(&["status", "containerStatuses"]);
        let is_ready = |status: &&Value| status.get("ready").and_then(Value::as_bool) == Some(true);
        let ready = statuses.iter().filter(is_ready).count();
        let restarts =
            |status: &Value| status.get("restartCount").and_then(Value::as_int).unwrap_or_default();
        let restarts: i64 = statuses.iter().map(restarts).fold(0, i64::saturating_add);
        let status = match (meta::is_deleting(self.object), self.text(&["status", "reason"])) {
            (true, _) => "Terminating",
            (false, "") => self.text(&["status", "phase"]),
            (false, reason) => reason,
        };
        let mut cells = self.with(
            vec![
                text("Ready", format!("{ready}/{}", self.list(&["spec", "containers"]).len())),
                text("Status", status),
                text("Restarts", restarts.to_string()),
            ],
            true,
        );
        let wider = [
            ("IP", self.text(&["status", "podIP"])),
            ("Node", self.text(&["spec", "nodeName"])),
            ("Nominated Node", self.text(&["status", "nominatedNodeName"])),
            ("Readiness Gates", ""),
        ];
        cells.extend(wider.map(|(name, text)| wide(name, or_none(text.to_owned()))));
        cells
    }

    fn claim(&self) -> Vec<Cell> {
        let mode = |mode: &Value| match mode.as_str().unwrap_or_default() {
            "ReadWriteOnce" => "RWO",
            "ReadOnlyMany" => "ROX",
            "ReadWriteMany" => "RWX",
            "ReadWriteOncePod" => "RWOP",
            _ => "",
        };
        let is_bound = !self.text(&["spec", "volumeName"]).is_empty();
        let modes: Vec<&str> = self.list(&["status", "accessModes"]).iter().map(mode).collect();
        let capacity = self.text(&["status", "capacity", "storage"]);
        let (capacity, modes) = if is_bound { (capacity, modes.join(",")) } else { ("", String::new()) };
        let unset = |text: &str| if text.is_empty() { "<unset>".to_owned() } else { text.to_owned() };
        let status = match meta::text(self.object, "deletionTimestamp") {
            "" => self.text(&["status", "phase"]),
            _ => "Terminating",
        };
        let mut cells = self.with(
            vec![
                text("Status", status),
                text("Volume", self.text(&["spec", "volumeName"])),
                text("Capacity", capacity),
                text("Access Modes", modes),
                text("StorageClass", self.text(&["spec", "storageClassName"])),
                text("VolumeAttributesClass", unset(self.text(&["spec", "volumeAttributesClassName"]))),
            ],
            true,
        );
        cells.push(wide("VolumeMode", unset(self.text(&["spec", "volumeMode"]))));
        cells
    }
}
