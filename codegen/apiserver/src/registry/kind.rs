//! A resource that is served, in all its versions.

use crate::status::Failure;
use crate::store::Resource;
use crdgen_core::apply::{BuiltIn, Writer};
use crdgen_core::ir::{Conversion, Crd, Names, Schema, Spec};
use crdgen_core::object::{Served, ServedVersion};
use crdgen_core::value::Value;
use crdgen_core::{decode, json};
use crdgen_kubernetes::kinds::{Mismatch, ObjectType, Role, Row, Subresource, Verb, api_version};
use std::borrow::Cow;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// A version of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Version {
    pub(crate) name: String,
    pub(crate) served: bool,
    pub(crate) storage: bool,
    pub(crate) subresources: Vec<Subresource>,
}

/// A resource that is served.
#[derive(Debug)]
pub(crate) struct Kind {
    /// A number that no other kind of this process has.
    pub(crate) id: u64,
    pub(crate) resource: Resource,
    /// The resource under which the objects are stored. Events of two groups are one.
    pub(crate) stored_in: Resource,
    pub(crate) names: Names,
    pub(crate) namespaced: bool,
    pub(crate) versions: Vec<Version>,
    pub(crate) role: Role,
    source: Source,
    writer: OnceLock<Result<Arc<Writer<Served>>, Unprepared>>,
    weight: OnceLock<usize>,
}

impl PartialEq for Kind {
    fn eq(&self, other: &Kind) -> bool {
        self.id == other.id
    }
}

/// Why objects of a kind cannot be written.
#[derive(Debug)]
enum Unprepared {
    Crd(String),
    /// The mistakes in the schemas.
    Schemas(Vec<String>),
}

impl fmt::Display for Unprepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unprepared::Crd(why) => f.write_str(why),
            Unprepared::Schemas(mistakes) => f.write_str(&mistakes.join("\n")),
        }
    }
}

/// Where the schemas come from.
#[derive(Debug)]
enum Source {
    /// The CRD as it is stored, because its model takes many times as much memory.
    Crd { stored: Value, conversion: Option<Conversion> },
    /// Most tests need few of Kubernetes' own kinds, and their schemas are large.
    Row(&'static Row),
}

impl Kind {
    /// The kind of a CRD, which is stored as a value.
    pub(crate) fn of_crd(crd: &Crd, stored: Value) -> Kind {
        let of_version = |index| {
            let subresources = crd.spec.subresources_of(index);
            let status = subresources.is_some_and(|it| it.status).then_some(Subresource::Status);
            let scale = subresources.is_some_and(|it| it.scale.is_some()).then_some(Subresource::Scale);
            status.into_iter().chain(scale).collect()
        };
        let conversion = crd.spec.conversion.clone();
        Kind::new(&crd.spec, of_version, Role::Custom, Source::Crd { stored, conversion })
    }

    pub(super) fn of_row(row: &'static Row) -> Kind {
        let kind = Kind::new(&row.outline(), |_| row.subresources.to_vec(), row.role, Source::Row(row));
        match row.stored_as {
            Some((group, _)) => Kind { stored_in: Resource::new(group, &kind.resource.plural), ..kind },
            None => kind,
        }
    }

    fn new(
        spec: &Spec,
        subresources: impl Fn(usize) -> Vec<Subresource>,
        role: Role,
        source: Source,
    ) -> Kind {
        let version = |index: usize| {
            let version = spec.versions.get(index)?;
            Some(Version {
                name: version.name.clone(),
                served: version.served,
                storage: version.storage,
                subresources: subresources(index),
            })
        };
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let resource = Resource::new(&spec.group, &spec.names.plural);
        Kind {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            stored_in: resource.clone(),
            resource,
            names: spec.names.clone(),
            namespaced: spec.scope == "Namespaced",
            versions: (0..spec.versions.len()).filter_map(version).collect(),
            role,
            source,
            writer: OnceLock::new(),
            weight: OnceLock::new(),
        }
    }

