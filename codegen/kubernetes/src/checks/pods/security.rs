//! Checks of what pods and containers may do on their host.

use super::{
    Mistakes, Pod, between, invalid, invalid_text, is, list, number, own, profiles, required, set, text,
};
use super::{unless_none_or_known, unsupported, user, windows};
use crate::checks::words::{self, duplicate};
use crate::mistake::Mistake;
use crdgen_core::diag::Kind;
use crdgen_core::value::Value;
use std::collections::BTreeSet;

const PROC_MOUNTS: [&str; 2] = ["Default", "Unmasked"];
const CHANGE_POLICIES: [&str; 2] = ["Always", "OnRootMismatch"];
const GROUP_POLICIES: [&str; 2] = ["Merge", "Strict"];
const LABEL_POLICIES: [&str; 2] = ["MountOption", "Recursive"];
const LONGEST_SETTING: usize = 253;
/// The fields of the context of a container, in the order of Go.
const CONTEXT: [&str; 12] = [
    "capabilities",
    "privileged",
    "seLinuxOptions",
    "windowsOptions",
    "runAsUser",
    "runAsGroup",
    "runAsNonRoot",
    "readOnlyRootFilesystem",
    "allowPrivilegeEscalation",
    "procMount",
    "seccompProfile",
    "appArmorProfile",
];

/// The mistakes in the context of a container. All clusters allow privileged ones.
pub(super) fn of_container(pod: &Pod<'_>, context: &Value, at: &str) -> Mistakes {
    let field = |name: &str| format!("{at}.{name}");
    let mut out = Vec::new();
    for name in ["runAsUser", "runAsGroup"] {
        out.extend(user(field(name), number(context, name)));
    }
    if let Some(mount) = text(context, "procMount") {
        if !PROC_MOUNTS.contains(&mount) {
            out.push(unsupported(field("procMount"), mount, &PROC_MOUNTS));
        }
        let is_host = pod.spec.get("hostUsers").and_then(Value::as_bool) != Some(false);
        if is_host && mount == PROC_MOUNTS[1] {
            let why = "`hostUsers` must be false to use `Unmasked`";
            out.push(invalid_text(field("procMount"), mount, why));
        }
    }
    if let Some(profile) = set(context, "seccompProfile") {
        out.extend(profiles::seccomp(profile, &field("seccompProfile")));
    }
    if context.get("allowPrivilegeEscalation").and_then(Value::as_bool) == Some(false) {
        let mut add = |why: &str| {
            let why = format!("{}: cannot set `allowPrivilegeEscalation` to false and {why}", shown(context));
            out.push(Mistake::new(at.to_owned(), Kind::Invalid, why));
        };
        if is(context, "privileged") {
            add("`privileged` to true");
        }
        let added = set(context, "capabilities").map(|it| list(it, "add")).unwrap_or_default();
        for _ in added.iter().filter(|name| name.as_str() == Some("CAP_SYS_ADMIN")) {
            add("`capabilities.Add` CAP_SYS_ADMIN");
        }
    }
    if let Some(options) = set(context, "windowsOptions") {
        out.extend(windows::options(options, &field("windowsOptions")));
    }
    if let Some(profile) = set(context, "appArmorProfile") {
        out.extend(profiles::app_armor(profile, &field("appArmorProfile")));
    }
    out
}

/// A context as Go shows it.
fn shown(context: &Value) -> String {
    words::in_go(context, &CONTEXT)
}

/// The mistakes in the context of a pod, and in what it shares with its host.
pub(super) fn of_pod(pod: &Pod<'_>) -> Mistakes {
    let mut out = Vec::new();
    if let Some(context) = set(pod.spec, "securityContext") {
        out.extend(context_of_pod(pod, context, &pod.field("securityContext")));
    }
    if pod.is("shareProcessNamespace") && pod.is("hostPID") {
        let why = "ShareProcessNamespace and HostPID cannot both be enabled";
        out.push(invalid(pod.field("shareProcessNamespace"), &Value::Bool(true), why));
    }
    out
}

