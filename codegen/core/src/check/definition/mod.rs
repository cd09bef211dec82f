//! The checks of a CRD outside of its schemas.

mod approval;
mod columns;
pub(super) mod conditions;
mod conversion;
pub(super) mod demands;
pub(super) mod hoist;
mod naming;
pub(super) mod prepare;
pub(super) mod ratchet;
mod selectable;
mod spec;
mod status;
mod subresources;
mod update;
mod versions;
pub(super) mod warnings;
pub mod webhook;

use crate::check::schema::{self, SchemaOptions};
use crate::check::validations::Checker;
use crate::diag::codes::crd::{NAME, PRESERVE_UNKNOWN_FIELDS};
use crate::diag::{Diag, Diags};
use crate::go;
use crate::ir::{Metadata, Status, Validation};
use crate::metadata::{self as rules, MetadataRules, Scope};
use crate::path::Path;
use crate::server::Server;
use crate::value::Value;
use demands::Demands;
use hoist::Hoisted;

/// A CRD as the server checks it.
pub(super) struct Sent<'c> {
    pub(super) view: &'c Hoisted<'c>,
    pub(super) metadata: &'c Metadata,
}

/// Everything that the server checks about a CRD: on create, or on update if there is an old one.
pub(super) fn check(
    new: &Sent<'_>,
    status: &Status,
    before: Option<&Sent<'_>>,
    demands: &Demands,
    out: &mut Diags,
) {
    let Sent { view, metadata } = *new;
    let at = Path::ROOT.child("metadata");
    let server = demands.schema.server();
    match before {
        None => rules::distinct(server, out, |out| name_on_create(view, metadata, &at, server, out)),
        Some(Sent { metadata: old, .. }) => {
            let of_segment = MetadataRules { scope: Scope::Cluster, name: &rules::path_segment };
            rules::validate(metadata, of_segment, &at, server, out);
            // The server checks this twice: once as for all objects, and once as for CRDs.
            rules::validate_update(metadata, old, &at, server, out);
            rules::distinct_update(metadata, old, &at, server, out);
        }
    }
    spec::check(view, demands, out);
    if let Some(Sent { view: old, .. }) = before {
        update::check(view, old, demands, out);
    }
    status::check(status, &view.crd.spec.versions, out);
    approval::check(view.crd, before.map(|old| old.view.crd), out);
    preserve_unknown_fields(view, before.map(|old| old.view), out);
}

/// The name of a CRD must be `<plural>.<group>`.
fn name_on_create(view: &Hoisted<'_>, metadata: &Metadata, at: &Path<'_>, server: Server, out: &mut Diags) {
    let spec = &view.crd.spec;
    let required = format!("{}.{}", spec.names.plural, spec.group);
    let of_subdomain = MetadataRules { scope: Scope::Cluster, name: &rules::subdomain };
    rules::validate(metadata, of_subdomain, at, server, out);
    for (field, name) in [("generateName", &metadata.generate_name), ("name", &metadata.name)] {
        if !name.is_empty() && *name != required {
            let detail = r#"must be spec.names.plural+"."+spec.group"#;
            let diag = Diag::invalid(&NAME, &at.child(field), name.as_str(), detail);
            let is_whole = !spec.names.plural.is_empty() && !spec.group.is_empty();
            out.push(match is_whole {
                true => diag.help(format!("write `name: {}`", go::quote(&required))),
                false => diag.help("first write the plural name and the group: this name consists of both"),
            });
        }
    }
}

/// `true` is only allowed if the old CRD has it too.
fn preserve_unknown_fields(view: &Hoisted<'_>, before: Option<&Hoisted<'_>>, out: &mut Diags) {
    if !view.preserves_unknown_fields() || before.is_some_and(Hoisted::preserves_unknown_fields) {
        return;
    }
    let (spec, detail) = (
        Path::ROOT.child("spec"),
        "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
    );
    out.push(
        Diag::invalid(
            &PRESERVE_UNKNOWN_FIELDS,
            &spec.child("preserveUnknownFields"),
            Value::Bool(true),
            detail,
        )
        .help("write `preserveUnknownFields: false`, and mark the places in the schema that keep unknown fields"),
    );
}

/// Checks a schema inside `validation` or `schema`.
fn check_schema(validation: &Validation, at: &Path<'_>, options: &SchemaOptions, out: &mut Diags) {
    if let Some(root) = &validation.open_api_v3_schema {
        let mut rules = Checker::new(&options.environments).any_cost(options.any_cost);
        out.append(&mut schema::validate(at, root, options, &mut rules));
    }
}
