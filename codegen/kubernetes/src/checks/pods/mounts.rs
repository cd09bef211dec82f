//! Checks of where containers have their volumes.

use super::{Mistakes, Pod, forbidden, inside, invalid_text, is, list, not_found, own, required, set, text};
use super::{unsupported, without_parents};
use crdgen_core::value::Value;
use std::collections::{BTreeMap, BTreeSet};

const PROPAGATIONS: [&str; 3] = ["Bidirectional", "HostToContainer", "None"];
const READ_ONLY: [&str; 3] = ["Disabled", "Enabled", "IfPossible"];

/// The names of volumes, and the paths at which a container has them.
fn paths<'v>(container: &'v Value, list_name: &str, path: &str) -> BTreeMap<&'v str, &'v str> {
    list(container, list_name).iter().map(|it| (own(it, "name"), own(it, path))).collect()
}

pub(super) fn mistakes(pod: &Pod<'_>, container: &Value, at: &str) -> Mistakes {
    let devices = paths(container, "volumeDevices", "devicePath");
    let list_at = format!("{at}.volumeMounts");
    let (mut out, mut seen) = (Vec::new(), BTreeSet::new());
    for (i, mount) in list(container, "volumeMounts").iter().enumerate() {
        let field = |name: &str| format!("{list_at}[{i}].{name}");
        // The server's code leaves out the number for some fields.
        let of_list = |name: &str| format!("{list_at}.{name}");
        let (name, path) = (own(mount, "name"), own(mount, "mountPath"));
        if name.is_empty() {
            out.push(required(field("name"), ""));
        }
        if !pod.volumes.contains_key(name) {
            out.push(not_found(field("name"), name));
        }
        if path.is_empty() {
            out.push(required(field("mountPath"), ""));
        }
        if !seen.insert(path) {
            out.push(invalid_text(field("mountPath"), path, "must be unique"));
        }
        if devices.contains_key(name) {
            out.push(invalid_text(field("name"), name, "must not already exist in volumeDevices"));
        }
        if devices.values().any(|device| *device == path) {
            let why = "must not already exist as a path in volumeDevices";
            out.push(invalid_text(field("mountPath"), path, why));
        }
        let (below, expression) = (own(mount, "subPath"), own(mount, "subPathExpr"));
        out.extend(inside(&of_list("subPath"), below));
        if !expression.is_empty() {
            if !below.is_empty() {
                let why = "subPathExpr and subPath are mutually exclusive";
                out.push(invalid_text(field("subPathExpr"), expression, why));
            }
            out.extend(inside(&of_list("subPathExpr"), expression));
        }
        out.extend(propagation(container, mount, &of_list("mountPropagation")));
        out.extend(read_only(mount, &of_list("recursiveReadOnly")));
    }
    out
}

fn propagation(container: &Value, mount: &Value, at: &str) -> Mistakes {
    let Some(propagation) = text(mount, "mountPropagation") else { return Vec::new() };
    let mut out = Vec::new();
    if !PROPAGATIONS.contains(&propagation) {
        out.push(unsupported(at.to_owned(), propagation, &PROPAGATIONS));
    }
    let is_privileged = set(container, "securityContext").is_some_and(|context| is(context, "privileged"));
    if propagation == PROPAGATIONS[0] && !is_privileged {
        let why = "Bidirectional mount propagation is available only to privileged containers";
        out.push(forbidden(at.to_owned(), why));
    }
    out
}

fn read_only(mount: &Value, at: &str) -> Mistakes {
    let mut out = Vec::new();
    match text(mount, "recursiveReadOnly") {
        None | Some("Disabled") => {}
        Some("Enabled" | "IfPossible") => {
            if !is(mount, "readOnly") {
                out.push(forbidden(at.to_owned(), "may only be specified when readOnly is true"));
            }
            if text(mount, "mountPropagation").is_some_and(|it| it != "None") {
                let why = "may only be specified when mountPropagation is None or not specified";
                out.push(forbidden(at.to_owned(), why));
            }
        }
        Some(other) => out.push(unsupported(at.to_owned(), other, &READ_ONLY)),
    }
    out
}

/// The mistakes in the volumes that a container has as devices.
pub(super) fn devices(pod: &Pod<'_>, container: &Value, at: &str) -> Mistakes {
    let mounts = paths(container, "volumeMounts", "mountPath");
    let (mut out, mut names, mut places) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    for (i, device) in list(container, "volumeDevices").iter().enumerate() {
        let field = |name: &str| format!("{at}.volumeDevices[{i}].{name}");
        let (name, path) = (own(device, "name"), own(device, "devicePath"));
        if name.is_empty() {
            out.push(required(field("name"), ""));
        }
        if names.contains(name) {
            out.push(invalid_text(field("name"), name, "must be unique"));
        }
        match pod.volumes.get(name) {
            None => out.push(not_found(field("name"), name)),
            Some(volume) => {
                let is_claim =
                    ["persistentVolumeClaim", "ephemeral"].iter().any(|it| set(volume, it).is_some());
                if !is_claim {
                    let why = "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode";
                    out.push(invalid_text(field("name"), name, why));
                }
            }
        }
        if path.is_empty() {
            out.push(required(field("devicePath"), ""));
        }
        if places.contains(path) {
            out.push(invalid_text(field("devicePath"), path, "must be unique"));
        }
        if without_parents("", path).is_some() {
            out.push(invalid_text(field("devicePath"), path, "can not contain backsteps ('..')"));
        } else {
            places.insert(path);
        }
        if mounts.contains_key(name) {
            out.push(invalid_text(field("name"), name, "must not already exist in volumeMounts"));
        }
        if mounts.values().any(|mount| *mount == path) {
            let why = "must not already exist as a path in volumeMounts";
            out.push(invalid_text(field("devicePath"), path, why));
        }
        if !name.is_empty() {
            names.insert(name);
        }
    }
    out
}
