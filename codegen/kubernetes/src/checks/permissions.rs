//! Checks of roles and their bindings.

use super::at::{At, Mistakes};
use super::rows::{Check::*, Row, check};
use super::selectors;
use crdgen_core::names;

const GROUP: &str = "rbac.authorization.k8s.io";

pub(super) const ROLE: &[Row] = &[
    (
        "rules[].nonResourceURLs",
        InvalidIf(|at| !at.is_empty(), "namespaced rules cannot apply to non-resource URLs"),
    ),
    ("rules[]", Code(rule)),
    ("rules[].verbs", Required("")),
];
pub(super) const CLUSTER_ROLE: &[Row] = &[
    ("rules[]", Code(rule)),
    // The server says last that verbs are missing.
    (
        "aggregationRule",
        In(&[(
            "clusterRoleSelectors",
            Required("at least one clusterRoleSelector required if aggregationRule is non-nil"),
        )]),
    ),
    ("rules[].verbs", Required("")),
    ("aggregationRule.clusterRoleSelectors[]", Code(selector)),
];
pub(super) const ROLE_BINDING: &[Row] = &[
    ("roleRef.apiGroup", Of(&[GROUP])),
    ("roleRef.kind", Of(&["Role", "ClusterRole"])),
    ("", All(REST_OF_BINDING)),
];
pub(super) const CLUSTER_ROLE_BINDING: &[Row] = &[
    ("roleRef.apiGroup", Of(&[GROUP])),
    ("roleRef.kind", Of(&["ClusterRole"])),
    ("", All(REST_OF_BINDING)),
    ("subjects[]", If(|at| at.get("kind").text() == "ServiceAccount", &[("namespace", Required(""))])),
];
const REST_OF_BINDING: &[Row] = &[
    ("roleRef.name", Name(names::path_segment)),
    ("subjects[]", Code(subject)),
    // The server says last that names are missing.
    ("subjects[].name", Required("")),
    ("roleRef.name", Required("")),
    ("roleRef", FixedAs("RoleRef")),
];

fn rule(at: &At<'_>, out: &mut Mistakes) {
    let urls = at.get("nonResourceURLs");
    if urls.is_empty() {
        const REGULAR: &[Row] = &[
            ("apiGroups", Required("resource rules must supply at least one api group")),
            ("resources", Required("resource rules must supply at least one resource")),
        ];
        check(REGULAR, at, out);
    } else if ["apiGroups", "resources", "resourceNames"].into_iter().any(|name| !at.get(name).is_empty()) {
        out.push(urls.invalid("rules cannot apply to both regular resources and non-resource URLs"));
    }
}

/// A selector that cannot be read is a mistake by itself.
fn selector(at: &At<'_>, out: &mut Mistakes) {
    let before = out.len();
    selectors::selector(at, out);
    out.extend((out.len() > before).then(|| at.invalid_as("null", "invalid label selector.")));
}

fn subject(at: &At<'_>, out: &mut Mistakes) {
    let (kind, group) = (at.get("kind"), at.get("apiGroup"));
    match kind.text() {
        "ServiceAccount" => {
            check(&[("name", NameOrEmpty(names::dns1123_subdomain))], at, out);
            out.extend((!group.is_empty()).then(|| group.unsupported(&[""])));
        }
        "User" | "Group" => check(&[("", Of(&[GROUP]))], &group, out),
        _ => out.push(kind.unsupported(&["ServiceAccount", "User", "Group"])),
    }
}
