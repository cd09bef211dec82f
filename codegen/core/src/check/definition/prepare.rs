//! What the server sets before it checks a CRD: the status, the generation, and a generated name.

use crate::ir::{Metadata, Spec, Status};
use crate::server::Server;
use crate::value::Value;

/// The metadata of a new CRD, without the fields that only the server sets.
pub(crate) fn metadata_on_create(written: &Metadata) -> Metadata {
    let mut metadata = Metadata {
        self_link: String::new(),
        deletion_timestamp: Value::Null,
        deletion_grace_period_seconds: None,
        generation: 1,
        ..unforeseeable_aside(written)
    };
    if metadata.name.is_empty() && !metadata.generate_name.is_empty() {
        metadata.name = format!("{}xxxxx", metadata.generate_name);
    }
    metadata
}

/// The metadata of the CRD that the server has stored.
pub(crate) fn metadata_as_stored(stored: &Metadata) -> Metadata {
    let metadata = unforeseeable_aside(stored);
    let generation = if metadata.generation == 0 { 1 } else { metadata.generation };
    Metadata { generation, ..metadata }
}

/// The metadata of a changed definition. The generation counts changes of the spec.
pub(crate) fn metadata_on_update(written: &Metadata, old: &Metadata, same_spec: bool) -> Metadata {
    let generation = if same_spec { old.generation } else { old.generation.wrapping_add(1) };
    Metadata { generation, ..unforeseeable_aside(written) }
}

/// Removes the fields whose values are not known in advance: the UID, resource version and creation time are assumed to
/// match, and the server computes the managed fields. A CRD has no namespace.
fn unforeseeable_aside(metadata: &Metadata) -> Metadata {
    Metadata {
        namespace: String::new(),
        uid: String::new(),
        resource_version: String::new(),
        creation_timestamp: Value::Null,
        managed_fields: Vec::new(),
        ..metadata.clone()
    }
}

/// A new CRD has stored objects only in its storage version.
pub(crate) fn status_on_create(spec: &Spec) -> Status {
    status_on_update(spec, &Status::default(), Server::NEWEST)
}

/// An update of the spec changes the status only if the storage version is new.
pub(crate) fn status_on_update(spec: &Spec, old: &Status, server: Server) -> Status {
    let mut status = old.clone();
    // These fields exist since 1.35.
    if server.is_before(35) {
        status.observed_generation = 0;
        status.conditions.iter_mut().flatten().for_each(|c| c.observed_generation = 0);
    }
    if let Some(version) = spec.storage_version() {
        let stored = status.stored_versions.get_or_insert_default();
        if !stored.contains(&version.name) {
            stored.push(version.name.clone());
        }
    }
    status
}