    /// The CRD with everything that is needed to write objects. It is prepared once.
    pub(crate) fn writer(&self) -> Result<&Arc<Writer<Served>>, Failure> {
        let writer = self.writer.get_or_init(|| {
            let served = Served::new(self.read_crd()).map_err(|why| Unprepared::Crd(why.to_string()))?;
            Writer::new(served).map(Arc::new).map_err(Unprepared::Schemas)
        });
        writer.as_ref().map_err(|why| Failure::internal(why.to_string()))
    }

    /// The CRD with everything that is needed to process objects.
    pub(crate) fn served(&self) -> Result<&Served, Failure> {
        self.writer().map(|writer| writer.served())
    }

    /// The CRD. It need not be prepared for objects, which takes time and memory.
    pub(crate) fn crd(&self) -> Cow<'_, Crd> {
        match (&self.source, self.writer.get()) {
            (Source::Row(_), Some(Ok(writer))) => Cow::Borrowed(&writer.served().crd),
            (Source::Crd { .. } | Source::Row(_), _) => Cow::Owned(self.read_crd()),
        }
    }

    fn read_crd(&self) -> Crd {
        match &self.source {
            Source::Crd { stored, .. } => {
                // It was read when it was stored.
                let mut crd = read(stored).unwrap_or_default();
                crd.spec.names = self.names.clone();
                crd
            }
            Source::Row(row) => row.crd(),
        }
    }

    /// How many steps the checks of the objects take for each byte, at most. With rules, this is not known.
    pub(crate) fn weight(&self) -> usize {
        *self.weight.get_or_init(|| match &self.source {
            Source::Crd { .. } => {
                let crd = self.crd();
                let schemas = (0..crd.spec.versions.len()).filter_map(|index| crd.spec.schema_of(index));
                schemas.map(weight).max().unwrap_or(1)
            }
            Source::Row(_) => OF_CODE,
        })
    }

