//! What a new cluster has.

use crate::meta::{map, set};
use crate::registry::namespaces;
use crate::state::State;
use crate::store::Resource;

use crdgen_core::json;
use crdgen_core::value::Value;
use crdgen_kubernetes::finish;

const NAMESPACES: [&str; 4] = ["default", "kube-node-lease", "kube-public", "kube-system"];

/// The classes of important pods: the name, the priority and the description.
const PRIORITIES: [(&str, i64, &str); 2] = [
    (
        "system-node-critical",
        2_000_001_000,
        "Used for system critical pods that must not be moved from their current node.",
    ),
    (
        "system-cluster-critical",
        2_000_000_000,
        "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.",
    ),
];

/// The service by which pods find the server.
const SERVICE: &str = r#"{
    "apiVersion": "v1",
    "kind": "Service",
    "metadata": {
        "name": "kubernetes",
        "namespace": "default",
        "labels": {"component": "apiserver", "provider": "kubernetes"}
    },
    "spec": {
        "clusterIP": "10.96.0.1",
        "clusterIPs": ["10.96.0.1"],
        "internalTrafficPolicy": "Cluster",
        "ipFamilies": ["IPv4"],
        "ipFamilyPolicy": "SingleStack",
        "ports": [{"name": "https", "port": 443, "protocol": "TCP", "targetPort": 6443}],
        "sessionAffinity": "None",
        "type": "ClusterIP"
    },
    "status": {"loadBalancer": {}}
}"#;

/// Makes the server the owner of fields of an object.
fn own(state: &State, object: &mut Value, fields: Value) {
    let owner = map([
        ("apiVersion", object.text("apiVersion").into()),
        ("fieldsType", "FieldsV1".into()),
        ("fieldsV1", fields),
        ("manager", "kube-apiserver".into()),
        ("operation", "Update".into()),
        ("time", state.clock.now().into()),
    ]);
    set(object, "managedFields", Some(Value::List(vec![owner])));
}

/// The state of a new cluster.
pub(super) fn state(seed: u64) -> State {
    let mut state = State::new(seed);
    for name in NAMESPACES {
        let mut object = map([("apiVersion", "v1".into()), ("kind", "Namespace".into())]);
        set(&mut object, "name", Some(name.into()));
        state.stamp(&mut object);
        finish::namespace(&mut object);
        let label = map([(".", map([])), ("f:kubernetes.io/metadata.name", map([]))]);
        own(&state, &mut object, map([("f:metadata", map([("f:labels", label)]))]));
        state.put(&namespaces(), object);
    }
    for (name, value, description) in PRIORITIES {
        let mut class = map([
            ("apiVersion", "scheduling.k8s.io/v1".into()),
            ("kind", "PriorityClass".into()),
            ("value", Value::Int(value)),
            ("description", description.into()),
            ("preemptionPolicy", "PreemptLowerPriority".into()),
        ]);
        set(&mut class, "name", Some(name.into()));
        set(&mut class, "generation", Some(Value::Int(1)));
        state.stamp(&mut class);
        let fields = ["f:description", "f:preemptionPolicy", "f:value"].map(|field| (field, map([])));
        own(&state, &mut class, map(fields));
        state.put(&Resource::new("scheduling.k8s.io", "priorityclasses"), class);
    }
    if let Ok(mut service) = json::read(SERVICE.as_bytes()) {
        state.stamp(&mut service);
        state.put(&Resource::new("", "services"), service);
    }
    state
}
