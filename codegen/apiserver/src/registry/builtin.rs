//! Kubernetes' own kinds that controllers lean on, described as CRDs, so that they take the same way.

use super::kind::{Kind, Role};
use crdgen_core::decode;
use crdgen_core::ir::{Body, Crd, Names, Scale, Schema, Spec, Subresources, Type, Validation, Version};
use crdgen_core::{json, k8s};
use std::sync::{Arc, LazyLock};

/// A kind.
#[derive(Debug)]
pub(super) struct Row {
    group: &'static str,
    version: &'static str,
    kind: &'static str,
    plural: &'static str,
    short: &'static [&'static str],
    /// In the category `all`.
    in_all: bool,
    namespaced: bool,
    status: bool,
    scale: bool,
    /// The type in the table of schemas: its group and version as k8s-openapi names them.
    table: &'static str,
    pub(super) role: Role,
}

const NAMESPACED: bool = true;
const CLUSTER: bool = false;

const fn row(
    table: &'static str,
    group: &'static str,
    version: &'static str,
    kind: &'static str,
    plural: &'static str,
    short: &'static [&'static str],
    namespaced: bool,
) -> Row {
    let role = Role::Stored;
    Row {
        group,
        version,
        kind,
        plural,
        short,
        in_all: false,
        namespaced,
        status: false,
        scale: false,
        table,
        role,
    }
}

impl Row {
    const fn with_status(self) -> Row {
        Row { status: true, ..self }
    }

    const fn with_scale(self) -> Row {
        Row { scale: true, ..self }
    }

    const fn in_all(self) -> Row {
        Row { in_all: true, ..self }
    }

    const fn is(self, role: Role) -> Row {
        Row { role, ..self }
    }

    /// The spec without schemas.
    pub(super) fn outline(&self) -> Spec {
        let replicas = || Scale {
            spec_replicas_path: ".spec.replicas".to_owned(),
            status_replicas_path: ".status.replicas".to_owned(),
            label_selector_path: None,
        };
        let subresources = Subresources { status: self.status, scale: self.scale.then(replicas) };
        Spec {
            group: self.group.to_owned(),
            names: Names {
                plural: self.plural.to_owned(),
                singular: self.kind.to_lowercase(),
                short_names: self.short.iter().map(|&name| name.to_owned()).collect(),
                kind: self.kind.to_owned(),
                list_kind: format!("{}List", self.kind),
                categories: if self.in_all { vec!["all".to_owned()] } else { Vec::new() },
            },
            scope: if self.namespaced { "Namespaced" } else { "Cluster" }.to_owned(),
            versions: vec![Version {
                name: self.version.to_owned(),
                served: true,
                storage: true,
                body: Body { subresources: Some(subresources), ..Body::default() },
                ..Version::default()
            }],
            ..Spec::default()
        }
    }

    /// The kind as a CRD.
    pub(super) fn crd(&self) -> Crd {
        let mut spec = self.outline();
        if let Some(version) = spec.versions.first_mut() {
            version.body.schema = Some(Validation { open_api_v3_schema: Some(self.schema()) });
        }
        Crd { spec, ..Crd::default() }
    }

    fn schema(&self) -> Schema {
        if self.role == Role::Definition {
            return of_definitions();
        }
        k8s::schema(&format!("{}.{}", self.table, self.kind)).unwrap_or_else(|| open_schema())
    }
}

/// A schema that keeps everything.
fn open_schema() -> Schema {
    let mut schema = Schema::of(Type::Object);
    schema.ext.preserve_unknown_fields = Some(true);
    schema
}

/// The schema of CRDs, as far as merging needs it. The checks of CRDs find everything else.
fn of_definitions() -> Schema {
    const TEXT: &str = include_str!("definitions.json");
    let schema = json::read(TEXT.as_bytes()).ok().and_then(|value| decode::schema(value).0);
    schema.unwrap_or_else(open_schema)
}

static ROWS: [Row; 41] = [
    row("core/v1", "", "v1", "ConfigMap", "configmaps", &["cm"], NAMESPACED),
    row("core/v1", "", "v1", "Endpoints", "endpoints", &["ep"], NAMESPACED),
    row("core/v1", "", "v1", "Event", "events", &["ev"], NAMESPACED),
    row("core/v1", "", "v1", "LimitRange", "limitranges", &["limits"], NAMESPACED),
    row("core/v1", "", "v1", "Namespace", "namespaces", &["ns"], CLUSTER).with_status().is(Role::Namespace),
    row("core/v1", "", "v1", "Node", "nodes", &["no"], CLUSTER).with_status(),
    row("core/v1", "", "v1", "PersistentVolume", "persistentvolumes", &["pv"], CLUSTER).with_status(),
    row("core/v1", "", "v1", "PersistentVolumeClaim", "persistentvolumeclaims", &["pvc"], NAMESPACED)
        .with_status(),
    row("core/v1", "", "v1", "Pod", "pods", &["po"], NAMESPACED).with_status().in_all(),
    row("core/v1", "", "v1", "ReplicationController", "replicationcontrollers", &["rc"], NAMESPACED)
        .with_status()
        .with_scale()
        .in_all(),
    row("core/v1", "", "v1", "ResourceQuota", "resourcequotas", &["quota"], NAMESPACED).with_status(),
    row("core/v1", "", "v1", "Secret", "secrets", &[], NAMESPACED).is(Role::Secret),
    row("core/v1", "", "v1", "Service", "services", &["svc"], NAMESPACED)
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
    row("events/v1", "events.k8s.io", "v1", "Event", "events", &["ev"], NAMESPACED),
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

    #[test]
    fn every_kind_has_a_schema_and_is_served() {
        for (row, kind) in ROWS.iter().zip(all()) {
            let name = format!("{}.{}", row.table, row.kind);
            assert!(row.role == Role::Definition || k8s::find(&name).is_some(), "no schema of {name}");
            assert!(kind.served().is_ok(), "{name}: {:?}", kind.served().err());
        }
    }
}
