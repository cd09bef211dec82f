//! What managers own in objects of a CRD.

use super::models::Models;
use crate::ir::Crd;
use crate::value::{Map, Value};
use crdgen_apply::Message;
use crdgen_apply::managed::{Identity, Managed, entries};
use crdgen_apply::typed::{Duplicates, ItemKeys, Typed};

/// Extracts what managers own from objects of a CRD. Threads can share it.
#[derive(Debug)]
pub struct Owners {
    models: Models,
}

impl Owners {
    /// Prepares a CRD.
    ///
    /// # Errors
    /// Fails with the server's messages if a schema cannot be converted to a type for merging.
    pub fn new(crd: &Crd) -> Result<Owners, Vec<String>> {
        Ok(Owners { models: Models::of(crd)? })
    }

    /// Returns what a manager applied, with `apiVersion`, `kind`, and the name and namespace. `None` if it applied nothing.
    ///
    /// # Errors
    /// Fails if the managed fields cannot be read, if the object is not of the CRD, or if there is no such subresource.
    pub fn extract(
        &self,
        object: &Value,
        manager: &str,
        subresource: &str,
    ) -> Result<Option<Value>, Message> {
        if !matches!(object, Value::Map(_)) {
            return Err(Message("this is not an object".to_owned()));
        }
        if !["", "scale", "status"].contains(&subresource) {
            return Err(Message(format!("there is no subresource {subresource}: only status and scale")));
        }
        let managed = Managed::read(entries(object).unwrap_or_default())?;
        let owned = managed.managers.iter().find(|(identity, owned)| {
            let identity = Identity::read(identity);
            owned.applied && identity.manager == manager && identity.subresource == subresource
        });
        let Some((_, owned)) = owned else { return Ok(None) };
        let (version, kind) = (object.text("apiVersion"), object.text("kind"));
        let ty = self
            .models
            .type_of(version, kind)
            .ok_or_else(|| Message(format!("the CRD has no {kind} of version {version}")))?;
        if owned.version != version {
            let why =
                format!("{manager} applied version {}, and the object has version {version}", owned.version);
            return Err(Message(why));
        }
        let typed =
            Typed::new(object.clone(), ty, Duplicates::Allowed).map_err(|why| Message(why.to_string()))?;
        let mut extracted = typed.extract(&owned.set, ItemKeys::Kept).into_value();
        if !matches!(extracted, Value::Map(_)) {
            extracted = Value::Map(Map::new());
        }
        if let Value::Map(map) = &mut extracted {
            map.insert("apiVersion", version.into());
            map.insert("kind", kind.into());
            let metadata = map.entry_or_insert_with("metadata", || Value::Map(Map::new()));
            if let Value::Map(metadata) = metadata {
                for name in ["name", "namespace"] {
                    let value = object.get("metadata").and_then(|metadata| metadata.get(name));
                    value.cloned().map(|value| metadata.insert(name, value));
                }
            }
        }
        Ok(Some(extracted))
    }
}
