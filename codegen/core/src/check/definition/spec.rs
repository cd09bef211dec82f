//! The spec as a whole.

use super::demands::Demands;
use super::hoist::{Hoisted, Part, Place};
use super::{check_schema, columns, conversion, naming, selectable, subresources, versions};
use crate::check::schema::{SchemaOptions, has_defaults, has_extensions};
use crate::diag::codes::crd::{DEFAULTS_NEED_PRUNING, GROUP, SCHEMA_MISSING, SCOPE};
use crate::diag::{Diag, Diags};
use crate::ir::Validation;
use crate::names;
use crate::path::Path;
use crate::value::Value;

pub(super) fn check(view: &Hoisted<'_>, demands: &Demands, out: &mut Diags) {
    let spec = &view.crd.spec;
    let at = Path::ROOT.child("spec");
    group(&spec.group, &at.child("group"), out);
    scope(&spec.scope, &at.child("scope"), out);
    schemas(view, demands, &at, out);

    let mut options = demands.schema.clone();
    if view.schemas().any(has_defaults) {
        options.structural = true;
        if view.preserves_unknown_fields() {
            let detail = "must be false in order to use defaults in the schema";
            let path = at.child("preserveUnknownFields");
            out.push(
                Diag::invalid(&DEFAULTS_NEED_PRUNING, &path, Value::Bool(true), detail)
                    .help("write `preserveUnknownFields: false`"),
            );
        }
    }
    // Dropping unknown fields needs a structural schema, and so do extensions.
    options.structural |= !view.preserves_unknown_fields() || view.schemas().any(has_extensions);

    versions::check(view, demands, &options, &at, out);
    naming::required(&spec.names, &at.child("names"), out);
    naming::valid(&spec.names, &at.child("names"), out);
    shared_parts(view, demands, &options, out);
    conversion::check(view, demands, &at, out);
}

fn group(group: &str, at: &Path<'_>, out: &mut Diags) {
    let help = "write a domain of yours: `group: example.com`";
    let errors = names::dns1123_subdomain(group);
    let diag = if group.is_empty() {
        Diag::required(&GROUP, at, "")
    } else if !errors.is_empty() {
        Diag::invalid(&GROUP, at, group, errors.join(","))
    } else if !group.contains('.') {
        Diag::invalid(&GROUP, at, group, "should be a domain with at least one dot")
    } else {
        return;
    };
    out.push(diag.help(help));
}

fn scope(scope: &str, at: &Path<'_>, out: &mut Diags) {
    let diag = match scope {
        "" => Diag::required(&SCOPE, at, ""),
        "Cluster" | "Namespaced" => return,
        other => Diag::not_supported(&SCOPE, at, other, &["Cluster", "Namespaced"]),
    };
    out.push(diag.help("write `scope: Namespaced` or `scope: Cluster`"));
}

/// Which versions must have a schema.
fn schemas(view: &Hoisted<'_>, demands: &Demands, at: &Path<'_>, out: &mut Diags) {
    let missing = |schema: Option<&Validation>| schema.is_none_or(|s| s.open_api_v3_schema.is_none());
    let all = demands.schemas;
    if !missing(view.shared.schema) || !all && view.preserves_unknown_fields() {
        return;
    }
    let versions = at.child("versions");
    for (i, (version, parts)) in view.versions().enumerate() {
        if missing(parts.schema) && (all || version.served) {
            let version = versions.index(i);
            let schema = version.child("schema");
            let detail = match all {
                true if demands.schema.server().is_before(34) => "schemas are required",
                true => "",
                false => "because otherwise all fields are pruned",
            };
            out.push(Diag::required(&SCHEMA_MISSING, &schema.child("openAPIV3Schema"), detail).help(
                "describe the resource; `type: object` with `x-kubernetes-preserve-unknown-fields: true` accepts anything",
            ));
        }
    }
}

/// What all versions have in common.
fn shared_parts(view: &Hoisted<'_>, demands: &Demands, options: &SchemaOptions, out: &mut Diags) {
    let parts = &view.shared;
    if let Some(validation) = parts.schema {
        let status =
            std::iter::once(parts).chain(&view.versions).any(|p| p.subresources.is_some_and(|s| s.status));
        // In the internal form, the top level has the name of the first version.
        let first = view.versions().next().map(|(v, _)| v.name.as_str());
        let any_cost = first.is_some_and(|name| demands.same_schemas.iter().any(|same| same == name));
        let options = SchemaOptions { status, any_cost, ..options.clone() };
        check_schema(validation, &view.shared_place(Part::Schema).path(), &options, out);
    }
    if let Some(parts) = parts.subresources {
        subresources::check(parts, &view.shared_place(Part::Subresources).path(), out);
    }
    columns::check(view, parts.columns(), &view.shared_place(Part::Columns).path(), out);
    if !parts.selectable_fields().is_empty() {
        let place = view.shared_place(Part::SelectableFields);
        let written = view.shared_place(Part::Schema);
        let schema_place = Place::below(&written.path(), &["openAPIV3Schema"], "spec.schema.openAPIV3Schema");
        selectable::Check {
            schema: parts.schema.and_then(|s| s.open_api_v3_schema.as_ref()),
            schema_path: schema_place.path(),
            empty_box: parts.schema.is_some_and(|s| s.open_api_v3_schema.is_none()),
            without_schema: if options.server().is_before(34) {
                "selectableFields may only be set when validations.schema is included"
            } else {
                "may only be set when validations.schema is included"
            },
            has_own_schemas: view.versions.iter().any(|version| version.schema.is_some()),
            may_be_many: demands.many_selectable_fields.iter().any(String::is_empty),
        }
        .run(parts.selectable_fields(), &place.path(), out);
    }
}
