//! Checks of the operating system of pods, and of what only Windows has.

use super::all_containers;
use crate::checks::at::{At, Mistakes};
use crate::checks::rows::{Check::*, Row};
use crdgen_core::names;

const LONGEST_SPEC: usize = 64 << 10;
const LONGEST_USER: usize = 104;
const LONGEST_DOMAIN: usize = 256;
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

/// The options of Windows in the context of a pod or a container.
pub(super) const OPTIONS: &[Row] = &[
    ("gmsaCredentialSpecName", NameIfSet(names::dns1123_subdomain)),
    ("gmsaCredentialSpec", NameIfSet(credential)),
    ("runAsUserName", NameIfSet(user_name)),
];

/// The mistakes in the fields that the operating system of a pod does not have.
pub(super) fn of_system(at: &At<'_>, out: &mut Mistakes) {
    let (os, containers) = (at.get("os"), all_containers(at));
    let of_pod = at.get("securityContext");
    let contexts = containers.iter().map(|container| container.get("securityContext"));
    let mut none = |at: At<'_>| {
        out.extend(at.is_set().then(|| at.forbidden("cannot be set for a windows pod")));
    };
    match os.get("name").text() {
        _ if !os.is_set() => {}
        "" => out.push(os.get("name").required("")),
        "linux" => {
            let options = [of_pod].into_iter().chain(contexts).map(|context| context.get("windowsOptions"));
            let why = "windows options cannot be set for a linux pod";
            out.extend(options.filter(At::is_set).map(|options| options.forbidden(why)));
        }
        "windows" => {
            NOT_IN_CONTEXT.into_iter().for_each(|name| none(of_pod.get(name)));
            let parts = NOT_IN_PODS.into_iter().map(|name| (name, at.get(name)));
            let is_off = |name, at: &At<'_>| matches!(name, "hostPID" | "hostIPC") && !at.is_true();
            parts.filter(|(name, at)| !is_off(name, at)).for_each(|(_, at)| none(at));
            for context in contexts {
                NOT_IN_CONTAINERS.into_iter().for_each(|name| none(context.get(name)));
            }
        }
        other => out.push(os.unsupported_text(other, &["linux", "windows"])),
    }
}

/// Containers that are processes of their host: all of a pod, or none.
pub(super) fn host_processes(at: &At<'_>, out: &mut Mistakes) {
    const ON_HOST: &str = "securityContext.windowsOptions.hostProcess";
    let of_pod = at.get(ON_HOST).value;
    let containers = all_containers(at);
    let mut processes = 0;
    for container in &containers {
        let own = container.get(ON_HOST);
        if let (Some(of_pod), true) = (of_pod.and_then(|it| it.as_bool()), own.is_set())
            && own.is_true() != of_pod
        {
            let why = format!("pod hostProcess value must be identical if both are specified, was {of_pod}");
            out.push(own.invalid(&why));
        }
        processes += usize::from(own.value.or(of_pod).and_then(|it| it.as_bool()) == Some(true));
    }
    if processes > 0 && processes != containers.len() {
        let why =
            "If pod contains any hostProcess containers then all containers must be HostProcess containers";
        out.push(at.invalid_text("", why));
    }
    if processes > 0 && !at.get("hostNetwork").is_true() {
        let why = "hostNetwork must be true if pod contains any hostProcess containers";
        out.push(at.get("hostNetwork").invalid_as("false", why));
    }
}

fn credential(spec: &str) -> Vec<String> {
    let why = match spec.len() {
        0 => "gmsaCredentialSpec cannot be an empty string",
        length if length > LONGEST_SPEC => "gmsaCredentialSpec size must be under 64 KiB",
        _ => return Vec::new(),
    };
    vec![why.to_owned()]
}

/// The name of a user, which may have a domain before it.
fn user_name(name: &str) -> Vec<String> {
    let one = |why: &str| vec![format!("runAsUserName{why}")];
    if name.is_empty() {
        return one(" cannot be an empty string");
    }
    if name.chars().any(|c| c.is_ascii_control()) {
        return one(" cannot contain control characters");
    }
    let (domain, user) = match name.split_once('\\') {
        Some((_, rest)) if rest.contains('\\') => return one(" cannot contain more than one backslash"),
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
    reasons.into_iter().filter(|(is_wrong, _)| *is_wrong).flat_map(|(_, why)| one(why)).collect()
}
