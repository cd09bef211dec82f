//! Checks of the configurations of admission webhooks.

use super::words::{duplicate, invalid, invalid_text, required, unsupported};
use super::{find, selectors};
use crate::conditions::condition_mistake;
use crate::meta::{self, own, texts};
use crate::mistake::Mistake;
use crdgen_core::check::webhook;
use crdgen_core::diag::Kind;
use crdgen_core::ir::ServiceReference;
use crdgen_core::names;
use crdgen_core::path::Path;
use crdgen_core::server::Server;
use crdgen_core::value::Value;
use std::collections::BTreeSet;

type Mistakes = Vec<Mistake<'static>>;

const FAILURE_POLICIES: [&str; 2] = ["Fail", "Ignore"];
const MATCH_POLICIES: [&str; 2] = ["Equivalent", "Exact"];
const REINVOCATION_POLICIES: [&str; 2] = ["IfNeeded", "Never"];
const OPERATIONS: [&str; 5] = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
const SCOPES: [&str; 3] = ["*", "Cluster", "Namespaced"];
/// Side effects of new webhooks, and of those that had others before.
const NO_SIDE_EFFECTS: [&str; 2] = ["None", "NoneOnDryRun"];
const SIDE_EFFECTS: [&str; 4] = ["None", "NoneOnDryRun", "Some", "Unknown"];
/// Configurations with such names are files of the server.
const STATIC: &str = ".static.k8s.io";
const MOST_CONDITIONS: usize = 64;

/// What a configuration must fulfil. What the stored one does not fulfil, the new one need not.
struct Demands {
    no_side_effects: bool,
    recognized_version: bool,
    unique_names: bool,
    conditions: bool,
}

fn hooks(object: &Value) -> &[Value] {
    object.get("webhooks").and_then(Value::as_list).unwrap_or_default()
}

impl Demands {
    fn of(object: &Value, live: Option<&Value>) -> Demands {
        let Some(live) = live else {
            let (no_side_effects, recognized_version) = (true, true);
            return Demands { no_side_effects, recognized_version, unique_names: true, conditions: true };
        };
        let old = hooks(live);
        let names: BTreeSet<&str> = old.iter().map(|hook| own(hook, "name")).collect();
        let is_recognized = |hook: &Value| {
            let versions = texts(hook, "admissionReviewVersions");
            versions.is_empty() || versions.into_iter().any(webhook::is_recognized)
        };
        let new = hooks(object);
        let conditions = |hook: &Value| hook.get("matchConditions").cloned();
        let are_same = new.len() == old.len()
            && new.iter().zip(old).all(|(new, old)| conditions(new) == conditions(old));
        Demands {
            no_side_effects: old.iter().all(|hook| NO_SIDE_EFFECTS.contains(&own(hook, "sideEffects"))),
            recognized_version: old.iter().all(is_recognized),
            unique_names: names.len() == old.len(),
            conditions: !are_same,
        }
    }
}

/// The mistakes of a configuration.
pub(super) fn mistakes(object: &Value, live: Option<&Value>) -> Mistakes {
    let demands = Demands::of(object, live);
    let mut seen = BTreeSet::new();
    let mut out = Vec::new();
    let name = meta::text(object, "name");
    if live.is_none() && name.ends_with(STATIC) {
        let why = format!(
            "names ending with \"{STATIC}\" are reserved for static manifest-based configurations and cannot be managed via the API"
        );
        out.push(invalid_text("metadata.name".to_owned(), name, &why));
    }
    for (i, hook) in hooks(object).iter().enumerate() {
        let field = format!("webhooks[{i}]");
        out.extend(of_hook(hook, i, &demands));
        out.extend(versions(hook, i, &demands));
        let name = own(hook, "name");
        if demands.unique_names && !name.is_empty() && !seen.insert(name) {
            out.push(duplicate(format!("{field}.name"), name));
        }
    }
    out
}

