//! A CRD as the server serves it, with what is needed to process objects.

use super::defaults;
use super::refusal::Refusal;
use super::validate::Patterns;
use crate::GroupVersion;
use crate::ir::{Column, Crd, Schema, SchemaOf, SelectableField, Subresources};
use crate::json;
use crate::names;
use crate::rules::run::Rules;
use crate::server::Server;
use crate::structural;
use crate::value::Value;
use crate::walk::any_schema;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

/// A CRD with everything that is needed to process its objects.
#[derive(Debug)]
pub struct Served {
    /// The CRD, which is assumed to be valid.
    pub crd: Crd,
    /// The version of the server.
    pub(super) server: Server,
    /// In the order of the CRD.
    versions: Vec<ServedVersion>,
}

/// A version of a [`Served`] CRD.
#[derive(Debug)]
pub struct ServedVersion {
    /// The name of the version.
    pub name: String,
    /// Its index in the CRD.
    index: usize,
    /// What is known about its schema. None if there is no schema, or if it cannot be made structural.
    structural: Option<Kept>,
    /// The rules of that schema, compiled when first needed.
    rules: OnceLock<Rules>,
    /// The patterns of all its schemas.
    pub(crate) patterns: Arc<Patterns>,
}

/// What is known about a structural schema, in addition to the CRD.
#[derive(Debug)]
struct Kept {
    /// The schema with pruned defaults, if pruning changed them.
    pruned: Option<Box<Schema>>,
    has_resources: bool,
    has_unique_items: bool,
    has_defaults: bool,
    /// Whether decoding changes nothing in an object that was decoded before and whose status was removed.
    is_stable: bool,
}

impl Kept {
    fn new(schema: Cow<'_, Schema>) -> Kept {
        let has = |part: fn(&Schema) -> bool| any_schema(&schema, &mut |node| part(node));
        let has_resources = has(|node| node.ext.embedded_resource);
        // Nulls in defaults are dropped when the object is decoded again.
        let has_nulls = has(|node| node.default.as_ref().is_some_and(has_null));
        let status = schema.properties.get("status");
        Kept {
            has_resources,
            is_stable: !has_resources && !has_nulls && status.is_none_or(|s| s.default.is_none()),
            has_unique_items: has(|node| matches!(node.ext.list_type.as_deref(), Some("set" | "map"))),
            has_defaults: has(|node| node.default.is_some()),
            pruned: match schema {
                Cow::Borrowed(_) => None,
                Cow::Owned(schema) => Some(Box::new(schema)),
            },
        }
    }
}

fn has_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::List(items) => items.iter().any(has_null),
        Value::Map(map) => map.values().any(has_null),
        Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => false,
    }
}

/// The structural schema of a version. Checks are skipped if the schema has nothing for them.
#[derive(Clone, Copy)]
pub(super) struct Structural<'s> {
    pub(super) schema: &'s Schema,
    kept: &'s Kept,
}

impl<'s> Structural<'s> {
    /// The schema, if it contains embedded resources.
    pub(super) fn with_resources(self) -> Option<&'s Schema> {
        self.kept.has_resources.then_some(self.schema)
    }

    /// The schema, if it contains sets or list maps.
    pub(super) fn with_unique_items(self) -> Option<&'s Schema> {
        self.kept.has_unique_items.then_some(self.schema)
    }

    /// The schema, if it contains defaults.
    pub(super) fn with_defaults(self) -> Option<&'s Schema> {
        self.kept.has_defaults.then_some(self.schema)
    }
}

impl ServedVersion {
    /// The refusal of a request for a subresource that the version does not have.
    pub(crate) fn without(&self, subresource: &'static str) -> Refusal {
        Refusal::NoSubresource { version: self.name.clone(), subresource }
    }
}

impl Served {
    /// Prepares a CRD for the newest server.
    ///
    /// # Errors
    /// Fails if a schema is not structural although unknown fields are pruned, or if a default cannot be pruned. The
    /// messages are those of the oracle.
    pub fn new(crd: Crd) -> Result<Served, Refusal> {
        Served::on(Server::NEWEST, crd)
    }

    /// Prepares a CRD like [`Served::new`], but for the given server.
    pub fn on(server: Server, mut crd: Crd) -> Result<Served, Refusal> {
        as_stored(&mut crd);
        let mut versions = Vec::with_capacity(crd.spec.versions.len());
        for (index, version) in crd.spec.versions.iter().enumerate() {
            let structural = match crd.spec.schema_of(index) {
                None => None,
                Some(schema) => match (structural::convertible(schema), prunes(&crd)) {
                    (Ok(()), true) => {
                        let pruned = defaults::with_pruned_defaults(schema);
                        let name = || version.name.clone();
                        Some(pruned.map_err(|why| Refusal::Defaults { version: name(), why })?)
                    }
                    (Ok(()), false) => Some(Cow::Borrowed(schema)),
                    (Err(why), true) => {
                        return Err(Refusal::NotStructural { version: version.name.clone(), why });
                    }
                    (Err(_), false) => None,
                },
            };
            versions.push(ServedVersion {
                name: version.name.clone(),
                index,
                structural: structural.map(Kept::new),
                rules: OnceLock::new(),
                patterns: Arc::default(),
            });
        }
        Ok(Served { crd, server, versions })
    }

    /// Returns the server that serves it.
    pub fn server(&self) -> Server {
        self.server
    }