    /// What clients can do with the objects.
    pub(crate) fn verbs(&self) -> &'static [Verb] {
        use Verb::{Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch};
        match self.role {
            Role::Review | Role::Binding => &[Create],
            Role::Component => &[Get, List],
            // Namespaces take their contents with them, so they are deleted one by one.
            Role::Namespace => &[Create, Delete, Get, List, Patch, Update, Watch],
            Role::Custom => &[Delete, DeleteCollection, Get, List, Patch, Create, Update, Watch],
            Role::Definition
            | Role::PermissionBinding
            | Role::Permissions
            | Role::Pod
            | Role::Service
            | Role::Signing
            | Role::Stored => &[Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch],
        }
    }

    /// Whether a deletion returns the object. Otherwise it returns that it has happened.
    pub(crate) fn returns_deleted(&self) -> bool {
        const THESE: [&str; 16] = [
            "CSIDriver",
            "CSINode",
            "DeviceClass",
            "Namespace",
            "PersistentVolume",
            "PersistentVolumeClaim",
            "Pod",
            "PodTemplate",
            "ResourceClaim",
            "ResourceClaimTemplate",
            "ResourceQuota",
            "ResourceSlice",
            "Service",
            "ServiceAccount",
            "StorageClass",
            "VolumeAttachment",
        ];
        self.has_code() && THESE.contains(&self.names.kind.as_str())
    }

    /// Whether code of the server writes the objects: those of Kubernetes' own kinds.
    pub(crate) fn has_code(&self) -> bool {
        self.row().is_some()
    }

    /// The row of one of Kubernetes' own kinds that code of the server writes.
    pub(crate) fn row(&self) -> Option<&'static Row> {
        self.own_row().filter(|row| row.has_code())
    }

    /// The row of one of Kubernetes' own kinds.
    pub(crate) fn own_row(&self) -> Option<&'static Row> {
        match self.source {
            Source::Row(row) => Some(row),
            Source::Crd { .. } => None,
        }
    }

    /// Why an object is none of this kind.
    pub(crate) fn mismatch(&self, found: &ObjectType, wanted: &ObjectType) -> Mismatch {
        match self.own_row() {
            Some(row) => found.mismatch(row, wanted),
            None => Mismatch::Unknown(found.unknown()),
        }
    }

    /// Whether it is one of Kubernetes' own kinds.
    pub(crate) fn is_own(&self) -> bool {
        self.own_row().is_some()
    }

    /// How that code writes objects in a version. Its table is read when it is first needed.
    pub(crate) fn built_in(&self, version: &str) -> Option<BuiltIn> {
        self.row()?.built_in(version)
    }

    /// Replaces the empty lists of an object of Kubernetes' own kinds, which the storage does not keep.
    pub(crate) fn forget_empty_lists(&self, object: &mut Value) {
        let version = object.text("apiVersion");
        let version = version.rsplit('/').next().unwrap_or_default();
        if let Some(of) = self.built_in(version) {
            of.forget_empty_lists(object);
        }
    }

    /// A stored object of Kubernetes' own kinds in a version of this kind.
    pub(crate) fn read_stored(&self, stored: &Value, version: &str) -> Value {
        let own = self.stored_form().and_then(|_| self.built_in(version)?.convert(stored));
        own.unwrap_or_else(|| stored.clone())
    }

    /// An object of this kind as it is stored, if that is another version.
    pub(crate) fn to_stored(&self, object: &Value) -> Option<Value> {
        self.stored_form()?.convert(object)
    }

    fn stored_form(&self) -> Option<BuiltIn> {
        self.own_row()?.stored()
    }

    /// The subresource of a version with this name.
    pub(crate) fn subresource(&self, version: &str, name: &str) -> Option<Subresource> {
        let version = self.versions.iter().find(|it| it.name == version)?;
        Subresource::find(name).filter(|it| version.subresources.contains(it))
    }

    /// How a webhook converts the objects, if one does.
    pub(crate) fn conversion(&self) -> Option<&Conversion> {
        let Source::Crd { conversion, .. } = &self.source else { return None };
        conversion.as_ref().filter(|conversion| conversion.strategy == "Webhook")
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
        api_version(&self.resource.group, version)
    }

    /// Whether this serves a CRD as it is now.
    pub(crate) fn is_of(&self, crd: &Crd) -> bool {
        matches!(self.source, Source::Crd { .. }) && self.read_crd().spec == crd.spec
    }

    /// A text that changes with the schemas.
    pub(crate) fn fingerprint(&self) -> String {
        match &self.source {
            Source::Crd { stored, .. } => {
                format!("{:?}{}", self.names, json::to_string(stored.get("spec").unwrap_or(&Value::Null)))
            }
            Source::Row(_) => self.resource.to_string(),
        }
    }

    pub(crate) fn not_found(&self, name: &str) -> Failure {
        let plural = if self.role == Role::Component { &*self.names.singular } else { &self.resource.plural };
        Failure::not_found(plural, &self.resource.group, name)
    }
}

/// Reads a CRD that is stored. `None` if it cannot be decoded.
pub(crate) fn read(stored: &Value) -> Option<Crd> {
    let mut crd = decode::crd(stored.clone()).0?;
    crd.drop_unions();
    Some(crd)
}

/// The weight of Kubernetes' own kinds.
const OF_CODE: usize = 8;
/// The weight of a pattern: states of its automaton.
const OF_PATTERN: usize = 512;

/// The steps that a value at the heaviest place in a schema takes.
fn weight(schema: &Schema) -> usize {
    if !schema.rules.is_empty() {
        return usize::MAX;
    }
    let pattern = if schema.limits.pattern.is_empty() { 0 } else { OF_PATTERN };
    let (mut combined, mut heaviest) = (0_usize, 0);
    for (edge, child) in schema.children() {
        if edge.is_structural() {
            heaviest = weight(child).max(heaviest);
        } else {
            combined = combined.saturating_add(weight(child));
        }
    }
    [pattern, schema.limits.enumeration.len(), combined, heaviest].into_iter().fold(1, usize::saturating_add)
}