fn of_hook(hook: &Value, index: usize, demands: &Demands) -> Mistakes {
    let field = |name: &str| format!("webhooks[{index}].{name}");
    let mut out = Vec::new();
    out.extend(full_name(own(hook, "name"), field("name")));
    for (i, rule) in hook.get("rules").and_then(Value::as_list).unwrap_or_default().iter().enumerate() {
        out.extend(of_rule(rule, &field(&format!("rules[{i}]"))));
    }
    let one_of = |name: &str, supported: &[&str]| {
        let text = find(hook, &[name]).and_then(Value::as_str)?;
        (!supported.contains(&text)).then(|| unsupported(field(name), text, supported))
    };
    out.extend(one_of("failurePolicy", &FAILURE_POLICIES));
    out.extend(one_of("matchPolicy", &MATCH_POLICIES));
    let effects: &[&str] = if demands.no_side_effects { &NO_SIDE_EFFECTS } else { &SIDE_EFFECTS };
    if find(hook, &["sideEffects"]).is_none_or(Value::is_null) {
        let why = format!("must specify one of {}", effects.join(", "));
        out.push(required(field("sideEffects"), &why));
    }
    out.extend(one_of("sideEffects", effects));
    let seconds = find(hook, &["timeoutSeconds"]);
    if let Some(seconds) = seconds.filter(|it| it.as_int().is_some_and(|it| !(1..=30).contains(&it))) {
        let why = "the timeout value must be between 1 and 30 seconds";
        out.push(invalid(field("timeoutSeconds"), seconds, why));
    }
    for name in ["namespaceSelector", "objectSelector"] {
        out.extend(selectors::mistakes(find(hook, &[name]), &field(name)));
    }
    out.extend(one_of("reinvocationPolicy", &REINVOCATION_POLICIES));
    out.extend(client(hook.get("clientConfig"), index));
    if demands.conditions {
        out.extend(conditions(hook, &field("matchConditions")));
    }
    out
}

fn full_name(name: &str, field: String) -> Option<Mistake<'static>> {
    if name.is_empty() {
        return Some(required(field, ""));
    }
    let mistakes = names::dns1123_subdomain(name);
    if !mistakes.is_empty() {
        return Some(invalid_text(field, name, &mistakes.join(",")));
    }
    let why = "should be a domain with at least three segments separated by dots";
    (name.split('.').count() < 3).then(|| invalid_text(field, name, why))
}

fn of_rule(rule: &Value, field: &str) -> Mistakes {
    let field = |name: &str| format!("{field}.{name}");
    let at = |name: &str, i: usize| field(&format!("{name}[{i}]"));
    let all = |name: &str| rule.get(name).cloned().unwrap_or(Value::Null);
    let mut out = Vec::new();
    let operations = texts(rule, "operations");
    let wildcard = |name: &str, what: &str, out: &mut Mistakes| {
        let items = texts(rule, name);
        if items.is_empty() {
            out.push(required(field(name), ""));
        }
        if items.len() > 1 && items.contains(&"*") {
            let why = format!("if '*' is present, must not specify other {what}");
            out.push(invalid(field(name), &all(name), &why));
        }
    };
    wildcard("operations", "operations", &mut out);
    for (i, operation) in operations.iter().enumerate().filter(|(_, it)| !OPERATIONS.contains(it)) {
        out.push(unsupported(at("operations", i), operation, &OPERATIONS));
    }
    wildcard("apiGroups", "API groups", &mut out);
    wildcard("apiVersions", "API versions", &mut out);
    let versions = texts(rule, "apiVersions");
    let empty = versions.iter().enumerate().filter(|(_, it)| it.is_empty());
    out.extend(empty.map(|(i, _)| required(at("apiVersions", i), "")));
    out.extend(resources(rule, &field("resources")));
    let scope = find(rule, &["scope"]).and_then(Value::as_str);
    if let Some(scope) = scope.filter(|scope| !SCOPES.contains(scope)) {
        out.push(unsupported(field("scope"), scope, &SCOPES));
    }
    out
}

