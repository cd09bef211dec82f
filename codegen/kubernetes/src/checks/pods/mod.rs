//! Checks of pods, and of the templates of pods, in the order in which the server looks at their fields.

pub(super) mod affinity;
mod containers;
mod env;
mod files;
mod mounts;
mod placement;
mod ports;
mod probes;
mod profiles;
mod projected;
mod resources;
mod security;
mod volumes;
mod windows;

pub(super) use placement::toleration;

use super::words::{forbidden, invalid, invalid_text, negative, required, too_long, unsupported};
use super::{find, selectors};
use crate::meta::{self, own};
use crate::mistake::Mistake;
use crdgen_core::apply::BuiltIn;
use crdgen_core::diag::Kind;
use crdgen_core::value::Value;
use crdgen_core::{go, names};
use std::collections::{BTreeMap, BTreeSet};

type Mistakes = Vec<Mistake<'static>>;

/// When the containers of a pod are started again.
const POLICIES: [&str; 3] = ["Always", "OnFailure", "Never"];
const PULL_POLICIES: [&str; 3] = ["Always", "IfNotPresent", "Never"];

/// A list of containers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Containers {
    Regular,
    Init,
    Ephemeral,
}

impl Containers {
    /// In the order in which the server goes through all containers.
    const ALL: [Containers; 3] = [Containers::Init, Containers::Regular, Containers::Ephemeral];

    fn name(self) -> &'static str {
        match self {
            Containers::Regular => "containers",
            Containers::Init => "initContainers",
            Containers::Ephemeral => "ephemeralContainers",
        }
    }
}

/// The spec of a pod, with what its parts must know about each other.
struct Pod<'v> {
    spec: &'v Value,
    /// The field of the spec.
    at: String,
    /// The name of the pod. Templates have none.
    name: Option<&'v str>,
    /// The volumes that are right.
    volumes: BTreeMap<&'v str, &'v Value>,
    /// The names of the claims for devices.
    claims: BTreeSet<&'v str>,
}

/// The mistakes in the pods of a kind.
pub(super) fn mistakes(kind: &str, object: &Value) -> Mistakes {
    let place =
        BuiltIn::find(own(object, "apiVersion"), kind).and_then(BuiltIn::pod_spec).unwrap_or_default();
    let Some(spec) = find(object, place) else { return Vec::new() };
    let [way @ .., _] = place else { return Vec::new() };
    let of_spec = |out: &mut Mistakes| {
        let name = (kind == "Pod").then(|| meta::text(object, "name"));
        let claims = list(spec, "resourceClaims").iter().map(|claim| own(claim, "name"));
        let claims = claims.filter(|name| !name.is_empty()).collect();
        let at = place.join(".");
        let mut pod = Pod { spec, at, name, volumes: BTreeMap::new(), claims };
        out.extend(pod.mistakes());
    };
    let mut out = Vec::new();
    let template = find(object, way).unwrap_or(&Value::Null);
    let nothing = Value::Null;
    let metadata = template.get("metadata").unwrap_or(&nothing);
    let at = way.join(".");
    if kind == "Pod" {
        out.extend(profiles::of_annotations(metadata, spec, "metadata.annotations"));
        of_spec(&mut out);
        out.extend(only_in_pods(spec));
    } else {
        let annotations = format!("{at}.annotations");
        out.extend(selectors::labels(metadata.get("labels"), &format!("{at}.labels")));
        out.extend(selectors::annotations(metadata.get("annotations"), &annotations));
        out.extend(profiles::of_annotations(metadata, spec, &annotations));
        of_spec(&mut out);
    }
    let place = place.join(".");
    if kind == "Pod" {
        return out;
    }
    out.extend(profiles::other_annotations(metadata, spec, &place));
    if !list(spec, Containers::Ephemeral.name()).is_empty() {
        let why = "ephemeral containers not allowed in pod template";
        out.push(forbidden(format!("{place}.ephemeralContainers"), why));
    }
    let of_job = way.split_last().and_then(|(_, way)| find(object, way));
    out.extend(of_workload(kind, of_job.unwrap_or(&nothing), own(spec, "restartPolicy"), &place));
    out
}

