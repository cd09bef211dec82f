//! Checks of roles and their bindings.

use super::find;
use crate::meta::{own, texts};
use crate::mistake::Mistake;
use crdgen_core::diag::Kind;
use crdgen_core::value::Value;
use crdgen_core::{go, json, names};

const GROUP: &str = "rbac.authorization.k8s.io";

/// What is wrong with a role. The server says last that verbs are missing.
pub(super) fn role(kind: &str, object: &Value) -> Vec<Mistake<'static>> {
    let rules = object.get("rules").and_then(Value::as_list).unwrap_or_default();
    let of_rule = |(index, rule): (usize, &Value)| {
        let mistake =
            |field: &str, what, why: String| Mistake::new(format!("rules[{index}].{field}"), what, why);
        let is_empty = |name: &str| texts(rule, name).is_empty();
        let mut out = Vec::new();
        if !is_empty("nonResourceURLs") {
            let paths = rule.get("nonResourceURLs").map(json::to_string).unwrap_or_default();
            let wrong = |why: &str| mistake("nonResourceURLs", Kind::Invalid, format!("{paths}: {why}"));
            if kind == "Role" {
                out.push(wrong("namespaced rules cannot apply to non-resource URLs"));
            }
            if ["apiGroups", "resources", "resourceNames"].into_iter().any(|name| !is_empty(name)) {
                out.push(wrong("rules cannot apply to both regular resources and non-resource URLs"));
            }
            return out;
        }
        for (name, what) in [("apiGroups", "api group"), ("resources", "resource")] {
            if is_empty(name) {
                let why = format!("resource rules must supply at least one {what}");
                out.push(mistake(name, Kind::Required, why));
            }
        }
        out
    };
    let without_verbs = rules.iter().enumerate().filter(|(_, rule)| texts(rule, "verbs").is_empty());
    let verbs =
        without_verbs.map(|(index, _)| Mistake::new(format!("rules[{index}].verbs"), Kind::Required, ""));
    let selectors = find(object, &["aggregationRule"]).filter(|rule| !rule.is_null()).and_then(|rule| {
        let selectors = rule.get("clusterRoleSelectors").and_then(Value::as_list).unwrap_or_default();
        let why = "at least one clusterRoleSelector required if aggregationRule is non-nil";
        let field = "aggregationRule.clusterRoleSelectors";
        selectors.is_empty().then(|| Mistake::new(field, Kind::Required, why))
    });
    rules.iter().enumerate().flat_map(of_rule).chain(selectors).chain(verbs).collect()
}

/// What is wrong with a binding. The server says last that names are missing.
pub(super) fn binding(kind: &str, object: &Value, live: Option<&Value>) -> Vec<Mistake<'static>> {
    let role = object.get("roleRef").unwrap_or(&Value::Null);
    let unsupported = |field: String, found: &str, supported: &[&str]| {
        let supported: Vec<String> = supported.iter().map(|text| go::quote(text)).collect();
        let why = format!("{}: supported values: {}", go::quote(found), supported.join(", "));
        Mistake::new(field, Kind::NotSupported, why)
    };
    let kinds: &[&str] = if kind == "RoleBinding" { &["Role", "ClusterRole"] } else { &["ClusterRole"] };
    let (mut out, mut missing) = (Vec::new(), Vec::new());
    if own(role, "apiGroup") != GROUP {
        out.push(unsupported("roleRef.apiGroup".to_owned(), own(role, "apiGroup"), &[GROUP]));
    }
    if !kinds.contains(&own(role, "kind")) {
        out.push(unsupported("roleRef.kind".to_owned(), own(role, "kind"), kinds));
    }
    let invalid = |field: String, text: &str, why: String| {
        Mistake::new(field, Kind::Invalid, format!("{}: {why}", go::quote(text)))
    };
    let name = own(role, "name");
    out.extend(
        names::path_segment(name).into_iter().map(|why| invalid("roleRef.name".to_owned(), name, why)),
    );
    for (index, subject) in
        object.get("subjects").and_then(Value::as_list).unwrap_or_default().iter().enumerate()
    {
        let field = |name: &str| format!("subjects[{index}].{name}");
        let (name, group) = (own(subject, "name"), own(subject, "apiGroup"));
        if name.is_empty() {
            missing.push(Mistake::new(field("name"), Kind::Required, ""));
        }
        match own(subject, "kind") {
            "ServiceAccount" => {
                let reasons = if name.is_empty() { Vec::new() } else { names::dns1123_subdomain(name) };
                out.extend(reasons.into_iter().map(|why| invalid(field("name"), name, why)));
                if !group.is_empty() {
                    out.push(unsupported(field("apiGroup"), group, &[""]));
                }
                if kind == "ClusterRoleBinding" && own(subject, "namespace").is_empty() {
                    out.push(Mistake::new(field("namespace"), Kind::Required, ""));
                }
            }
            "User" | "Group" if group == GROUP => {}
            "User" | "Group" => out.push(unsupported(field("apiGroup"), group, &[GROUP])),
            other => out.push(unsupported(field("kind"), other, &["ServiceAccount", "User", "Group"])),
        }
    }
    if name.is_empty() {
        missing.push(Mistake::new("roleRef.name", Kind::Required, ""));
    }
    out.extend(missing);
    if live.is_some_and(|live| live.get("roleRef") != object.get("roleRef")) {
        // The server prints its own type, not the one of clients.
        let text = |field: &str| go::quote(own(role, field));
        let (group, kind, name) = (text("apiGroup"), text("kind"), text("name"));
        let value = format!(r#"{{"APIGroup":{group},"Kind":{kind},"Name":{name}}}"#);
        out.push(Mistake::new("roleRef", Kind::Invalid, format!("{value}: field is immutable")));
    }
    out
}
