//! Checks of containers, with their ports, and where they have their volumes.

use super::{PULL_POLICIES, env, inside, probes, resources, security, without_parents};
use crate::checks::PROTOCOLS;
use crate::checks::at::{At, Mistakes};
use crate::checks::rows::{Check::*, Row, check};
use crate::checks::words::{port, port_name};
use crdgen_core::names;
use crdgen_core::value::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The containers of a pod.
pub(super) const ALL: &[Row] = &[
    ("containers", Code(regular)),
    ("initContainers", Code(init)),
    ("ephemeralContainers", Code(ephemeral)),
];

/// What all containers must have.
const CONTAINER: &[Row] = &[
    ("name", NeedsName(names::dns1123_label)),
    ("image", Required("")),
    ("terminationMessagePolicy", Known(&["File", "FallbackToLogsOnError"])),
    ("ports", Code(ports)),
    ("env[]", All(env::VARIABLE)),
    ("envFrom", Code(env::sources)),
    ("", Code(mounts)),
    ("", Code(devices)),
    ("imagePullPolicy", Known(PULL_POLICIES)),
    ("resources", In(&[("", Code(resources::of_container))])),
    ("resizePolicy", Code(resizes)),
    ("securityContext", In(security::OF_CONTAINER)),
];

/// When a container is started again.
const RESTARTS: &[Row] = &[
    (
        "",
        If(
            |at| !at.get("restartPolicyRules").is_empty(),
            &[("restartPolicy", Required("must specify restartPolicy when restart rules are used"))],
        ),
    ),
    ("restartPolicy", OneOf(&["Always", "Never", "OnFailure"])),
    ("restartPolicyRules", Most(20)),
    ("restartPolicyRules[].action", Of(&["Restart", "RestartAllContainers"])),
    ("restartPolicyRules[].exitCodes", Code(exit_codes)),
];

/// The fields that containers for debugging do not have, in the order of messages.
const NOT_EPHEMERAL: [&str; 9] = [
    "ports",
    "resources",
    "resizePolicy",
    "restartPolicy",
    "restartPolicyRules",
    "livenessProbe",
    "readinessProbe",
    "startupProbe",
    "lifecycle",
];

fn exit_codes(at: &At<'_>, out: &mut Mistakes) {
    match at.is_set() {
        true => check(&[("operator", Of(&["In", "NotIn"])), ("values", Most(255))], at, out),
        false => out.push(at.required("must be specified")),
    }
}

fn regular(at: &At<'_>, out: &mut Mistakes) {
    if at.is_empty() {
        return out.push(at.required(""));
    }
    let mut seen = BTreeSet::new();
    for container in at.each() {
        check(CONTAINER, &container, out);
        let name = container.get("name");
        if !seen.insert(name.text()) {
            out.push(name.duplicate_text(name.text()));
        }
        check(probes::OF_CONTAINER, &container, out);
        check(RESTARTS, &container, out);
    }
    twice_on_host(at, &at.each().collect::<Vec<_>>(), out);
}

/// The names of the containers in a list.
fn names_of<'v>(spec: &At<'v>, list: &'static str) -> BTreeSet<&'v str> {
    spec.get(list).each().map(|container| container.get("name").text()).collect()
}

fn init(at: &At<'_>, out: &mut Mistakes) {
    let mut seen = names_of(&at.spec(), "containers");
    for container in at.each() {
        check(CONTAINER, &container, out);
        let policy = container.get("restartPolicy");
        if policy.is_set() {
            check(RESTARTS, &container, out);
        } else {
            check(&RESTARTS[..1], &container, out);
        }
        let name = container.get("name");
        if seen.contains(name.text()) {
            out.push(name.duplicate_text(name.text()));
        } else if !name.is_empty() {
            seen.insert(name.text());
        }
        // They run one after the other.
        twice_on_host(at, std::slice::from_ref(&container), out);
        if policy.text() == "Always" {
            check(probes::OF_CONTAINER, &container, out);
            continue;
        }
        for name in ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"] {
            let why = "may not be set for init containers without restartPolicy=Always";
            check(&[(name, Forbidden(why))], &container, out);
        }
        for resize in container.get("resizePolicy").each() {
            let policy = resize.get("restartPolicy");
            if policy.text() == "RestartContainer" {
                out.push(
                    policy.invalid("must not be set to 'RestartContainer' for non-sidecar initContainers"),
                );
            }
        }
    }
}

