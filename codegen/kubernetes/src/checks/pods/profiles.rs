//! Checks of profiles of seccomp and AppArmor, and of the annotations that were there before their fields.

use super::unsupported;
use super::{
    Containers, Mistakes, forbidden, inside, invalid_text, list, own, required, set, text, too_long,
};
use crate::checks::words;
use crate::mistake::Mistake;
use crdgen_core::diag::Kind;
use crdgen_core::go;
use crdgen_core::value::{Map, Value};

const TYPES: [&str; 3] = ["Localhost", "RuntimeDefault", "Unconfined"];
const LONGEST_PROFILE: usize = 4095;
const SECCOMP: &str = "seccomp.security.alpha.kubernetes.io/pod";
const SECCOMP_OF: &str = "container.seccomp.security.alpha.kubernetes.io/";
const APP_ARMOR_OF: &str = "container.apparmor.security.beta.kubernetes.io/";
const DELETION_COST: &str = "controller.kubernetes.io/pod-deletion-cost";
const MIRROR: &str = "kubernetes.io/config.mirror";

pub(super) fn seccomp(profile: &Value, at: &str) -> Mistakes {
    let (ty, file) = (own(profile, "type"), text(profile, "localhostProfile"));
    let field = |name: &str| format!("{at}.{name}");
    let mut out = Vec::new();
    match ty {
        "" => out.push(required(field("type"), "type is required when seccompProfile is set")),
        ty if !TYPES.contains(&ty) => out.push(unsupported(field("type"), ty, &TYPES)),
        _ => {}
    }
    match (ty, file) {
        ("Localhost", None) => {
            let why = "must be set when seccomp type is Localhost";
            out.push(required(field("localhostProfile"), why));
        }
        ("Localhost", Some(file)) => out.extend(inside(&field("localhostProfile"), file)),
        (_, Some(_)) => {
            let shown = words::in_go(profile, &["type", "localhostProfile"]);
            let why = format!("{shown}: can only be set when seccomp type is Localhost");
            out.push(Mistake::new(field("localhostProfile"), Kind::Invalid, why));
        }
        (_, None) => {}
    }
    out
}

pub(super) fn app_armor(profile: &Value, at: &str) -> Mistakes {
    let (ty, file) = (own(profile, "type"), text(profile, "localhostProfile"));
    let field = |name: &str| format!("{at}.{name}");
    let mut out = Vec::new();
    let missing = || required(field("localhostProfile"), "must be set when AppArmor type is Localhost");
    match (ty, file) {
        ("Localhost", None) => out.push(missing()),
        ("Localhost", Some(file)) => {
            if file.trim() != file {
                out.push(invalid_text(field("localhostProfile"), file, "must not be padded with whitespace"));
            } else if file.is_empty() {
                out.push(missing());
            }
            if file.len() > LONGEST_PROFILE {
                out.push(too_long(field("localhostProfile"), LONGEST_PROFILE));
            }
        }
        ("RuntimeDefault" | "Unconfined", Some(file)) => {
            let why = "can only be set when AppArmor type is Localhost";
            out.push(invalid_text(field("localhostProfile"), file, why));
        }
        ("RuntimeDefault" | "Unconfined", None) => {}
        ("", _) => out.push(required(field("type"), "type is required when appArmorProfile is set")),
        (ty, _) => out.push(unsupported(field("type"), ty, &TYPES)),
    }
    out
}

fn annotations(metadata: &Value) -> impl Iterator<Item = (&str, &str)> {
    let map = set(metadata, "annotations").and_then(Value::as_map);
    map.into_iter().flat_map(Map::iter).map(|(name, value)| (name, value.as_str().unwrap_or_default()))
}

fn annotation<'v>(metadata: &'v Value, name: &str) -> Option<&'v str> {
    text(set(metadata, "annotations")?, name)
}

