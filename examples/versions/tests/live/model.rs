//! The predictions of a test.

use crate::{VERSIONS, get};
use crdgen_live_server::Server;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What is stored, as the test predicts it.
pub(crate) struct Model {
    pub(crate) stored: &'static str,
    pub(crate) objects: BTreeMap<String, Value>,
}

impl Model {
    pub(crate) fn get(&self, version: &str, name: &str) -> Value {
        convert(&self.objects[name], version)
    }

    pub(crate) fn put(&mut self, object: &Value) {
        let name = object["metadata"]["name"].as_str().expect("a name").to_owned();
        self.objects.insert(name, convert(object, self.stored));
    }

    /// Changes an object in a version, as a merge patch does.
    pub(crate) fn patch(&mut self, version: &str, name: &str, patch: &Value) {
        let mut object = self.get(version, name);
        merge(&mut object, patch);
        self.put(&object);
    }

    /// Reads all objects in all versions, and compares them with the prediction.
    #[track_caller]
    pub(crate) fn check(&self, server: &Server, what: &str) {
        for name in self.objects.keys() {
            for version in VERSIONS {
                let found = get(server, version, name);
                assert_eq!(plain(&found), plain(&self.get(version, name)), "{what}: {name} in {version}");
            }
        }
    }
}

pub(crate) fn convert(object: &Value, version: &str) -> Value {
    let converted = versions::versions().convert(object, &format!("example.com/{version}"));
    serde_json::to_value(converted.unwrap_or_else(|e| panic!("{e}: {object}"))).expect("JSON")
}

/// Returns the object without the fields that only the server sets.
pub(crate) fn plain(object: &Value) -> Value {
    let mut object = object.clone();
    let metadata = object["metadata"].as_object_mut().expect("metadata");
    for name in ["uid", "resourceVersion", "creationTimestamp", "managedFields", "generation"] {
        metadata.remove(name);
    }
    if let Some(annotations) = metadata.get_mut("annotations").and_then(Value::as_object_mut) {
        annotations.remove("kubectl.kubernetes.io/last-applied-configuration");
        if annotations.is_empty() {
            metadata.remove("annotations");
        }
    }
    object
}

pub(crate) fn merge(object: &mut Value, patch: &Value) {
    let (Value::Object(members), Value::Object(patch)) = (&mut *object, patch) else {
        *object = patch.clone();
        return;
    };
    for (name, value) in patch {
        match (members.get_mut(name), value) {
            (_, Value::Null) => _ = members.remove(name),
            (Some(member), value) => merge(member, value),
            (None, value) => _ = members.insert(name.clone(), value.clone()),
        }
    }
}

pub(crate) fn site(version: &str, name: &str, spec: Value) -> Value {
    json!({
        "apiVersion": format!("example.com/{version}"),
        "kind": "Site",
        "metadata": {"name": name, "namespace": "default", "labels": {"app": name}},
        "spec": spec,
    })
}
