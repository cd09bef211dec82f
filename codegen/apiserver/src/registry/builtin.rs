//! Kubernetes' own kinds that controllers lean on, by name.

use super::kind::Kind;
use super::role::Role;
use super::row::{CLUSTER, NAMESPACED, Row, row};
use super::subresource::Subresource;
use std::sync::{Arc, LazyLock};

const STATUS: &[Subresource] = &[Subresource::Status];
const SCALED: &[Subresource] = &[Subresource::Scale, Subresource::Status];
const OF_POD: &[Subresource] = &[
    Subresource::Attach,
    Subresource::Binding,
    Subresource::EphemeralContainers,
    Subresource::Eviction,
    Subresource::Exec,
    Subresource::Log,
    Subresource::PortForward,
    Subresource::Proxy,
    Subresource::Resize,
    Subresource::Status,
];

/// By which fields of pods and events lists select, as the server's conversions name them.
const POD: &[&str] = &[
    "spec.hostNetwork",
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

static ROWS: [Row; 52] = [
    row("core/v1", "", "v1", "Binding", "bindings", &[], NAMESPACED).is(Role::Binding),
    row("core/v1", "", "v1", "ConfigMap", "configmaps", &["cm"], NAMESPACED),
    row("core/v1", "", "v1", "Endpoints", "endpoints", &["ep"], NAMESPACED)
        .deprecated("v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"),
    row("core/v1", "", "v1", "Event", "events", &["ev"], NAMESPACED).selects(EVENT),
    row("core/v1", "", "v1", "LimitRange", "limitranges", &["limits"], NAMESPACED),
    row("core/v1", "", "v1", "Namespace", "namespaces", &["ns"], CLUSTER)
        .selects(&["status.phase"])
        .has(&[Subresource::Finalize, Subresource::Status])
        .is(Role::Namespace),
    row("core/v1", "", "v1", "Node", "nodes", &["no"], CLUSTER)
        .selects(&["spec.unschedulable"])
        .has(&[Subresource::Proxy, Subresource::Status]),
    row("core/v1", "", "v1", "PersistentVolume", "persistentvolumes", &["pv"], CLUSTER).has(STATUS),
    row("core/v1", "", "v1", "PersistentVolumeClaim", "persistentvolumeclaims", &["pvc"], NAMESPACED)
        .has(STATUS),
    row("core/v1", "", "v1", "Pod", "pods", &["po"], NAMESPACED)
        .selects(POD)
        .has(OF_POD)
        .in_category("all")
        .is(Role::Pod),
    row("core/v1", "", "v1", "PodTemplate", "podtemplates", &[], NAMESPACED),
    row("core/v1", "", "v1", "ReplicationController", "replicationcontrollers", &["rc"], NAMESPACED)
        .selects(&["status.replicas"])
        .has(SCALED)
        .in_category("all"),
    row("core/v1", "", "v1", "ResourceQuota", "resourcequotas", &["quota"], NAMESPACED).has(STATUS),
    row("core/v1", "", "v1", "Secret", "secrets", &[], NAMESPACED).selects(&["type"]),
    row("core/v1", "", "v1", "Service", "services", &["svc"], NAMESPACED)
        .selects(&["spec.clusterIP", "spec.type"])
        .has(&[Subresource::Proxy, Subresource::Status])
        .in_category("all")
        .is(Role::Service),
    row("core/v1", "", "v1", "ServiceAccount", "serviceaccounts", &["sa"], NAMESPACED)
        .has(&[Subresource::Token]),
    row("apps/v1", "apps", "v1", "ControllerRevision", "controllerrevisions", &[], NAMESPACED),
    row("apps/v1", "apps", "v1", "DaemonSet", "daemonsets", &["ds"], NAMESPACED)
        .has(STATUS)
        .in_category("all"),
    row("apps/v1", "apps", "v1", "Deployment", "deployments", &["deploy"], NAMESPACED)
        .has(SCALED)
        .in_category("all"),
    row("apps/v1", "apps", "v1", "ReplicaSet", "replicasets", &["rs"], NAMESPACED)
        .selects(&["status.replicas"])
        .has(SCALED)
        .in_category("all"),
    row("apps/v1", "apps", "v1", "StatefulSet", "statefulsets", &["sts"], NAMESPACED)
        .has(SCALED)
        .in_category("all"),
    row("batch/v1", "batch", "v1", "CronJob", "cronjobs", &["cj"], NAMESPACED).has(STATUS).in_category("all"),
    row("batch/v1", "batch", "v1", "Job", "jobs", &[], NAMESPACED).has(STATUS).in_category("all"),
    row(
        "autoscaling/v2",
        "autoscaling",
        "v2",
        "HorizontalPodAutoscaler",
        "horizontalpodautoscalers",
        &["hpa"],
        NAMESPACED,
    )
    .also_in(&[("v1", "autoscaling/v1")])
    .has(STATUS)
    .in_category("all"),
    row(
        "certificates/v1",
        "certificates.k8s.io",
        "v1",
        "CertificateSigningRequest",
        "certificatesigningrequests",
        &["csr"],
        CLUSTER,
    )
    .selects(&["spec.signerName"])
    .has(&[Subresource::Approval, Subresource::Status])
    .is(Role::Signing),
    row("coordination/v1", "coordination.k8s.io", "v1", "Lease", "leases", &[], NAMESPACED),
    row("discovery/v1", "discovery.k8s.io", "v1", "EndpointSlice", "endpointslices", &[], NAMESPACED),
    row("events/v1", "events.k8s.io", "v1", "Event", "events", &["ev"], NAMESPACED)
        .selects(REGARDING)
        .stored_in("", "v1"),
    row("networking/v1", "networking.k8s.io", "v1", "Ingress", "ingresses", &["ing"], NAMESPACED).has(STATUS),
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
    row("node/v1", "node.k8s.io", "v1", "RuntimeClass", "runtimeclasses", &[], CLUSTER),
    row("policy/v1", "policy", "v1", "PodDisruptionBudget", "poddisruptionbudgets", &["pdb"], NAMESPACED)
        .has(STATUS),
    row("rbac/v1", "rbac.authorization.k8s.io", "v1", "ClusterRole", "clusterroles", &[], CLUSTER)
        .is(Role::Permissions),
    row(
        "rbac/v1",
        "rbac.authorization.k8s.io",
        "v1",
        "ClusterRoleBinding",
        "clusterrolebindings",
        &[],
        CLUSTER,
    )
    .is(Role::PermissionBinding),
    row("rbac/v1", "rbac.authorization.k8s.io", "v1", "Role", "roles", &[], NAMESPACED).is(Role::Permissions),
    row("rbac/v1", "rbac.authorization.k8s.io", "v1", "RoleBinding", "rolebindings", &[], NAMESPACED)
        .is(Role::PermissionBinding),
    row("scheduling/v1", "scheduling.k8s.io", "v1", "PriorityClass", "priorityclasses", &["pc"], CLUSTER),
    row("storage/v1", "storage.k8s.io", "v1", "CSIDriver", "csidrivers", &[], CLUSTER),
    row("storage/v1", "storage.k8s.io", "v1", "CSINode", "csinodes", &[], CLUSTER).has(STATUS),
    row("storage/v1", "storage.k8s.io", "v1", "CSIStorageCapacity", "csistoragecapacities", &[], NAMESPACED),
    row("storage/v1", "storage.k8s.io", "v1", "StorageClass", "storageclasses", &["sc"], CLUSTER),
    row("storage/v1", "storage.k8s.io", "v1", "VolumeAttachment", "volumeattachments", &[], CLUSTER)
        .has(STATUS),
    row(
        "admissionregistration/v1",
        "admissionregistration.k8s.io",
        "v1",
        "MutatingWebhookConfiguration",
        "mutatingwebhookconfigurations",
        &[],
        CLUSTER,
    )
    .in_category("api-extensions"),
    row(
        "admissionregistration/v1",
        "admissionregistration.k8s.io",
        "v1",
        "ValidatingWebhookConfiguration",
        "validatingwebhookconfigurations",
        &[],
        CLUSTER,
    )
    .in_category("api-extensions"),
    row(
        "apiextensions/v1",
        "apiextensions.k8s.io",
        "v1",
        "CustomResourceDefinition",
        "customresourcedefinitions",
        &["crd", "crds"],
        CLUSTER,
    )
    .in_category("api-extensions")
    .has(STATUS)
    .is(Role::Definition),
    row(
        "authorization/v1",
        "authorization.k8s.io",
        "v1",
        "LocalSubjectAccessReview",
        "localsubjectaccessreviews",
        &[],
        NAMESPACED,
    )
    .is(Role::Review),
    row(
        "authorization/v1",
        "authorization.k8s.io",
        "v1",
        "SelfSubjectRulesReview",
        "selfsubjectrulesreviews",
        &[],
        CLUSTER,
    )
    .is(Role::Review),
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
            for (version, table) in row.versions() {
                let name = format!("{table}.{}", row.kind);
                assert!(row.role == Role::Definition || k8s::find(&name).is_some(), "no schema of {name}");
                let is_written = kind.built_in(version).is_some() == kind.has_code();
                assert!(is_written, "{name}");
            }
            assert!(kind.served().is_ok(), "{}: {:?}", row.kind, kind.served().err());
        }
    }
}
