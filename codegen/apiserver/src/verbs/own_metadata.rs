//! The metadata of Kubernetes' own kinds.

use crdgen_core::diag::Diags;
use crdgen_core::metadata::{validate, validate_update};
use crdgen_core::names;
use crdgen_core::object::metadata::typed;
use crdgen_core::path::Path;
use crdgen_core::server::Server;
use crdgen_core::value::{Map, Value};

/// What the names of a kind must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    Subdomain,
    Label,
    /// A step of a path: it has few rules.
    Segment,
}

/// The rule of a kind, as the validation of the server's code has it.
fn rule(group: &str, kind: &str) -> Rule {
    match (group, kind) {
        ("", "Namespace" | "Service") | ("apps", "StatefulSet") => Rule::Label,
        ("rbac.authorization.k8s.io", _) | ("policy", "PodDisruptionBudget") | ("", "Event") => Rule::Segment,
        _ => Rule::Subdomain,
    }
}

impl Rule {
    /// What is wrong with a name, or with the beginning of one.
    fn mistakes(self, name: &str, is_prefix: bool) -> Vec<String> {
        match (self, is_prefix) {
            (Rule::Segment, false) => names::path_segment(name),
            // Roles and bindings have the same rule for both.
            (Rule::Segment, true) => names::path_segment_prefix(name),
            (Rule::Subdomain, false) => names::dns1123_subdomain(name),
            (Rule::Subdomain, true) => names::dns1123_subdomain(&names::mask_trailing_dash(name)),
            (Rule::Label, false) => names::dns1123_label(name),
            (Rule::Label, true) => names::dns1123_label(&names::mask_trailing_dash(name)),
        }
    }
}

/// The errors in the metadata of an object that is created, or that replaces another one.
pub(super) fn check(
    group: &str,
    kind: &str,
    namespaced: bool,
    object: &Value,
    live: Option<&Value>,
) -> Diags {
    let none = Map::new();
    let metadata = |object: &Value| typed(object.get("metadata").and_then(Value::as_map).unwrap_or(&none));
    let (new, at, mut out) = (metadata(object), Path::ROOT.child("metadata"), Diags::new());
    if let Some(live) = live {
        validate_update(&new, &metadata(live), &at, Server::NEWEST, &mut out);
    }
    let rule = rule(group, kind);
    let mistakes = |name: &str, is_prefix: bool| rule.mistakes(name, is_prefix);
    validate(&new, namespaced, &mistakes, &at, Server::NEWEST, &mut out);
    out
}