fn ephemeral(at: &At<'_>, out: &mut Mistakes) {
    let spec = at.spec();
    let mut others = names_of(&spec, "containers");
    others.extend(names_of(&spec, "initContainers"));
    let mut seen = others.clone();
    for container in at.each() {
        check(CONTAINER, &container, out);
        check(&[("image", PADDED)], &container, out);
        let (name, target) = (container.get("name"), container.get("targetContainerName"));
        if !seen.insert(name.text()) {
            out.push(name.duplicate_text(name.text()));
        }
        if !target.is_empty() && !others.contains(target.text()) {
            out.push(target.not_found());
        }
        let why = "cannot be set for an Ephemeral Container";
        // An empty map is always there in resources.
        let is_there = |at: &At<'_>| !at.is_empty() || at.value.is_some_and(|it| it.as_map().is_some());
        for name in NOT_EPHEMERAL {
            let part = container.get(name);
            if if name == "resources" { !part.is_empty() } else { is_there(&part) } {
                out.push(part.forbidden(why));
            }
        }
        for mount in container.get("volumeMounts").each() {
            for name in ["subPath", "subPathExpr"] {
                let path = mount.get(name);
                out.extend((!path.is_empty()).then(|| path.forbidden(why)));
            }
        }
    }
}

/// Templates may have images with spaces around them, pods may not.
pub(in crate::checks) const PADDED: crate::checks::rows::Check =
    InvalidIf(|at| at.text().trim() != at.text(), "must not have leading or trailing whitespace");

/// What happens when the resources of a container change. The server leaves out which one it is.
fn resizes(at: &At<'_>, out: &mut Mistakes) {
    let mut seen = BTreeSet::new();
    for resize in at.each() {
        let resource = resize.get("resourceName").text();
        if !seen.insert(resource) {
            out.push(resize.duplicate_text(resource));
        }
        let of_list = |name| resize.get(name).shown_as(at.field.clone());
        check(&[("", Known(&["cpu", "memory"]))], &of_list("resourceName"), out);
        let policy = of_list("restartPolicy");
        check(&[("", Known(&["NotRequired", "RestartContainer"]))], &policy, out);
        if at.spec().get("restartPolicy").text() == "Never" && policy.text() != "NotRequired" {
            let why = "must be 'NotRequired' when pod `restartPolicy` is 'Never'";
            out.push(policy.invalid_text(policy.text(), why));
        }
    }
}

fn ports(at: &At<'_>, out: &mut Mistakes) {
    let mut seen = BTreeSet::new();
    for one in at.each() {
        let name = one.get("name");
        if !name.is_empty() {
            let wrong = name.wrong_text(port_name(name.text()));
            if wrong.is_empty() && !seen.insert(name.text()) {
                out.push(name.duplicate());
            }
            out.extend(wrong);
        }
        let (inner, on_host) = (one.get("containerPort"), one.get("hostPort"));
        if inner.number() == 0 && inner.value.is_none_or(|it| it.as_int().is_some()) {
            out.push(inner.required(""));
        } else {
            out.extend(port(&inner));
        }
        if on_host.value.is_some_and(|number| number.as_int() != Some(0)) {
            out.extend(port(&on_host));
        }
        check(&[("protocol", Known(PROTOCOLS))], &one, out);
    }
}

/// Each port of a host can be used once by these containers of a list.
fn twice_on_host(list: &At<'_>, containers: &[At<'_>], out: &mut Mistakes) {
    let mut seen = BTreeSet::new();
    for (i, container) in containers.iter().enumerate() {
        for (j, port) in container.get("ports").each().enumerate() {
            let number = port.get("hostPort").number();
            let shown = format!("{}/{}/{number}", port.get("protocol").text(), port.get("hostIP").text());
            if number != 0 && seen.contains(&shown) {
                let field = list.field.index(i).child("ports").index(j).child("hostPort");
                out.push(port.shown_as(field).duplicate_text(&shown));
            }
            seen.insert(shown);
        }
    }
}

/// A pod in the network of its host has the ports of its containers there. Templates get them later.
pub(super) fn on_host(port: &At<'_>, out: &mut Mistakes) {
    let at = port.get("hostPort");
    let is_other = at.number() != port.get("containerPort").number();
    if is_other && (at.number() != 0 || port.pod.is_some_and(|pod| pod.name.is_some())) {
        let why = "must match `containerPort` when `hostNetwork` is true";
        out.push(at.invalid_as(&at.number().to_string(), why));
    }
}

/// The names of volumes, and the paths at which a container has them.
fn paths<'v>(list: &At<'v>, path: &'static str) -> BTreeMap<&'v str, &'v str> {
    list.each().map(|it| (it.get("name").text(), it.get(path).text())).collect()
}

