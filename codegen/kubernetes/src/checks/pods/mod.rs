//! Checks of pods, and of the templates of pods, in the order in which the server looks at their fields.

mod affinity;
mod containers;
mod env;
mod placement;
mod probes;
mod profiles;
mod projected;
mod resources;
mod security;
mod volumes;
mod windows;

pub(super) use affinity::NODE_SELECTOR;
pub(super) use containers::PADDED;
pub(super) use placement::{EFFECTS, TOLERATION};
pub(super) use profiles::signer;
pub(super) use resources::overhead;
pub(super) use volumes::{OF_VOLUMES, metadata_of_template, sources};

use super::at::{At, Mistakes, Pod};
use super::rows::{Check::*, Row, check};
use crate::checks::selectors::{ANNOTATIONS, LABELS};
use std::collections::BTreeMap;

const PULL_POLICIES: &[&str] = &["Always", "IfNotPresent", "Never"];
/// When the containers of a pod are started again.
const POLICIES: &[&str] = &["Always", "OnFailure", "Never"];
/// The lists of containers, in the order in which the server goes through all of them.
const CONTAINERS: [&str; 3] = ["initContainers", "containers", "ephemeralContainers"];
/// What numbers of users and groups must be.
const USER: super::rows::Check = Between(0, i32::MAX as i64, "must be between 0 and 2147483647, inclusive");

/// The parts of a spec after its volumes.
const SPEC: &[Row] = &[
    ("resourceClaims", Code(resources::claims)),
    ("", All(containers::ALL)),
    ("resources", In(&[("", Code(resources::of_pod))])),
    ("", If(|at| at.get("hostNetwork").is_true(), &[("containers[].ports[]", Code(containers::on_host))])),
    ("restartPolicy", Known(POLICIES)),
    ("dnsPolicy", Known(&["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"])),
    ("nodeSelector", LABELS),
    ("securityContext", In(security::OF_POD)),
    ("shareProcessNamespace", security::SHARED),
    ("affinity", In(affinity::AFFINITY)),
    ("", All(placement::REST)),
];

/// The mistakes in a pod.
pub(super) fn pod(at: &At<'_>, out: &mut Mistakes) {
    profiles::of_annotations(at, out);
    of_spec(&at.get("spec"), Some(at.get("metadata.name").text()), out);
    check(ONLY_IN_PODS, at, out);
    if at.is_new() {
        check(ONLY_IN_NEW_PODS, at, out);
        profiles::other_annotations(at, out);
    }
}

/// The mistakes in a template of pods.
pub(super) fn template(at: &At<'_>, out: &mut Mistakes) {
    // The server leaves out the metadata in these fields.
    for (name, kind) in [("labels", LABELS), ("annotations", ANNOTATIONS)] {
        let map = at.get("metadata").get(name).shown_as(at.field.child(name));
        check(&[("", kind)], &map, out);
    }
    profiles::of_annotations(at, out);
    of_spec(&at.get("spec"), None, out);
    profiles::other_annotations(at, out);
    const EPHEMERAL: super::rows::Check =
        ForbiddenIf(|at| !at.is_empty(), "ephemeral containers not allowed in pod template");
    check(&[("spec.ephemeralContainers", EPHEMERAL)], at, out);
}

/// The mistakes in a template whose pods never end.
pub(super) fn endless(at: &At<'_>, out: &mut Mistakes) {
    template(at, out);
    let policy = at.get("spec.restartPolicy");
    if policy.text() != POLICIES[0] {
        out.push(policy.unsupported(&POLICIES[..1]));
    }
}

/// The mistakes in a template whose pods end, in the spec of a job.
pub(super) fn ending(job: &At<'_>, out: &mut Mistakes) {
    let at = job.get("template");
    template(&at, out);
    let policy = at.get("spec.restartPolicy");
    match policy.text() {
        // The server's code takes what it defaults to for nothing.
        "Always" | "" => out.push(policy.required("valid values: \"OnFailure\", \"Never\"")),
        text if !POLICIES.contains(&text) => out.push(policy.unsupported(&POLICIES[1..])),
        text if text != "Never" && job.get("podFailurePolicy").is_set() => {
            out.push(policy.invalid("only \"Never\" is supported when podFailurePolicy is specified"));
        }
        _ => {}
    }
}

fn of_spec(at: &At<'_>, name: Option<&str>, out: &mut Mistakes) {
    let Some(spec) = at.value else { return };
    let claims = at.get("resourceClaims");
    let claims =
        claims.each().map(|claim| claim.get("name").text()).filter(|name| !name.is_empty()).collect();
    let mut pod = Pod { spec, field: at.field.clone(), name, volumes: BTreeMap::new(), claims };
    pod.volumes = volumes::right(at, name, out);
    check(SPEC, &At { pod: Some(&pod), ..at.clone() }, out);
}

/// Checks that templates do not get, because they did not have them from the start.
const ONLY_IN_PODS: &[Row] = &[
    (
        "spec",
        If(
            |at| at.get("serviceAccountName").is_empty(),
            &[(
                "volumes[].projected.sources[].serviceAccountToken",
                Forbidden("must not be specified when serviceAccountName is not set"),
            )],
        ),
    ),
    ("spec.terminationGracePeriodSeconds", NotNegative),
    ("spec.containers[].image", PADDED),
    ("spec.initContainers[].image", PADDED),
];

const ONLY_IN_NEW_PODS: &[Row] = &[
    ("spec.ephemeralContainers", ForbiddenIf(|at| !at.is_empty(), "cannot be set on create")),
    (
        "spec",
        If(
            |at| !at.get("schedulingGates").is_empty() && !at.get("nodeName").is_empty(),
            &[("nodeName", Forbidden("cannot be set until all schedulingGates have been cleared"))],
        ),
    ),
];

/// All containers of a spec.
pub(super) fn all_containers<'v>(spec: &At<'v>) -> Vec<At<'v>> {
    CONTAINERS.into_iter().flat_map(|list| spec.get(list).each().collect::<Vec<_>>()).collect()
}

/// A path that does not lead out of a folder: its parts are none that lead upwards.
fn without_parents(path: &str) -> Vec<String> {
    let is_wrong = path.split('/').any(|part| part == "..");
    is_wrong.then(|| "must not contain '..'".to_owned()).into_iter().collect()
}

/// A path inside of a folder.
fn inside(path: &str) -> Vec<String> {
    let absolute = path.starts_with('/').then(|| "must be a relative path".to_owned());
    absolute.into_iter().chain(without_parents(path)).collect()
}

/// A path inside of a folder that has files of its own, whose names begin with two dots.
fn inside_and_free(path: &str) -> Vec<String> {
    let mut out = inside(path);
    if path.starts_with("..") && !path.starts_with("../") {
        out.push("must not start with '..'".to_owned());
    }
    out
}

/// The name of an environment variable.
fn variable_name(name: &str) -> Vec<String> {
    let is_part = |byte: u8| (b' '..=b'~').contains(&byte) && byte != b'=';
    let why =
        "a valid environment variable name must consist only of printable ASCII characters other than '='";
    (!name.bytes().all(is_part)).then(|| why.to_owned()).into_iter().collect()
}
