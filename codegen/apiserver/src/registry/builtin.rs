//! Kubernetes' own kinds that controllers lean on, by name.

use super::kind::Kind;
use super::role::Role;
use super::row::{CLUSTER, NAMESPACED, Row, row};
use std::sync::{Arc, LazyLock};

/// By which fields of pods and events lists select, as the server's conversions name them. Numbers and booleans are left out: the
/// server compares them with `0` and `false` where the object has none.
const POD: &[&str] = &[
    "spec.nodeName",
    "spec.restartPolicy",
    "spec.schedulerName",
    "spec.serviceAccountName",
    "status.phase",
    "status.podIP",
    "status.nominatedNodeName",
];
const EVENT: &[&str] = &[
    "involvedObject.kind",
    "involvedObject.namespace",
    "involvedObject.name",
    "involvedObject.uid",
    "involvedObject.apiVersion",
    "involvedObject.resourceVersion",
    "involvedObject.fieldPath",
    "reason",
    "reportingComponent",
    "type",
];
const REGARDING: &[&str] = &[
    "regarding.kind",
    "regarding.namespace",
    "regarding.name",
    "regarding.uid",
    "regarding.apiVersion",
    "regarding.resourceVersion",
    "regarding.fieldPath",
    "reason",
    "reportingController",
    "type",
];

