//! Workloads, and what keeps them running.

use super::{Cell, Shown, count, integer, none, number, or_none, text, wide};
use crate::meta;
use crdgen_core::GroupVersion;
use crdgen_core::object::table::age_at;
use crdgen_core::value::Value;

/// Why a pod with gates is not scheduled.
const GATED: &str = "SchedulingGated";

impl Shown<'_> {
    /// The names and the images of the containers in a template.
    pub(super) fn containers(&self, template: &[&str]) -> [Cell; 2] {
        let path = [template, &["spec", "containers"]].concat();
        let of = |name: &str| {
            let texts: Vec<&str> = self.list(&path).iter().map(|container| container.text(name)).collect();
            texts.join(",")
        };
        [wide("Containers", of("name")), wide("Images", of("image"))]
    }

    /// The labels by which something is selected.
    pub(super) fn selector(&self, path: &[&str]) -> Cell {
        let selector = self.find(path).unwrap_or(&Value::Null);
        wide("Selector", or_none(meta::selector_text(selector)))
    }

    pub(super) fn with_template(&self, cells: Vec<Cell>) -> Vec<Cell> {
        let mut cells = self.with(cells);
        cells.extend(self.containers(&["spec", "template"]));
        cells.push(self.selector(&["spec", "selector"]));
        cells
    }

    pub(super) fn ready(&self) -> Cell {
        let (ready, wanted) = (self.number(&["status", "readyReplicas"]), self.number(&["spec", "replicas"]));
        text("Ready", format!("{ready}/{wanted}"))
    }

    pub(super) fn deployment(&self) -> Vec<Cell> {
        self.with_template(vec![
            self.ready(),
            number("Up-to-date", self.number(&["status", "updatedReplicas"])),
            number("Available", self.number(&["status", "availableReplicas"])),
        ])
    }

    pub(super) fn replica_set(&self) -> Vec<Cell> {
        self.with_template(vec![
            integer("Desired", self.number(&["spec", "replicas"])),
            integer("Current", self.number(&["status", "replicas"])),
            integer("Ready", self.number(&["status", "readyReplicas"])),
        ])
    }

    pub(super) fn daemon_set(&self) -> Vec<Cell> {
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

    pub(super) fn stateful_set(&self) -> Vec<Cell> {
        let mut cells = self.with(vec![self.ready()]);
        cells.extend(self.containers(&["spec", "template"]));
        cells
    }

    pub(super) fn cron_job(&self) -> Vec<Cell> {
        let active = count(self.list(&["status", "active"]).len());
        let last = match self.text(&["status", "lastScheduleTime"]) {
            "" => none(),
            time => age_at(time, self.now),
        };
        let suspend = self.find(&["spec", "suspend"]).and_then(Value::as_bool).unwrap_or_default();
        let suspend = Cell { ty: "boolean", ..text("Suspend", if suspend { "True" } else { "False" }) };
        let mut cells = self.with(vec![
            text("Schedule", self.text(&["spec", "schedule"])),
            text("Timezone", or_none(self.text(&["spec", "timeZone"]).to_owned())),
            suspend,
            integer("Active", active),
            text("Last Schedule", last),
        ]);
        cells.extend(self.containers(&["spec", "jobTemplate", "spec", "template"]));
        cells.push(self.selector(&["spec", "jobTemplate", "spec", "selector"]));
        cells
    }

    pub(super) fn pod(&self) -> Vec<Cell> {
        let statuses = self.list(&["status", "containerStatuses"]);
        let is_ready = |status: &&Value| status.get("ready").and_then(Value::as_bool) == Some(true);
        let ready = statuses.iter().filter(is_ready).count();
        let restarts =
            |status: &Value| status.get("restartCount").and_then(Value::as_int).unwrap_or_default();
        let restarts: i64 = statuses.iter().map(restarts).fold(0, i64::saturating_add);
        let waits = |it: &Value| it.text("type") == "PodScheduled" && it.text("reason") == GATED;
        let is_gated = self.list(&["status", "conditions"]).iter().any(waits);
        let status = match (meta::is_deleting(self.object), self.text(&["status", "reason"])) {
            (true, _) => "Terminating",
            (false, _) if is_gated => GATED,
            (false, "") => self.text(&["status", "phase"]),
            (false, reason) => reason,
        };
        let mut cells = self.with(vec![
            text("Ready", format!("{ready}/{}", self.list(&["spec", "containers"]).len())),
            text("Status", status),
            text("Restarts", restarts.to_string()),
        ]);
        let wider = [
            ("IP", self.text(&["status", "podIP"])),
            ("Node", self.text(&["spec", "nodeName"])),
            ("Nominated Node", self.text(&["status", "nominatedNodeName"])),
            ("Readiness Gates", ""),
        ];
        cells.extend(wider.map(|(name, text)| wide(name, or_none(text.to_owned()))));
        cells
    }

    pub(super) fn job(&self) -> Vec<Cell> {
        let (succeeded, parallel) =
            (self.number(&["status", "succeeded"]), self.number(&["spec", "parallelism"]));
        let completions = match self.find(&["spec", "completions"]).and_then(Value::as_int) {
            Some(wanted) => format!("{succeeded}/{wanted}"),
            None if parallel > 1 => format!("{succeeded}/1 of {parallel}"),
            None => format!("{succeeded}/1"),
        };
        let time = |name: &str| self.text(&["status", name]);
        let lasted = match (time("startTime"), time("completionTime")) {
            ("", _) => String::new(),
            (start, "") => age_at(start, self.now),
            (start, end) => age_at(start, super::seconds(end)),
        };
        let is = |ty: &str| self.has_condition(ty);
        let status = match () {
            () if is("Complete") => "Complete",
            () if is("Failed") => "Failed",
            () if meta::is_deleting(self.object) => "Terminating",
            () if is("Suspended") => "Suspended",
            () if is("FailureTarget") => "FailureTarget",
            () if is("SuccessCriteriaMet") => "SuccessCriteriaMet",
            () => "Running",
        };
        let mut cells = self.with(vec![
            text("Status", status),
            text("Completions", completions),
            text("Duration", lasted),
        ]);
        cells.extend(self.containers(&["spec", "template"]));
        cells.push(self.selector(&["spec", "selector"]));
        cells
    }

    /// Whether a condition is true.
    fn has_condition(&self, ty: &str) -> bool {
        let conditions = self.list(&["status", "conditions"]);
        conditions.iter().any(|it| it.text("type") == ty && it.text("status") == "True")
    }

    pub(super) fn pod_template(&self) -> Vec<Cell> {
        let [containers, images] = self.containers(&["template"]);
        let labels = self.selector(&["template", "metadata", "labels"]);
        let shown = |cell: Cell| Cell { is_wide: false, ..cell };
        vec![self.name(), shown(containers), shown(images), Cell { name: "Pod Labels", ..shown(labels) }]
    }

    pub(super) fn budget(&self) -> Vec<Cell> {
        let number = |name: &str| match self.find(&["spec", name]) {
            Some(Value::Int(number)) => number.to_string(),
            Some(Value::Str(text)) => text.clone(),
            _ => "N/A".to_owned(),
        };
        self.with(vec![
            text("Min Available", number("minAvailable")),
            text("Max Unavailable", number("maxUnavailable")),
            integer("Allowed Disruptions", self.number(&["status", "disruptionsAllowed"])),
        ])
    }

    pub(super) fn autoscaler(&self) -> Vec<Cell> {
        let target = |name: &str| self.text(&["spec", "scaleTargetRef", name]);
        let least = self.find(&["spec", "minReplicas"]).and_then(Value::as_int);
        self.with(vec![
            text("Reference", format!("{}/{}", target("kind"), target("name"))),
            text("Targets", self.metrics()),
            text("MinPods", least.map_or_else(|| "<unset>".to_owned(), |number| number.to_string())),
            number("MaxPods", self.number(&["spec", "maxReplicas"])),
            number("Replicas", self.number(&["status", "currentReplicas"])),
        ])
    }

    /// The current and the wanted values of the metrics.
    fn metrics(&self) -> String {
        const MOST: usize = 2;
        let metrics = self.list(&["spec", "metrics"]);
        if metrics.is_empty() {
            return none();
        }
        let current = self.list(&["status", "currentMetrics"]);
        let shown = |(index, metric): (usize, &Value)| metric_text(metric, current.get(index));
        let texts: Vec<String> = metrics.iter().enumerate().take(MOST).map(shown).collect();
        match metrics.len().saturating_sub(MOST) {
            0 => texts.join(", "),
            more => format!("{} + {more} more...", texts.join(", ")),
        }
    }

    pub(super) fn revision(&self) -> Vec<Cell> {
        let is_controller =
            |reference: &&Value| reference.get("controller").and_then(Value::as_bool) == Some(true);
        let controller = meta::owners(self.object).iter().find(is_controller).map_or_else(none, |owner| {
            let group = GroupVersion::of(owner.text("apiVersion")).qualify(owner.text("kind"));
            format!("{}/{}", group.to_lowercase(), owner.text("name"))
        });
        self.with(vec![text("Controller", controller), number("Revision", self.number(&["revision"]))])
    }
}

