//! Checks of classes of ingresses and of runtimes.

use super::find;
use super::words::{forbidden, immutable, invalid_text, required, unsupported};
use crate::meta::own;
use crate::mistake::Mistake;
use crdgen_core::names;
use crdgen_core::value::Value;

type Mistakes = Vec<Mistake<'static>>;

const NO_PATH: &str = "must be a domain-prefixed path (such as \"acme.io/foo\")";

/// The mistakes of a class.
pub(super) fn mistakes(object: &Value, live: Option<&Value>) -> Mistakes {
    let nothing = Value::Null;
    let spec = object.get("spec").unwrap_or(&nothing);
    let field = || "spec.controller".to_owned();
    let mut out = Vec::new();
    match own(spec, "controller") {
        "" => out.push(required(field(), "")),
        path => match path.split_once('/') {
            Some((host, rest)) if !host.is_empty() && !rest.is_empty() => {
                let mistakes = names::dns1123_subdomain(host);
                out.extend(mistakes.iter().map(|why| invalid_text(field(), host, why)));
            }
            _ => out.push(invalid_text(field(), path, NO_PATH)),
        },
    }
    let had = live.map(|live| find(live, &["spec", "controller"]));
    if had.is_some_and(|had| had != spec.get("controller")) {
        out.push(immutable("spec.controller", spec.get("controller")));
    }
    if let Some(parameters) = find(spec, &["parameters"]).filter(|it| !it.is_null()) {
        out.extend(of_parameters(parameters));
    }
    out
}

fn of_parameters(parameters: &Value) -> Mistakes {
    let field = |name: &str| format!("spec.parameters.{name}");
    let mut out = Vec::new();
    if let Some(group) = find(parameters, &["apiGroup"]).and_then(Value::as_str) {
        let mistakes = names::dns1123_subdomain(group);
        out.extend(mistakes.iter().map(|why| invalid_text(field("apiGroup"), group, why)));
    }
    for name in ["kind", "name"] {
        match own(parameters, name) {
            "" => out.push(required(field(name), "")),
            text => {
                let mistakes = names::path_segment(text);
                out.extend(mistakes.iter().map(|why| invalid_text(field(name), text, why)));
            }
        }
    }
    let namespace = find(parameters, &["namespace"]).and_then(Value::as_str);
    match (own(parameters, "scope"), namespace) {
        ("Namespace", None) => {
            out.push(required(field("namespace"), "`parameters.scope` is set to 'Namespace'"));
        }
        ("Namespace", Some(namespace)) => {
            let mistakes = names::dns1123_label(namespace);
            out.extend(mistakes.iter().map(|why| invalid_text(field("namespace"), namespace, why)));
        }
        ("Cluster", None) => {}
        ("Cluster", Some(_)) => {
            out.push(forbidden(field("namespace"), "`parameters.scope` is set to 'Cluster'"));
        }
        (other, _) => out.push(unsupported(field("scope"), other, &["Cluster", "Namespace"])),
    }
    out
}

/// The mistakes of a class of runtimes.
pub(super) fn runtime(object: &Value, live: Option<&Value>) -> Mistakes {
    let handler = own(object, "handler");
    let field = || "handler".to_owned();
    let mut out: Mistakes = match handler {
        "" => vec![required(field(), "")],
        _ => names::dns1123_label(handler).iter().map(|why| invalid_text(field(), handler, why)).collect(),
    };
    if live.is_some_and(|live| own(live, "handler") != handler) {
        // The server does not show the value here.
        out.push(immutable("handler", None));
    }
    out
}
