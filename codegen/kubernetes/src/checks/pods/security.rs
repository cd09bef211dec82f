//! Checks of what pods and containers may do on their host.

use super::USER;
use super::profiles::{APP_ARMOR_PROFILE, SECCOMP_PROFILE};
use super::windows::OPTIONS;
use crate::checks::at::{At, Mistakes};
use crate::checks::rows::{Check::*, Row};
use std::collections::BTreeSet;

/// The context of a container. All clusters allow privileged ones.
pub(super) const OF_CONTAINER: &[Row] = &[
    ("runAsUser", USER),
    ("runAsGroup", USER),
    ("procMount", OneOf(&["Default", "Unmasked"])),
    (
        "procMount",
        InvalidIf(
            |at| at.text() == "Unmasked" && !at.spec().get("hostUsers").is_false(),
            "`hostUsers` must be false to use `Unmasked`",
        ),
    ),
    ("seccompProfile", In(SECCOMP_PROFILE)),
    ("", Code(escalation)),
    ("windowsOptions", In(OPTIONS)),
    ("appArmorProfile", In(APP_ARMOR_PROFILE)),
];

/// The context of a pod.
pub(super) const OF_POD: &[Row] = &[
    ("fsGroup", USER),
    ("runAsUser", USER),
    ("runAsGroup", USER),
    ("supplementalGroups[]", USER),
    ("sysctls", Code(settings)),
    ("fsGroupChangePolicy", OneOf(&["Always", "OnRootMismatch"])),
    ("seccompProfile", In(SECCOMP_PROFILE)),
    ("windowsOptions", In(OPTIONS)),
    ("appArmorProfile", In(APP_ARMOR_PROFILE)),
    ("supplementalGroupsPolicy", OneOf(&["Merge", "Strict"])),
    ("seLinuxChangePolicy", OneOf(&["MountOption", "Recursive"])),
];

/// Pods do not share the processes of their containers and those of their host.
pub(super) const SHARED: crate::checks::rows::Check = InvalidIf(
    |at| at.is_true() && at.spec().get("hostPID").is_true(),
    "ShareProcessNamespace and HostPID cannot both be enabled",
);

fn escalation(at: &At<'_>, out: &mut Mistakes) {
    if !at.get("allowPrivilegeEscalation").is_false() {
        return;
    }
    let mut add = |why: &str| {
        let why = format!("cannot set `allowPrivilegeEscalation` to false and {why}");
        out.push(at.invalid_of("SecurityContext", &why));
    };
    if at.get("privileged").is_true() {
        add("`privileged` to true");
    }
    for _ in at.get("capabilities.add").texts().iter().filter(|name| **name == "CAP_SYS_ADMIN") {
        add("`capabilities.Add` CAP_SYS_ADMIN");
    }
}

/// The settings of the kernel.
fn settings(at: &At<'_>, out: &mut Mistakes) {
    let (mut seen, spec) = (BTreeSet::new(), at.spec());
    for setting in at.each() {
        let name = setting.get("name");
        if name.is_empty() {
            out.push(name.required(""));
        } else if !is_setting(name.text()) {
            let why = "must have at most 253 characters and match regex \
                       ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";
            out.push(name.invalid(why));
        } else if seen.contains(name.text()) {
            out.push(name.duplicate());
        }
        seen.insert(name.text());
        match namespace_of(name.text()) {
            Some("Net") if spec.get("hostNetwork").is_true() => {
                out.push(name.invalid("may not be specified when 'hostNetwork' is true"));
            }
            Some("IPC") if spec.get("hostIPC").is_true() => {
                out.push(name.invalid("may not be specified when 'hostIPC' is true"));
            }
            _ => {}
        }
    }
}

fn is_setting(name: &str) -> bool {
    let is_end =
        |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    let is_part = |part: &str| {
        let bytes = part.as_bytes();
        let is_inside = |byte: &u8| is_end(Some(byte)) || matches!(byte, b'-' | b'_');
        is_end(bytes.first()) && is_end(bytes.last()) && bytes.iter().all(is_inside)
    };
    name.len() <= 253 && name.split(['.', '/']).all(is_part)
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
