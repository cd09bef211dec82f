//! Checks of the status of objects, which writes of the status meet.

mod balancers;
mod jobs;
mod others;
mod pods;
mod workloads;

use super::limits;
use crate::mistake::Mistake;
use crdgen_core::value::Value;

type Mistakes = Vec<Mistake<'static>>;

/// The mistakes in a status that a write of the status has changed.
pub(crate) fn status_mistakes(kind: &str, object: &Value, live: Option<&Value>) -> Mistakes {
    match kind {
        "DaemonSet" | "Deployment" | "ReplicaSet" | "ReplicationController" | "StatefulSet" => {
            workloads::mistakes(kind, object, live)
        }
        "Ingress" => balancers::of_ingress(object, live),
        "Job" => jobs::mistakes(object, live),
        "Namespace" => others::namespace(object),
        "PersistentVolumeClaim" => others::claim(object),
        "Pod" => pods::mistakes(object, live),
        "PodDisruptionBudget" => others::budget(object),
        "ResourceQuota" => limits::quota_status(object),
        "Service" => balancers::of_service(object, live),
        _ => Vec::new(),
    }
}

pub(super) use others::node;

fn list<'v>(object: &'v Value, name: &str) -> &'v [Value] {
    object.get(name).and_then(Value::as_list).unwrap_or_default()
}