/// The mistakes in annotations that say something about a pod.
pub(super) fn of_annotations(metadata: &Value, spec: &Value, at: &str) -> Mistakes {
    let mut out = Vec::new();
    if let Some(mirror) = annotation(metadata, MIRROR).filter(|_| own(spec, "nodeName").is_empty()) {
        let why = "must set spec.nodeName if mirror pod annotation is set";
        out.push(invalid_text(format!("{at}[{MIRROR}]"), mirror, why));
    }
    if let Some(cost) = annotation(metadata, DELETION_COST).filter(|cost| !is_cost(cost)) {
        out.push(invalid_text(format!("{at}[{DELETION_COST}]"), cost, "must be a 32bit integer"));
    }
    for (name, value) in
        annotations(metadata).filter(|(name, _)| *name == SECCOMP || name.starts_with(SECCOMP_OF))
    {
        let field = format!("{at}.{name}");
        match value.strip_prefix("localhost/") {
            Some(file) => out.extend(inside(&field, file)),
            None if matches!(value, "runtime/default" | "docker/default" | "unconfined") => {}
            None => out.push(invalid_text(field, value, "must be a valid seccomp profile")),
        }
    }
    for (name, value) in annotations(metadata) {
        let Some(container) = name.strip_prefix(APP_ARMOR_OF) else { continue };
        let field = || format!("{at}[{name}]");
        let names = Containers::ALL.into_iter().flat_map(|kind| list(spec, kind.name()));
        if !names.into_iter().any(|it| own(it, "name") == container) {
            out.push(invalid_text(field(), container, "container not found"));
        }
        if !matches!(value, "" | "runtime/default" | "unconfined") && !value.starts_with("localhost/") {
            let why = format!("invalid AppArmor profile name: {}", go::quote(value));
            out.push(invalid_text(field(), value, &why));
        }
    }
    out
}

/// Numbers of Go without signs or zeros in front of them.
fn is_cost(cost: &str) -> bool {
    let digits = cost.strip_prefix('-').unwrap_or(cost);
    let is_plain = digits == "0" && cost == "0" || !digits.starts_with(['0', '+']);
    is_plain && cost.parse::<i32>().is_ok()
}

/// Annotations and fields that say something different.
pub(super) fn other_annotations(metadata: &Value, spec: &Value, at: &str) -> Mistakes {
    let nothing = Value::Null;
    let mut out = Vec::new();
    let of_pod = set(spec, "securityContext").unwrap_or(&nothing);
    let both = (set(of_pod, "seccompProfile"), annotation(metadata, SECCOMP));
    if let (Some(profile), Some(annotation)) = both {
        let at = format!("{at}.securityContext.seccompProfile");
        out.extend(other(profile, annotation, "seccomp", &at));
    }
    let is_windows = set(spec, "os").is_some_and(|os| own(os, "name") == "windows");
    for (name, of, prefix) in
        [("seccompProfile", "seccomp", SECCOMP_OF), ("appArmorProfile", "apparmor", APP_ARMOR_OF)]
    {
        if of == "apparmor" && is_windows {
            continue;
        }
        for kind in Containers::ALL {
            for (i, container) in list(spec, kind.name()).iter().enumerate() {
                let own_profile = set(container, "securityContext").and_then(|context| set(context, name));
                // A container without a profile of AppArmor has that of its pod.
                let profile = own_profile.or_else(|| set(of_pod, name).filter(|_| of == "apparmor"));
                let annotation = annotation(metadata, &format!("{prefix}{}", own(container, "name")));
                if let (Some(profile), Some(annotation)) = (profile, annotation) {
                    let at = format!("{at}.{}[{i}].securityContext.{name}", kind.name());
                    out.extend(other(profile, annotation, of, &at));
                }
            }
        }
    }
    out
}

fn other(profile: &Value, annotation: &str, of: &str, at: &str) -> Option<Mistake<'static>> {
    let is_same = match (own(profile, "type"), annotation.strip_prefix("localhost/")) {
        ("Unconfined", _) => annotation == "unconfined",
        ("RuntimeDefault", _) => {
            annotation == "runtime/default" || annotation == "docker/default" && of == "seccomp"
        }
        ("Localhost", Some(file)) => {
            let why = format!("{of} profile in annotation and field must match");
            let is_other = text(profile, "localhostProfile") != Some(file);
            return is_other.then(|| forbidden(format!("{at}.localhostProfile"), &why));
        }
        ("Localhost", None) => false,
        _ => true,
    };
    let why = format!("{of} type in annotation and field must match");
    (!is_same).then(|| forbidden(format!("{at}.type"), &why))
}
