//! Evaluates calls of kube's `merge_crds`: which version is stored, and from which version the CRD gets its names and
//! metadata.

use crdgen_core::diag::codes::rust as codes;
use crdgen_core::diag::{Code, Diag, Level};
use crdgen_core::ir::Crd;
use crdgen_core::path;
use crdgen_source::{Found, Merge, Version};

/// The versions that programs store.
#[derive(Default)]
pub(super) struct Stored(Vec<Version>);

impl Stored {
    /// Reads the calls as kube does. Reports what cannot be determined, and what kube would return an error for.
    pub(super) fn new(merges: Vec<Merge>, found: &mut Vec<Found>) -> Stored {
        let mut all: Vec<Version> = Vec::new();
        let mut contradictory: Vec<Version> = Vec::new();
        for Merge { versions, stored, at } in merges {
            let diag = match (versions, stored) {
                (Err(unknown), _) => warning(
                    format!("{unknown}, so it does not know which CRDs `merge_crds` merges"),
                    "write the list as vec![v1::Foo::crd(), v2::Foo::crd()], or #[kube(storage = false)] on all versions but one",
                ),
                (Ok(versions), Err(_)) if versions.len() == 1 => continue,
                (Ok(_), Err(unknown)) => warning(
                    format!("{unknown}, so it does not know which version `merge_crds` stores"),
                    "write the version as a string literal or a constant, or #[kube(storage = false)] on all other versions",
                ),
                (Ok(versions), Ok(stored)) => match root(versions, &stored) {
                    Err(diag) => *diag,
                    Ok(root) => match all.iter().find(|other| is_same_kind(other, &root)) {
                        None => {
                            all.push(root);
                            continue;
                        }
                        Some(other) if *other == root => continue,
                        Some(other) => {
                            let message = format!(
                                "`merge_crds` stores the version {} of {} here, and {} elsewhere",
                                root.name, root.kind, other.name
                            );
                            contradictory.push(root);
                            warning(message, "write #[kube(storage = false)] on all versions but one")
                        }
                    },
                },
            };
            found.push(Found { diag, at });
        }
        all.retain(|version| !contradictory.iter().any(|other| is_same_kind(other, version)));
        Stored(all)
    }

    /// Changes the CRDs, each with one version, to match the merged CRD: only one version is stored, and all of them
    /// get the names and metadata of that version.
    pub(super) fn apply(&self, crds: &mut [Crd]) {
        for Version { group, kind, name, .. } in &self.0 {
            let is_of = |crd: &Crd| crd.spec.group == *group && crd.spec.names.kind == *kind;
            let is_root = |crd: &Crd| crd.spec.versions.iter().any(|version| version.name == *name);
            let Some(root) = crds.iter().find(|crd| is_of(crd) && is_root(crd)).cloned() else { continue };
            for crd in crds.iter_mut().filter(|crd| is_of(crd)) {
                crd.metadata = root.metadata.clone();
                crd.spec.names = root.spec.names.clone();
                crd.spec.conversion = root.spec.conversion.clone();
                crd.spec.preserve_unknown_fields = root.spec.preserve_unknown_fields;
                crd.spec.versions.iter_mut().for_each(|version| version.storage = version.name == *name);
            }
        }
    }
}

fn is_same_kind(a: &Version, b: &Version) -> bool {
    a.group == b.group && a.kind == b.kind
}

/// Returns the version that the others are merged into.
fn root(versions: Vec<Version>, stored: &str) -> Result<Version, Box<Diag>> {
    let error = |code, why: &str, help: &str| {
        let message = format!("`merge_crds` returns an error: {why}");
        Err(Box::new(Diag::own(code, Level::Error, &path::Path::ROOT, message).help(help)))
    };
    let Some(root) = versions.iter().find(|version| version.name == stored) else {
        let names: Vec<&str> = versions.iter().map(|version| version.name.as_str()).collect();
        let why = format!("the stored version `{stored}` is not in the list ({})", names.join(", "));
        return error(&codes::STORAGE, &why, "store a version that is in the list");
    };
    let differs = |part: fn(&Version, &Version) -> bool| versions.iter().any(|version| part(version, root));
    let what = match () {
        () if differs(|a, b| a.group != b.group) => "group",
        () if differs(|a, b| a.kind != b.kind) => "kind",
        () if differs(|a, b| a.namespaced != b.namespaced) => "scope",
        () => return Ok(root.clone()),
    };
    let why = format!("the CRDs differ in {what}");
    error(&codes::VERSIONS_DIFFER, &why, "merge only versions of one kind, with the same group and scope")
}

fn warning(message: String, help: &str) -> Diag {
    const CODE: &Code = &codes::STORAGE;
    Diag::own(CODE, Level::Warning, &path::Path::ROOT, message).help(help)
}