/// Checks that templates do not get, because they did not have them from the start.
fn only_in_pods(spec: &Value) -> Mistakes {
    let mut out = Vec::new();
    if own(spec, "serviceAccountName").is_empty() {
        for (i, volume) in list(spec, "volumes").iter().enumerate() {
            let sources = set(volume, "projected").map(|it| list(it, "sources")).unwrap_or_default();
            let tokens =
                sources.iter().enumerate().filter(|(_, it)| set(it, "serviceAccountToken").is_some());
            out.extend(tokens.map(|(j, _)| {
                let field = format!("spec.volumes[{i}].projected.sources[{j}].serviceAccountToken");
                forbidden(field, "must not be specified when serviceAccountName is not set")
            }));
        }
    }
    let grace = spec.get("terminationGracePeriodSeconds");
    out.extend(negative("spec.terminationGracePeriodSeconds".to_owned(), grace));
    for kind in [Containers::Regular, Containers::Init] {
        for (i, container) in list(spec, kind.name()).iter().enumerate() {
            out.extend(containers::padded_image(container, &format!("spec.{}[{i}]", kind.name())));
        }
    }
    out
}

/// What only new pods cannot have.
pub(super) fn of_new(pod: &Value) -> Mistakes {
    let nothing = Value::Null;
    let spec = pod.get("spec").unwrap_or(&nothing);
    let mut out = Vec::new();
    if !list(spec, Containers::Ephemeral.name()).is_empty() {
        out.push(forbidden("spec.ephemeralContainers".to_owned(), "cannot be set on create"));
    }
    if !own(spec, "nodeName").is_empty() && !list(spec, "schedulingGates").is_empty() {
        let why = "cannot be set until all schedulingGates have been cleared";
        out.push(forbidden("spec.nodeName".to_owned(), why));
    }
    out.extend(profiles::other_annotations(pod.get("metadata").unwrap_or(&nothing), spec, "spec"));
    out
}

/// Jobs must end, and the pods of other workloads must not.
fn of_workload(kind: &str, of_job: &Value, policy: &str, at: &str) -> Option<Mistake<'static>> {
    let field = format!("{at}.restartPolicy");
    match kind {
        "PodTemplate" => None,
        // The server's code takes what it defaults to for nothing.
        "Job" | "CronJob" if matches!(policy, "Always" | "") => {
            Some(required(field, "valid values: \"OnFailure\", \"Never\""))
        }
        "Job" | "CronJob" if !POLICIES.contains(&policy) => Some(unsupported(field, policy, &POLICIES[1..])),
        "Job" | "CronJob" => {
            let why = "only \"Never\" is supported when podFailurePolicy is specified";
            let is_wrong = policy != "Never" && set(of_job, "podFailurePolicy").is_some();
            is_wrong.then(|| invalid_text(field, policy, why))
        }
        _ => (policy != "Always").then(|| unsupported(field, policy, &POLICIES[..1])),
    }
}

impl<'v> Pod<'v> {
    fn mistakes(&mut self) -> Mistakes {
        let spec = self.spec;
        let mut out = volumes::mistakes(self);
        out.extend(resources::claims(self));
        out.extend(containers::mistakes(self));
        out.extend(resources::of_pod(self));
        out.extend(ports::on_host(self));
        out.extend(unless_known(self.field("restartPolicy"), own(spec, "restartPolicy"), &POLICIES));
        out.extend(placement::dns_policy(self));
        out.extend(selectors::labels(spec.get("nodeSelector"), &self.field("nodeSelector")));
        out.extend(security::of_pod(self));
        out.extend(affinity::mistakes(self));
        out.extend(placement::mistakes(self));
        out
    }

    /// A field of the spec.
    fn field(&self, name: &str) -> String {
        format!("{}.{name}", self.at)
    }

    /// All containers, with their fields.
    fn containers(&self) -> impl Iterator<Item = (String, &'v Value)> {
        Containers::ALL.into_iter().flat_map(move |kind| self.containers_of(kind))
    }

