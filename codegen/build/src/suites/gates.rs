//! Feature gates in the form of openshift/api: they determine which of several CRDs with one name a suite tests.

use super::files::listed;
use crate::Error;
use crdgen_core::value::{Map, Value};
use crdgen_core::yaml;
use crdgen_files::input;
use std::collections::BTreeSet;
use std::path::Path;

/// The manifests that list the enabled gates for each profile and feature set.
pub(super) struct Gates(Vec<Value>);

/// The folder of these manifests, in the root of the repository.
const MANIFESTS: &str = "payload-manifests/featuregates";
const FEATURE_SET: &str = "release.openshift.io/feature-set";
const VERSIONS: &str = "release.openshift.io/major-version";
const PROFILE: &str = "include.release.openshift.io/";

impl Gates {
    /// Reads the manifests of the repository that contains a folder.
    pub(super) fn find(folder: &Path) -> Result<Gates, Error> {
        let mut at = folder.to_owned();
        for _ in 0..16 {
            let manifests = at.join(MANIFESTS);
            if manifests.is_dir() {
                let read = |file: &std::path::PathBuf| {
                    let bytes = input::read(file).map_err(Error::file(file))?;
                    Ok(yaml::read_one(&bytes).map(|document| document.value).unwrap_or_default())
                };
                return Ok(Gates(listed(&manifests)?.iter().map(read).collect::<Result<_, Error>>()?));
            }
            at = input::above(&at);
        }
        Ok(Gates(Vec::new()))
    }

    /// Whether a suite with these gates tests a CRD. `-Name` requires that a gate is off.
    pub(super) fn allow(&self, crd: &Value, gates: &[String]) -> bool {
        let annotations = annotations(crd);
        let sets: BTreeSet<&str> =
            annotation(annotations, FEATURE_SET).split(',').filter(|s| !s.is_empty()).collect();
        if sets.contains("CustomNoUpgrade") {
            // This CRD has every field.
            return gates.iter().all(|gate| !gate.starts_with('-'));
        }
        let profile = annotations
            .into_iter()
            .flat_map(Map::iter)
            .find(|(name, value)| name.starts_with(PROFILE) && value.as_str() == Some("true"));
        let Some((profile, _)) = profile else { return true };
        let sets = if sets.is_empty() { BTreeSet::from(["Default"]) } else { sets };
        let wanted = versions(annotations);
        let manifest = self.0.iter().find(|manifest| {
            let own = self::annotations(manifest);
            let is_of_version = wanted.is_empty() || !versions(own).is_disjoint(&wanted);
            own.is_some_and(|own| own.contains_key(profile))
                && sets.contains(annotation(own, FEATURE_SET))
                && is_of_version
        });
        let Some(manifest) = manifest else { return false };
        gates.iter().all(|gate| match gate.strip_prefix('-') {
            Some(gate) => has(manifest, "disabled", gate),
            None => has(manifest, "enabled", gate),
        })
    }
}

fn annotations(object: &Value) -> Option<&Map<Value>> {
    object.get("metadata")?.get("annotations")?.as_map()
}

fn annotation<'a>(annotations: Option<&'a Map<Value>>, name: &str) -> &'a str {
    annotations.and_then(|a| a.get(name)).and_then(Value::as_str).unwrap_or_default()
}

fn versions(annotations: Option<&Map<Value>>) -> BTreeSet<u64> {
    annotation(annotations, VERSIONS).split(',').filter_map(|version| version.parse().ok()).collect()
}

/// Whether a manifest lists a gate.
fn has(manifest: &Value, list: &str, gate: &str) -> bool {
    let all = manifest.get("status").and_then(|s| s.get("featureGates")).and_then(Value::as_list);
    let of_first = all.and_then(|all| all.first()?.get(list)?.as_list()).unwrap_or_default();
    of_first.iter().any(|one| one.get("name").and_then(Value::as_str) == Some(gate))
}
