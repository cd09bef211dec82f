//! Kubernetes' own kinds as CRDs.

use super::KindId;
use super::name_rule::NameRule;
use super::role::Role;
use super::subresource::Subresource;
use crdgen_core::apply::BuiltIn;
use crdgen_core::decode;
use crdgen_core::ir::{
    Body, Crd, Names, Scale, Schema, SelectableField, Spec, Subresources, Type, Validation, Version,
};
use crdgen_core::metadata::Scope;
use crdgen_core::{json, k8s};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// A kind.
#[derive(Debug)]
pub struct Row {
    /// Which kind it is.
    pub id: KindId,
    /// The group, which is empty for the core.
    pub group: &'static str,
    /// The version in which objects are stored.
    pub version: &'static str,
    /// The name of the kind.
    pub kind: &'static str,
    /// Its name in URLs.
    pub plural: &'static str,
    short: &'static [&'static str],
    category: Option<&'static str>,
    /// Whether its objects are in namespaces.
    pub scope: Scope,
    /// The subresources, by name.
    pub subresources: &'static [Subresource],
    /// What the server warns about in each request, if the kind is deprecated.
    pub deprecated: Option<&'static str>,
    /// The fields by which lists select, besides the name and the namespace.
    selectable: &'static [&'static str],
    /// The type in the table of schemas: its group and version as k8s-openapi names them.
    pub table: &'static str,
    /// What the names of its objects must be.
    pub names: NameRule,
    /// Whether an update must name the version that it replaces.
    pub needs_version: bool,
    /// Whether an update creates the object if there is none.
    pub is_created_by_updates: bool,
    /// What the server does besides storing the objects.
    pub role: Role,
    /// Older versions that are served too, and their types in the table.
    older: &'static [(&'static str, &'static str)],
    /// The group and version of the same kind in which the objects are stored, if these are others.
    pub stored_as: Option<(&'static str, &'static str)>,
}

/// The group and version of kinds.
pub(super) struct Api {
    /// Its name in the table of schemas, as k8s-openapi has it.
    pub table: &'static str,
    pub group: &'static str,
    pub version: &'static str,
}

/// A kind whose objects are in namespaces.
pub(super) const fn namespaced(api: &Api, kind: &'static str, plural: &'static str) -> Row {
    let &Api { table, group, version } = api;
    Row {
        id: KindId::Binding,
        group,
        version,
        kind,
        plural,
        short: &[],
        category: None,
        scope: Scope::Namespaced,
        subresources: &[],
        deprecated: None,
        selectable: &[],
        table,
        names: NameRule::Subdomain,
        needs_version: false,
        is_created_by_updates: false,
        role: Role::Stored,
        older: &[],
        stored_as: None,
    }
}

/// A kind whose objects are in no namespace.
pub(super) const fn cluster(api: &Api, kind: &'static str, plural: &'static str) -> Row {
    Row { scope: Scope::Cluster, ..namespaced(api, kind, plural) }
}

/// Returns `group/version`.
pub fn api_version(group: &str, version: &str) -> String {
    if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") }
}

impl Row {
    pub(super) const fn with(self, id: KindId) -> Row {
        Row { id, ..self }
    }

