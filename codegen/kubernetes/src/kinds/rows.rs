//! The kinds, by name.

use super::name_rule::NameRule::{Address, Label, Segment, WholeSubdomain};
use super::role::Role;
use super::row::{Api, Row, cluster, namespaced};
use super::subresource::Subresource;

const CORE: Api = Api { table: "core/v1", group: "", version: "v1" };
const APPS: Api = Api { table: "apps/v1", group: "apps", version: "v1" };
const BATCH: Api = Api { table: "batch/v1", group: "batch", version: "v1" };
const AUTOSCALING: Api = Api { table: "autoscaling/v2", group: "autoscaling", version: "v2" };
const CERTIFICATES: Api = Api { table: "certificates/v1", group: "certificates.k8s.io", version: "v1" };
const COORDINATION: Api = Api { table: "coordination/v1", group: "coordination.k8s.io", version: "v1" };
const DISCOVERY: Api = Api { table: "discovery/v1", group: "discovery.k8s.io", version: "v1" };
const EVENTS: Api = Api { table: "events/v1", group: "events.k8s.io", version: "v1" };
const NETWORKING: Api = Api { table: "networking/v1", group: "networking.k8s.io", version: "v1" };
const NODE: Api = Api { table: "node/v1", group: "node.k8s.io", version: "v1" };
const POLICY: Api = Api { table: "policy/v1", group: "policy", version: "v1" };
const RBAC: Api = Api { table: "rbac/v1", group: "rbac.authorization.k8s.io", version: "v1" };
const RESOURCE: Api = Api { table: "resource/v1", group: "resource.k8s.io", version: "v1" };
const SCHEDULING: Api = Api { table: "scheduling/v1", group: "scheduling.k8s.io", version: "v1" };
const STORAGE: Api = Api { table: "storage/v1", group: "storage.k8s.io", version: "v1" };
const ADMISSIONREGISTRATION: Api =
    Api { table: "admissionregistration/v1", group: "admissionregistration.k8s.io", version: "v1" };
const APIEXTENSIONS: Api = Api { table: "apiextensions/v1", group: "apiextensions.k8s.io", version: "v1" };
const AUTHORIZATION: Api = Api { table: "authorization/v1", group: "authorization.k8s.io", version: "v1" };
const AUTHENTICATION: Api = Api { table: "authentication/v1", group: "authentication.k8s.io", version: "v1" };

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
const SLICE_OF_DEVICES: &[&str] = &["spec.driver", "spec.nodeName", "spec.pool.name"];

/// Declares the kinds, and a row for each.
macro_rules! kinds {
    ($($id:ident => $row:expr,)*) => {
        /// A kind. The compiler names what does not know it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "they have the names of the kinds")]
        pub enum KindId {
            $($id,)*
        }

        static ROWS: &[Row] = &[$($row.with(KindId::$id),)*];
    };
}

