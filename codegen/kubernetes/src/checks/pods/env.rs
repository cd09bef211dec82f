//! Checks of environment variables, and of where they come from.

use super::without_parents;
use super::{
    Mistakes, always_named, invalid_text, label, list, own, required, set, unsupported, variable_name,
};
use crate::checks::data::wrong_key;
use crate::meta::own as text;
use crdgen_core::go::quantity::Quantity;
use crdgen_core::names;
use crdgen_core::value::Value;

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
pub(super) const FIELDS_OF_FILES: [&str; 5] =
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

/// The mistakes in the variables of a container.
pub(super) fn variables(container: &Value, at: &str) -> Mistakes {
    let mut out = Vec::new();
    for (i, variable) in list(container, "env").iter().enumerate() {
        let field = |name: &str| format!("{at}[{i}].{name}");
        let name = own(variable, "name");
        if name.is_empty() {
            out.push(required(field("name"), ""));
        }
        out.extend(variable_name(&field("name"), name));
        if let Some(from) = set(variable, "valueFrom") {
            out.extend(source(from, own(variable, "value"), &field("valueFrom")));
        }
    }
    out
}

fn source(from: &Value, value: &str, at: &str) -> Mistakes {
    type Check = fn(&Value, &str) -> Mistakes;
    const SOURCES: [(&str, Check); 5] = [
        ("fieldRef", |of, at| field(of, &FIELDS, at)),
        ("resourceFieldRef", |of, at| resource(of, Reader::Container, at)),
        ("configMapKeyRef", key),
        ("secretKeyRef", key),
        ("fileKeyRef", file),
    ];
    let (mut out, mut found) = (Vec::new(), 0);
    for (name, check) in SOURCES {
        if let Some(of) = set(from, name) {
            out.extend(check(of, &format!("{at}.{name}")));
            found += 1;
        }
    }
    let why = match (found, value.is_empty()) {
        (0, _) => {
            "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`"
        }
        (_, false) => "may not be specified when `value` is not empty",
        (1, true) => return out,
        (_, true) => "may not have more than one field specified at a time",
    };
    out.push(invalid_text(at.to_owned(), "", why));
    out
}

/// A field of the pod.
pub(super) fn field(of: &Value, known: &[&str], at: &str) -> Mistakes {
    let field = |name: &str| format!("{at}.{name}");
    let (version, path) = (own(of, "apiVersion"), own(of, "fieldPath"));
    if version.is_empty() {
        return vec![required(field("apiVersion"), "")];
    }
    if path.is_empty() {
        return vec![required(field("fieldPath"), "")];
    }
    let unconvertible = |why: String| {
        vec![invalid_text(field("fieldPath"), path, &format!("error converting fieldPath: {why}"))]
    };
    if version != "v1" {
        return unconvertible(format!("unsupported pod version: {version}"));
    }
    if let Some((map, key)) = subscript(path) {
        return match map {
            "metadata.annotations" => {
                let key = key.to_lowercase();
                always_named(names::qualified_name, at, &key)
            }
            "metadata.labels" => always_named(names::qualified_name, at, key),
            _ => unconvertible(format!("field label does not support subscript: {path}")),
        };
    }
    let is_named = FIELDS.contains(&path) || FIELDS_OF_FILES.contains(&path) || OTHERS.contains(&path);
    let path = if path == "spec.host" { "spec.nodeName" } else { path };
    if !is_named && path != "spec.nodeName" {
        return unconvertible(format!("field label not supported: {path}"));
    }
    if known.contains(&path) { Vec::new() } else { vec![unsupported(field("fieldPath"), path, known)] }
}

/// The map and the key of a path such as `metadata.labels['key']`.
fn subscript(path: &str) -> Option<(&str, &str)> {
    path.strip_suffix("']")?.split_once("['")
}

/// What gets an amount.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Reader {
    /// A variable of the container that has the resource.
    Container,
    /// A file in a volume, for any container.
    File,
}

/// An amount of a resource of a container.
pub(super) fn resource(of: &Value, reader: Reader, at: &str) -> Mistakes {
    let mut out = Vec::new();
    let name = own(of, "resource");
    let is_huge = name.starts_with("requests.hugepages-") || name.starts_with("limits.hugepages-");
    if reader == Reader::File && own(of, "containerName").is_empty() {
        out.push(required(format!("{at}.containerName"), ""));
    } else if name.is_empty() {
        out.push(required(format!("{at}.resource"), ""));
    } else if !RESOURCES.contains(&name) && !is_huge {
        out.push(unsupported(format!("{at}.resource"), name, &RESOURCES));
    }
    let divisor = own(of, "divisor");
    let is_none = Quantity::parse(divisor).ok().is_none_or(|amount| amount.sign() == 0);
    let (known, of_what) = match name {
        "limits.cpu" | "requests.cpu" => ("1m and 1", "cpu"),
        "limits.memory" | "requests.memory" => (OF_BYTES, "memory"),
        "limits.ephemeral-storage" | "requests.ephemeral-storage" => (OF_BYTES, "local ephemeral storage"),
        _ if is_huge => (OF_BYTES, "hugepages"),
        _ => return out,
    };
    let is_known = known.split([',', ' ']).any(|it| !it.is_empty() && it == divisor);
    if !is_none && !is_known {
        let why = format!("only divisor's values {known} are supported with the {of_what} resource");
        out.push(invalid_text(format!("{at}.divisor"), name, &why));
    }
    out
}

/// A key of a ConfigMap or a Secret.
fn key(of: &Value, at: &str) -> Mistakes {
    let mut out = always_named(names::dns1123_subdomain, &format!("{at}.name"), text(of, "name"));
    let (key, field) = (own(of, "key"), format!("{at}.key"));
    match key {
        "" => out.push(required(field, "")),
        key => out.extend(wrong_key(key).into_iter().map(|why| invalid_text(field.clone(), key, why))),
    }
    out
}

/// A variable in a file of a volume.
fn file(of: &Value, at: &str) -> Mistakes {
    let field = |name: &str| format!("{at}.{name}");
    let mut out = Vec::new();
    match own(of, "key") {
        "" => out.push(required(field("key"), "")),
        key => out.extend(variable_name(&field("key"), key)),
    }
    out.extend(label(&field("volumeName"), own(of, "volumeName")));
    match own(of, "path") {
        "" => out.push(required(field("path"), "")),
        path => out.extend(without_parents(&field("path"), path)),
    }
    out
}

/// The mistakes in what makes all keys of an object to variables.
pub(super) fn sources(container: &Value, at: &str) -> Mistakes {
    let mut out = Vec::new();
    for (i, source) in list(container, "envFrom").iter().enumerate() {
        out.extend(variable_name(&format!("{at}[{i}].prefix"), own(source, "prefix")));
        let mut found = 0;
        for name in ["configMapRef", "secretRef"] {
            let Some(of) = set(source, name) else { continue };
            found += 1;
            let field = format!("{at}[{i}].{name}.name");
            match own(of, "name") {
                "" => out.push(required(field, "")),
                // The end may be generated.
                name => out.extend(always_named(prefix_of_name, &field, name)),
            }
        }
        let why = match found {
            0 => "must specify one of: `configMapRef` or `secretRef`",
            1 => continue,
            _ => "may not have more than one field specified at a time",
        };
        out.push(invalid_text(at.to_owned(), "", why));
    }
    out
}

fn prefix_of_name(name: &str) -> Vec<String> {
    names::dns1123_subdomain(&names::mask_trailing_dash(name))
}
