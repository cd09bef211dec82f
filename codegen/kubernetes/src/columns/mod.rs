//! What `kubectl get` shows of Kubernetes' own kinds: the server's code makes their columns.

mod cluster;
mod network;
mod storage;
mod workloads;

use crate::kinds::{KindId, Row};
use crate::meta;
use crdgen_core::go::time::Time;
use crdgen_core::object::table::age_at;
use crdgen_core::value::Value;

/// A cell with the column that it is in.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The name of the column.
    pub name: &'static str,
    ty: &'static str,
    /// Only wide tables show the cell.
    is_wide: bool,
    /// What the cell shows.
    pub value: Value,
}

impl Cell {
    /// The definition of the column.
    pub fn column(&self) -> Value {
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

/// A number that the server describes as a text.
fn number(name: &'static str, value: i64) -> Cell {
    Cell { ty: "string", ..integer(name, value) }
}

fn count(items: usize) -> i64 {
    i64::try_from(items).unwrap_or(i64::MAX)
}

fn date(name: &'static str, time: &str) -> Cell {
    Cell { ty: "date", ..text(name, time) }
}

fn boolean(name: &'static str, value: bool) -> Cell {
    Cell { name, ty: "boolean", is_wide: false, value: Value::Bool(value) }
}

/// The seconds since 1970 of a time in RFC 3339.
fn seconds(time: &str) -> i64 {
    Time::parse(time).map_or(0, |time| time.seconds)
}

/// The object whose cells are made.
struct Shown<'o> {
    object: &'o Value,
    now: i64,
}

/// The cells of an object of a kind, in any version of it. `None` if the kind has no columns of its own.
pub fn cells(row: &Row, object: &Value, now: i64) -> Option<Vec<Cell>> {
    let newest = row.newest().and_then(|newest| newest.convert(object));
    let object = newest.as_ref().unwrap_or(object);
    let shown = Shown { object, now };
    let cells = match row.id {
        KindId::CertificateSigningRequest => shown.signing_request(),
        KindId::ConfigMap => shown.config_map(),
        KindId::ControllerRevision => shown.revision(),
        KindId::CsiDriver => shown.driver(),
        KindId::CsiNode => shown.storage_node(),
        KindId::CsiStorageCapacity => shown.capacity(),
        KindId::ClusterRoleBinding | KindId::RoleBinding => shown.role_binding(),
        KindId::ClusterRole | KindId::LimitRange | KindId::Role => {
            shown.without_age(vec![date("Created At", meta::text(object, "creationTimestamp"))])
        }
        KindId::CronJob => shown.cron_job(),
        KindId::DaemonSet => shown.daemon_set(),
        KindId::DeviceClass | KindId::ResourceClaimTemplate => shown.with(Vec::new()),
        KindId::DeviceTaintRule => shown.taint_rule(),
        KindId::ResourceClaim => shown.device_claim(),
        KindId::ResourceSlice => shown.with(vec![
            text("Node", shown.text(&["spec", "nodeName"])),
            text("Driver", shown.text(&["spec", "driver"])),
            text("Pool", shown.text(&["spec", "pool", "name"])),
        ]),
        KindId::Deployment => shown.deployment(),
        KindId::Endpoints => shown.endpoints(),
        KindId::EndpointSlice => shown.slice(),
        KindId::Event | KindId::NewEvent => shown.event(),
        KindId::HorizontalPodAutoscaler => shown.autoscaler(),
        KindId::Ingress => shown.ingress(),
        KindId::IngressClass => {
            let parameters = shown.find(&["spec", "parameters"]).map_or_else(none, |it| {
                let kind = match it.text("apiGroup") {
                    "" => it.text("kind").to_owned(),
                    group => format!("{}.{group}", it.text("kind")),
                };
                format!("{kind}/{}", it.text("name"))
            });
            let controller = text("Controller", shown.text(&["spec", "controller"]));
            shown.with(vec![controller, text("Parameters", parameters)])
        }
        KindId::IpAddress => {
            let parent = |name: &str| shown.text(&["spec", "parentRef", name]).to_owned();
            let group =
                if parent("group").is_empty() { String::new() } else { format!(".{}", parent("group")) };
            let path = [parent("resource") + &group, parent("namespace"), parent("name")];
            let path: Vec<String> = path.into_iter().filter(|step| !step.is_empty()).collect();
            shown.with(vec![text("ParentRef", path.join("/"))])
        }
        KindId::ServiceCidr => {
            let ranges: Vec<&str> = shown.list(&["spec", "cidrs"]).iter().filter_map(Value::as_str).collect();
            shown.with(vec![text("CIDRs", ranges.join(","))])
        }
        KindId::Job => shown.job(),
        KindId::Lease => shown.with(vec![text("Holder", shown.text(&["spec", "holderIdentity"]))]),
        KindId::Namespace => shown.with(vec![text("Status", shown.text(&["status", "phase"]))]),
        KindId::MutatingWebhookConfiguration | KindId::ValidatingWebhookConfiguration => shown.webhooks(),
        KindId::NetworkPolicy => shown.network_policy(),
        KindId::Node => shown.node(),
        KindId::PersistentVolume => shown.volume(),
        KindId::PersistentVolumeClaim => shown.claim(),
        KindId::Pod => shown.pod(),
        KindId::PodDisruptionBudget => shown.budget(),
        KindId::PodTemplate => shown.pod_template(),
        KindId::PriorityClass => shown.priority(),
        KindId::ReplicaSet | KindId::ReplicationController => shown.replica_set(),
        KindId::ResourceQuota => shown.quota(),
        KindId::RuntimeClass => shown.with(vec![text("Handler", object.text("handler"))]),
        KindId::Secret => {
            let data = number("Data", shown.count(&["data"]));
            shown.with(vec![text("Type", object.text("type")), data])
        }
        KindId::Service => shown.service(),
        KindId::ServiceAccount => shown.with(Vec::new()),
        KindId::StorageClass => shown.storage_class(),
        KindId::StatefulSet => shown.stateful_set(),
        KindId::VolumeAttachment => shown.attachment(),
        KindId::VolumeAttributesClass => shown.with(vec![text("DriverName", object.text("driverName"))]),
        KindId::CustomResourceDefinition => shown.definition(),
        KindId::Binding
        | KindId::ComponentStatus
        | KindId::LocalSubjectAccessReview
        | KindId::MutatingAdmissionPolicy
        | KindId::MutatingAdmissionPolicyBinding
        | KindId::SelfSubjectAccessReview
        | KindId::SelfSubjectReview
        | KindId::SelfSubjectRulesReview
        | KindId::SubjectAccessReview
        | KindId::TokenReview
        | KindId::ValidatingAdmissionPolicy
        | KindId::ValidatingAdmissionPolicyBinding => return None,
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

    /// A boolean. `None` if it is not set.
    fn is_set(&self, path: &[&str]) -> Option<bool> {
        self.find(path)?.as_bool()
    }

    fn count(&self, path: &[&str]) -> i64 {
        count(self.find(path).and_then(Value::as_map).map_or(0, |map| map.len()))
    }

    fn name(&self) -> Cell {
        text("Name", meta::text(self.object, "name"))
    }

    fn age(&self) -> Cell {
        text("Age", age_at(meta::text(self.object, "creationTimestamp"), self.now))
    }

    /// The name, these cells, and the age.
    fn with(&self, cells: Vec<Cell>) -> Vec<Cell> {
        let mut cells = self.without_age(cells);
        cells.push(self.age());
        cells
    }

    /// The name, and these cells.
    fn without_age(&self, cells: Vec<Cell>) -> Vec<Cell> {
        std::iter::once(self.name()).chain(cells).collect()
    }

    fn taint_rule(&self) -> Vec<Cell> {
        let taint = |name| self.text(&["spec", "taint", name]);
        self.with(vec![
            text("Key", taint("key")),
            text("Value", taint("value")),
            text("Effect", taint("effect")),
            text("TimeAdded", age_at(taint("timeAdded"), self.now)),
        ])
    }

    fn device_claim(&self) -> Vec<Cell> {
        let is_deleted = !meta::text(self.object, "deletionTimestamp").is_empty();
        let is_allocated = self.find(&["status", "allocation"]).is_some();
        let is_reserved = is_allocated && !self.list(&["status", "reservedFor"]).is_empty();
        let states = [
            (is_deleted, "deleted"),
            (!is_allocated && !is_deleted, "pending"),
            (is_allocated, "allocated"),
            (is_reserved, "reserved"),
        ];
        let states: Vec<&str> = states.into_iter().filter(|(is, _)| *is).map(|(_, name)| name).collect();
        self.with(vec![text("State", states.join(","))])
    }

    fn config_map(&self) -> Vec<Cell> {
        let data = self.count(&["data"]) + self.count(&["binaryData"]);
        self.with(vec![number("Data", data)])
    }
}
