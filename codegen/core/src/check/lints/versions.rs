//! Lints for versions and the status.

use super::Lints;
use crate::check::definition::hoist::Hoisted;
use crate::diag::codes::lint::{SAME_SCHEMA, STATUS};
use crate::diag::{Diag, Diags, Level};
use crate::ir::Crd;
use crate::path::Path;

pub(super) fn check(crd: &Crd, lints: &Lints, out: &mut Diags) {
    if !lints.is_on(&SAME_SCHEMA) {
        return;
    }
    let spec = &crd.spec;
    let at = Path::ROOT.child("spec");
    let versions = at.child("versions");
    for (i, version) in spec.versions.iter().enumerate().filter(|(_, v)| v.served) {
        let Some(schema) = spec.schema_of(i) else { continue };
        let earlier = (0..i).find(|j| spec.versions[*j].served && spec.schema_of(*j) == Some(schema));
        if let Some(j) = earlier {
            let detail = format!("{} has the same schema as {}", version.name, spec.versions[j].name);
            out.push(
                Diag::own(&SAME_SCHEMA, Level::Warning, &versions.index(i), detail)
                    .help("stop serving one of them when no client needs it"),
            );
        }
    }
}

/// Reports versions whose schema has a status but that lack the status subresource, and the other way round.
pub(super) fn check_status(view: &Hoisted<'_>, lints: &Lints, out: &mut Diags) {
    if !lints.is_on(&STATUS) {
        return;
    }
    let at = Path::ROOT.child("spec");
    let versions = at.child("versions");
    for (i, parts) in view.versions.iter().enumerate() {
        let schema = parts.root_schema().or(view.shared.root_schema());
        let subresources = parts.subresources.or(view.shared.subresources);
        let Some(schema) = schema else { continue };
        let has_status = schema.properties.contains_key("status");
        let has_subresource = subresources.is_some_and(|s| s.status);
        let keeps_all = schema.preserves_unknown_fields();
        let (detail, help) = match (has_status, has_subresource) {
            (true, false) => {
                ("a status without the status subresource", "add `subresources: {status: {}}` to the version")
            }
            (false, true) if !keeps_all => (
                "the status subresource without a status in the schema: the server drops what programs write to it",
                "add the field `status` to the schema, or remove the subresource",
            ),
            (true | false, _) => continue,
        };
        out.push(Diag::own(&STATUS, Level::Warning, &versions.index(i), detail).help(help));
    }
}
