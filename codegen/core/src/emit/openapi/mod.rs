//! OpenAPI v2 and v3 as a cluster publishes them for one version of a definition.

mod kind;
mod merge;
mod routes;
mod schema;
mod shared;

pub(in crate::emit) use shared::{META, definitions};

pub use merge::{merge_v2, merge_v3};

use crate::check::schema::has_invalid_types;
use crate::check::structural::{convertible, is_structural};
use crate::ir::{Crd, Schema, SelectableField};
use crate::value::Value;
use schema::finish;

/// What a document is built with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Build v2, which kubectl of old and client generators read, instead of v3.
    pub v2: bool,
    /// Leave out all value validations.
    pub strip_value_validation: bool,
    /// Leave out `nullable`.
    pub strip_nullable: bool,
    /// Publish a schema even if it breaks structural rules, as long as it has the structural form.
    pub allow_non_structural: bool,
    /// v2 only: keep defaults, which the server's endpoint does not publish.
    pub keep_defaults: bool,
}

/// The names that stand all over a document.
struct Names<'a> {
    group: &'a str,
    version: &'a str,
    kind: &'a str,
    list_kind: &'a str,
    plural: &'a str,
    namespaced: bool,
    status: bool,
    scale: bool,
    selectable_fields: &'a [SelectableField],
}

impl Names<'_> {
    /// The name of a kind's definition: the group reversed, the version, the kind.
    fn model(&self, kind: &str) -> String {
        model_name(self.group, self.version, kind)
    }
}

/// The name of a kind's definition: the group reversed, the version, the kind.
pub fn model_name(group: &str, version: &str, kind: &str) -> String {
    let reversed: Vec<&str> = group.rsplit('.').collect();
    format!("{}.{version}.{kind}", reversed.join("."))
}

/// A published document and the names of the two definitions it is about.
pub struct Published {
    /// The whole document.
    pub document: Value,
    /// The name of the kind's definition.
    pub model: String,
    /// The name of its list's definition.
    pub list_model: String,
}

impl Published {
    /// A definition of the document by its name.
    pub fn definition(&self, name: &str) -> Option<&Value> {
        let all = self.document.get("definitions");
        all.or_else(|| self.document.get("components")?.get("schemas"))?.get(name)
    }
}

/// The document of the version at `index`; none if there is no such version.
pub fn publish(crd: &Crd, index: usize, options: &Options) -> Option<Published> {
    let version = crd.spec.versions.get(index)?;
    let subresources = crd.spec.subresources_of(index);
    let names = Names {
        group: &crd.spec.group,
        version: &version.name,
        kind: &crd.spec.names.kind,
        list_kind: &crd.spec.names.list_kind,
        plural: &crd.spec.names.plural,
        namespaced: crd.spec.scope == "Namespaced",
        status: subresources.is_some_and(|s| s.status),
        scale: subresources.is_some_and(|s| s.scale.is_some()),
        selectable_fields: crd.spec.selectable_fields_of(index),
    };
    let schema = crd.spec.schema_of(index).filter(|s| publishable(s, options));
    let (model, list_model) = (names.model(names.kind), names.model(names.list_kind));
    let mut definitions: Vec<(String, Value)> = shared::definitions(options.v2)
        .iter()
        .filter(|(name, _)| names.scale || !name.starts_with(shared::SCALE))
        .map(|(name, schema)| (name.to_owned(), schema.clone()))
        .collect();
    definitions.push((model.clone(), kind::kind(crd, &names, schema, options)));
    definitions.push((list_model.clone(), kind::list(&names, options)));
    let definitions = Value::Map(definitions.into_iter().collect());
    let info = finish(vec![("title", "Kubernetes CRD Swagger".into()), ("version", "v0.1.0".into())]);
    let paths = routes::paths(&names, options);
    let document = if options.v2 {
        finish(vec![
            ("swagger", "2.0".into()),
            ("info", info),
            ("paths", paths),
            ("definitions", definitions),
            ("parameters", shared::parameters(names.namespaced)),
        ])
    } else {
        let components = finish(vec![("schemas", definitions)]);
        finish(vec![
            ("openapi", "3.0.0".into()),
            ("info", info),
            ("paths", paths),
            ("components", components),
        ])
    };
    Some(Published { document, model, list_model })
}

/// Whether the server publishes the schema rather than just `type: object`.
fn publishable(schema: &Schema, options: &Options) -> bool {
    !has_invalid_types(schema)
        && convertible(schema).is_ok()
        && (options.allow_non_structural || is_structural(schema))
}
