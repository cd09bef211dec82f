//! Checks of environment variables and of files, and of what they have of their pod.

use super::{inside_and_free, variable_name, without_parents};
use crate::checks::at::{At, Mistakes};
use crate::checks::data::key as key_of_data;
use crate::checks::rows::{Check::*, Row, check};
use crate::checks::words::prefix_of_subdomain;
use crdgen_core::names;

/// What variables can have of their pod, in the order of messages.
const FIELDS: [&str; 9] = [
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "spec.nodeName",
    "spec.serviceAccountName",
    "status.hostIP",
    "status.hostIPs",
    "status.podIP",
    "status.podIPs",
];
/// What files can have of their pod.
const FIELDS_OF_FILES: [&str; 5] =
    ["metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"];
/// The other fields of pods that have names.
const OTHERS: [&str; 3] = ["spec.restartPolicy", "spec.schedulerName", "status.phase"];
const RESOURCES: [&str; 6] = [
    "limits.cpu",
    "limits.ephemeral-storage",
    "limits.memory",
    "requests.cpu",
    "requests.ephemeral-storage",
    "requests.memory",
];
const OF_BYTES: &str = "1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei";

pub(super) const VARIABLE: &[Row] =
    &[("name", Required("")), ("name", Name(variable_name)), ("", Code(source))];

/// A key of a ConfigMap or a Secret.
const KEY: &[Row] = &[("name", Name(names::dns1123_subdomain)), ("key", NeedsName(key_of_data))];

/// A variable in a file of a volume.
const FILE: &[Row] = &[
    ("key", NeedsName(variable_name)),
    ("volumeName", NeedsName(names::dns1123_label)),
    ("path", NeedsName(without_parents)),
];

/// A resource of the container that has the variable.
const RESOURCE: &[Row] = &[("", Code(resource))];
/// A resource of any container.
const RESOURCE_OF_FILE: &[Row] = &[("", Code(resource_of_file))];

/// Where variables come from.
const SOURCE: &[Row] = &[
    ("fieldRef", In(&[("", Code(|at, out| field(at, &FIELDS, out)))])),
    ("resourceFieldRef", In(RESOURCE)),
    ("configMapKeyRef", In(KEY)),
    ("secretKeyRef", In(KEY)),
    ("fileKeyRef", In(FILE)),
];

/// A file with what its pod says about itself.
pub(super) const DOWNWARD_FILE: &[Row] = &[
    ("path", Required("")),
    ("path", Name(inside_and_free)),
    ("fieldRef", In(&[("", Code(|at, out| field(at, &FIELDS_OF_FILES, out)))])),
    ("", Code(one_reference)),
    ("mode", MODE),
];

/// The permissions of a file.
pub(super) const MODE: crate::checks::rows::Check =
    Between(0, 0o777, "must be a number between 0 and 0777 (octal), both inclusive");

fn one_reference(at: &At<'_>, out: &mut Mistakes) {
    match (at.get("fieldRef").is_set(), at.get("resourceFieldRef")) {
        (true, resource) if resource.is_set() => {
            let why = "fieldRef and resourceFieldRef can not be specified simultaneously";
            out.push(at.invalid_text("resource", why));
        }
        (true, _) => {}
        (false, resource) if resource.is_set() => check(RESOURCE_OF_FILE, &resource, out),
        (false, _) => out.push(at.required("one of fieldRef and resourceFieldRef is required")),
    }
}

fn source(variable: &At<'_>, out: &mut Mistakes) {
    let at = &variable.get("valueFrom");
    if !at.is_set() {
        return;
    }
    check(SOURCE, at, out);
    let number = SOURCE.iter().filter(|(name, _)| at.get(name).is_set()).count();
    let why = match (number, !variable.get("value").is_empty()) {
        (0, _) => {
            "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`"
        }
        (_, true) => "may not be specified when `value` is not empty",
        (1, false) => return,
        (_, false) => "may not have more than one field specified at a time",
    };
    out.push(at.invalid_text("", why));
}

