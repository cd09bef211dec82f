//! The new versions that changes require.

use std::collections::BTreeMap;
use std::fmt;

use crdgen_core::compare::changes::Class;
use crdgen_core::ir::Crd;
use crdgen_core::value::Value;

use crate::finding::Finding;

/// A version that changes in a way for which Kubernetes' rules for API versions require a new one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The name of the CRD.
    pub crd: String,
    /// The version.
    pub version: String,
    /// The worst class of its changes.
    pub worst: Class,
    /// The name for the new version.
    pub next: String,
}

impl Step {
    /// Returns it as JSON.
    pub fn to_value(&self) -> Value {
        let Step { crd, version, worst, next } = self;
        let members = [("crd", crd.as_str()), ("version", version), ("class", worst.name()), ("next", next)];
        Value::Map(members.into_iter().map(|(name, text)| (name, Value::from(text))).collect())
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Step { crd, version, worst, next } = self;
        let worst = worst.name();
        write!(
            f,
            "{crd}: {version} has changes of the class {worst}. Make them in a new version, such as {next}"
        )
    }
}

/// Returns the versions of a CRD whose changes require a new version: stable and beta versions with changes that break
/// something or change what objects mean. Alpha versions may change at any time.
pub fn steps(crd: &Crd, findings: &[Finding]) -> Vec<Step> {
    let mut worst: BTreeMap<&str, Class> = BTreeMap::new();
    for finding in findings.iter().filter(|it| it.class <= Class::Meaning && it.crd == crd.metadata.name) {
        if let Some(version) = &finding.version {
            let class = worst.entry(version).or_insert(finding.class);
            *class = finding.class.min(*class);
        }
    }
    let step = |(version, worst): (&str, Class)| {
        let next = next(crd, version)?;
        Some(Step { crd: crd.metadata.name.clone(), version: version.to_owned(), worst, next })
    };
    worst.into_iter().filter_map(step).collect()
}

/// How many names are tried.
const NAMES: u32 = 1000;

/// The name of the next version of the same stability that the CRD does not have. `None` for alpha versions, and for names
/// that are not those of Kubernetes.
fn next(crd: &Crd, version: &str) -> Option<String> {
    let numbers = version.strip_prefix('v')?;
    let (prefix, number) = match numbers.split_once("beta") {
        Some((major, minor)) => (format!("v{major}beta"), minor),
        None => ("v".to_owned(), numbers),
    };
    let number: u32 = number.parse().ok()?;
    let names = (1..=NAMES).filter_map(|more| Some(format!("{prefix}{}", number.checked_add(more)?)));
    let is_free = |name: &String| crd.spec.versions.iter().all(|version| version.name != *name);
    names.into_iter().find(is_free)
}

#[cfg(test)]
mod tests {
    use super::next;
    use crdgen_core::ir::{Crd, Version};

    #[test]
    fn names_the_next_version() {
        let with = |names: &[&str]| {
            let mut crd = Crd::default();
            crd.spec.versions =
                names.iter().map(|name| Version { name: (*name).to_owned(), ..Version::default() }).collect();
            crd
        };
        for (names, version, expected) in [
            (vec!["v1"], "v1", Some("v2")),
            (vec!["v1", "v2"], "v1", Some("v3")),
            (vec!["v1beta1"], "v1beta1", Some("v1beta2")),
            (vec!["v1alpha1"], "v1alpha1", None),
            (vec!["stable"], "stable", None),
            (vec!["v99999999999"], "v99999999999", None),
        ] {
            assert_eq!(next(&with(&names), version).as_deref(), expected, "{version}");
        }
    }
}
