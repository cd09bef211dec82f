//! Checks of pods, and of the templates of pods: names, images, volumes and restart policies.

use super::{find, placement, words};
use crate::meta::own;
use crate::status::Mistake;
use crdgen_core::diag::Kind;
use crdgen_core::go::quantity::Quantity;
use crdgen_core::value::Value;
use crdgen_core::{go, names};
use std::collections::BTreeSet;

/// When the containers of a pod are started again.
const POLICIES: [&str; 3] = ["Always", "OnFailure", "Never"];
const PULL_POLICIES: [&str; 3] = ["Always", "IfNotPresent", "Never"];
const MESSAGE_POLICIES: [&str; 2] = ["File", "FallbackToLogsOnError"];
const PROTOCOLS: [&str; 3] = ["SCTP", "TCP", "UDP"];
/// The sources of volumes that come first, in the order in which the server looks at them.
const SOURCES: [&str; 6] =
    ["emptyDir", "hostPath", "gitRepo", "gcePersistentDisk", "awsElasticBlockStore", "secret"];
/// The resources of containers that have no domain.
const RESOURCES: [&str; 3] = ["cpu", "memory", "ephemeral-storage"];

/// Where a kind has the spec of its pods.
fn place(kind: &str) -> &'static [&'static str] {
    match kind {
        "Pod" => &["spec"],
        "PodTemplate" => &["template", "spec"],
        "CronJob" => &["spec", "jobTemplate", "spec", "template", "spec"],
        _ => &["spec", "template", "spec"],
    }
}

/// The mistakes in the pods of a kind.
pub(super) fn mistakes(kind: &str, object: &Value) -> Vec<Mistake<'static>> {
    let place = place(kind);
    let Some(spec) = find(object, place) else { return Vec::new() };
    let mut found = Found { at: place.join("."), mistakes: Vec::new() };
    let mut volumes = found.volumes(spec);
    volumes.extend(
        list(object.get("spec"), "volumeClaimTemplates").map(|claim| crate::meta::text(claim, "name")),
    );
    found.containers(spec, &volumes);
    if kind == "Pod" {
        found.images(spec);
    }
    let policy = own(spec, "restartPolicy");
    if !POLICIES.contains(&policy) {
        found.unsupported(policy, &POLICIES);
    }
    found.mistakes.extend(placement::mistakes(spec, &found.at));
    found.policy(kind, policy);
    found.mistakes
}

/// The items of a list.
fn list<'v>(object: Option<&'v Value>, name: &str) -> impl Iterator<Item = &'v Value> {
    object.and_then(|object| object.get(name)?.as_list()).unwrap_or_default().iter()
}

struct Found {
    /// The field of the spec.
    at: String,
    mistakes: Vec<Mistake<'static>>,
}

impl Found {
    fn add(&mut self, field: &str, what: Kind, why: impl Into<String>) {
        self.mistakes.push(Mistake::new(format!("{}.{field}", self.at), what, why));
    }

    /// A name of a container or a volume.
    fn name(&mut self, field: &str, name: &str) {
        if name.is_empty() {
            return self.add(field, Kind::Required, "");
        }
        for why in names::dns1123_label(name) {
            self.add(field, Kind::Invalid, format!("{}: {why}", go::quote(name)));
        }
    }

