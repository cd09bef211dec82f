//! Checks of what claims for storage ask for. Pods and stateful sets have claims too.

use super::at::{At, Mistakes};
use super::rows::{Check::*, Row};
use super::selectors::SELECTOR;
use crdgen_core::names;
use std::collections::BTreeSet;

const MODES: [&str; 4] = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

/// The spec of a claim.
pub(super) const CLAIM: &[Row] = &[
    ("accessModes", Required("at least 1 access mode is required")),
    ("selector", SELECTOR),
    ("accessModes", Code(access_modes)),
    ("resources", Code(size)),
    ("storageClassName", NameOrEmpty(names::dns1123_subdomain)),
    ("volumeMode", OneOf(&["Block", "Filesystem"])),
    ("dataSource", In(DATA_SOURCE)),
    ("dataSourceRef", In(DATA_SOURCE)),
    ("", Code(same_source)),
    ("volumeAttributesClassName", NameOrEmpty(names::dns1123_subdomain)),
];
const DATA_SOURCE: &[Row] = &[
    ("name", Required("")),
    ("kind", Required("")),
    ("", Code(source_of_core)),
    ("apiGroup", NameOrEmpty(names::dns1123_subdomain)),
];

fn size(at: &At<'_>, out: &mut Mistakes) {
    let storage = at.get("requests.storage").shown_as(at.field.key("storage"));
    if !storage.is_set() {
        out.push(storage.required(""));
    } else if storage.quantity().is_some_and(|amount| amount.sign() <= 0) {
        out.push(storage.invalid("must be greater than zero"));
    }
}

fn source_of_core(at: &At<'_>, out: &mut Mistakes) {
    let kind = at.get("kind").text();
    if at.get("apiGroup").is_empty() && kind != "PersistentVolumeClaim" {
        let why = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
        out.push(at.invalid_text(kind, why));
    }
}

/// Where the data comes from: two fields that say the same.
fn same_source(at: &At<'_>, out: &mut Mistakes) {
    let (old, new) = (at.get("dataSource"), at.get("dataSourceRef"));
    let is_other = |name| old.get(name).value != new.get(name).value;
    if old.is_set() && new.is_set() && ["apiGroup", "kind", "name"].into_iter().any(is_other) {
        // The server's code shows a field as the value.
        out.push(at.invalid_as("{}", "must match dataSourceRef"));
    }
}

pub(super) fn access_modes(at: &At<'_>, out: &mut Mistakes) {
    let modes = at.texts();
    let unknown: BTreeSet<&str> = modes.iter().copied().filter(|mode| !MODES.contains(mode)).collect();
    out.extend(unknown.into_iter().map(|mode| at.unsupported_text(mode, &MODES)));
    let is_alone = |mode: &&str| *mode == "ReadWriteOncePod";
    if modes.iter().any(is_alone) && modes.iter().any(|mode| !is_alone(mode) && MODES.contains(mode)) {
        out.push(at.forbidden("may not use ReadWriteOncePod with other access modes"));
    }
}
