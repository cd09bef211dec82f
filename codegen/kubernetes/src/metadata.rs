//! The metadata of Kubernetes' own kinds.

use crate::checks::unknown_finalizer;
use crate::kinds::Role;
use crate::meta;
use crate::mistake::Mistake;
use crdgen_core::diag::Diags;
use crdgen_core::metadata::{self, MetadataRules, NameForm, Scope, validate, validate_update};
use crdgen_core::names;
use crdgen_core::object::embedded::managed_fields;
use crdgen_core::object::metadata::typed;
use crdgen_core::path::Path;
use crdgen_core::server::Server;
use crdgen_core::value::{Map, Value};
use std::collections::BTreeSet;

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
        ("certificates.k8s.io" | "rbac.authorization.k8s.io", _)
        | ("policy", "PodDisruptionBudget")
        | ("", "Event") => Rule::Segment,
        _ => Rule::Subdomain,
    }
}

impl Rule {
    /// What is wrong with a name, or with the beginning of one.
    fn mistakes(self, name: &str, form: NameForm) -> Vec<String> {
        match (self, form) {
            // Roles and bindings have the same rule for both.
            (Rule::Segment, _) => metadata::path_segment(name, form),
            (Rule::Subdomain, _) => metadata::subdomain(name, form),
            (Rule::Label, NameForm::Whole) => names::dns1123_label(name),
            (Rule::Label, NameForm::Prefix) => names::dns1123_label(&names::mask_trailing_dash(name)),
        }
    }
}

/// The errors in the metadata of an object that is created, or that replaces another one.
pub(crate) fn check(group: &str, kind: &str, scope: Scope, object: &Value, live: Option<&Value>) -> Diags {
    let none = Map::new();
    let metadata = |object: &Value| typed(object.get("metadata").and_then(Value::as_map).unwrap_or(&none));
    let (new, at, mut out) = (metadata(object), Path::ROOT.child("metadata"), Diags::new());
    let rule = rule(group, kind);
    let mistakes = |name: &str, form: NameForm| rule.mistakes(name, form);
    validate(&new, MetadataRules { scope, name: &mistakes }, &at, Server::NEWEST, &mut out);
    managed_fields(&new.managed_fields, &at.child("managedFields"), Server::NEWEST, &mut out);
    let Some(live) = live else { return out };
    validate_update(&new, &metadata(live), &at, Server::NEWEST, &mut out);
    // Both functions check some fields, and the server says it once.
    let mut seen = BTreeSet::new();
    out.into_iter().filter(|diag| seen.insert((diag.field.clone(), diag.words()))).collect()
}

/// The mistakes in the finalizers of a kind besides those that all kinds have.
pub(crate) fn finalizers(group: &str, kind: &str, object: &Value) -> Vec<Mistake<'static>> {
    // These use the checks of the library for all servers, which has no finalizers of its own.
    let has_none = group == "admissionregistration.k8s.io" || has_own_server(group) || kind == "Event";
    if has_none {
        return Vec::new();
    }
    let names = meta::finalizers(object).into_iter().enumerate();
    names.filter_map(|(i, name)| unknown_finalizer(format!("metadata.finalizers[{i}]"), name)).collect()
}

/// Returns whether another server than that of most kinds answers, inside of the same process.
pub fn has_own_server(group: &str) -> bool {
    matches!(group, "apiextensions.k8s.io" | "apiregistration.k8s.io")
}

/// Returns whether an update of a kind must name the version that it replaces.
pub fn needs_version(group: &str, kind: &str, role: Role) -> bool {
    match group {
        "admissionregistration.k8s.io" | "apiextensions.k8s.io" | "apiregistration.k8s.io" => true,
        "coordination.k8s.io" | "node.k8s.io" | "policy" => true,
        "storage.k8s.io" => {
            matches!(kind, "CSIDriver" | "CSINode" | "CSIStorageCapacity" | "VolumeAttachment")
        }
        _ => role == Role::Custom,
    }
}

/// Returns whether an update of a kind creates the object if there is none.
pub fn is_created_by_updates(group: &str, kind: &str) -> bool {
    match group {
        "" => matches!(kind, "Endpoints" | "Event" | "LimitRange" | "Service"),
        "coordination.k8s.io" => kind == "Lease",
        "events.k8s.io" => kind == "Event",
        "node.k8s.io" => kind == "RuntimeClass",
        "rbac.authorization.k8s.io" => true,
        _ => false,
    }
}
