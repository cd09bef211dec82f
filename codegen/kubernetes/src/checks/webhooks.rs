//! Checks of the configurations of admission webhooks.

use super::at::{At, Mistakes};
use super::conditions::match_conditions;
use super::rows::{Check::*, Row, check, is_new};
use super::selectors::SELECTOR;
use crate::expressions::{Compiler, Uses};
use crate::mistake::Mistake;
use crdgen_core::check::webhook;
use crdgen_core::diag::Diags;
use crdgen_core::ir::ServiceReference;
use crdgen_core::names;
use crdgen_core::path::{Path, Step};
use std::collections::BTreeSet;

/// Configurations with such names are files of the server.
const STATIC: &str = ".static.k8s.io";

pub(super) const CONFIGURATION: &[Row] = &[
    ("", If(is_new, &[("metadata.name", Name(not_static))])),
    ("webhooks[]", All(HOOK)),
    ("webhooks", If(has_unique_names, &[("", Code(unique_names))])),
];

const HOOK: &[Row] = &[
    ("name", Required("")),
    ("name", NameOrEmpty(full_name)),
    ("rules[]", All(RULE)),
    ("failurePolicy", OneOf(&["Fail", "Ignore"])),
    ("matchPolicy", OneOf(&["Equivalent", "Exact"])),
    ("sideEffects", Code(side_effects)),
    ("timeoutSeconds", Between(1, 30, "the timeout value must be between 1 and 30 seconds")),
    ("namespaceSelector", SELECTOR),
    ("objectSelector", SELECTOR),
    ("reinvocationPolicy", OneOf(&["IfNeeded", "Never"])),
    ("clientConfig", Code(client)),
    ("", If(has_new_conditions, &[("matchConditions", Most(64)), ("matchConditions", Code(conditions))])),
    ("admissionReviewVersions", Required("must specify one of v1, v1beta1")),
    ("admissionReviewVersions", Code(versions)),
];

pub(super) const RULE: &[Row] = &[
    ("operations", Code(|at, out| wildcard(at, "operations", out))),
    ("operations[]", Of(&["*", "CONNECT", "CREATE", "DELETE", "UPDATE"])),
    ("apiGroups", Code(|at, out| wildcard(at, "API groups", out))),
    ("apiVersions", Code(|at, out| wildcard(at, "API versions", out))),
    ("apiVersions[]", Required("")),
    ("resources", Code(resources)),
    ("scope", OneOf(&["*", "Cluster", "Namespaced"])),
];

pub(super) fn not_static(name: &str) -> Vec<String> {
    let why = "are reserved for static manifest-based configurations and cannot be managed via the API";
    let is_static = name.ends_with(STATIC);
    is_static.then(|| format!("names ending with \"{STATIC}\" {why}")).into_iter().collect()
}

/// The webhooks of the stored configuration. What they do not fulfil, the new ones need not.
fn old_hooks<'v>(at: &At<'v>) -> Option<At<'v>> {
    at.live.map(|live| At::new(live, None).get("webhooks"))
}

fn has_unique_names(at: &At<'_>) -> bool {
    old_hooks(at).is_none_or(|old| {
        let names: BTreeSet<&str> = old.each().map(|hook| hook.get("name").text()).collect();
        names.len() == old.items().len()
    })
}

fn has_new_conditions(at: &At<'_>) -> bool {
    let new = at.root("webhooks");
    old_hooks(at).is_none_or(|old| {
        let conditions = |hook: &At<'_>| hook.get("matchConditions").value.cloned();
        new.items().len() != old.items().len()
            || new.each().zip(old.each()).any(|(new, old)| conditions(&new) != conditions(&old))
    })
}

fn unique_names(at: &At<'_>, out: &mut Mistakes) {
    let mut seen = BTreeSet::new();
    let names = at.each().map(|hook| hook.get("name")).filter(|name| !name.is_empty());
    out.extend(names.filter(|name| !seen.insert(name.text())).map(|name| name.duplicate()));
}

fn full_name(name: &str) -> Vec<String> {
    let mistakes = names::dns1123_subdomain(name);
    if !mistakes.is_empty() {
        return vec![mistakes.join(",")];
    }
    let why = "should be a domain with at least three segments separated by dots";
    (name.split('.').count() < 3).then(|| why.to_owned()).into_iter().collect()
}

