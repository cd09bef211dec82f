//! Checks of profiles of seccomp and AppArmor, of the annotations that were there before their fields, and of signers.

use super::{CONTAINERS, all_containers, inside};
use crate::checks::at::{At, Mistakes};
use crate::checks::internal;
use crate::checks::rows::{Check::*, Row, check};
use crate::mistake::Mistake;
use crdgen_core::{go, names};

const TYPES: &[&str] = &["Localhost", "RuntimeDefault", "Unconfined"];
const SECCOMP: &str = "seccomp.security.alpha.kubernetes.io/pod";
const SECCOMP_OF: &str = "container.seccomp.security.alpha.kubernetes.io/";
const APP_ARMOR_OF: &str = "container.apparmor.security.beta.kubernetes.io/";
const DELETION_COST: &str = "controller.kubernetes.io/pod-deletion-cost";
const MIRROR: &str = "kubernetes.io/config.mirror";

pub(super) const SECCOMP_PROFILE: &[Row] = &[
    ("type", Required("type is required when seccompProfile is set")),
    ("type", OneOfOrEmpty(TYPES)),
    ("", Code(seccomp)),
];

pub(super) const APP_ARMOR_PROFILE: &[Row] = &[
    ("", Code(app_armor)),
    ("type", Required("type is required when appArmorProfile is set")),
    ("type", OneOfOrEmpty(TYPES)),
];

fn seccomp(at: &At<'_>, out: &mut Mistakes) {
    let file = at.get("localhostProfile");
    match (at.get("type").text(), file.is_set()) {
        ("Localhost", false) => out.push(file.required("must be set when seccomp type is Localhost")),
        ("Localhost", true) => out.extend(file.wrong_text(inside(file.text()))),
        (_, true) => {
            let shown = internal::shown(at.value, "SeccompProfile");
            out.push(file.invalid_as(&shown, "can only be set when seccomp type is Localhost"));
        }
        (_, false) => {}
    }
}

fn app_armor(at: &At<'_>, out: &mut Mistakes) {
    let file = at.get("localhostProfile");
    let text = file.text();
    match at.get("type").text() {
        "Localhost" => {
            if text.trim() != text {
                out.push(file.invalid("must not be padded with whitespace"));
            } else if text.is_empty() {
                out.push(file.required("must be set when AppArmor type is Localhost"));
            }
            check(&[("", Longest(4095))], &file, out);
        }
        "RuntimeDefault" | "Unconfined" if file.is_set() => {
            out.push(file.invalid("can only be set when AppArmor type is Localhost"));
        }
        _ => {}
    }
}

/// The mistakes in the annotations of a pod or a template that say something about it. The server leaves out the metadata of templates.
pub(super) fn of_annotations(at: &At<'_>, out: &mut Mistakes) {
    let (all, spec) = (at.get("metadata.annotations"), at.get("spec"));
    let all = if at.field.is_root() { all } else { all.shown_as(at.field.child("annotations")) };
    let by_name = |name| all.members().filter(move |(key, _)| *key == name).map(|(_, at)| at);
    if let Some(mirror) = by_name(MIRROR).next().filter(|_| spec.get("nodeName").is_empty()) {
        out.push(mirror.invalid("must set spec.nodeName if mirror pod annotation is set"));
    }
    if let Some(cost) = by_name(DELETION_COST).next().filter(|cost| !is_cost(cost.text())) {
        out.push(cost.invalid("must be a 32bit integer"));
    }
    for (name, at) in all.members().filter(|(name, _)| *name == SECCOMP || name.starts_with(SECCOMP_OF)) {
        let at = at.shown_as(all.field.name(name));
        match at.text().strip_prefix("localhost/") {
            Some(file) => out.extend(inside(file).iter().map(|why| at.invalid_text(file, why))),
            None if matches!(at.text(), "runtime/default" | "docker/default" | "unconfined") => {}
            None => out.push(at.invalid("must be a valid seccomp profile")),
        }
    }
    for (name, at) in all.members() {
        let Some(container) = name.strip_prefix(APP_ARMOR_OF) else { continue };
        if !all_containers(&spec).iter().any(|it| it.get("name").text() == container) {
            out.push(at.invalid_text(container, "container not found"));
        }
        let text = at.text();
        if !matches!(text, "" | "runtime/default" | "unconfined") && !text.starts_with("localhost/") {
            out.push(at.invalid(&format!("invalid AppArmor profile name: {}", go::quote(text))));
        }
    }
}

