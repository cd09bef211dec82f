//! The status in a CRD: the accepted names and the stored versions.

use super::naming;
use crate::diag::codes::crd::{STORAGE_VERSION, STORED_VERSIONS};
use crate::diag::{BadValue, Diag, Diags};
use crate::inert;
use crate::ir::{Status, Version};
use crate::path::Path;
use crate::value::Map;

pub(super) fn check(status: &Status, versions: &[Version], out: &mut Diags) {
    let at = Path::ROOT.child("status");
    naming::valid(&status.accepted_names, &at.child("acceptedNames"), out);
    stored_versions(status.stored_versions.as_deref(), versions, &at.child("storedVersions"), out);
}

fn stored_versions(stored: Option<&[String]>, versions: &[Version], at: &Path<'_>, out: &mut Diags) {
    let listed = stored.unwrap_or_default();
    let strings = |list: Option<&[String]>| BadValue::Strings(list.map(<[String]>::to_vec));
    if listed.is_empty() {
        let detail = "must have at least one stored version";
        let mut diag = Diag::invalid(&STORAGE_VERSION, at, strings(stored), detail)
            .help("the server writes the version with `storage: true` into this list, but no version has it");
        if stored.is_none() {
            // The author wrote no status, so the cause is in the versions.
            diag.steps = Path::ROOT.child("spec").child("versions").steps();
        }
        out.push(diag);
        return;
    }
    let mut missing: Map<usize> = listed.iter().enumerate().map(|(i, name)| (name.as_str(), i)).collect();
    for version in versions {
        if missing.remove(&version.name).is_none() && version.storage {
            let detail = format!("must have the storage version {}", version.name);
            out.push(
                Diag::invalid(&STORAGE_VERSION, at, strings(stored), detail)
                    .help("write `storage: false` at all versions but one, and give each a name of its own"),
            );
        }
    }
    for (name, i) in missing.iter() {
        let detail = format!(
            "missing from spec.versions; {name} was previously a storage version, and must remain in spec.versions \
             until a storage migration ensures no data remains persisted in {name} and removes {name} from \
             status.storedVersions"
        );
        // A line break in it must not begin another line of the help.
        let shown = inert::line(name);
        out.push(
            Diag::invalid(&STORED_VERSIONS, &at.index(*i), name, detail).help(format!(
                "keep version {shown} with `served: false` until all objects are written again"
            )),
        );
    }
}