kinds! {
    Binding => namespaced(&CORE, "Binding", "bindings").is(Role::Binding),
    ComponentStatus => cluster(&CORE, "ComponentStatus", "componentstatuses")
        .short(&["cs"])
        .deprecated("v1 ComponentStatus is deprecated in v1.19+")
        .is(Role::Component),
    ConfigMap => namespaced(&CORE, "ConfigMap", "configmaps").short(&["cm"]),
    Endpoints => namespaced(&CORE, "Endpoints", "endpoints")
        .short(&["ep"])
        .deprecated("v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice").created_by_updates(),
    Event => namespaced(&CORE, "Event", "events").short(&["ev"]).selects(EVENT).named(Segment).created_by_updates(),
    LimitRange => namespaced(&CORE, "LimitRange", "limitranges").short(&["limits"]).created_by_updates(),
    Namespace => cluster(&CORE, "Namespace", "namespaces")
        .short(&["ns"])
        .selects(&["status.phase"])
        .has(&[Subresource::Finalize, Subresource::Status])
        .is(Role::Namespace).named(Label),
    Node => cluster(&CORE, "Node", "nodes")
        .short(&["no"])
        .selects(&["spec.unschedulable"])
        .has(&[Subresource::Proxy, Subresource::Status]),
    PersistentVolume => cluster(&CORE, "PersistentVolume", "persistentvolumes").short(&["pv"]).has(STATUS),
    PersistentVolumeClaim => namespaced(&CORE, "PersistentVolumeClaim", "persistentvolumeclaims").short(&["pvc"]).has(STATUS),
    Pod => namespaced(&CORE, "Pod", "pods").short(&["po"]).selects(POD).has(OF_POD).in_category("all").is(Role::Pod),
    PodTemplate => namespaced(&CORE, "PodTemplate", "podtemplates"),
    ReplicationController => namespaced(&CORE, "ReplicationController", "replicationcontrollers")
        .short(&["rc"])
        .selects(&["status.replicas"])
        .has(SCALED)
        .in_category("all"),
    ResourceQuota => namespaced(&CORE, "ResourceQuota", "resourcequotas").short(&["quota"]).has(STATUS),
    Secret => namespaced(&CORE, "Secret", "secrets").selects(&["type"]),
    Service => namespaced(&CORE, "Service", "services")
        .short(&["svc"])
        .selects(&["spec.clusterIP", "spec.type"])
        .has(&[Subresource::Proxy, Subresource::Status])
        .in_category("all")
        .is(Role::Service).named(Label).created_by_updates(),
    ServiceAccount => namespaced(&CORE, "ServiceAccount", "serviceaccounts").short(&["sa"]).has(&[Subresource::Token]),
    ControllerRevision => namespaced(&APPS, "ControllerRevision", "controllerrevisions"),
    DaemonSet => namespaced(&APPS, "DaemonSet", "daemonsets").short(&["ds"]).has(STATUS).in_category("all"),
    Deployment => namespaced(&APPS, "Deployment", "deployments").short(&["deploy"]).has(SCALED).in_category("all"),
    ReplicaSet => namespaced(&APPS, "ReplicaSet", "replicasets").short(&["rs"]).has(SCALED).in_category("all"),
    StatefulSet => namespaced(&APPS, "StatefulSet", "statefulsets").short(&["sts"]).has(SCALED).in_category("all").named(Label),
    CronJob => namespaced(&BATCH, "CronJob", "cronjobs").short(&["cj"]).has(STATUS).in_category("all"),
    Job => namespaced(&BATCH, "Job", "jobs").selects(&["status.successful"]).has(STATUS).in_category("all"),
    HorizontalPodAutoscaler => namespaced(&AUTOSCALING, "HorizontalPodAutoscaler", "horizontalpodautoscalers")
        .short(&["hpa"])
        .also_in(&[("v1", "autoscaling/v1")])
        .has(STATUS)
        .in_category("all"),
    CertificateSigningRequest => cluster(&CERTIFICATES, "CertificateSigningRequest", "certificatesigningrequests")
        .short(&["csr"])
        .selects(&["spec.signerName"])
        .has(&[Subresource::Approval, Subresource::Status])
        .is(Role::Signing).named(Segment),
    Lease => namespaced(&COORDINATION, "Lease", "leases").versioned().created_by_updates(),
    EndpointSlice => namespaced(&DISCOVERY, "EndpointSlice", "endpointslices"),
    NewEvent => namespaced(&EVENTS, "Event", "events").short(&["ev"]).selects(REGARDING).stored_in("", "v1").created_by_updates(),
    Ingress => namespaced(&NETWORKING, "Ingress", "ingresses").short(&["ing"]).has(STATUS),
    IngressClass => cluster(&NETWORKING, "IngressClass", "ingressclasses"),
    IpAddress => cluster(&NETWORKING, "IPAddress", "ipaddresses").short(&["ip"]).named(Address),
    NetworkPolicy => namespaced(&NETWORKING, "NetworkPolicy", "networkpolicies").short(&["netpol"]),
    ServiceCidr => cluster(&NETWORKING, "ServiceCIDR", "servicecidrs").has(STATUS),
    RuntimeClass => cluster(&NODE, "RuntimeClass", "runtimeclasses").versioned().created_by_updates(),
    PodDisruptionBudget => namespaced(&POLICY, "PodDisruptionBudget", "poddisruptionbudgets").short(&["pdb"]).has(STATUS).named(Segment).versioned(),
    ClusterRole => cluster(&RBAC, "ClusterRole", "clusterroles").is(Role::Permissions).named(Segment).created_by_updates(),
    ClusterRoleBinding => cluster(&RBAC, "ClusterRoleBinding", "clusterrolebindings").is(Role::PermissionBinding).named(Segment).created_by_updates(),
    Role => namespaced(&RBAC, "Role", "roles").is(Role::Permissions).named(Segment).created_by_updates(),
    RoleBinding => namespaced(&RBAC, "RoleBinding", "rolebindings").is(Role::PermissionBinding).named(Segment).created_by_updates(),
    DeviceClass => cluster(&RESOURCE, "DeviceClass", "deviceclasses").named(WholeSubdomain),
    DeviceTaintRule => cluster(&RESOURCE, "DeviceTaintRule", "devicetaintrules").has(STATUS).versioned(),
    ResourceClaim => namespaced(&RESOURCE, "ResourceClaim", "resourceclaims").has(STATUS),
    ResourceClaimTemplate => namespaced(&RESOURCE, "ResourceClaimTemplate", "resourceclaimtemplates"),
    ResourceSlice => cluster(&RESOURCE, "ResourceSlice", "resourceslices").selects(SLICE_OF_DEVICES),
    PriorityClass => cluster(&SCHEDULING, "PriorityClass", "priorityclasses").short(&["pc"]),
    CsiDriver => cluster(&STORAGE, "CSIDriver", "csidrivers").versioned(),
    CsiNode => cluster(&STORAGE, "CSINode", "csinodes").has(STATUS).versioned(),
    CsiStorageCapacity => namespaced(&STORAGE, "CSIStorageCapacity", "csistoragecapacities").versioned(),
    StorageClass => cluster(&STORAGE, "StorageClass", "storageclasses").short(&["sc"]),
    VolumeAttachment => cluster(&STORAGE, "VolumeAttachment", "volumeattachments").has(STATUS).versioned(),
    VolumeAttributesClass => cluster(&STORAGE, "VolumeAttributesClass", "volumeattributesclasses").short(&["vac"]),
    MutatingWebhookConfiguration => cluster(&ADMISSIONREGISTRATION, "MutatingWebhookConfiguration", "mutatingwebhookconfigurations")
        .in_category("api-extensions").versioned(),
    ValidatingWebhookConfiguration => cluster(&ADMISSIONREGISTRATION, "ValidatingWebhookConfiguration", "validatingwebhookconfigurations")
        .in_category("api-extensions").versioned(),
    MutatingAdmissionPolicy => cluster(&ADMISSIONREGISTRATION, "MutatingAdmissionPolicy", "mutatingadmissionpolicies")
        .in_category("api-extensions").versioned(),
    MutatingAdmissionPolicyBinding => cluster(&ADMISSIONREGISTRATION, "MutatingAdmissionPolicyBinding", "mutatingadmissionpolicybindings")
        .in_category("api-extensions").versioned(),
    ValidatingAdmissionPolicy => cluster(&ADMISSIONREGISTRATION, "ValidatingAdmissionPolicy", "validatingadmissionpolicies")
        .in_category("api-extensions").has(STATUS).versioned(),
    ValidatingAdmissionPolicyBinding => cluster(&ADMISSIONREGISTRATION, "ValidatingAdmissionPolicyBinding", "validatingadmissionpolicybindings")
        .in_category("api-extensions").versioned(),
    CustomResourceDefinition => cluster(&APIEXTENSIONS, "CustomResourceDefinition", "customresourcedefinitions")
        .short(&["crd", "crds"])
        .in_category("api-extensions")
        .has(STATUS)
        .is(Role::Definition).versioned(),
    LocalSubjectAccessReview => namespaced(&AUTHORIZATION, "LocalSubjectAccessReview", "localsubjectaccessreviews").is(Role::Review),
    SelfSubjectRulesReview => cluster(&AUTHORIZATION, "SelfSubjectRulesReview", "selfsubjectrulesreviews").is(Role::Review),
    SelfSubjectAccessReview => cluster(&AUTHORIZATION, "SelfSubjectAccessReview", "selfsubjectaccessreviews").is(Role::Review),
    SubjectAccessReview => cluster(&AUTHORIZATION, "SubjectAccessReview", "subjectaccessreviews").is(Role::Review),
    SelfSubjectReview => cluster(&AUTHENTICATION, "SelfSubjectReview", "selfsubjectreviews").is(Role::Review),
    TokenReview => cluster(&AUTHENTICATION, "TokenReview", "tokenreviews").is(Role::Review),
}

/// Returns all kinds.
pub fn rows() -> &'static [Row] {
    ROWS
}

/// Finds the kind of an object, if the version has it.
pub fn find(api_version: &str, kind: &str) -> Option<&'static Row> {
    rows().iter().find(|row| row.kind == kind && row.version_of(api_version).is_some())
}

/// Finds a kind whose objects the server's code writes, and the version.
pub fn find_with_code(api_version: &str, kind: &str) -> Option<(&'static Row, &'static str)> {
    let row = find(api_version, kind).filter(|row| row.has_code())?;
    Some((row, row.version_of(api_version)?))
}