/// A field of the pod.
fn field(at: &At<'_>, known: &[&str], out: &mut Mistakes) {
    let (version, path) = (at.get("apiVersion"), at.get("fieldPath"));
    if version.is_empty() {
        return out.push(version.required(""));
    }
    if path.is_empty() {
        return out.push(path.required(""));
    }
    let text = path.text();
    let unconvertible = |why: String| path.invalid(&format!("error converting fieldPath: {why}"));
    if version.text() != "v1" {
        return out.push(unconvertible(format!("unsupported pod version: {}", version.text())));
    }
    if let Some((map, key)) = text.strip_suffix("']").and_then(|text| text.split_once("['")) {
        let key = match map {
            "metadata.annotations" => key.to_lowercase(),
            "metadata.labels" => key.to_owned(),
            _ => return out.push(unconvertible(format!("field label does not support subscript: {text}"))),
        };
        return out.extend(names::qualified_name(&key).iter().map(|why| at.invalid_text(&key, why)));
    }
    let text = if text == "spec.host" { "spec.nodeName" } else { text };
    if !(FIELDS.contains(&text) || FIELDS_OF_FILES.contains(&text) || OTHERS.contains(&text)) {
        out.push(unconvertible(format!("field label not supported: {text}")));
    } else if !known.contains(&text) {
        out.push(path.unsupported_text(text, known));
    }
}

fn resource_of_file(at: &At<'_>, out: &mut Mistakes) {
    let container = at.get("containerName");
    match container.is_empty() {
        true => {
            out.push(container.required(""));
            divisor(at, out);
        }
        false => resource(at, out),
    }
}

/// An amount of a resource of a container.
fn resource(at: &At<'_>, out: &mut Mistakes) {
    let name = at.get("resource");
    if name.is_empty() {
        out.push(name.required(""));
    } else if !RESOURCES.contains(&name.text()) && !is_huge(name.text()) {
        out.push(name.unsupported(&RESOURCES));
    }
    divisor(at, out);
}

fn is_huge(name: &str) -> bool {
    name.starts_with("requests.hugepages-") || name.starts_with("limits.hugepages-")
}

fn divisor(at: &At<'_>, out: &mut Mistakes) {
    let (name, divisor) = (at.get("resource").text(), at.get("divisor"));
    let (known, of_what) = match name {
        "limits.cpu" | "requests.cpu" => ("1m and 1", "cpu"),
        "limits.memory" | "requests.memory" => (OF_BYTES, "memory"),
        "limits.ephemeral-storage" | "requests.ephemeral-storage" => (OF_BYTES, "local ephemeral storage"),
        _ if is_huge(name) => (OF_BYTES, "hugepages"),
        _ => return,
    };
    let is_none = divisor.quantity().is_none_or(|amount| amount.sign() == 0);
    let is_known = known.split([',', ' ']).any(|it| !it.is_empty() && it == divisor.text());
    if !is_none && !is_known {
        let why = format!("only divisor's values {known} are supported with the {of_what} resource");
        out.push(divisor.invalid_text(name, &why));
    }
}

/// What makes all keys of an object to variables. The server leaves out which one has two sources.
pub(super) fn sources(at: &At<'_>, out: &mut Mistakes) {
    for source in at.each() {
        check(&[("prefix", Name(variable_name))], &source, out);
        // The end of the name may be generated.
        const NAMED: &[Row] = &[("name", NeedsName(prefix_of_subdomain))];
        check(&[("configMapRef", In(NAMED)), ("secretRef", In(NAMED))], &source, out);
        let why = match (source.get("configMapRef").is_set(), source.get("secretRef").is_set()) {
            (false, false) => "must specify one of: `configMapRef` or `secretRef`",
            (true, true) => "may not have more than one field specified at a time",
            _ => continue,
        };
        out.push(at.invalid_text("", why));
    }
}
