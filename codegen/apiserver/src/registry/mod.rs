//! The resources that the server serves.

mod kind;

pub(crate) use crdgen_kubernetes::kinds::{
    Access, Mismatch, ObjectType, Role, Subresource, Verb, api_version,
};
pub(crate) use kind::{Kind, Version, read};

use crate::status::Failure;
use crate::store::Resource;
use bytes::Bytes;
use crdgen_core::ir::Crd;
use crdgen_core::names;
use crdgen_core::value::Value;
use crdgen_kubernetes::kinds;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, OnceLock};

/// All resources, by group and plural name.
#[derive(Clone, Debug)]
pub(crate) struct Registry {
    kinds: BTreeMap<Resource, Arc<Kind>>,
    documents: Arc<Documents>,
}

/// The documents of OpenAPI v2, which are written once for the same kinds.
#[derive(Debug, Default)]
pub(crate) struct Documents {
    pub(crate) json: OnceLock<Result<Bytes, Failure>>,
    pub(crate) protobuf: OnceLock<Result<Bytes, Failure>>,
}

/// The resource of CRDs.
pub(crate) fn definitions() -> Resource {
    Resource::new("apiextensions.k8s.io", "customresourcedefinitions")
}

/// The resource of namespaces.
pub(crate) fn namespaces() -> Resource {
    Resource::new("", "namespaces")
}

/// The service account that each namespace has.
pub(crate) const ACCOUNT: &str = "default";
/// The ConfigMap that each namespace has.
pub(crate) const CERTIFICATE: &str = "kube-root-ca.crt";

/// Kubernetes' own kinds. All servers of a process share them with what was compiled of them.
fn own() -> &'static [Arc<Kind>] {
    static KINDS: LazyLock<Vec<Arc<Kind>>> =
        LazyLock::new(|| kinds::rows().iter().map(|row| Arc::new(Kind::of_row(row))).collect());
    &KINDS
}

/// Whether each namespace has an object of this name.
pub(crate) fn is_of_namespaces(resource: &Resource, name: &str) -> bool {
    match (&*resource.group, &*resource.plural) {
        ("", "serviceaccounts") => name == ACCOUNT,
        ("", "configmaps") => name == CERTIFICATE,
        _ => false,
    }
}

impl Registry {
    /// Kubernetes' own resources.
    pub(crate) fn new() -> Registry {
        let kinds = own().iter().map(|kind| (kind.resource.clone(), Arc::clone(kind)));
        Registry { kinds: kinds.collect(), documents: Arc::default() }
    }

    /// Serves the objects of a CRD.
    pub(crate) fn insert(&mut self, crd: &Crd, stored: Value) {
        let kind = Kind::of_crd(crd, stored);
        self.kinds.insert(kind.resource.clone(), Arc::new(kind));
        self.documents = Arc::default();
    }

    pub(crate) fn remove(&mut self, resource: &Resource) {
        self.kinds.remove(resource);
        self.documents = Arc::default();
    }

    pub(crate) fn documents(&self) -> &Documents {
        &self.documents
    }

    pub(crate) fn get(&self, resource: &Resource) -> Option<&Arc<Kind>> {
        self.kinds.get(resource)
    }

    /// The resource with this plural name, if the version is served.
    pub(crate) fn find(&self, group: &str, version: &str, plural: &str) -> Option<Arc<Kind>> {
        let kind = self.kinds.get(&Resource::new(group, plural))?;
        kind.serves(group, version).then(|| Arc::clone(kind))
    }

    /// Whether a group is one of Kubernetes' own.
    pub(crate) fn is_own(&self, group: &str) -> bool {
        own().iter().any(|kind| *kind.resource.group == *group)
    }

    pub(crate) fn kinds(&self) -> impl Iterator<Item = &Arc<Kind>> {
        self.kinds.values()
    }

    /// The served versions of a group, the preferred one first.
    pub(crate) fn versions(&self, group: &str) -> Vec<String> {
        let of_group = self.kinds.values().filter(|kind| &*kind.resource.group == group);
        let mut versions: Vec<String> = of_group
            .flat_map(|kind| kind.versions.iter().filter(|version| version.served))
            .map(|version| version.name.clone())
            .collect();
        versions.sort_unstable_by(|a, b| names::compare_versions(b, a));
        versions.dedup();
        versions
    }

    /// The groups, without the core group, in the order of discovery: Kubernetes' own first, by name otherwise.
    pub(crate) fn groups(&self) -> Vec<String> {
        let served = |kind: &&Arc<Kind>| kind.versions.iter().any(|version| version.served);
        let mut groups: Vec<String> =
            self.kinds.values().filter(served).map(|kind| kind.resource.group.to_string()).collect();
        groups.retain(|group| !group.is_empty());
        groups.sort_unstable();
        groups.dedup();
        groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crdgen_core::k8s;

    #[test]
    fn every_kind_has_a_schema_and_is_served() {
        for (row, kind) in kinds::rows().iter().zip(own()) {
            for (version, table) in row.versions() {
                let name = format!("{table}.{}", row.kind);
                assert!(row.role == Role::Definition || k8s::find(&name).is_some(), "no schema of {name}");
                let is_written = kind.built_in(version).is_some() == kind.has_code();
                assert!(is_written, "{name}");
            }
            assert!(kind.served().is_ok(), "{}: {:?}", row.kind, kind.served().err());
        }
    }
}
