//! Compares the versions in which objects are stored with the other versions of the new CRD, if the server changes nothing but
//! `apiVersion` when it converts an object.

use super::{Change, Class, Out, Part};
use crate::ir::{Crd, Schema, Version};
use crate::path::{Path, Step};
use std::collections::HashSet;

/// Reports what clients of a version meet in objects that are stored in another one. What they met before the update is left
/// out, if the server converted objects in the same way.
pub(super) fn compare(old: &Crd, new: &Crd, was_plain: bool, versions: &Path<'_>, out: &mut Out) {
    let mut seen: HashSet<Key> = out.all.iter().map(key).collect();
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
