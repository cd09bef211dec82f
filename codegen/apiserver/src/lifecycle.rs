//! What keeps objects that are deleted.

use crate::meta;
use crate::registry::{definitions, namespaces};
use crate::store::Resource;
use crdgen_core::value::Value;

/// The finalizer of an object whose dependents go first.
pub(crate) const FOREGROUND: &str = "foregroundDeletion";
/// The finalizer of an object whose dependents stay.
pub(crate) const ORPHAN: &str = "orphan";
/// The finalizer of a CRD whose objects go first.
pub(crate) const CLEANUP: &str = "customresourcecleanup.apiextensions.k8s.io";

/// Whether the spec of a namespace has finalizers.
pub(crate) fn has_finalizers_in_spec(object: &Value) -> bool {
    let found = object.get("spec").and_then(|spec| spec.get("finalizers")?.as_list());
    found.is_some_and(|finalizers| !finalizers.is_empty())
}

/// Whether an object stays for a time when it is deleted, also without finalizers in its metadata.
pub(crate) fn keeps(resource: &Resource, object: &Value) -> bool {
    *resource == definitions() && !meta::is_deleting(object)
        || *resource == namespaces() && has_finalizers_in_spec(object)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crdgen_core::json;

    #[test]
    fn only_finalizers_in_the_spec_of_a_namespace_count() {
        let read = |text: &str| json::read(text.as_bytes()).expect("JSON");
        assert!(has_finalizers_in_spec(&read(r#"{"spec":{"finalizers":["kubernetes"]}}"#)));
        assert!(!has_finalizers_in_spec(&read(r#"{"spec":{"finalizers":[]}}"#)));
        assert!(!has_finalizers_in_spec(&read(r#"{"metadata":{"finalizers":["x"]}}"#)));
    }
}
