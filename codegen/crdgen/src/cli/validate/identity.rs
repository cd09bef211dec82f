//! What identifies an object.

use crdgen_core::documents::Manifest;

use super::super::kinds::Kinds;

/// The identity of an object in a cluster: group, kind, namespace and name.
pub(super) type Identity = (String, String, String, String);

/// Returns the identity of an object, or `None` if the server generates its name.
pub(super) fn identity(object: &Manifest, kinds: &Kinds) -> Option<Identity> {
    let name = object.metadata("name");
    if name.is_empty() {
        return None;
    }
    let (group, kind) = (object.group_version().0, object.text("kind"));
    let namespace = match kinds.get(group, kind) {
        Some(entry) if !entry.heading.is_namespaced => "",
        Some(_) | None if object.metadata("namespace").is_empty() => "default",
        Some(_) | None => object.metadata("namespace"),
    };
    Some((group.to_owned(), kind.to_owned(), namespace.to_owned(), name.to_owned()))
}
