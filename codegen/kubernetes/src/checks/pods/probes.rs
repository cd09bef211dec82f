//! Checks of what the kubelet does to containers: probes, and hooks at their start and their end.

use super::{Mistakes, Pod, forbidden, invalid, invalid_text, list, number, own, required, set, unsupported};
use crate::checks::words::{negative, port, port_name};
use crdgen_core::value::Value;

const SCHEMES: [&str; 2] = ["HTTP", "HTTPS"];
const NUMBERS: [&str; 5] =
    ["initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"];

/// The mistakes in the hooks and probes of a container.
pub(super) fn of_container(pod: &Pod<'_>, container: &Value, at: &str) -> Mistakes {
    let mut out = Vec::new();
    let grace = number(pod.spec, "terminationGracePeriodSeconds");
    if let Some(lifecycle) = set(container, "lifecycle") {
        for name in ["postStart", "preStop"] {
            if let Some(hook) = set(lifecycle, name) {
                const HANDLERS: [&str; 4] = ["exec", "httpGet", "tcpSocket", "sleep"];
                out.extend(handler(hook, &HANDLERS, grace, &format!("{at}.lifecycle.{name}")));
            }
        }
    }
    for name in ["livenessProbe", "readinessProbe", "startupProbe"] {
        let Some(probe) = set(container, name) else { continue };
        let at = format!("{at}.{name}");
        out.extend(of_probe(probe, &at));
        let grace = probe.get("terminationGracePeriodSeconds").filter(|it| !it.is_null());
        match (name, grace, number(probe, "successThreshold").unwrap_or_default()) {
            ("readinessProbe", Some(grace), _) => {
                let why = "must not be set for readinessProbes";
                out.push(invalid(format!("{at}.terminationGracePeriodSeconds"), grace, why));
            }
            ("livenessProbe" | "startupProbe", _, success) if success != 1 => {
                out.push(invalid(format!("{at}.successThreshold"), &Value::Int(success), "must be 1"));
            }
            _ => {}
        }
    }
    out
}

fn of_probe(probe: &Value, at: &str) -> Mistakes {
    let mut out = handler(probe, &["exec", "httpGet", "tcpSocket", "grpc"], None, at);
    out.extend(NUMBERS.into_iter().filter_map(|name| negative(format!("{at}.{name}"), probe.get(name))));
    let grace = number(probe, "terminationGracePeriodSeconds").filter(|seconds| *seconds <= 0);
    out.extend(grace.map(|seconds| {
        let field = format!("{at}.terminationGracePeriodSeconds");
        invalid(field, &Value::Int(seconds), "must be greater than 0")
    }));
    out
}

/// What is done: one of several things.
fn handler(of: &Value, names: &[&str], grace: Option<i64>, at: &str) -> Mistakes {
    let mut out = Vec::new();
    let mut found = names.iter().filter_map(|name| Some((*name, set(of, name)?)));
    match found.next() {
        None => out.push(required(at.to_owned(), "must specify a handler type")),
        Some((name, action)) => out.extend(self::action(name, action, grace, &format!("{at}.{name}"))),
    }
    let why = "may not specify more than 1 handler type";
    out.extend(found.map(|(name, _)| forbidden(format!("{at}.{name}"), why)));
    out
}

fn action(name: &str, action: &Value, grace: Option<i64>, at: &str) -> Mistakes {
    let field = |name: &str| format!("{at}.{name}");
    match name {
        "exec" if list(action, "command").is_empty() => vec![required(field("command"), "")],
        "exec" => Vec::new(),
        "httpGet" => http(action, at),
        "sleep" => {
            let seconds = number(action, "seconds").unwrap_or_default();
            let wrong = grace.filter(|grace| !(0..=*grace).contains(&seconds)).map(|grace| {
                let why =
                    format!("must be non-negative and less than terminationGracePeriodSeconds ({grace})");
                invalid(at.to_owned(), &Value::Int(seconds), &why)
            });
            wrong.into_iter().collect()
        }
        _ => of_port(action, &field("port")),
    }
}

fn of_port(action: &Value, at: &str) -> Mistakes {
    match action.get("port") {
        Some(Value::Str(text)) => port_name(at, text),
        number => port(at.to_owned(), number.unwrap_or(&Value::Int(0))).into_iter().collect(),
    }
}

fn http(action: &Value, at: &str) -> Mistakes {
    let field = |name: &str| format!("{at}.{name}");
    let mut out = Vec::new();
    if own(action, "path").is_empty() {
        out.push(required(field("path"), ""));
    }
    out.extend(of_port(action, &field("port")));
    let scheme = own(action, "scheme");
    if !SCHEMES.contains(&scheme) {
        out.push(unsupported(field("scheme"), scheme, &SCHEMES));
    }
    for header in list(action, "httpHeaders") {
        let name = own(header, "name");
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        if name.is_empty() || !name.bytes().all(is_part) {
            let why = "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for \
                       validation is '[-A-Za-z0-9]+')";
            out.push(invalid_text(field("httpHeaders"), name, why));
        }
    }
    out
}