fn resources(rule: &Value, field: &str) -> Mistakes {
    let resources = texts(rule, "resources");
    let mut out = Vec::new();
    if resources.is_empty() {
        out.push(required(field.to_owned(), ""));
    }
    // Resources of which all subresources are named, and subresources of all resources.
    let (mut whole, mut everywhere) = (BTreeSet::new(), BTreeSet::new());
    let mut has_plain = false;
    for (i, resource) in resources.iter().enumerate() {
        let at = || format!("{field}[{i}]");
        if resource.is_empty() {
            out.push(required(at(), ""));
            continue;
        }
        let Some((name, part)) = resource.split_once('/') else {
            // The last one decides.
            has_plain = *resource != "*";
            continue;
        };
        if whole.contains(name) {
            let why = format!("if '{name}/*' is present, must not specify {resource}");
            out.push(invalid_text(at(), resource, &why));
        }
        if everywhere.contains(part) {
            let why = format!("if '*/{part}' is present, must not specify {resource}");
            out.push(invalid_text(at(), resource, &why));
        }
        if part == "*" {
            whole.insert(name);
        }
        if name == "*" {
            everywhere.insert(part);
        }
    }
    let all = rule.get("resources").cloned().unwrap_or(Value::Null);
    if resources.len() > 1 && resources.contains(&"*/*") {
        let why = "if '*/*' is present, must not specify other resources";
        out.push(invalid(field.to_owned(), &all, why));
    }
    if resources.contains(&"*") && has_plain {
        let why = "if '*' is present, must not specify other resources without subresources";
        out.push(invalid(field.to_owned(), &all, why));
    }
    out
}

/// How the server reaches the webhook.
fn client(config: Option<&Value>, index: usize) -> Mistakes {
    let hooks = Path::ROOT.child("webhooks");
    let hook = hooks.index(index);
    let at = hook.child("clientConfig");
    let part = |name: &str| config.and_then(|config| find(config, &[name])).filter(|it| !it.is_null());
    let mut found = Vec::new();
    match (part("url"), part("service")) {
        (Some(url), None) => webhook::url(url.as_str().unwrap_or_default(), &at.child("url"), &mut found),
        (None, Some(service)) => {
            let port = find(service, &["port"]).and_then(Value::as_int);
            let reference = ServiceReference {
                namespace: own(service, "namespace").to_owned(),
                name: own(service, "name").to_owned(),
                path: find(service, &["path"]).and_then(Value::as_str).map(str::to_owned),
                port: port.and_then(|port| i32::try_from(port).ok()),
            };
            webhook::service(&reference, Server::NEWEST, &at.child("service"), &mut found);
        }
        _ => {
            let why = "exactly one of url or service is required";
            return vec![required(format!("webhooks[{index}].clientConfig"), why)];
        }
    }
    found.iter().map(Mistake::of).collect()
}

fn versions(hook: &Value, index: usize, demands: &Demands) -> Mistakes {
    let versions: Vec<String> =
        texts(hook, "admissionReviewVersions").into_iter().map(str::to_owned).collect();
    if versions.is_empty() {
        let why = "must specify one of v1, v1beta1";
        return vec![required(format!("webhooks[{index}].admissionReviewVersions"), why)];
    }
    let hooks = Path::ROOT.child("webhooks");
    let hook = hooks.index(index);
    let mut found = Vec::new();
    let at = hook.child("admissionReviewVersions");
    webhook::review_versions(&versions, demands.recognized_version, &at, &mut found);
    found.iter().map(Mistake::of).collect()
}

fn conditions(hook: &Value, field: &str) -> Mistakes {
    let conditions = hook.get("matchConditions").and_then(Value::as_list).unwrap_or_default();
    let mut out = Vec::new();
    if conditions.len() > MOST_CONDITIONS {
        let why = format!("{}: must have at most {MOST_CONDITIONS} items", conditions.len());
        out.push(Mistake::new(field.to_owned(), Kind::TooMany, why));
    }
    let mut seen = BTreeSet::new();
    for (i, condition) in conditions.iter().enumerate() {
        let field = |name: &str| format!("{field}[{i}].{name}");
        match own(condition, "expression").trim() {
            "" => out.push(required(field("expression"), "")),
            expression => out.extend(
                condition_mistake(expression).map(|why| invalid_text(field("expression"), expression, &why)),
            ),
        }
        let name = own(condition, "name");
        if name.is_empty() {
            out.push(required(field("name"), ""));
            continue;
        }
        let mistakes = names::qualified_name(name);
        out.extend(mistakes.iter().map(|why| invalid_text(field("name"), name, why)));
        if !seen.insert(name) {
            out.push(duplicate(field("name"), name));
        }
    }
    out
}