fn context_of_pod(pod: &Pod<'_>, context: &Value, at: &str) -> Mistakes {
    let field = |name: &str| format!("{at}.{name}");
    let mut out = Vec::new();
    for name in ["fsGroup", "runAsUser", "runAsGroup"] {
        out.extend(user(field(name), number(context, name)));
    }
    for (i, group) in list(context, "supplementalGroups").iter().enumerate() {
        let group = group.as_int().unwrap_or_default();
        out.extend(between(field(&format!("supplementalGroups[{i}]")), group, 0, i64::from(i32::MAX)));
    }
    out.extend(settings(pod, context, &field("sysctls")));
    let known = |name: &str, known: &[&str]| unless_none_or_known(field(name), text(context, name), known);
    out.extend(known("fsGroupChangePolicy", &CHANGE_POLICIES));
    if let Some(profile) = set(context, "seccompProfile") {
        out.extend(profiles::seccomp(profile, &field("seccompProfile")));
    }
    if let Some(options) = set(context, "windowsOptions") {
        out.extend(windows::options(options, &field("windowsOptions")));
    }
    if let Some(profile) = set(context, "appArmorProfile") {
        out.extend(profiles::app_armor(profile, &field("appArmorProfile")));
    }
    out.extend(known("supplementalGroupsPolicy", &GROUP_POLICIES));
    out.extend(known("seLinuxChangePolicy", &LABEL_POLICIES));
    out
}

/// The settings of the kernel.
fn settings(pod: &Pod<'_>, context: &Value, at: &str) -> Mistakes {
    let (mut out, mut seen) = (Vec::new(), BTreeSet::new());
    for (i, setting) in list(context, "sysctls").iter().enumerate() {
        let (field, name) = (format!("{at}[{i}].name"), own(setting, "name"));
        if name.is_empty() {
            out.push(required(field.clone(), ""));
        } else if !is_setting(name) {
            let why = "must have at most 253 characters and match regex \
                       ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";
            out.push(invalid_text(field.clone(), name, why));
        } else if seen.contains(name) {
            out.push(duplicate(field.clone(), name));
        }
        seen.insert(name);
        let why = match namespace_of(name) {
            Some("Net") if pod.is("hostNetwork") => "may not be specified when 'hostNetwork' is true",
            Some("IPC") if pod.is("hostIPC") => "may not be specified when 'hostIPC' is true",
            _ => continue,
        };
        out.push(invalid_text(field, name, why));
    }
    out
}

fn is_setting(name: &str) -> bool {
    let is_end =
        |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    let is_part = |part: &str| {
        let bytes = part.as_bytes();
        let is_inside = |byte: &u8| is_end(Some(byte)) || matches!(byte, b'-' | b'_');
        is_end(bytes.first()) && is_end(bytes.last()) && bytes.iter().all(is_inside)
    };
    name.len() <= LONGEST_SETTING && name.split(['.', '/']).all(is_part)
}

/// The part of the kernel that a setting is about, if hosts and pods can have their own.
fn namespace_of(name: &str) -> Option<&'static str> {
    let name = name.replace('/', ".");
    let starts =
        |prefix: &str| name == prefix || name.strip_prefix(prefix).is_some_and(|it| it.starts_with('.'));
    const IPC: [&str; 10] = [
        "kernel.sem",
        "kernel.shmall",
        "kernel.shmmax",
        "kernel.shmmni",
        "kernel.shm_rmid_forced",
        "kernel.shm",
        "kernel.msgmax",
        "kernel.msgmnb",
        "kernel.msgmni",
        "kernel.msg",
    ];
    match () {
        () if starts("net") => Some("Net"),
        () if starts("fs.mqueue") || IPC.contains(&name.as_str()) => Some("IPC"),
        () => None,
    }
}
