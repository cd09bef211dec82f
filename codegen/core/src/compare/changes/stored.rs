//! Compares the versions in which objects are stored with the other versions of the new CRD, if the server changes nothing but
//! `apiVersion` when it converts an object.

use super::{Change, Class, Out, Part};
use crate::ir::{Additional, Crd, Extensions, Items, Schema, Version};
use crate::path::{Path, Step};
use std::collections::HashSet;

/// Reports what clients of a version meet in objects that are stored in another one. What they met before the update is left
/// out, if the server converted objects in the same way.
pub(super) fn compare(old: &Crd, new: &Crd, was_plain: bool, versions: &Path<'_>, out: &mut Out) {
    let mut seen: HashSet<Key> = out.all.iter().map(key).collect();
    moved(old, new, versions, out);
    let mut alike: Vec<Alike<'_>> = Vec::new();
    for from in stored_versions(old) {
        let Some(index) = position(old, from) else { continue };
        let Some(was) = old.spec.schema_of(index) else { continue };
        let is_storage = old.spec.versions[index].storage;
        let known = alike.iter().position(|it| it.is_storage == is_storage && it.schema == was);
        let number = known.unwrap_or_else(|| {
            alike.push(Alike { schema: was, is_storage, compared: HashSet::new() });
            alike.len() - 1
        });
        for (at, to) in new.spec.versions.iter().enumerate() {
            let Some(now) = new.spec.schema_of(at).filter(|_| to.served && to.name != from) else { continue };
            if !alike[number].compared.insert(at) {
                continue;
            }
            let root = versions.index(at);
            let root = root.child("schema");
            let root = root.child("openAPIV3Schema");
            let between = |was, now| {
                let mut found = Out { version: Some(to.name.clone()), ..Out::default() };
                // Objects of another version may be written where no path leads to their replicas.
                found.object(was, None, now, &root);
                found.all
            };
            let before = position(old, &to.name).filter(|at| was_plain && old.spec.versions[*at].served);
            let known = before.and_then(|at| Some(between(was, old.spec.schema_of(at)?))).unwrap_or_default();
            let known: HashSet<Key> = known.iter().map(key).collect();
            // The storage version is compared with the previous one already.
            let is_moved = to.storage && old.spec.storage_version().is_some_and(|it| it.name == *from);
            let is_new = |change: &Change| {
                change.class <= Class::DataLoss
                    && change.class != Class::OnEdit
                    && !(is_moved && change.class == Class::DataLoss)
                    && ![&known, &seen].iter().any(|keys| keys.contains(&key(change)))
            };
            let found: Vec<Change> = between(was, now).into_iter().filter(is_new).collect();
            seen.extend(found.iter().map(key));
            out.all.extend(found.into_iter().map(|it| Change { stored: Some(from.to_owned()), ..it }));
        }
    }
}

/// Reports what happens to objects that the server writes as another version from now on: it checks them in the version of the
/// request alone, but drops the fields and nulls that the storage version does not have, and fills in its defaults when it reads
/// them, in whatever version.
fn moved(old: &Crd, new: &Crd, versions: &Path<'_>, out: &mut Out) {
    let stored = |crd: &Crd| crd.spec.versions.iter().position(|version| version.storage);
    let (Some(j), Some(i)) = (stored(old), stored(new)) else { return };
    let (from, to) = (&old.spec.versions[j].name, &new.spec.versions[i].name);
    let (Some(was), Some(now)) = (old.spec.schema_of(j), new.spec.schema_of(i)) else { return };
    if from == to {
        return;
    }
    let mut found = Out { version: Some(to.clone()), ..Out::default() };
    let root = versions.index(i);
    let root = root.child("schema");
    found.object(&unchecked(was), None, &unchecked(now), &root.child("openAPIV3Schema"));
    let mut known = HashSet::new();
    for change in found.all {
        // Invalid metadata of a resource is the only thing with which the server cannot write an object.
        let is_of_stored = matches!(change.class, Class::Breaking | Class::DataLoss | Class::Meaning);
        if is_of_stored && known.insert(key(&change)) {
            let part = match (change.class, change.part) {
                (Class::DataLoss, Part::Field(name)) => Part::NotStored(name),
                (_, part) => part,
            };
            out.all.push(Change { part, stored: Some(from.clone()), ..change });
        }
    }
}

/// Returns a schema that says only what the server does when it writes and reads stored objects, whose values it does not check.
fn unchecked(schema: &Schema) -> Schema {
    let Extensions { preserve_unknown_fields, embedded_resource, .. } = schema.ext;
    let ext = Extensions { preserve_unknown_fields, embedded_resource, ..Extensions::default() };
    let (nullable, default) = (schema.nullable, schema.default.clone());
    let mut out = Schema { nullable, default, ext, ..Schema::default() };
    // The server drops no nulls in lists, but all fields of their items if the schema has none.
    let none = || (!schema.preserves_unknown_fields()).then(Schema::default);
    let item = schema.item().map(unchecked).or_else(none);
    out.items = item.map(|item| Items::One(Box::new(Schema { nullable: true, ..item })));
    out.additional_properties = schema.additional_properties.as_ref().map(|rest| match rest {
        Additional::Schema(values) => Additional::Schema(Box::new(unchecked(values))),
        // It does not reject them here.
        Additional::Allow(_) => Additional::Allow(true),
    });
    for (name, property) in schema.properties.iter() {
        out.properties.insert(name, unchecked(property));
    }
    out
}

/// Stored versions with the same schema. What clients meet in objects of one of them, they meet in those of the others, so
/// many versions with few schemas do not take the time of all pairs.
struct Alike<'s> {
    schema: &'s Schema,
    is_storage: bool,
    /// The new versions that were compared with one of them, by their indices.
    compared: HashSet<usize>,
}

/// What makes two changes the same one for readers.
type Key = (Option<String>, Vec<Step>, Part, Option<String>, Option<String>);

fn key(change: &Change) -> Key {
    let Change { version, steps, part, was, now, .. } = change;
    (version.clone(), steps.clone(), part.clone(), was.clone(), now.clone())
}

/// Returns the versions in which objects may be stored: those of the status, or the storage version.
pub fn stored_versions(crd: &Crd) -> Vec<&str> {
    let of_status = crd.status.stored_versions.as_deref().unwrap_or_default();
    if of_status.is_empty() {
        return crd.spec.storage_version().map(|it| it.name.as_str()).into_iter().collect();
    }
    of_status.iter().map(String::as_str).collect()
}

fn position(crd: &Crd, name: &str) -> Option<usize> {
    crd.spec.versions.iter().position(|it: &Version| it.name == name)
}
