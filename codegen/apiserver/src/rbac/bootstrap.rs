//! The roles and bindings that a server with RBAC has from its start: those that clients need to find anything, and those to
//! which users are bound. The ones of the components of a cluster are left out.

use super::GROUP;
use crate::meta::{self, map};
use crate::store::Resource;
use crdgen_core::json;
use crdgen_core::value::Value;

/// A list of objects in JSON.
const OBJECTS: &str = include_str!("bootstrap.json");

/// The objects, with the resources as which they are stored.
pub(crate) fn objects() -> Vec<(Resource, Value)> {
    let list = json::read(OBJECTS.as_bytes()).unwrap_or_default();
    let Value::List(list) = list else { return Vec::new() };
    let whole = |mut object: Value| {
        let plural =
            if object.text("kind") == "ClusterRole" { "clusterroles" } else { "clusterrolebindings" };
        if let Value::Map(object) = &mut object {
            object.insert("apiVersion", format!("{GROUP}/v1").into());
        }
        let updated = map([("rbac.authorization.kubernetes.io/autoupdate", "true".into())]);
        meta::set(&mut object, "annotations", Some(updated));
        let path = ["metadata", "labels", "kubernetes.io/bootstrapping"];
        meta::set_at(&mut object, &path, "rbac-defaults".into());
        (Resource::new(GROUP, plural), object)
    };
    list.into_iter().map(whole).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_objects_can_be_read() {
        let names: Vec<String> = objects().iter().map(|(_, it)| meta::text(it, "name").to_owned()).collect();
        assert_eq!(names.len(), 19, "{names:?}");
        assert!(names.iter().all(|name| !name.is_empty()));
    }
}