    pub(super) const fn short(self, short: &'static [&'static str]) -> Row {
        Row { short, ..self }
    }

    pub(super) const fn has(self, subresources: &'static [Subresource]) -> Row {
        Row { subresources, ..self }
    }

    pub(super) const fn selects(self, selectable: &'static [&'static str]) -> Row {
        Row { selectable, ..self }
    }

    pub(super) const fn named(self, names: NameRule) -> Row {
        Row { names, ..self }
    }

    pub(super) const fn versioned(self) -> Row {
        Row { needs_version: true, ..self }
    }

    pub(super) const fn created_by_updates(self) -> Row {
        Row { is_created_by_updates: true, ..self }
    }

    pub(super) const fn deprecated(self, warning: &'static str) -> Row {
        Row { deprecated: Some(warning), ..self }
    }

    pub(super) const fn in_category(self, category: &'static str) -> Row {
        Row { category: Some(category), ..self }
    }

    pub(super) const fn stored_in(self, group: &'static str, version: &'static str) -> Row {
        Row { stored_as: Some((group, version)), ..self }
    }

    pub(super) const fn also_in(self, older: &'static [(&'static str, &'static str)]) -> Row {
        Row { older, ..self }
    }

    pub(super) const fn is(self, role: Role) -> Row {
        Row { role, ..self }
    }

    /// Returns the group whose code checks its objects: events of two groups are those of the first one.
    pub fn checked_group(&self) -> &'static str {
        self.stored_as.map_or(self.group, |(group, _)| group)
    }

    /// Returns whether code of the server writes its objects. CRDs have checks of their own, and reviews and bindings are not stored.
    pub fn has_code(&self) -> bool {
        !matches!(self.role, Role::Component | Role::Definition | Role::Review | Role::Binding)
    }

    /// Returns the name of the version of an object, if the kind has it.
    pub fn version_of(&self, object: &str) -> Option<&'static str> {
        let mut names = self.versions().map(|(version, _)| version);
        names.find(|version| api_version(self.group, version) == object)
    }

    /// Returns the schema of a version. It is read once.
    pub fn schema_of(&self, version: &str) -> Option<Arc<Schema>> {
        type Schemas = BTreeMap<(&'static str, &'static str), Arc<Schema>>;
        static READ: LazyLock<Mutex<Schemas>> = LazyLock::new(Mutex::default);
        let (_, table) = self.versions().find(|(name, _)| *name == version)?;
        let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
        let schema = read.entry((table, self.kind)).or_insert_with(|| Arc::new(self.schema(table)));
        Some(Arc::clone(schema))
    }

    /// Returns how that code writes objects in a version.
    pub fn built_in(&self, version: &str) -> Option<BuiltIn> {
        BuiltIn::find(&api_version(self.group, version), self.kind)
    }

    /// Returns the versions with their types in the table, the stored one first.
    pub fn versions(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        std::iter::once((self.version, self.table)).chain(self.older.iter().copied())
    }

    /// Returns the newest version, if there are others.
    pub fn newest(&self) -> Option<BuiltIn> {
        if self.older.is_empty() { None } else { self.built_in(self.version) }
    }

    /// Returns the form in which its objects are stored, if there are others.
    pub fn stored(&self) -> Option<BuiltIn> {
        match self.stored_as {
            Some((group, version)) => BuiltIn::find(&api_version(group, version), self.kind),
            None => self.newest(),
        }
    }

    /// Returns the spec of a CRD for the kind, without schemas.
    pub fn outline(&self) -> Spec {
        let replicas = || Scale {
            spec_replicas_path: ".spec.replicas".to_owned(),
            status_replicas_path: ".status.replicas".to_owned(),
            label_selector_path: None,
        };
        let has = |subresource| self.subresources.contains(&subresource);
        let subresources =
            Subresources { status: has(Subresource::Status), scale: has(Subresource::Scale).then(replicas) };
        Spec {
            group: self.group.to_owned(),
            names: Names {
                plural: self.plural.to_owned(),
                singular: self.kind.to_lowercase(),
                short_names: self.short.iter().map(|&name| name.to_owned()).collect(),
                kind: self.kind.to_owned(),
                list_kind: format!("{}List", self.kind),
                categories: self.category.iter().map(|&name| name.to_owned()).collect(),
            },
            scope: match self.scope {
                Scope::Namespaced => "Namespaced",
                Scope::Cluster => "Cluster",
            }
            .to_owned(),
            versions: self
                .versions()
                .map(|(name, _)| Version {
                    name: name.to_owned(),
                    served: true,
                    storage: name == self.version,
                    deprecated: self.deprecated.is_some(),
                    deprecation_warning: self.deprecated.map(str::to_owned),
                    body: Body { subresources: Some(subresources.clone()), ..Body::default() },
                    ..Version::default()
                })
                .collect(),
            ..Spec::default()
        }
    }

    /// Returns the kind as a CRD.
    pub fn crd(&self) -> Crd {
        let mut spec = self.outline();
        for (version, (_, table)) in spec.versions.iter_mut().zip(self.versions()) {
            version.body.schema = Some(Validation { open_api_v3_schema: Some(self.schema(table)) });
            let field = |path: &&str| SelectableField { json_path: format!(".{path}") };
            version.body.selectable_fields = Some(self.selectable.iter().map(field).collect());
        }
        Crd { spec, ..Crd::default() }
    }

    fn schema(&self, table: &str) -> Schema {
        if self.role == Role::Definition {
            return of_definitions();
        }
        k8s::schema(&format!("{table}.{}", self.kind)).unwrap_or_else(open_schema)
    }
}

/// A schema that keeps everything.
fn open_schema() -> Schema {
    let mut schema = Schema::of(Type::Object);
    schema.ext.preserve_unknown_fields = Some(true);
    schema
}

/// The schema of CRDs, as far as merging needs it. The checks of CRDs find everything else.
fn of_definitions() -> Schema {
    const TEXT: &str = include_str!("definitions.json");
    let schema = json::read(TEXT.as_bytes()).ok().and_then(|value| decode::schema(value).0);
    schema.unwrap_or_else(open_schema)
}