    fn containers_of(&self, kind: Containers) -> impl Iterator<Item = (String, &'v Value)> + use<'v> {
        let at = self.field(kind.name());
        let all = list(self.spec, kind.name()).iter().enumerate();
        all.map(move |(i, container)| (format!("{at}[{i}]"), container))
    }

    fn is(&self, name: &str) -> bool {
        is(self.spec, name)
    }
}

/// The items of a list.
fn list<'v>(object: &'v Value, name: &str) -> &'v [Value] {
    object.get(name).and_then(Value::as_list).unwrap_or_default()
}

/// A value that is not null.
fn set<'v>(object: &'v Value, name: &str) -> Option<&'v Value> {
    object.get(name).filter(|value| !value.is_null())
}

fn number(object: &Value, name: &str) -> Option<i64> {
    object.get(name).and_then(Value::as_int)
}

fn text<'v>(object: &'v Value, name: &str) -> Option<&'v str> {
    object.get(name).and_then(Value::as_str)
}

/// Whether a field is true.
fn is(object: &Value, name: &str) -> bool {
    object.get(name).and_then(Value::as_bool) == Some(true)
}

/// A text that must be one of those that the server knows.
fn unless_known(field: String, text: &str, known: &[&str]) -> Option<Mistake<'static>> {
    match text {
        "" => Some(required(field, "")),
        text => (!known.contains(&text)).then(|| unsupported(field, text, known)),
    }
}

/// A text that may be missing, and is then one of those that the server knows.
fn unless_none_or_known(field: String, text: Option<&str>, known: &[&str]) -> Option<Mistake<'static>> {
    let text = text.filter(|text| !known.contains(text))?;
    Some(unsupported(field, text, known))
}

/// The mistakes in a name, unless it is empty.
fn named<W: AsRef<str>>(check: fn(&str) -> Vec<W>, field: &str, name: &str) -> Mistakes {
    if name.is_empty() { Vec::new() } else { always_named(check, field, name) }
}

fn always_named<W: AsRef<str>>(check: fn(&str) -> Vec<W>, field: &str, name: &str) -> Mistakes {
    check(name).iter().map(|why| invalid_text(field.to_owned(), name, why.as_ref())).collect()
}

/// A name that is required, and a label.
fn label(field: &str, name: &str) -> Mistakes {
    match name {
        "" => vec![required(field.to_owned(), "")],
        name => always_named(names::dns1123_label, field, name),
    }
}

/// A number that must be between two others.
fn between(field: String, number: i64, least: i64, most: i64) -> Option<Mistake<'static>> {
    let why = format!("must be between {least} and {most}, inclusive");
    (!(least..=most).contains(&number)).then(|| invalid(field, &Value::Int(number), &why))
}

/// The number of a user or a group.
fn user(field: String, user: Option<i64>) -> Option<Mistake<'static>> {
    between(field, user?, 0, i64::from(i32::MAX))
}

/// A path that does not lead out of a folder: its parts are none that lead upwards.
fn without_parents(field: &str, path: &str) -> Option<Mistake<'static>> {
    let is_wrong = path.split('/').any(|part| part == "..");
    is_wrong.then(|| invalid_text(field.to_owned(), path, "must not contain '..'"))
}

/// A path inside of a folder.
fn inside(field: &str, path: &str) -> Mistakes {
    let absolute =
        path.starts_with('/').then(|| invalid_text(field.to_owned(), path, "must be a relative path"));
    absolute.into_iter().chain(without_parents(field, path)).collect()
}

/// A path inside of a folder that has files of its own, whose names begin with two dots.
fn inside_and_free(field: &str, path: &str) -> Mistakes {
    let mut out = inside(field, path);
    if path.starts_with("..") && !path.starts_with("../") {
        out.push(invalid_text(field.to_owned(), path, "must not start with '..'"));
    }
    out
}

/// The name of an environment variable.
fn variable_name(field: &str, name: &str) -> Option<Mistake<'static>> {
    let is_part = |byte: u8| (b' '..=b'~').contains(&byte) && byte != b'=';
    let why =
        "a valid environment variable name must consist only of printable ASCII characters other than '='";
    (!name.bytes().all(is_part)).then(|| invalid_text(field.to_owned(), name, why))
}

/// Something that is not there.
fn not_found(field: String, name: &str) -> Mistake<'static> {
    Mistake::new(field, Kind::NotFound, go::quote(name))
}
