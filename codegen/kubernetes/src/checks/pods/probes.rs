//! Checks of what the kubelet does to containers: probes, and hooks at their start and their end.

use crate::checks::at::{At, Mistakes};
use crate::checks::rows::{Check::*, Row, check};
use crate::checks::words::port_or_name;

/// The hooks and probes of a container.
pub(super) const OF_CONTAINER: &[Row] = &[
    ("lifecycle.postStart", In(HOOK)),
    ("lifecycle.preStop", In(HOOK)),
    ("livenessProbe", In(PROBE)),
    ("livenessProbe", In(ONE_SUCCESS)),
    ("readinessProbe", In(PROBE)),
    (
        "readinessProbe.terminationGracePeriodSeconds",
        InvalidIf(|at| at.is_set(), "must not be set for readinessProbes"),
    ),
    ("startupProbe", In(PROBE)),
    ("startupProbe", In(ONE_SUCCESS)),
];

const HOOK: &[Row] = &[("", Code(|at, out| handler(at, &["exec", "httpGet", "tcpSocket", "sleep"], out)))];

const PROBE: &[Row] = &[
    ("", Code(|at, out| handler(at, &["exec", "httpGet", "tcpSocket", "grpc"], out))),
    ("initialDelaySeconds", NotNegative),
    ("timeoutSeconds", NotNegative),
    ("periodSeconds", NotNegative),
    ("successThreshold", NotNegative),
    ("failureThreshold", NotNegative),
    ("terminationGracePeriodSeconds", Between(1, i64::MAX, "must be greater than 0")),
];

const ONE_SUCCESS: &[Row] = &[("successThreshold", ZeroOrBetween(1, 1, "must be 1"))];

const HTTP: &[Row] = &[
    ("path", Required("")),
    ("port", PortOrName),
    ("scheme", Of(&["HTTP", "HTTPS"])),
    ("httpHeaders", Code(headers)),
];

/// What is done: one of several things.
fn handler(at: &At<'_>, names: &[&'static str], out: &mut Mistakes) {
    let mut found = names.iter().map(|name| (*name, at.get(name))).filter(|(_, action)| action.is_set());
    match found.next() {
        None => out.push(at.required("must specify a handler type")),
        Some(("exec", action)) => check(&[("command", Required(""))], &action, out),
        Some(("httpGet", action)) => check(HTTP, &action, out),
        Some(("sleep", action)) => {
            let (seconds, grace) =
                (action.get("seconds").number(), at.spec().get("terminationGracePeriodSeconds").int());
            if let Some(grace) = grace.filter(|grace| !(0..=*grace).contains(&seconds)) {
                let why =
                    format!("must be non-negative and less than terminationGracePeriodSeconds ({grace})");
                out.push(action.invalid_as(&seconds.to_string(), &why));
            }
        }
        Some((_, action)) => out.extend(port_or_name(&action.get("port"))),
    }
    out.extend(found.map(|(_, action)| action.forbidden("may not specify more than 1 handler type")));
}

fn headers(at: &At<'_>, out: &mut Mistakes) {
    for header in at.each() {
        let name = header.get("name").text();
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        if name.is_empty() || !name.bytes().all(is_part) {
            let why = "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for \
                       validation is '[-A-Za-z0-9]+')";
            out.push(at.invalid_text(name, why));
        }
    }
}