const WHICH: &[Row] = &[("name", Required(""))];
const PROPAGATIONS: &[&str] = &["Bidirectional", "HostToContainer", "None"];

fn mounts(container: &At<'_>, out: &mut Mistakes) {
    let devices = paths(&container.get("volumeDevices"), "devicePath");
    let (list, mut seen) = (container.get("volumeMounts"), BTreeSet::new());
    for mount in list.each() {
        let (name, path) = (mount.get("name"), mount.get("mountPath"));
        check(WHICH, &mount, out);
        if volume(&name).is_none() {
            out.push(name.not_found());
        }
        check(&[("", Required(""))], &path, out);
        let mut add = |is_wrong: bool, at: &At<'_>, why| {
            out.extend(is_wrong.then(|| at.invalid_text(at.text(), why)));
        };
        add(!seen.insert(path.text()), &path, "must be unique");
        add(devices.contains_key(name.text()), &name, "must not already exist in volumeDevices");
        let is_device = devices.values().any(|device| *device == path.text());
        add(is_device, &path, "must not already exist as a path in volumeDevices");
        // The server's code leaves out the number for some fields.
        let of_list = |name| mount.get(name).shown_as(list.field.child(name));
        check(&[("", NameOrEmpty(inside))], &of_list("subPath"), out);
        let expression = mount.get("subPathExpr");
        if !expression.is_empty() && !mount.get("subPath").is_empty() {
            out.push(expression.invalid("subPathExpr and subPath are mutually exclusive"));
        }
        check(&[("", NameOrEmpty(inside))], &of_list("subPathExpr"), out);
        propagation(container, &of_list("mountPropagation"), out);
        read_only(&mount, &of_list("recursiveReadOnly"), out);
    }
}

/// The volume with a name, if it is right.
fn volume<'v>(name: &At<'v>) -> Option<&'v Value> {
    name.pod.and_then(|pod| pod.volumes.get(name.text()).copied())
}

fn propagation(container: &At<'_>, at: &At<'_>, out: &mut Mistakes) {
    check(&[("", OneOf(PROPAGATIONS))], at, out);
    if at.text() == PROPAGATIONS[0] && !container.get("securityContext.privileged").is_true() {
        out.push(at.forbidden("Bidirectional mount propagation is available only to privileged containers"));
    }
}

fn read_only(mount: &At<'_>, at: &At<'_>, out: &mut Mistakes) {
    match at.text() {
        "Enabled" | "IfPossible" => {
            if !mount.get("readOnly").is_true() {
                out.push(at.forbidden("may only be specified when readOnly is true"));
            }
            if !matches!(mount.get("mountPropagation").text(), "" | "None") {
                let why = "may only be specified when mountPropagation is None or not specified";
                out.push(at.forbidden(why));
            }
        }
        _ => check(&[("", OneOf(&["Disabled", "Enabled", "IfPossible"]))], at, out),
    }
}

/// The volumes that a container has as devices.
fn devices(container: &At<'_>, out: &mut Mistakes) {
    let mounts = paths(&container.get("volumeMounts"), "mountPath");
    let (mut names, mut places) = (BTreeSet::new(), BTreeSet::new());
    for device in container.get("volumeDevices").each() {
        let (name, path) = (device.get("name"), device.get("devicePath"));
        check(WHICH, &device, out);
        let wrong = |at: &At<'_>, why| at.invalid_text(at.text(), why);
        out.extend(names.contains(name.text()).then(|| wrong(&name, "must be unique")));
        match volume(&name) {
            None => out.push(name.not_found()),
            Some(of) if ["persistentVolumeClaim", "ephemeral"].iter().all(|it| of.get(it).is_none()) => {
                let why =
                    "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode";
                out.push(wrong(&name, why));
            }
            Some(_) => {}
        }
        check(&[("", Required(""))], &path, out);
        out.extend(places.contains(path.text()).then(|| wrong(&path, "must be unique")));
        if !without_parents(path.text()).is_empty() {
            out.push(wrong(&path, "can not contain backsteps ('..')"));
        } else {
            places.insert(path.text());
        }
        let (is_mounted, is_path) =
            (mounts.contains_key(name.text()), mounts.values().any(|mount| *mount == path.text()));
        out.extend(is_mounted.then(|| wrong(&name, "must not already exist in volumeMounts")));
        out.extend(is_path.then(|| wrong(&path, "must not already exist as a path in volumeMounts")));
        if !name.is_empty() {
            names.insert(name.text());
        }
    }
}
