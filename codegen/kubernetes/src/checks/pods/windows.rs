//! Checks of the operating system of pods, and of what only Windows has.

use super::{
    Mistakes, Pod, always_named, forbidden, invalid, invalid_text, own, required, set, text, unsupported,
};
use crdgen_core::names;
use crdgen_core::value::Value;

const SYSTEMS: [&str; 2] = ["linux", "windows"];
const LONGEST_SPEC: usize = 64 << 10;
const LONGEST_USER: usize = 104;
const LONGEST_DOMAIN: usize = 256;
const NONE: &str = "cannot be set for a windows pod";
/// What pods on Windows do not have: in their context, in themselves, and in the contexts of their containers.
const NOT_IN_CONTEXT: [&str; 11] = [
    "appArmorProfile",
    "seLinuxOptions",
    "seccompProfile",
    "fsGroup",
    "fsGroupChangePolicy",
    "sysctls",
    "runAsUser",
    "runAsGroup",
    "supplementalGroups",
    "supplementalGroupsPolicy",
    "seLinuxChangePolicy",
];
const NOT_IN_PODS: [&str; 4] = ["hostUsers", "hostPID", "hostIPC", "shareProcessNamespace"];
const NOT_IN_CONTAINERS: [&str; 10] = [
    "appArmorProfile",
    "seLinuxOptions",
    "seccompProfile",
    "capabilities",
    "readOnlyRootFilesystem",
    "privileged",
    "allowPrivilegeEscalation",
    "procMount",
    "runAsUser",
    "runAsGroup",
];

/// The mistakes in the fields that the operating system does not have.
pub(super) fn of_system(pod: &Pod<'_>) -> Mistakes {
    let Some(os) = set(pod.spec, "os") else { return Vec::new() };
    match own(os, "name") {
        "" => vec![required(pod.field("os.name"), "")],
        "linux" => of_linux(pod),
        "windows" => of_windows(pod),
        other => vec![unsupported(pod.field("os"), other, &SYSTEMS)],
    }
}

/// The contexts of the pod and its containers, with their fields.
fn contexts<'v>(pod: &Pod<'v>) -> impl Iterator<Item = (String, &'v Value)> {
    let of_pod = set(pod.spec, "securityContext").map(|it| (pod.field("securityContext"), it));
    let containers: Vec<_> = pod.containers().collect();
    let of_containers = containers.into_iter().filter_map(|(at, container)| {
        Some((format!("{at}.securityContext"), set(container, "securityContext")?))
    });
    of_pod.into_iter().chain(of_containers)
}

fn of_linux(pod: &Pod<'_>) -> Mistakes {
    let why = "windows options cannot be set for a linux pod";
    let wrong = contexts(pod).filter(|(_, context)| set(context, "windowsOptions").is_some());
    wrong.map(|(at, _)| forbidden(format!("{at}.windowsOptions"), why)).collect()
}

fn of_windows(pod: &Pod<'_>) -> Mistakes {
    let mut out = Vec::new();
    let at_pod = pod.field("securityContext");
    for (at, context) in contexts(pod).filter(|(at, _)| *at == at_pod) {
        let names = NOT_IN_CONTEXT.iter().filter(|name| set(context, name).is_some());
        out.extend(names.map(|name| forbidden(format!("{at}.{name}"), NONE)));
    }
    for name in NOT_IN_PODS {
        let is_off = matches!(name, "hostPID" | "hostIPC") && !pod.is(name);
        if set(pod.spec, name).is_some() && !is_off {
            out.push(forbidden(pod.field(name), NONE));
        }
    }
    for (at, context) in contexts(pod).filter(|(at, _)| *at != at_pod) {
        let names = NOT_IN_CONTAINERS.iter().filter(|name| set(context, name).is_some());
        out.extend(names.map(|name| forbidden(format!("{at}.{name}"), NONE)));
    }
    out
}