    /// Returns the names of the volumes.
    fn volumes<'v>(&mut self, spec: &'v Value) -> BTreeSet<&'v str> {
        let mut seen = BTreeSet::new();
        for (number, volume) in list(Some(spec), "volumes").enumerate() {
            let (name, field) = (own(volume, "name"), format!("volumes[{number}].name"));
            if seen.contains(name) {
                self.add(&field, Kind::Duplicate, go::quote(name));
                continue;
            }
            // All fields but the name are sources.
            let sources = volume.as_map().into_iter().flat_map(|map| map.iter());
            let sources = sources.filter(|(name, value)| *name != "name" && !value.is_null());
            let mut sources: Vec<&str> = sources.map(|(name, _)| name).collect();
            sources
                .sort_by_key(|name| SOURCES.iter().position(|known| known == name).unwrap_or(SOURCES.len()));
            for source in sources.into_iter().skip(1) {
                let why = "may not specify more than 1 volume type";
                self.add(&format!("volumes[{number}].{source}"), Kind::Forbidden, why);
            }
            let before = self.mistakes.len();
            self.name(&field, name);
            if self.mistakes.len() == before {
                seen.insert(name);
            }
        }
        seen
    }

    fn containers(&mut self, spec: &Value, volumes: &BTreeSet<&str>) {
        if list(Some(spec), "containers").next().is_none() {
            self.add("containers", Kind::Required, "");
        }
        // Names are unique in both lists together.
        let mut seen = BTreeSet::new();
        let is_on_host = spec.get("hostNetwork").and_then(Value::as_bool) == Some(true);
        for kind in ["containers", "initContainers"] {
            for (number, container) in list(Some(spec), kind).enumerate() {
                let (field, name) = (format!("{kind}[{number}]"), own(container, "name"));
                self.container(&field, container, volumes, is_on_host);
                if !name.is_empty() && !seen.insert(name) {
                    self.add(&format!("{field}.name"), Kind::Duplicate, go::quote(name));
                }
            }
        }
    }

    /// Templates may have images with spaces around them, pods may not.
    fn images(&mut self, spec: &Value) {
        for kind in ["containers", "initContainers"] {
            for (number, container) in list(Some(spec), kind).enumerate() {
                let image = own(container, "image");
                if image.trim() != image {
                    let why = "must not have leading or trailing whitespace";
                    let why = format!("{}: {why}", go::quote(image));
                    self.add(&format!("{kind}[{number}].image"), Kind::Invalid, why);
                }
            }
        }
    }

    fn container(&mut self, field: &str, container: &Value, volumes: &BTreeSet<&str>, is_on_host: bool) {
        self.name(&format!("{field}.name"), own(container, "name"));
        if own(container, "image").is_empty() {
            self.add(&format!("{field}.image"), Kind::Required, "");
        }
        let message = own(container, "terminationMessagePolicy");
        self.default_of(&format!("{field}.terminationMessagePolicy"), message, &MESSAGE_POLICIES);
        self.ports(field, container, is_on_host);
        for (number, variable) in list(Some(container), "env").enumerate() {
            self.variable(&format!("{field}.env[{number}]"), variable);
        }
        self.mounts(field, container, volumes);
        self.default_of(
            &format!("{field}.imagePullPolicy"),
            own(container, "imagePullPolicy"),
            &PULL_POLICIES,
        );
        self.resources(field, container.get("resources"));
        for name in ["livenessProbe", "readinessProbe", "startupProbe"] {
            if let Some(probe) = container.get(name).filter(|probe| !probe.is_null()) {
                self.probe(&format!("{field}.{name}"), probe);
            }
        }
    }

    fn mounts(&mut self, field: &str, container: &Value, volumes: &BTreeSet<&str>) {
        let mut paths = BTreeSet::new();
        for (number, mount) in list(Some(container), "volumeMounts").enumerate() {
            let (field, name, path) =
                (format!("{field}.volumeMounts[{number}]"), own(mount, "name"), own(mount, "mountPath"));
            if name.is_empty() {
                self.add(&format!("{field}.name"), Kind::Required, "");
            }
            if !volumes.contains(name) {
                self.add(&format!("{field}.name"), Kind::NotFound, go::quote(name));
            }
            if path.is_empty() {
                self.add(&format!("{field}.mountPath"), Kind::Required, "");
            }
            if !paths.insert(path) {
                let why = format!("{}: must be unique", go::quote(path));
                self.add(&format!("{field}.mountPath"), Kind::Invalid, why);
            }
        }
    }

    /// Jobs must end, and the pods of other workloads must not.
    fn policy(&mut self, kind: &str, policy: &str) {
        match kind {
            "Pod" | "PodTemplate" => {}
            "Job" | "CronJob" if policy == "Always" => {
                // The server's code takes what it defaults to for nothing.
                let why = "valid values: \"OnFailure\", \"Never\"";
                self.add("restartPolicy", Kind::Required, why);
            }
            "Job" | "CronJob" if !POLICIES.contains(&policy) => self.unsupported(policy, &POLICIES[1..]),
            "Job" | "CronJob" => {}
            _ if policy != "Always" => self.unsupported(policy, &POLICIES[..1]),
            _ => {}
        }
    }

    fn unsupported(&mut self, policy: &str, supported: &[&str]) {
        self.one_of("restartPolicy", policy, supported);
    }

    /// Adds a text that is none of those that the server knows.
    fn one_of(&mut self, field: &str, text: &str, supported: &[&str]) {
        self.mistakes.push(words::unsupported(format!("{}.{field}", self.at), text, supported));
    }

    /// Adds a text that is none of those that the server knows, unless it has none.
    fn default_of(&mut self, field: &str, text: &str, supported: &[&str]) {
        if !text.is_empty() && !supported.contains(&text) {
            self.one_of(field, text, supported);
        }
    }

    fn ports(&mut self, field: &str, container: &Value, is_on_host: bool) {
        let mut seen = BTreeSet::new();
        for (number, port) in list(Some(container), "ports").enumerate() {
            let field = |name: &str| format!("{field}.ports[{number}].{name}");
            let (name, at) = (own(port, "name"), |field: String, of: &Found| format!("{}.{field}", of.at));
            if !name.is_empty() {
                let wrong = words::port_name(&at(field("name"), self), name);
                if wrong.is_empty() && !seen.insert(name) {
                    self.add(&field("name"), Kind::Duplicate, go::quote(name));
                }
                self.mistakes.extend(wrong);
            }
            match port.get("containerPort") {
                None | Some(Value::Int(0)) => self.add(&field("containerPort"), Kind::Required, ""),
                Some(number) => self.mistakes.extend(words::port(at(field("containerPort"), self), number)),
            }
            if let Some(number) = port.get("hostPort").filter(|number| number.as_int() != Some(0)) {
                self.mistakes.extend(words::port(at(field("hostPort"), self), number));
                if is_on_host && port.get("containerPort") != Some(number) {
                    let why = format!("{number}: must match `containerPort` when `hostNetwork` is true");
                    self.add(&field("hostPort"), Kind::Invalid, why);
                }
            }
            let protocol = own(port, "protocol");
            if !PROTOCOLS.contains(&protocol) {
                self.one_of(&field("protocol"), protocol, &PROTOCOLS);
            }
        }
    }

    fn variable(&mut self, field: &str, variable: &Value) {
        let name = own(variable, "name");
        if name.is_empty() {
            self.add(&format!("{field}.name"), Kind::Required, "");
        } else if !name.bytes().all(|byte| (b' '..=b'~').contains(&byte) && byte != b'=') {
            let why = "a valid environment variable name must consist only of printable ASCII characters other than '='";
            self.add(&format!("{field}.name"), Kind::Invalid, format!("{}: {why}", go::quote(name)));
        }
        if variable.get("valueFrom").is_some_and(|from| !from.is_null()) && !own(variable, "value").is_empty()
        {
            let why = "\"\": may not be specified when `value` is not empty";
            self.add(&format!("{field}.valueFrom"), Kind::Invalid, why);
        }
    }

    /// Amounts of resources: none is negative, and what a container asks for is not more than what it may have.
    fn resources(&mut self, field: &str, resources: Option<&Value>) {
        let Some(resources) = resources else { return };
        let amount = |part: &str, name: &str| {
            let text = resources.get(part)?.get(name)?.as_str()?;
            Some((text.to_owned(), Quantity::parse(text).ok()?))
        };
        for part in ["limits", "requests"] {
            let names = resources.get(part).and_then(Value::as_map).into_iter().flat_map(|map| map.keys());
            for name in names {
                let at = format!("{field}.resources.{part}[{name}]");
                let is_known =
                    RESOURCES.contains(&name) || name.starts_with("hugepages-") || name.contains('/');
                if !is_known {
                    for why in [
                        "must be a standard resource type or fully qualified",
                        "must be a standard resource for containers",
                    ] {
                        self.add(&at, Kind::Invalid, format!("{}: {why}", go::quote(name)));
                    }
                }
                let Some((text, found)) = amount(part, name) else { continue };
                if found.sign() < 0 {
                    let why = format!("{}: must be greater than or equal to 0", go::quote(&text));
                    self.add(&at, Kind::Invalid, why);
                }
                if part == "requests"
                    && let Some((limit, most)) = amount("limits", name)
                    && found.compare(&most).is_gt()
                {
                    let why = format!(
                        "{}: must be less than or equal to {name} limit of {limit}",
                        go::quote(&text)
                    );
                    self.add(&format!("{field}.resources.requests"), Kind::Invalid, why);
                }
            }
        }
    }

    fn probe(&mut self, field: &str, probe: &Value) {
        let handlers = ["exec", "httpGet", "tcpSocket", "grpc"];
        let present = handlers.into_iter().filter(|name| probe.get(name).is_some_and(|it| !it.is_null()));
        for (number, name) in present.clone().enumerate() {
            if number > 0 {
                let why = "may not specify more than 1 handler type";
                self.add(&format!("{field}.{name}"), Kind::Forbidden, why);
                continue;
            }
            let at = format!("{}.{field}.{name}.port", self.at);
            match probe.get(name).and_then(|handler| handler.get("port")) {
                Some(Value::Str(text)) => self.mistakes.extend(words::port_name(&at, text)),
                Some(number) => self.mistakes.extend(words::port(at, number)),
                None if name == "exec" => {}
                None => self.mistakes.extend(words::port(at, &Value::Int(0))),
            }
        }
        if present.count() == 0 {
            self.add(field, Kind::Required, "must specify a handler type");
        }
        for name in
            ["initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"]
        {
            let at = format!("{}.{field}.{name}", self.at);
            self.mistakes.extend(words::negative(at, probe.get(name)));
        }
    }
}