static ROWS: [Row; 42] = [
    row("core/v1", "", "v1", "ConfigMap", "configmaps", &["cm"], NAMESPACED),
    row("core/v1", "", "v1", "Endpoints", "endpoints", &["ep"], NAMESPACED),
    row("core/v1", "", "v1", "Event", "events", &["ev"], NAMESPACED).selects(EVENT),
    row("core/v1", "", "v1", "LimitRange", "limitranges", &["limits"], NAMESPACED),
    row("core/v1", "", "v1", "Namespace", "namespaces", &["ns"], CLUSTER)
        .selects(&["status.phase"])
        .with_status()
        .is(Role::Namespace),
    row("core/v1", "", "v1", "Node", "nodes", &["no"], CLUSTER).with_status(),
    row("core/v1", "", "v1", "PersistentVolume", "persistentvolumes", &["pv"], CLUSTER).with_status(),
    row("core/v1", "", "v1", "PersistentVolumeClaim", "persistentvolumeclaims", &["pvc"], NAMESPACED)
        .with_status(),
    row("core/v1", "", "v1", "Pod", "pods", &["po"], NAMESPACED)
        .selects(POD)
        .with_status()
        .in_all()
        .is(Role::Pod),
    row("core/v1", "", "v1", "ReplicationController", "replicationcontrollers", &["rc"], NAMESPACED)
        .with_status()
        .with_scale()
        .in_all(),
    row("core/v1", "", "v1", "ResourceQuota", "resourcequotas", &["quota"], NAMESPACED).with_status(),
    row("core/v1", "", "v1", "Secret", "secrets", &[], NAMESPACED).selects(&["type"]),
    row("core/v1", "", "v1", "Service", "services", &["svc"], NAMESPACED)
        .selects(&["spec.clusterIP", "spec.type"])
        .with_status()
        .in_all()
        .is(Role::Service),
    row("core/v1", "", "v1", "ServiceAccount", "serviceaccounts", &["sa"], NAMESPACED),
    row("apps/v1", "apps", "v1", "ControllerRevision", "controllerrevisions", &[], NAMESPACED),
    row("apps/v1", "apps", "v1", "DaemonSet", "daemonsets", &["ds"], NAMESPACED).with_status().in_all(),
    row("apps/v1", "apps", "v1", "Deployment", "deployments", &["deploy"], NAMESPACED)
        .with_status()
        .with_scale()
        .in_all(),
    row("apps/v1", "apps", "v1", "ReplicaSet", "replicasets", &["rs"], NAMESPACED)
        .with_status()
        .with_scale()
        .in_all(),
    row("apps/v1", "apps", "v1", "StatefulSet", "statefulsets", &["sts"], NAMESPACED)
        .with_status()
        .with_scale()
        .in_all(),
    row("batch/v1", "batch", "v1", "CronJob", "cronjobs", &["cj"], NAMESPACED).with_status().in_all(),
    row("batch/v1", "batch", "v1", "Job", "jobs", &[], NAMESPACED).with_status().in_all(),
    row(
        "autoscaling/v2",
        "autoscaling",
        "v2",
        "HorizontalPodAutoscaler",
        "horizontalpodautoscalers",
        &["hpa"],
        NAMESPACED,
    )
    .with_status()
    .in_all(),
    row("coordination/v1", "coordination.k8s.io", "v1", "Lease", "leases", &[], NAMESPACED),
    row("discovery/v1", "discovery.k8s.io", "v1", "EndpointSlice", "endpointslices", &[], NAMESPACED),
    row("events/v1", "events.k8s.io", "v1", "Event", "events", &["ev"], NAMESPACED).selects(REGARDING),
    row("networking/v1", "networking.k8s.io", "v1", "Ingress", "ingresses", &["ing"], NAMESPACED)
        .with_status(),
    row("networking/v1", "networking.k8s.io", "v1", "IngressClass", "ingressclasses", &[], CLUSTER),
    row(
        "networking/v1",
        "networking.k8s.io",
        "v1",
        "NetworkPolicy",
        "networkpolicies",
        &["netpol"],
        NAMESPACED,
    ),
    row("policy/v1", "policy", "v1", "PodDisruptionBudget", "poddisruptionbudgets", &["pdb"], NAMESPACED)
        .with_status(),
    row("rbac/v1", "rbac.authorization.k8s.io", "v1", "ClusterRole", "clusterroles", &[], CLUSTER),
    row(
        "rbac/v1",
        "rbac.authorization.k8s.io",
        "v1",
        "ClusterRoleBinding",
        "clusterrolebindings",
        &[],
        CLUSTER,
    ),
    row("rbac/v1", "rbac.authorization.k8s.io", "v1", "Role", "roles", &[], NAMESPACED),
    row("rbac/v1", "rbac.authorization.k8s.io", "v1", "RoleBinding", "rolebindings", &[], NAMESPACED),
    row("scheduling/v1", "scheduling.k8s.io", "v1", "PriorityClass", "priorityclasses", &["pc"], CLUSTER),
    row("storage/v1", "storage.k8s.io", "v1", "StorageClass", "storageclasses", &["sc"], CLUSTER),
    row(
        "admissionregistration/v1",
        "admissionregistration.k8s.io",
        "v1",
        "MutatingWebhookConfiguration",
        "mutatingwebhookconfigurations",
        &[],
        CLUSTER,
    ),
    row(
        "admissionregistration/v1",
        "admissionregistration.k8s.io",
        "v1",
        "ValidatingWebhookConfiguration",
        "validatingwebhookconfigurations",
        &[],
        CLUSTER,
    ),
    row(
        "apiextensions/v1",
        "apiextensions.k8s.io",
        "v1",
        "CustomResourceDefinition",
        "customresourcedefinitions",
        &["crd", "crds"],
        CLUSTER,
    )
    .with_status()
    .is(Role::Definition),
    row(
        "authorization/v1",
        "authorization.k8s.io",
        "v1",
        "SelfSubjectAccessReview",
        "selfsubjectaccessreviews",
        &[],
        CLUSTER,
    )
    .is(Role::Review),
    row(
        "authorization/v1",
        "authorization.k8s.io",
        "v1",
        "SubjectAccessReview",
        "subjectaccessreviews",
        &[],
        CLUSTER,
    )
    .is(Role::Review),
    row(
        "authentication/v1",
        "authentication.k8s.io",
        "v1",
        "SelfSubjectReview",
        "selfsubjectreviews",
        &[],
        CLUSTER,
    )
    .is(Role::Review),
    row("authentication/v1", "authentication.k8s.io", "v1", "TokenReview", "tokenreviews", &[], CLUSTER)
        .is(Role::Review),
];

/// All kinds. All servers of a process share them with what was compiled of them.
pub(super) fn all() -> &'static [Arc<Kind>] {
    static KINDS: LazyLock<Vec<Arc<Kind>>> =
        LazyLock::new(|| ROWS.iter().map(|row| Arc::new(Kind::of_row(row))).collect());
    &KINDS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crdgen_core::k8s;

    #[test]
    fn every_kind_has_a_schema_and_is_served() {
        for (row, kind) in ROWS.iter().zip(all()) {
            let name = format!("{}.{}", row.table, row.kind);
            assert!(row.role == Role::Definition || k8s::find(&name).is_some(), "no schema of {name}");
            let is_written = kind.built_in().is_some() == kind.has_code();
            assert!(is_written, "{name}");
            assert!(kind.served().is_ok(), "{name}: {:?}", kind.served().err());
        }
    }
}
