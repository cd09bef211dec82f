//! Writes of Kubernetes' own kinds with the owners of their fields.
//!
//! `kinds.json` has their types as far as merging needs them, from the published OpenAPI documents, and how Go encodes their
//! fields. The program `tables` writes it. `defaults.txt` has what the server's code sets.

mod autoscalers;
mod claims;
mod defaults;
mod devices;
mod disabled;
mod encoding;
mod events;
mod fields;
mod images;
mod pods;
mod rules;
mod strategy;
mod table;
mod values;
mod write;

pub use pods::{Sum, quality_of_service, sum_of_containers};

use super::{Answer, Hooks, Write};
use crate::go;
use crate::object::Refusal;
use crate::value::Value;
use crdgen_apply::Message;
use encoding::Decoded;
pub use fields::{FieldType, Integer};
use table::{Row, Table};

/// One of Kubernetes' own kinds, such as Deployment. It is cheap to copy, and threads can share it.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn {
    row: &'static Row,
    table: &'static Table,
}

impl BuiltIn {
    /// Finds a kind. `None` if it is not one of the newest server's.
    pub fn find(api_version: &str, kind: &str) -> Option<BuiltIn> {
        let table = table::get();
        let row = table.row(api_version, kind)?;
        Some(BuiltIn { row, table })
    }

    /// Returns all kinds.
    pub fn all() -> impl Iterator<Item = BuiltIn> {
        let table = table::get();
        table.rows().map(move |row| BuiltIn { row, table })
    }

    /// Returns the `apiVersion` of its objects.
    pub fn api_version(self) -> &'static str {
        &self.row.api_version
    }

    /// Returns the `kind` of its objects.
    pub fn kind(self) -> &'static str {
        &self.row.kind
    }

    /// Returns its name in URLs, such as `deployments`.
    pub fn plural(self) -> &'static str {
        &self.row.plural
    }

    /// Returns whether its objects are in namespaces.
    pub fn namespaced(self) -> bool {
        self.row.namespaced
    }

    /// Replaces the empty lists of an object by null, as the server's storage does: it does not keep them apart from missing ones.
    pub fn forget_empty_lists(self, object: &mut Value) {
        encoding::forget_empty_lists(self.table, &self.row.model, object);
    }

    /// Returns its subresources.
    pub fn subresources(self) -> impl Iterator<Item = &'static str> {
        self.row.subresources.iter().map(String::as_str)
    }

    /// Returns the schema with a name.
    pub fn model(name: &str) -> Option<&'static Value> {
        table::get().types.get(name)
    }

    /// Returns all schemas by their names.
    pub fn models() -> impl Iterator<Item = (&'static str, &'static Value)> {
        table::get().types.iter()
    }

    /// Returns an object as the server's code decodes and encodes it, and the unknown fields that it drops: empty fields are
    /// dropped or set, depending on their type. Values of the wrong type stay.
    pub fn decode(self, object: Value) -> (Value, Vec<String>) {
        let Decoded { object, unknown, wrong: _ } = encoding::decode(self.table, &self.row.model, object);
        (object, unknown)
    }

    /// Returns an object of this kind in another version as an object of this version. `None` if that takes code of the server
    /// that crdgen does not have. It has the conversions of events and autoscalers.
    pub fn convert(self, object: &Value) -> Option<Value> {
        let converted = converted(object, self.api_version())?;
        Some(self.decode(converted).0)
    }

    /// Returns the newest version of a kind that has several in its group, if this is an older one.
    fn newest(self) -> Option<BuiltIn> {
        match (self.api_version(), self.kind()) {
            (autoscalers::OLD, kind) => BuiltIn::find(autoscalers::NEW, kind),
            _ => None,
        }
    }

    /// Sets the defaults that the server's code sets in a decoded object.
    pub fn set_defaults(self, object: &mut Value) {
        defaults::set(self.table, &self.row.model, object);
    }

    /// Returns an object as the server's code decodes it, with defaults, if nothing in it is unknown or of the wrong type.
    ///
    /// # Errors
    /// Fails with the server's message otherwise.
    pub fn decode_strictly(self, object: Value) -> Result<Value, Message> {
        let Decoded { mut object, unknown, wrong } = encoding::decode(self.table, &self.row.model, object);
        if let Some(wrong) = wrong {
            return Err(Message(wrong.to_string()));
        }
        if !unknown.is_empty() {
            let unknown = unknown.iter().map(|field| format!("unknown field {}", go::quote(field)));
            return Err(Message(format!(
                "strict decoding error: {}",
                unknown.collect::<Vec<_>>().join(", ")
            )));
        }
        self.set_defaults(&mut object);
        Ok(object)
    }

    /// Returns an object with everything that a configuration contains, and with defaults, as mutating admission policies merge it.
    ///
    /// # Errors
    /// Fails with the server's message if the configuration cannot be merged.
    pub fn overlay(self, object: Value, configuration: Value) -> Result<Value, Message> {
        write::overlay(self, object, configuration)
    }

    /// Sets the finalizer that the server's own admission sets in new volumes and claims. [`BuiltIn::write_with`] leaves that to the
    /// caller's admission, if there is one.
    pub fn protect(self, object: &mut Value) {
        strategy::protect(self, object);
    }

    /// Returns the server's answer to a write. It covers decoding, defaults, merging, owners and what the server resets,
    /// but neither validation, nor what admission plugins and allocators of the server set: cluster IPs of services, and
    /// priority and tolerations of pods. Owners in other versions of the kind lead to an error, because these
    /// conversions are code of the server.
    ///
    /// # Errors
    /// Fails if the kind has no such subresource.
    pub fn write(self, write: Write<'_>) -> Result<Answer, Refusal> {
        self.write_with(write, &Hooks::default())
    }

    /// Returns the server's answer to a write, in which webhooks take part. No webhook converts these kinds.
    ///
    /// # Errors
    /// Fails if the kind has no such subresource.
    pub fn write_with(self, write: Write<'_>, hooks: &Hooks<'_>) -> Result<Answer, Refusal> {
        write::write(self, write, hooks)
    }
}

/// An object in another version. `None` if that takes code of the server that crdgen does not have.
fn converted(object: &Value, api_version: &str) -> Option<Value> {
    events::convert(object, api_version).or_else(|| autoscalers::convert(object, api_version))
}
