//! Metadata of objects without a Kubernetes client.

use crdgen::ObjectMeta;
use serde_json::json;

#[test]
fn what_a_server_gives_comes_back() {
    let given = json!({
        "name": "a", "generateName": "a-", "namespace": "b", "uid": "1", "resourceVersion": "7", "generation": 2,
        "creationTimestamp": "2026-01-02T03:04:05Z", "deletionTimestamp": "2026-01-02T03:04:06Z",
        "deletionGracePeriodSeconds": 0, "labels": {"c": "d"}, "annotations": {"e": ""}, "finalizers": ["f"],
        "ownerReferences": [{
            "apiVersion": "v1", "kind": "Node", "name": "n", "uid": "2", "controller": true, "blockOwnerDeletion": false
        }],
    });
    let meta: ObjectMeta = serde_json::from_value(given.clone()).expect("metadata");
    assert_eq!(serde_json::to_value(&meta).expect("JSON"), given);
    assert_eq!(serde_json::to_value(ObjectMeta::named("a")).expect("JSON"), json!({"name": "a"}));
}