/// Containers that are processes of their host: all of a pod, or none.
pub(super) fn host_processes(pod: &Pod<'_>) -> Mistakes {
    let on_host = |of: &Value| {
        let options = set(set(of, "securityContext")?, "windowsOptions")?;
        options.get("hostProcess").and_then(Value::as_bool)
    };
    let of_pod = on_host(pod.spec);
    let (mut out, mut count, mut processes) = (Vec::new(), 0, 0);
    for (at, container) in pod.containers() {
        count += 1;
        let own = on_host(container);
        if let (Some(of_pod), Some(own)) = (of_pod, own)
            && of_pod != own
        {
            let why = format!("pod hostProcess value must be identical if both are specified, was {of_pod}");
            let field = format!("{at}.securityContext.windowsOptions.hostProcess");
            out.push(invalid(field, &Value::Bool(own), &why));
        }
        processes += usize::from(own.or(of_pod) == Some(true));
    }
    if processes == 0 {
        return out;
    }
    if processes != count {
        let why =
            "If pod contains any hostProcess containers then all containers must be HostProcess containers";
        out.push(invalid_text(pod.at.clone(), "", why));
    }
    if !pod.is("hostNetwork") {
        let why = "hostNetwork must be true if pod contains any hostProcess containers";
        out.push(invalid(pod.field("hostNetwork"), &Value::Bool(false), why));
    }
    out
}

/// The mistakes in the options of Windows.
pub(super) fn options(options: &Value, at: &str) -> Mistakes {
    let field = |name: &str| format!("{at}.{name}");
    let mut out = Vec::new();
    if let Some(name) = text(options, "gmsaCredentialSpecName") {
        out.extend(always_named(names::dns1123_subdomain, &field("gmsaCredentialSpecName"), name));
    }
    let spec = text(options, "gmsaCredentialSpec");
    let why = match spec {
        Some("") => Some("gmsaCredentialSpec cannot be an empty string"),
        Some(spec) if spec.len() > LONGEST_SPEC => Some("gmsaCredentialSpec size must be under 64 KiB"),
        _ => None,
    };
    out.extend(why.map(|why| invalid_text(field("gmsaCredentialSpec"), spec.unwrap_or_default(), why)));
    if let Some(name) = text(options, "runAsUserName") {
        let why = user_name(name);
        out.extend(
            why.into_iter()
                .map(|why| invalid_text(field("runAsUserName"), name, &format!("runAsUserName{why}"))),
        );
    }
    out
}

/// What is wrong with the name of a user, which may have a domain before it.
fn user_name(name: &str) -> Vec<&'static str> {
    if name.is_empty() {
        return vec![" cannot be an empty string"];
    }
    if name.chars().any(|c| c.is_ascii_control()) {
        return vec![" cannot contain control characters"];
    }
    let (domain, user) = match name.split_once('\\') {
        Some((_, rest)) if rest.contains('\\') => return vec![" cannot contain more than one backslash"],
        Some((domain, user)) => (Some(domain), user),
        None => (None, name),
    };
    let is_bios = |domain: &str| {
        let length = domain.chars().count();
        !domain.starts_with('.')
            && (1..=15).contains(&length)
            && !domain.contains(['/', ':', '*', '?', '"', '<', '>', '|'])
    };
    let is_dns = |domain: &str| {
        let is_part = |part: &str| {
            let is_inside = |c: char| c.is_ascii_alphanumeric() || c == '-';
            (1..=63).contains(&part.len())
                && part.chars().all(is_inside)
                && !part.starts_with('-')
                && !part.ends_with('-')
        };
        domain.split('.').all(is_part)
    };
    let reasons = [
        (
            domain.is_some_and(|domain| domain.len() >= LONGEST_DOMAIN),
            "'s Domain length must be under 256 characters",
        ),
        (
            domain.is_some_and(|domain| !is_bios(domain) && !is_dns(domain)),
            "'s Domain doesn't match the NetBios nor the DNS format",
        ),
        (user.is_empty(), "'s User cannot be empty"),
        (user.len() > LONGEST_USER, "'s User length must not be longer than 104 characters"),
        (
            !user.is_empty() && user.chars().all(|c| matches!(c, '.' | ' ')),
            "'s User cannot contain only periods or spaces",
        ),
        (
            user.contains(['"', '/', '\\', ':', ';', '|', '=', ',', '+', '*', '?', '<', '>', '@', '[', ']']),
            "'s User cannot contain the following characters: \"/\\:;|=,+*?<>@[]",
        ),
    ];
    reasons.into_iter().filter(|(is_wrong, _)| *is_wrong).map(|(_, why)| why).collect()
}
