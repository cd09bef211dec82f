//! Advice about versions and the status.

use super::Lints;
use crate::diag::codes::lint::{SAME_SCHEMA, STATUS};
use crate::diag::{Diag, Diags, Level};
use crate::ir::{Crd, Schema};
use crate::path::Path;

pub(super) fn check(crd: &Crd, lints: &Lints, out: &mut Diags) {
    if !lints.has(&SAME_SCHEMA) {
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

/// A schema of a version that has no status subresource.
pub(super) fn check_status(schema: &Schema, path: &Path<'_>, lints: &Lints, out: &mut Diags) {
    if lints.has(&STATUS) && schema.properties.contains_key("status") {
        let properties = path.child("properties");
        out.push(
            Diag::own(
                &STATUS,
                Level::Warning,
                &properties.key("status"),
                "a status without the status subresource",
            )
            .help("add `subresources: {status: {}}` to the version"),
        );
    }
}
