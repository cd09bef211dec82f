//! Kubernetes' own kinds as CRDs.

use super::role::Role;
use crdgen_core::apply::BuiltIn;
use crdgen_core::decode;
use crdgen_core::ir::{
    Body, Crd, Names, Scale, Schema, SelectableField, Spec, Subresources, Type, Validation, Version,
};
use crdgen_core::{json, k8s};

/// A kind.
#[derive(Debug)]
pub(super) struct Row {
    group: &'static str,
    version: &'static str,
    pub(super) kind: &'static str,
    plural: &'static str,
    short: &'static [&'static str],
    /// In the category `all`.
    in_all: bool,
    namespaced: bool,
    status: bool,
    scale: bool,
    /// The fields by which lists select, besides the name and the namespace.
    selectable: &'static [&'static str],
    /// The type in the table of schemas: its group and version as k8s-openapi names them.
    pub(super) table: &'static str,
    pub(super) role: Role,
}

pub(super) const NAMESPACED: bool = true;
pub(super) const CLUSTER: bool = false;

pub(super) const fn row(
    table: &'static str,
    group: &'static str,
    version: &'static str,
    kind: &'static str,
    plural: &'static str,
    short: &'static [&'static str],
    namespaced: bool,
) -> Row {
    let role = Role::Stored;
    Row {
        group,
        version,
        kind,
        plural,
        short,
        in_all: false,
        namespaced,
        status: false,
        scale: false,
        selectable: &[],
        table,
        role,
    }
}

impl Row {
    pub(super) const fn with_status(self) -> Row {
        Row { status: true, ..self }
    }

    pub(super) const fn with_scale(self) -> Row {
        Row { scale: true, ..self }
    }

    pub(super) const fn selects(self, selectable: &'static [&'static str]) -> Row {
        Row { selectable, ..self }
    }

    pub(super) const fn in_all(self) -> Row {
        Row { in_all: true, ..self }
    }

    pub(super) const fn is(self, role: Role) -> Row {
        Row { role, ..self }
    }

    /// Whether code of the server writes its objects. CRDs have checks of their own, and reviews are not stored.
    pub(super) fn has_code(&self) -> bool {
        !matches!(self.role, Role::Definition | Role::Review)
    }

    pub(super) fn built_in(&self) -> Option<BuiltIn> {
        let api_version = match self.group {
            "" => self.version.to_owned(),
            group => format!("{group}/{}", self.version),
        };
        BuiltIn::find(&api_version, self.kind)
    }

    /// The spec without schemas.
    pub(super) fn outline(&self) -> Spec {
        let replicas = || Scale {
            spec_replicas_path: ".spec.replicas".to_owned(),
            status_replicas_path: ".status.replicas".to_owned(),
            label_selector_path: None,
        };
        let subresources = Subresources { status: self.status, scale: self.scale.then(replicas) };
        Spec {
            group: self.group.to_owned(),
            names: Names {
                plural: self.plural.to_owned(),
                singular: self.kind.to_lowercase(),
                short_names: self.short.iter().map(|&name| name.to_owned()).collect(),
                kind: self.kind.to_owned(),
                list_kind: format!("{}List", self.kind),
                categories: if self.in_all { vec!["all".to_owned()] } else { Vec::new() },
            },
            scope: if self.namespaced { "Namespaced" } else { "Cluster" }.to_owned(),
            versions: vec![Version {
                name: self.version.to_owned(),
                served: true,
                storage: true,
                body: Body { subresources: Some(subresources), ..Body::default() },
                ..Version::default()
            }],
            ..Spec::default()
        }
    }

    /// The kind as a CRD.
    pub(super) fn crd(&self) -> Crd {
        let mut spec = self.outline();
        if let Some(version) = spec.versions.first_mut() {
            version.body.schema = Some(Validation { open_api_v3_schema: Some(self.schema()) });
            let field = |path: &&str| SelectableField { json_path: format!(".{path}") };
            version.body.selectable_fields = Some(self.selectable.iter().map(field).collect());
        }
        Crd { spec, ..Crd::default() }
    }

    fn schema(&self) -> Schema {
        if self.role == Role::Definition {
            return of_definitions();
        }
        k8s::schema(&format!("{}.{}", self.table, self.kind)).unwrap_or_else(open_schema)
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
