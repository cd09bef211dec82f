//! Checks of containers.

use super::{Containers, Mistakes, POLICIES, PULL_POLICIES, Pod};
use super::{env, forbidden, invalid_text, label, list, mounts, not_found, own, ports, probes};
use super::{required, resources, security, set, text, unless_known, unsupported};
use crate::checks::words::{duplicate, too_many};
use crdgen_core::value::Value;
use std::collections::BTreeSet;

const MESSAGE_POLICIES: [&str; 2] = ["File", "FallbackToLogsOnError"];
/// The policies of single containers, in the order of messages.
const OWN_POLICIES: [&str; 3] = ["Always", "Never", "OnFailure"];
const ACTIONS: [&str; 2] = ["Restart", "RestartAllContainers"];
const OPERATORS: [&str; 2] = ["In", "NotIn"];
const MOST_RULES: usize = 20;
const MOST_CODES: usize = 255;
const RESIZED: [&str; 2] = ["cpu", "memory"];
const RESIZE_POLICIES: [&str; 2] = ["NotRequired", "RestartContainer"];
/// The fields that containers for debugging do not have, in the order of messages.
const NOT_EPHEMERAL: [&str; 9] = [
    "ports",
    "resources",
    "resizePolicy",
    "restartPolicy",
    "restartPolicyRules",
    "livenessProbe",
    "readinessProbe",
    "startupProbe",
    "lifecycle",
];

/// The mistakes in all containers of a pod.
pub(super) fn mistakes(pod: &Pod<'_>) -> Mistakes {
    let mut out = regular(pod);
    out.extend(init(pod));
    out.extend(ephemeral(pod));
    out
}

fn regular(pod: &Pod<'_>) -> Mistakes {
    let at = pod.field("containers");
    let containers = list(pod.spec, "containers");
    if containers.is_empty() {
        return vec![required(at, "")];
    }
    let (mut out, mut seen) = (Vec::new(), BTreeSet::new());
    for (at, container) in pod.containers_of(Containers::Regular) {
        out.extend(common(pod, container, &at));
        let name = own(container, "name");
        if !seen.insert(name) {
            out.push(duplicate(format!("{at}.name"), name));
        }
        out.extend(probes::of_container(pod, container, &at));
        out.extend(restarts(container, &at));
    }
    out.extend(ports::twice_on_host(containers, &at));
    out
}

fn init(pod: &Pod<'_>) -> Mistakes {
    let at = pod.field("initContainers");
    let mut out = Vec::new();
    let mut seen: BTreeSet<&str> = list(pod.spec, "containers").iter().map(|it| own(it, "name")).collect();
    for (at_container, container) in pod.containers_of(Containers::Init) {
        let field = |name: &str| format!("{at_container}.{name}");
        out.extend(common(pod, container, &at_container));
        let policy = text(container, "restartPolicy");
        let rules = list(container, "restartPolicyRules");
        match policy {
            None if !rules.is_empty() => {
                let why = "must specify restartPolicy when restart rules are used";
                out.push(required(field("restartPolicy"), why));
            }
            None => {}
            Some(_) => out.extend(restarts(container, &at_container)),
        }
        let name = own(container, "name");
        if seen.contains(name) {
            out.push(duplicate(field("name"), name));
        } else if !name.is_empty() {
            seen.insert(name);
        }
        // They run one after the other.
        out.extend(ports::twice_on_host(std::slice::from_ref(container), &at));
        if policy == Some("Always") {
            out.extend(probes::of_container(pod, container, &at_container));
            continue;
        }
        for name in ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"] {
            if set(container, name).is_some() {
                let why = "may not be set for init containers without restartPolicy=Always";
                out.push(forbidden(field(name), why));
            }
        }
        for (i, resize) in list(container, "resizePolicy").iter().enumerate() {
            let policy = own(resize, "restartPolicy");
            if policy == "RestartContainer" {
                let why = "must not be set to 'RestartContainer' for non-sidecar initContainers";
                out.push(invalid_text(field(&format!("resizePolicy[{i}].restartPolicy")), policy, why));
            }
        }
    }
    out
}

fn ephemeral(pod: &Pod<'_>) -> Mistakes {
    let all = [Containers::Regular, Containers::Init];
    let others: BTreeSet<&str> =
        all.iter().flat_map(|kind| list(pod.spec, kind.name())).map(|it| own(it, "name")).collect();
    let (mut out, mut seen) = (Vec::new(), others.clone());
    for (at, container) in pod.containers_of(Containers::Ephemeral) {
        let field = |name: &str| format!("{at}.{name}");
        out.extend(common(pod, container, &at));
        out.extend(padded_image(container, &at));
        let name = own(container, "name");
        if !seen.insert(name) {
            out.push(duplicate(field("name"), name));
        }
        let target = own(container, "targetContainerName");
        if !target.is_empty() && !others.contains(target) {
            out.push(not_found(field("targetContainerName"), target));
        }
        let is_there = |name: &&str| match set(container, name) {
            Some(Value::List(items)) => !items.is_empty(),
            // This one is always written.
            Some(Value::Map(map)) => *name != "resources" || !map.is_empty(),
            found => found.is_some(),
        };
        let why = "cannot be set for an Ephemeral Container";
        out.extend(NOT_EPHEMERAL.into_iter().filter(is_there).map(|name| forbidden(field(name), why)));
        for (i, mount) in list(container, "volumeMounts").iter().enumerate() {
            let paths = ["subPath", "subPathExpr"].into_iter().filter(|name| !own(mount, name).is_empty());
            out.extend(paths.map(|name| forbidden(field(&format!("volumeMounts[{i}].{name}")), why)));
        }
    }
    out
}

