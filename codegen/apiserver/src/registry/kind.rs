//! A resource that is served, in all its versions.

use super::role::Role;
use super::row::Row;
use crate::status::Failure;
use crate::store::Resource;
use crdgen_core::apply::{BuiltIn, Writer};
use crdgen_core::ir::{Conversion, Crd, Names, Spec};
use crdgen_core::object::{Served, ServedVersion};
use crdgen_core::{encode, json};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// A version of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Version {
    pub(crate) name: String,
    pub(crate) served: bool,
    pub(crate) storage: bool,
    pub(crate) status: bool,
    pub(crate) scale: bool,
}

/// A resource that is served.
#[derive(Debug)]
pub(crate) struct Kind {
    /// A number that no other kind of this process has.
    pub(crate) id: u64,
    pub(crate) resource: Resource,
    pub(crate) names: Names,
    pub(crate) namespaced: bool,
    pub(crate) versions: Vec<Version>,
    pub(crate) role: Role,
    source: Source,
    writer: OnceLock<Result<Arc<Writer<Served>>, String>>,
}

/// Where the schemas come from.
#[derive(Debug)]
enum Source {
    Crd(Box<Crd>),
    /// Most tests need few of Kubernetes' own kinds, and their schemas are large.
    Row(&'static Row),
}

impl Kind {
    pub(crate) fn of_crd(crd: Crd) -> Kind {
        Kind::new(&crd.spec, Role::Custom, Source::Crd(Box::new(crd.clone())))
    }

    pub(super) fn of_row(row: &'static Row) -> Kind {
        Kind::new(&row.outline(), row.role, Source::Row(row))
    }

    fn new(spec: &Spec, role: Role, source: Source) -> Kind {
        let version = |index: usize| {
            let version = spec.versions.get(index)?;
            let subresources = spec.subresources_of(index);
            Some(Version {
                name: version.name.clone(),
                served: version.served,
                storage: version.storage,
                status: subresources.is_some_and(|it| it.status),
                scale: subresources.is_some_and(|it| it.scale.is_some()),
            })
        };
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Kind {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            resource: Resource::new(&spec.group, &spec.names.plural),
            names: spec.names.clone(),
            namespaced: spec.scope == "Namespaced",
            versions: (0..spec.versions.len()).filter_map(version).collect(),
            role,
            source,
            writer: OnceLock::new(),
        }
    }

    /// The CRD with everything that is needed to write objects. It is prepared once.
    pub(crate) fn writer(&self) -> Result<&Arc<Writer<Served>>, Failure> {
        let writer = self.writer.get_or_init(|| {
            let crd = match &self.source {
                Source::Crd(crd) => Crd::clone(crd),
                Source::Row(row) => row.crd(),
            };
            let served = Served::new(crd).map_err(|why| why.to_string())?;
            Writer::new(served).map(Arc::new).map_err(|mistakes| mistakes.join("\n"))
        });
        writer.as_ref().map_err(Failure::internal)
    }

    /// The CRD with everything that is needed to process objects.
    pub(crate) fn served(&self) -> Result<&Served, Failure> {
        self.writer().map(|writer| writer.served())
    }

    /// Whether code of the server writes the objects: those of Kubernetes' own kinds.
    pub(crate) fn has_code(&self) -> bool {
        matches!(&self.source, Source::Row(row) if row.has_code())
    }

    /// How that code writes objects. Its table is read when it is first needed.
    pub(crate) fn built_in(&self) -> Option<BuiltIn> {
        match &self.source {
            Source::Row(row) if row.has_code() => row.built_in(),
            Source::Row(_) | Source::Crd(_) => None,
        }
    }

    /// How a webhook converts the objects, if one does.
    pub(crate) fn conversion(&self) -> Option<&Conversion> {
        let Source::Crd(crd) = &self.source else { return None };
        crd.spec.conversion.as_ref().filter(|conversion| conversion.strategy == "Webhook")
    }

    /// A version for requests.
    pub(crate) fn version<'s>(&self, served: &'s Served, name: &str) -> Result<&'s ServedVersion, Failure> {
        served.version(name).map_err(|why| Failure::internal(why.to_string()))
    }

    /// Whether objects of a group and version are served.
    pub(crate) fn serves(&self, group: &str, version: &str) -> bool {
        *self.resource.group == *group && self.versions.iter().any(|it| it.served && it.name == version)
    }

    /// The name of the version that is stored.
    pub(crate) fn storage_version(&self) -> &str {
        self.versions.iter().find(|version| version.storage).map_or("", |version| &version.name)
    }

    /// `group/version`
    pub(crate) fn api_version(&self, version: &str) -> String {
        match &*self.resource.group {
            "" => version.to_owned(),
            group => format!("{group}/{version}"),
        }
    }

    /// Whether this serves a CRD as it is now.
    pub(crate) fn is_of(&self, crd: &Crd) -> bool {
        matches!(&self.source, Source::Crd(own) if own.spec == crd.spec)
    }

    /// A text that changes with the schemas.
    pub(crate) fn fingerprint(&self) -> String {
        match &self.source {
            Source::Crd(crd) => json::to_string(&encode::crd(crd)),
            Source::Row(_) => self.resource.to_string(),
        }
    }

    pub(crate) fn not_found(&self, name: &str) -> Failure {
        Failure::not_found(&self.resource.plural, &self.resource.group, name)
    }
}
