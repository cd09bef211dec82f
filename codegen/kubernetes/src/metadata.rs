//! The metadata of Kubernetes' own kinds.

use crate::checks::{declared_subdomain, strict_address, unknown_finalizer};
use crate::field::Field;
use crate::kinds::{KindId, NameRule, Row};
use crate::meta;
use crate::mistake::Mistake;
use crdgen_core::diag::Diags;
use crdgen_core::metadata::{self, MetadataRules, NameForm, validate, validate_update};
use crdgen_core::names;
use crdgen_core::object::embedded::managed_fields;
use crdgen_core::object::metadata::typed;
use crdgen_core::path::Path;
use crdgen_core::server::Server;
use crdgen_core::value::{Map, Value};
use std::collections::BTreeSet;

/// What is wrong with a name, or with the beginning of one.
fn wrong_name(rule: NameRule, name: &str, form: NameForm) -> Vec<String> {
    match (rule, form) {
        // Roles and bindings have the same rule for both.
        (NameRule::Segment, _) => metadata::path_segment(name, form),
        (NameRule::WholeSubdomain, NameForm::Prefix) => Vec::new(),
        (NameRule::WholeSubdomain, NameForm::Whole) => declared_subdomain(name),
        (NameRule::Subdomain, _) => metadata::subdomain(name, form),
        (NameRule::Label, NameForm::Whole) => names::dns1123_label(name),
        (NameRule::Label, NameForm::Prefix) => names::dns1123_label(&names::mask_trailing_dash(name)),
        (NameRule::Address, _) => strict_address(name),
    }
}

/// The errors in the metadata of an object that is created, or that replaces another one.
pub(crate) fn check(row: &Row, object: &Value, live: Option<&Value>, server: Server) -> Diags {
    let none = Map::new();
    let metadata = |object: &Value| typed(object.get("metadata").and_then(Value::as_map).unwrap_or(&none));
    let (new, at, mut out) = (metadata(object), Path::ROOT.child("metadata"), Diags::new());
    let mistakes = |name: &str, form: NameForm| wrong_name(row.names, name, form);
    validate(&new, MetadataRules { scope: row.scope, name: &mistakes }, &at, server, &mut out);
    managed_fields(&new.managed_fields, &at.child("managedFields"), server, &mut out);
    let Some(live) = live else { return out };
    validate_update(&new, &metadata(live), &at, server, &mut out);
    // Both functions check some fields, and the server says it once.
    let mut seen = BTreeSet::new();
    out.into_iter().filter(|diag| seen.insert((diag.field.clone(), diag.words()))).collect()
}

/// The mistakes in the finalizers of a kind besides those that all kinds have.
pub(crate) fn finalizers(row: &Row, object: &Value) -> Vec<Mistake> {
    // These use the checks of the library for all servers, which has no finalizers of its own.
    let is_library = matches!(
        row.id,
        KindId::Event | KindId::NewEvent | KindId::Lease | KindId::PodDisruptionBudget | KindId::RuntimeClass
    );
    if row.group == "admissionregistration.k8s.io" || has_own_server(row.group) || is_library {
        return Vec::new();
    }
    let at = Field::from("metadata.finalizers");
    let names = meta::finalizers(object).into_iter().enumerate();
    names.filter_map(|(i, name)| unknown_finalizer(at.index(i), name)).collect()
}

/// Returns whether another server than that of most kinds answers, inside of the same process.
pub fn has_own_server(group: &str) -> bool {
    matches!(group, "apiextensions.k8s.io" | "apiregistration.k8s.io")
}