fn side_effects(at: &At<'_>, out: &mut Mistakes) {
    const ALL: [&str; 4] = ["None", "NoneOnDryRun", "Some", "Unknown"];
    let is_strict = old_hooks(at)
        .is_none_or(|old| old.each().all(|hook| ALL[..2].contains(&hook.get("sideEffects").text())));
    let known = if is_strict { &ALL[..2] } else { &ALL[..] };
    if !at.is_set() {
        out.push(at.required(&format!("must specify one of {}", known.join(", "))));
    } else if !known.contains(&at.text()) {
        out.push(at.unsupported(known));
    }
}

fn wildcard(at: &At<'_>, what: &str, out: &mut Mistakes) {
    check(&[("", Required(""))], at, out);
    if at.items().len() > 1 && at.texts().contains(&"*") {
        out.push(at.invalid(&format!("if '*' is present, must not specify other {what}")));
    }
}

fn resources(at: &At<'_>, out: &mut Mistakes) {
    check(&[("", Required("")), ("[]", Required(""))], at, out);
    // Resources of which all subresources are named, and subresources of all resources.
    let (mut whole, mut everywhere) = (BTreeSet::new(), BTreeSet::new());
    let mut has_plain = false;
    for item in at.each().filter(|item| !item.is_empty()) {
        let resource = item.text();
        let Some((name, part)) = resource.split_once('/') else {
            // The last one decides.
            has_plain = resource != "*";
            continue;
        };
        let but = |what: &str| item.invalid(&format!("if '{what}' is present, must not specify {resource}"));
        out.extend(whole.contains(name).then(|| but(&format!("{name}/*"))));
        out.extend(everywhere.contains(part).then(|| but(&format!("*/{part}"))));
        if part == "*" {
            whole.insert(name);
        }
        if name == "*" {
            everywhere.insert(part);
        }
    }
    let texts = at.texts();
    if texts.len() > 1 && texts.contains(&"*/*") {
        out.push(at.invalid("if '*/*' is present, must not specify other resources"));
    }
    if texts.contains(&"*") && has_plain {
        let why = "if '*' is present, must not specify other resources without subresources";
        out.push(at.invalid(why));
    }
}

/// Calls a check of crdgen-core with the path of a field.
fn of_core(at: &At<'_>, check: impl FnOnce(&Path<'_>, &mut Diags)) -> Vec<Mistake> {
    let (shown, steps): (String, Vec<Step>) = (at.field.to_string(), at.field.steps());
    let mut found = Diags::new();
    check(&Path::moved(&shown, &steps), &mut found);
    found.iter().map(Mistake::of).collect()
}

/// How the server reaches the webhook.
fn client(at: &At<'_>, out: &mut Mistakes) {
    let (url, service) = (at.get("url"), at.get("service"));
    match (url.is_set(), service.is_set()) {
        (true, false) => out.extend(of_core(&url, |path, found| webhook::url(url.text(), path, found))),
        (false, true) => {
            let path = service.get("path");
            let reference = ServiceReference {
                namespace: service.get("namespace").text().to_owned(),
                name: service.get("name").text().to_owned(),
                path: path.is_set().then(|| path.text().to_owned()),
                port: service.get("port").int().and_then(|port| i32::try_from(port).ok()),
            };
            out.extend(of_core(&service, |path, found| {
                webhook::service(&reference, at.server, path, found);
            }));
        }
        _ => out.push(at.required("exactly one of url or service is required")),
    }
}

fn versions(at: &At<'_>, out: &mut Mistakes) {
    let is_recognized = |hook: At<'_>| {
        let versions = hook.get("admissionReviewVersions").texts();
        versions.is_empty() || versions.into_iter().any(webhook::is_recognized)
    };
    let is_strict = old_hooks(at).is_none_or(|old| old.each().all(is_recognized));
    let versions: Vec<String> = at.texts().into_iter().map(str::to_owned).collect();
    if !versions.is_empty() {
        out.extend(of_core(at, |path, found| webhook::review_versions(&versions, is_strict, path, found)));
    }
}

fn conditions(at: &At<'_>, out: &mut Mistakes) {
    let of_hook = |hook: At<'_>| -> Vec<String> {
        hook.get("matchConditions").each().map(|it| it.get("expression").text().to_owned()).collect()
    };
    let stored: Vec<String> = old_hooks(at).iter().flat_map(At::each).flat_map(of_hook).collect();
    let stored = stored.iter().map(String::as_str).collect();
    match_conditions(at, &mut Compiler::new(Uses { server: at.server, ..Uses::default() }), &stored, out);
}
