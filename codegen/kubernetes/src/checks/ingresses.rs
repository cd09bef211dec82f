//! Checks of ingresses.

use super::find;
use super::words::{invalid, invalid_text, port, port_name, required, unsupported};
use crate::meta::{own, texts};
use crate::mistake::Mistake;
use crdgen_core::go::net::Ip;
use crdgen_core::names;
use crdgen_core::value::Value;

type Mistakes = Vec<Mistake<'static>>;

const CLASS: &str = "kubernetes.io/ingress.class";
const PATH_TYPES: [&str; 3] = ["Exact", "ImplementationSpecific", "Prefix"];
const NO_WILDCARD: &str = "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of \
     lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for \
     validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

/// The mistakes of an ingress.
pub(super) fn mistakes(object: &Value, live: Option<&Value>) -> Mistakes {
    let nothing = Value::Null;
    let spec = object.get("spec").unwrap_or(&nothing);
    let mut out = Vec::new();
    let class = find(spec, &["ingressClassName"]).and_then(Value::as_str);
    let annotated =
        object.get("metadata").and_then(|metadata| metadata.get("annotations")?.get(CLASS)?.as_str());
    if let (Some(class), Some(annotated), None) = (class, annotated, live)
        && class != annotated
    {
        let why = "must match `ingressClassName` when both are specified";
        out.push(invalid_text(format!("annotations.{CLASS}"), annotated, why));
    }
    let rules = spec.get("rules").and_then(Value::as_list).unwrap_or_default();
    let default = find(spec, &["defaultBackend"]).filter(|it| !it.is_null());
    if rules.is_empty() && default.is_none() {
        let why = "either `defaultBackend` or `rules` must be specified";
        out.push(invalid("spec".to_owned(), &nothing, why));
    }
    if let Some(default) = default {
        out.extend(backend(default, "spec.defaultBackend"));
    }
    for (i, rule) in rules.iter().enumerate() {
        out.extend(of_rule(rule, &format!("spec.rules[{i}]")));
    }
    for (i, tls) in spec.get("tls").and_then(Value::as_list).unwrap_or_default().iter().enumerate() {
        for (j, name) in texts(tls, "hosts").into_iter().enumerate() {
            out.extend(host(name, &format!("spec.tls[{i}].hosts[{j}]")));
        }
        let secret = Some(own(tls, "secretName")).filter(|name| !name.is_empty());
        out.extend(secret.into_iter().flat_map(|name| subdomain(name, &format!("spec.tls[{i}].secretName"))));
    }
    out.extend(class.into_iter().flat_map(|class| subdomain(class, "spec.ingressClassName")));
    out
}

/// The mistakes in a name.
fn subdomain(name: &str, field: &str) -> Mistakes {
    let mistakes = names::dns1123_subdomain(name);
    mistakes.iter().map(|why| invalid_text(field.to_owned(), name, why)).collect()
}

fn host(name: &str, field: &str) -> Mistakes {
    match name.split_once('*') {
        None if name.is_empty() => Vec::new(),
        None => subdomain(name, field),
        Some(("", rest))
            if rest.strip_prefix('.').is_some_and(|rest| names::dns1123_subdomain(rest).is_empty()) =>
        {
            Vec::new()
        }
        Some(_) => vec![invalid_text(field.to_owned(), name, NO_WILDCARD)],
    }
}

fn of_rule(rule: &Value, field: &str) -> Mistakes {
    let mut out = Vec::new();
    let name = own(rule, "host");
    if Ip::parse(name).is_ok() {
        out.push(invalid_text(format!("{field}.host"), name, "must be a DNS name, not an IP address"));
    }
    out.extend(host(name, &format!("{field}.host")));
    let Some(http) = find(rule, &["http"]).filter(|http| !http.is_null()) else { return out };
    let paths = http.get("paths").and_then(Value::as_list).unwrap_or_default();
    if paths.is_empty() {
        out.push(required(format!("{field}.http.paths"), ""));
    }
    for (i, one) in paths.iter().enumerate() {
        out.extend(of_path(one, &format!("{field}.http.paths[{i}]")));
    }
    out
}

fn of_path(one: &Value, field: &str) -> Mistakes {
    let mut out = Vec::new();
    let (path, at) = (own(one, "path"), || format!("{field}.path"));
    let is_strict = match find(one, &["pathType"]).and_then(Value::as_str) {
        // Without it, nothing else of the path is checked.
        None => return vec![required(format!("{field}.pathType"), "pathType must be specified")],
        Some(ty @ ("Exact" | "Prefix" | "ImplementationSpecific")) => {
            let is_strict = ty != "ImplementationSpecific";
            if !path.starts_with('/') && (is_strict || !path.is_empty()) {
                out.push(invalid_text(at(), path, "must be an absolute path"));
            }
            is_strict
        }
        Some(other) => {
            out.push(unsupported(format!("{field}.pathType"), other, &PATH_TYPES));
            false
        }
    };
    if is_strict && path.starts_with('/') {
        for part in ["//", "/./", "/../", "%2f", "%2F"].into_iter().filter(|part| path.contains(part)) {
            out.push(invalid_text(at(), path, &format!("must not contain '{part}'")));
        }
        for end in ["/..", "/."].into_iter().filter(|end| path.ends_with(end)) {
            out.push(invalid_text(at(), path, &format!("cannot end with '{end}'")));
        }
    }
    out.extend(backend(one.get("backend").unwrap_or(&Value::Null), &format!("{field}.backend")));
    out
}

fn backend(backend: &Value, field: &str) -> Mistakes {
    let part = |name: &str| find(backend, &[name]).filter(|it| !it.is_null());
    let wrong = |why: &str| vec![invalid_text(field.to_owned(), "", why)];
    match (part("service"), part("resource")) {
        (Some(_), Some(_)) => wrong("cannot set both resource and service backends"),
        (None, None) => wrong("resource or service backend is required"),
        (None, Some(resource)) => ["kind", "name"]
            .into_iter()
            .filter(|name| own(resource, name).is_empty())
            .map(|name| required(format!("{field}.resource.{name}"), ""))
            .collect(),
        (Some(service), None) => of_service(service, field),
    }
}

fn of_service(service: &Value, field: &str) -> Mistakes {
    let mut out = Vec::new();
    let at = |name: &str| format!("{field}.service.{name}");
    match own(service, "name") {
        "" => out.push(required(at("name"), "")),
        name => {
            let mistakes = names::dns1123_label(name);
            out.extend(mistakes.iter().map(|why| invalid_text(at("name"), name, why)));
        }
    }
    let name = find(service, &["port", "name"]).and_then(Value::as_str).unwrap_or_default();
    let number = find(service, &["port", "number"]).filter(|number| number.as_int() != Some(0));
    match (name, number) {
        ("", None) => out.push(required(field.to_owned(), "port name or number is required")),
        ("", Some(number)) => out.extend(port(at("port.number"), number)),
        (_, Some(_)) => {
            out.push(invalid_text(field.to_owned(), "", "cannot set both port name & port number"));
        }
        (name, None) => out.extend(port_name(&at("port.name"), name)),
    }
    out
}
