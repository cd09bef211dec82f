//! What a CRD must meet. An update may keep a mistake that the old CRD has too, because older servers accepted it.

use std::sync::Arc;

use super::conversion::has_valid_ca_bundle;
use super::demands::Demands;
use super::hoist::Hoisted;
use super::webhook::is_recognized;
use crate::check::schema::{SchemaOptions, has_loose_list_keys, has_loose_sets, has_unpruned_defaults};
use crate::ir::{Crd, SelectableField, Validation};
use crate::rules::{Environments, Preexisting};
use crate::server::MAX_SELECTABLE_FIELDS;
use crate::structural::{has_invalid_types, is_structural};

impl Demands {
    /// What a new CRD must meet.
    pub(crate) fn on_create(environments: Environments) -> Demands {
        Demands {
            schemas: true,
            recognized_review_version: true,
            immutable_names: false,
            ca_bundle: false,
            many_selectable_fields: Vec::new(),
            same_schemas: Vec::new(),
            schema: SchemaOptions { environments: Arc::new(environments), ..SchemaOptions::default() },
        }
    }

    /// What a CRD must meet that replaces an old one.
    pub(crate) fn on_update(new: &Hoisted<'_>, old: &Hoisted<'_>, environments: Environments) -> Demands {
        let conversion = old.crd.spec.conversion.as_ref();
        let review_versions = conversion.and_then(|c| c.review_versions.as_deref()).unwrap_or_default();
        let ca_bundle = conversion.and_then(|c| c.client_config.as_ref()).map_or(&[][..], |c| &c.ca_bundle);
        let established = is_established(old.crd);
        let server = environments.server;
        let none = |has: &dyn Fn(&crate::ir::Schema) -> bool| !old.schemas().any(has);
        Demands {
            schemas: has_all_schemas(old),
            recognized_review_version: review_versions.is_empty()
                || review_versions.iter().any(|v| is_recognized(v)),
            immutable_names: established,
            ca_bundle: established
                && !server.is_before(31)
                && (ca_bundle.is_empty() || has_valid_ca_bundle(ca_bundle, server)),
            many_selectable_fields: if environments.server.is_before(35) {
                Vec::new()
            } else {
                many_selectable_fields(new, old)
            },
            same_schemas: same_schemas(new, old),
            schema: SchemaOptions {
                status: false,
                structural: none(&|s| !is_structural(s, server)),
                valid_types: none(&has_invalid_types),
                pruned_defaults: none(&|s| has_unpruned_defaults(s, server)),
                atomic_sets: none(&has_loose_sets),
                list_keys: none(&has_loose_list_keys),
                environments: Arc::new(Environments {
                    preexisting: Preexisting::of(old.crd),
                    ..environments
                }),
                any_cost: false,
            },
        }
    }
}

fn same_schemas(new: &Hoisted<'_>, old: &Hoisted<'_>) -> Vec<String> {
    let names = new.versions().map(|(version, _)| version.name.as_str());
    let same = |name: &&str| {
        schema_of(old, name).is_some_and(|before| schema_of(new, name).is_some_and(|now| now == before))
    };
    names.filter(same).map(str::to_owned).collect()
}

/// The schema of a version, if there is such a version. A schema that all versions share is returned for any name, even
/// if no version has that name.
fn schema_of<'v>(view: &Hoisted<'v>, name: &str) -> Option<Option<&'v Validation>> {
    if view.versions.iter().all(|parts| parts.schema.is_none()) {
        return Some(view.shared.schema);
    }
    if view.shared.schema.is_some() {
        return None;
    }
    view.versions().find(|(version, _)| version.name == name).map(|(_, parts)| parts.schema)
}

/// Whether the names are accepted and the resource is served.
fn is_established(crd: &Crd) -> bool {
    let mut conditions = crd.status.conditions.iter().flatten();
    conditions.any(|c| c.ty == "Established" && c.status == "True")
}

fn has_all_schemas(view: &Hoisted<'_>) -> bool {
    let has = |schema: Option<&Validation>| schema.is_some_and(|s| s.open_api_v3_schema.is_some());
    has(view.shared.schema) || view.versions.iter().all(|v| has(v.schema))
}

/// The versions that had too many selectable fields, and still have the same ones.
fn many_selectable_fields(new: &Hoisted<'_>, old: &Hoisted<'_>) -> Vec<String> {
    let kept =
        |new: &[SelectableField], old: &[SelectableField]| old.len() > MAX_SELECTABLE_FIELDS && new == old;
    let mut out = Vec::new();
    if kept(new.shared.selectable_fields(), old.shared.selectable_fields()) {
        out.push(String::new());
    }
    for (version, parts) in new.versions() {
        let before = old.versions().filter(|(v, _)| v.name == version.name).last();
        if before.is_some_and(|(_, before)| kept(parts.selectable_fields(), before.selectable_fields())) {
            out.push(version.name.clone());
        }
    }
    out
}