/// Numbers of Go without signs or zeros in front of them.
fn is_cost(cost: &str) -> bool {
    let digits = cost.strip_prefix('-').unwrap_or(cost);
    let is_plain = digits == "0" && cost == "0" || !digits.starts_with(['0', '+']);
    is_plain && cost.parse::<i32>().is_ok()
}

/// Annotations and fields that say something different.
pub(super) fn other_annotations(at: &At<'_>, out: &mut Mistakes) {
    let (metadata, spec) = (at.get("metadata.annotations"), at.get("spec"));
    let annotation = |name: &str| metadata.value.and_then(|all| all.get(name)?.as_str());
    let of_pod = spec.get("securityContext");
    let profile = of_pod.get("seccompProfile");
    if let (true, Some(annotation)) = (profile.is_set(), annotation(SECCOMP)) {
        out.extend(other(&profile, annotation, "seccomp"));
    }
    let is_windows = spec.get("os.name").text() == "windows";
    for (name, of, prefix) in
        [("seccompProfile", "seccomp", SECCOMP_OF), ("appArmorProfile", "apparmor", APP_ARMOR_OF)]
    {
        if of == "apparmor" && is_windows {
            continue;
        }
        for container in CONTAINERS.into_iter().flat_map(|list| spec.get(list).each().collect::<Vec<_>>()) {
            let own = container.get("securityContext").get(name);
            let annotation = annotation(&format!("{prefix}{}", container.get("name").text()));
            // A container without a profile of AppArmor has that of its pod.
            let inherited = of_pod.get(name);
            let profile = match own.is_set() {
                true => own,
                false if of == "apparmor" => inherited.shown_as(own.field),
                false => continue,
            };
            if let (true, Some(annotation)) = (profile.is_set(), annotation) {
                out.extend(other(&profile, annotation, of));
            }
        }
    }
}

fn other(profile: &At<'_>, annotation: &str, of: &str) -> Option<Mistake> {
    let ty = profile.get("type");
    let is_same = match (ty.text(), annotation.strip_prefix("localhost/")) {
        ("Unconfined", _) => annotation == "unconfined",
        ("RuntimeDefault", _) => {
            annotation == "runtime/default" || annotation == "docker/default" && of == "seccomp"
        }
        ("Localhost", Some(file)) => {
            let own = profile.get("localhostProfile");
            let why = format!("{of} profile in annotation and field must match");
            return (!own.is_set() || own.text() != file).then(|| own.forbidden(&why));
        }
        ("Localhost", None) => false,
        _ => true,
    };
    (!is_same).then(|| ty.forbidden(&format!("{of} type in annotation and field must match")))
}

/// The name of a signer is a domain with a name in it.
pub(crate) fn signer(at: &At<'_>, out: &mut Mistakes) {
    let name = at.text();
    let (domain, path) = match name.split('/').collect::<Vec<_>>()[..] {
        _ if name.is_empty() => return out.push(at.required("")),
        [domain, path] => (domain, path),
        _ => {
            let why = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
            return out.push(at.invalid(why));
        }
    };
    out.extend((domain.len() > 253).then(|| at.too_long(253)));
    // Only the first label that is wrong.
    let labels = |text: &str, check: fn(&str) -> Vec<String>, out: &mut Mistakes| {
        let wrong = text.split('.').map(|label| (label, check(label))).find(|(_, wrong)| !wrong.is_empty());
        let (label, wrong) = wrong.unwrap_or_default();
        let why = |why: &String| format!("validating label {}: {why}", go::quote(label));
        out.extend(wrong.iter().map(|it| at.invalid_text(text, &why(it))));
    };
    labels(domain, names::dns1123_label, out);
    if !domain.contains('.') {
        out.push(at.invalid_text(domain, "should be a domain with at least two segments separated by dots"));
    }
    labels(path, names::dns1123_subdomain, out);
    check(&[("", Longest(571))], at, out);
}