/// What all containers must have.
fn common(pod: &Pod<'_>, container: &Value, at: &str) -> Mistakes {
    let field = |name: &str| format!("{at}.{name}");
    let mut out = label(&field("name"), own(container, "name"));
    if own(container, "image").is_empty() {
        out.push(required(field("image"), ""));
    }
    let message = own(container, "terminationMessagePolicy");
    out.extend(unless_known(field("terminationMessagePolicy"), message, &MESSAGE_POLICIES));
    out.extend(ports::mistakes(container, &field("ports")));
    out.extend(env::variables(container, &field("env")));
    out.extend(env::sources(container, &field("envFrom")));
    out.extend(mounts::mistakes(pod, container, at));
    out.extend(mounts::devices(pod, container, at));
    out.extend(unless_known(field("imagePullPolicy"), own(container, "imagePullPolicy"), &PULL_POLICIES));
    if let Some(requirements) = set(container, "resources") {
        out.extend(resources::of_container(pod, requirements, &field("resources")));
    }
    out.extend(resizes(container, own(pod.spec, "restartPolicy"), &field("resizePolicy")));
    if let Some(context) = set(container, "securityContext") {
        out.extend(security::of_container(pod, context, &field("securityContext")));
    }
    out
}

/// Templates may have images with spaces around them, pods may not.
pub(super) fn padded_image(container: &Value, at: &str) -> Mistakes {
    let image = own(container, "image");
    let why = "must not have leading or trailing whitespace";
    let is_padded = image.trim() != image;
    is_padded.then(|| invalid_text(format!("{at}.image"), image, why)).into_iter().collect()
}

/// What happens when the resources of a container change.
fn resizes(container: &Value, of_pod: &str, at: &str) -> Mistakes {
    let (mut out, mut seen) = (Vec::new(), BTreeSet::new());
    for (i, resize) in list(container, "resizePolicy").iter().enumerate() {
        let (resource, policy) = (own(resize, "resourceName"), own(resize, "restartPolicy"));
        if !seen.insert(resource) {
            out.push(duplicate(format!("{at}[{i}]"), resource));
        }
        out.extend(unless_known(at.to_owned(), resource, &RESIZED));
        out.extend(unless_known(at.to_owned(), policy, &RESIZE_POLICIES));
        if of_pod == POLICIES[2] && policy != RESIZE_POLICIES[0] {
            let why = "must be 'NotRequired' when pod `restartPolicy` is 'Never'";
            out.push(invalid_text(at.to_owned(), policy, why));
        }
    }
    out
}

/// When a container is started again.
fn restarts(container: &Value, at: &str) -> Mistakes {
    let field = |name: &str| format!("{at}.{name}");
    let rules = list(container, "restartPolicyRules");
    let mut out = Vec::new();
    match text(container, "restartPolicy") {
        None if rules.is_empty() => {}
        None => {
            let why = "must specify restartPolicy when restart rules are used";
            out.push(required(field("restartPolicy"), why));
        }
        Some(policy) if !OWN_POLICIES.contains(&policy) => {
            out.push(unsupported(field("restartPolicy"), policy, &OWN_POLICIES));
        }
        Some(_) => {}
    }
    if rules.len() > MOST_RULES {
        out.push(too_many(field("restartPolicyRules"), rules.len(), MOST_RULES));
    }
    for (i, rule) in rules.iter().enumerate() {
        let field = |name: &str| field(&format!("restartPolicyRules[{i}].{name}"));
        let action = own(rule, "action");
        if !ACTIONS.contains(&action) {
            out.push(unsupported(field("action"), action, &ACTIONS));
        }
        let Some(codes) = set(rule, "exitCodes") else {
            out.push(required(field("exitCodes"), "must be specified"));
            continue;
        };
        let operator = own(codes, "operator");
        if !OPERATORS.contains(&operator) {
            out.push(unsupported(field("exitCodes.operator"), operator, &OPERATORS));
        }
        let values = list(codes, "values").len();
        if values > MOST_CODES {
            out.push(too_many(field("exitCodes.values"), values, MOST_CODES));
        }
    }
    out
}
