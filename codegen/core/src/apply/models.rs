//! The types of a CRD's objects for merging, derived from what the server publishes, as the server itself does.

use crate::ir::Crd;
use crate::value::{Map, Value};
use crdgen_apply::schema::{Schema, TypeId, Undeclared, from_openapi};
use crdgen_apply::typed::Type;
use crdgen_publish::openapi::{Options, publish};
use std::collections::HashMap;

/// The types of the objects of all versions.
#[derive(Debug)]
pub(super) struct Models {
    schema: Schema,
    /// By `apiVersion` and kind.
    types: HashMap<(String, String), TypeId>,
}

impl Models {
    /// Derives the types.
    ///
    /// # Errors
    /// Fails with the messages of the server about schemas that it cannot convert.
    pub(super) fn of(crd: &Crd) -> Result<Models, Vec<String>> {
        let published: Vec<_> = (0..crd.spec.versions.len())
            .filter_map(|index| publish(crd, index, &Options::default()))
            .collect();
        let models: Map<&Value> = published.iter().flat_map(|published| published.models()).collect();
        let undeclared = match crd.spec.preserve_unknown_fields {
            Some(true) => Undeclared::Accepted,
            _ => Undeclared::Declared,
        };
        let schema = from_openapi(models.iter().map(|(name, model)| (name, *model)), undeclared)?;
        let mut types = HashMap::new();
        for (name, model) in models.iter() {
            let kinds = model.get("x-kubernetes-group-version-kind").and_then(Value::as_list);
            for kind in kinds.unwrap_or_default() {
                let version = match (kind.text("group"), kind.text("version")) {
                    ("", version) => version.to_owned(),
                    (group, version) => format!("{group}/{version}"),
                };
                if let Some(id) = schema.named(name).filter(|_| !kind.text("kind").is_empty()) {
                    types.insert((version, kind.text("kind").to_owned()), id);
                }
            }
        }
        Ok(Models { schema, types })
    }

    /// Returns the type of the objects of a version.
    pub(super) fn type_of(&self, api_version: &str, kind: &str) -> Option<Type<'_>> {
        let id = self.types.get(&(api_version.to_owned(), kind.to_owned()))?;
        Some(Type::new(&self.schema, *id))
    }
}