    /// Returns the version with a name, or the first version if the name is empty.
    pub fn version(&self, name: &str) -> Result<&ServedVersion, Refusal> {
        let found = self.versions.iter().find(|v| name.is_empty() || v.name == name);
        found.ok_or_else(|| Refusal::NoVersion(name.to_owned()))
    }

    /// Returns all versions, in the order of the CRD.
    pub fn versions(&self) -> impl Iterator<Item = &ServedVersion> {
        self.versions.iter()
    }

    /// The version with this name.
    pub(super) fn named(&self, version: &str) -> Option<&ServedVersion> {
        // If several versions have this name, the last one is used.
        self.versions.iter().rev().find(|v| v.name == version)
    }

    /// The structural schema of a version, if it has one.
    pub(super) fn structural<'s>(&'s self, version: &'s ServedVersion) -> Option<Structural<'s>> {
        let kept = version.structural.as_ref()?;
        let schema = kept.pruned.as_deref().or_else(|| self.schema(version))?;
        Some(Structural { schema, kept })
    }

    /// Whether a new object of this version does not change when it is read back, except for its numbers.
    pub(super) fn reads_what_it_wrote(&self, version: &str) -> bool {
        let kept = self.named(version).and_then(|version| version.structural.as_ref());
        kept.is_some_and(|kept| kept.is_stable)
    }

    /// The compiled rules of a version, with their schema. None if there are no rules.
    pub(super) fn rules<'s>(&'s self, version: &'s ServedVersion) -> Option<(&'s Rules, &'s Schema)> {
        let schema = self.structural(version)?.schema;
        let rules = version.rules.get_or_init(|| Rules::of(schema, SchemaOf::Resource, self.server));
        (!rules.is_empty()).then_some((rules, schema))
    }

    /// The schema as the author wrote it.
    pub(super) fn schema(&self, version: &ServedVersion) -> Option<&Schema> {
        self.crd.spec.schema_of(version.index)
    }

    pub(crate) fn subresources(&self, version: &ServedVersion) -> Option<&Subresources> {
        self.crd.spec.subresources_of(version.index)
    }

    pub(super) fn columns(&self, version: &ServedVersion) -> &[Column] {
        self.crd.spec.columns_of(version.index)
    }

    /// Returns the selectable fields of a version.
    pub fn selectable_fields(&self, version: &ServedVersion) -> &[SelectableField] {
        self.crd.spec.selectable_fields_of(version.index)
    }

    /// Returns the minor version of the server: NN of Kubernetes 1.NN.
    pub fn minor(&self) -> u32 {
        self.server.minor()
    }

    /// The name of the version that is stored.
    pub(super) fn storage_version(&self) -> Option<&str> {
        self.crd.spec.versions.iter().rev().find(|v| v.storage).map(|v| v.name.as_str())
    }

    pub(crate) fn namespaced(&self) -> bool {
        self.crd.spec.scope == "Namespaced"
    }

    /// Whether unknown fields are pruned at all.
    pub(super) fn prunes(&self) -> bool {
        prunes(&self.crd)
    }

    /// `group/version`. Kubernetes' core group has no name, and no slash.
    pub(crate) fn api_version(&self, version: &str) -> String {
        match self.crd.spec.group.as_str() {
            "" => version.to_owned(),
            group => format!("{group}/{version}"),
        }
    }

    /// Whether an object is of this group and kind, in any version.
    pub(super) fn is_ours(&self, api_version: &str, kind: &str) -> bool {
        GroupVersion::of(api_version).group == self.crd.spec.group && kind == self.crd.spec.names.kind
    }

    /// Returns the warning on each request to a deprecated version.
    pub fn deprecation(&self, version: &ServedVersion) -> Option<String> {
        let own = self.crd.spec.versions.get(version.index).filter(|v| v.deprecated)?;
        if let Some(warning) = &own.deprecation_warning {
            return Some(warning.clone());
        }
        let (group, kind) = (&self.crd.spec.group, &self.crd.spec.names.kind);
        let text = format!("{group}/{} {kind} is deprecated", own.name);
        let better = self
            .crd
            .spec
            .versions
            .iter()
            .filter(|v| v.served && !v.deprecated && names::compare_versions(&own.name, &v.name).is_lt())
            .max_by(|a, b| names::compare_versions(&a.name, &b.name));
        Some(match better {
            Some(better) => format!("{text}; use {group}/{} {kind}", better.name),
            None => text,
        })
    }
}

/// Changes the values in a CRD as the server does when it writes and reads them, because the server serves the stored
/// CRD.
pub(crate) fn as_stored(crd: &mut Crd) {
    let shared = crd.spec.shared.schema.as_mut();
    let own = crd.spec.versions.iter_mut().filter_map(|v| v.body.schema.as_mut());
    for schema in own.chain(shared).filter_map(|s| s.open_api_v3_schema.as_mut()) {
        // Nearly no CRD has such values, and the schemas are shared with the CRD as it was written.
        let is_changed = |value: &Value| {
            let mut read = value.clone();
            json::read_back(&mut read);
            read != *value
        };
        if any_schema(schema, &mut |part| part.default.iter().chain(&part.limits.enumeration).any(is_changed))
        {
            read_back(schema);
        }
    }
}

fn read_back(schema: &mut Schema) {
    schema.default.iter_mut().chain(&mut schema.limits.enumeration).for_each(json::read_back);
    schema.children_mut().for_each(|(_, child)| read_back(child));
}

fn prunes(crd: &Crd) -> bool {
    crd.spec.preserve_unknown_fields != Some(true)
}
