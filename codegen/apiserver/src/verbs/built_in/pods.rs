//! Checks of pods, and of the templates of pods: names, images, volumes and restart policies.

use super::find;
use crate::meta::own;
use crate::status::Mistake;
use crdgen_core::diag::Kind;
use crdgen_core::value::Value;
use crdgen_core::{go, names};
use std::collections::BTreeSet;

/// When the containers of a pod are started again.
const POLICIES: [&str; 3] = ["Always", "OnFailure", "Never"];

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
    found.policy(kind, own(spec, "restartPolicy"));
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
        for kind in ["containers", "initContainers"] {
            for (number, container) in list(Some(spec), kind).enumerate() {
                let (field, name) = (format!("{kind}[{number}]"), own(container, "name"));
                self.container(&field, container, volumes);
                if !name.is_empty() && !seen.insert(name) {
                    self.add(&format!("{field}.name"), Kind::Duplicate, go::quote(name));
                }
            }
        }
    }

    fn container(&mut self, field: &str, container: &Value, volumes: &BTreeSet<&str>) {
        self.name(&format!("{field}.name"), own(container, "name"));
        if own(container, "image").is_empty() {
            self.add(&format!("{field}.image"), Kind::Required, "");
        }
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

    /// Each kind of pods can be restarted. Jobs must end, and the pods of other workloads must not.
    fn policy(&mut self, kind: &str, policy: &str) {
        if !POLICIES.contains(&policy) {
            self.unsupported(policy, &POLICIES);
        }
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
        let supported: Vec<_> = supported.iter().map(|it| go::quote(it)).collect();
        let why = format!("{}: supported values: {}", go::quote(policy), supported.join(", "));
        self.add("restartPolicy", Kind::NotSupported, why);
    }
}