/// The current and the wanted value of a metric.
fn metric_text(metric: &Value, current: Option<&Value>) -> String {
    let (source, has_name) = match metric.text("type") {
        "External" => ("external", false),
        "Pods" => ("pods", false),
        "Object" => ("object", false),
        "Resource" => ("resource", true),
        "ContainerResource" => ("containerResource", true),
        _ => return "<unknown type>".to_owned(),
    };
    let of = metric.get(source);
    let target = |name: &str| of.and_then(|it| it.get("target")?.get(name));
    let now = |name: &str| current.and_then(|it| it.get(source)?.get("current")?.get(name));
    let quantity = |value: Option<&Value>| {
        value.and_then(Value::as_str).map_or_else(|| "<unknown>".to_owned(), str::to_owned)
    };
    let percent = |value: Option<&Value>, none: &str| {
        value.and_then(Value::as_int).map_or_else(|| none.to_owned(), |number| format!("{number}%"))
    };
    let (left, right, end) = match (target("averageValue"), has_name) {
        (Some(wanted), _) => {
            let end = if has_name || source == "pods" { "" } else { " (avg)" };
            (quantity(now("averageValue")), quantity(Some(wanted)), end)
        }
        (None, true) => {
            let utilization = "averageUtilization";
            (percent(now(utilization), "<unknown>"), percent(target(utilization), "<auto>"), "")
        }
        (None, false) => (quantity(now("value")), quantity(target("value")), ""),
    };
    let name = of.map_or("", |it| it.text("name"));
    let begin = if has_name { format!("{name}: ") } else { String::new() };
    format!("{begin}{left}/{right}{end}")
}
