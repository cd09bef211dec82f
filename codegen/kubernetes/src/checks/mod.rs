//! Checks that the server's code makes of Kubernetes' own kinds, and that no schema has. Each kind has rows, and shares those of its types.

mod at;
mod autoscalers;
mod changes;
mod claims;
mod conditions;
mod cron;
mod data;
mod devices;
mod events;
mod internal;
mod job_policies;
mod job_status;
mod jobs;
mod limits;
mod networks;
mod others;
mod permissions;
mod pods;
mod policies;
mod rows;
mod selectors;
pub(crate) mod services;
mod statuses;
mod storage;
mod warnings;
mod webhooks;
mod words;
mod workloads;

pub(crate) use at::{At, Mistakes};
pub use devices::ADMIN_LABEL;
pub use limits::quotient;
pub(crate) use words::{declared_subdomain, strict_address};

use crate::field::Field;
use crate::kinds::KindId;
use crate::mistake::Mistake;
use crdgen_core::diag::Kind;
use crdgen_core::go;
use crdgen_core::server::Server;
use crdgen_core::value::Value;
use rows::{Check, Row, check};

/// The protocols of ports, in the order of the server's messages.
const PROTOCOLS: &[&str] = &["SCTP", "TCP", "UDP"];

/// Whether a name has no domain. Such names are Kubernetes' own.
fn is_domain_missing(name: &str) -> bool {
    !name.contains('/')
}

/// A finalizer of a built-in object that has no domain, and is none of Kubernetes' own.
pub(crate) fn unknown_finalizer(field: Field, name: &str) -> Option<Mistake> {
    let is_known = matches!(name, "kubernetes" | "orphan" | "foregroundDeletion");
    let why = "name is neither a standard finalizer name nor is it fully qualified";
    (is_domain_missing(name) && !is_known)
        .then(|| Mistake::new(field, Kind::Invalid, format!("{}: {why}", go::quote(name))))
}

/// What is checked in the objects of a kind.
#[derive(Clone, Copy)]
pub(crate) struct Checks {
    /// In all writes.
    object: &'static [Row],
    /// In writes of the status.
    status: &'static [Row],
    /// In updates of the object.
    changes: &'static [Row],
    /// In updates of the resources of a pod.
    resizes: &'static [Row],
    warnings: &'static [Row],
    warnings_of_status: &'static [Row],
    /// Whether writes of the status check nothing else.
    pub(crate) is_status_alone: bool,
    /// Whether these are all checks. Then the schema also rejects what the server's code writes.
    pub(crate) are_all: bool,
    server: Server,
}

const NONE: Checks = Checks {
    object: &[],
    status: &[],
    changes: &[],
    resizes: &[],
    warnings: &[],
    warnings_of_status: &[],
    is_status_alone: false,
    are_all: false,
    server: Server::NEWEST,
};

const fn of(object: &'static [Row]) -> Checks {
    Checks { object, ..NONE }
}

impl Checks {
    /// The checks of a kind.
    #[rustfmt::skip]
    pub(crate) const fn of(kind: KindId) -> Checks {
        use KindId as K;
        match kind {
            K::ConfigMap => of(data::CONFIG_MAP),
            K::Endpoints => of(networks::ENDPOINTS).warns(warnings::ENDPOINTS),
            K::Event => of(events::EVENT).all(),
            K::LimitRange => of(limits::LIMIT_RANGE),
            K::Namespace => of(others::NAMESPACE).status(others::NAMESPACE_STATUS),
            K::Node => of(others::NODE),
            K::PersistentVolume => of(storage::PERSISTENT_VOLUME).warns(warnings::PERSISTENT_VOLUME),
            K::PersistentVolumeClaim => {
                of(storage::PERSISTENT_VOLUME_CLAIM).status(storage::CLAIM_STATUS).warns(warnings::CLAIM)
            }
            K::Pod => {
                let pod = of(POD).status(statuses::POD).warns(warnings::POD);
                Checks { changes: changes::POD, resizes: changes::RESIZE, ..pod }
            }
            K::PodTemplate => of(POD_TEMPLATE).warns(warnings::POD_TEMPLATE),
            K::ReplicationController => {
                of(workloads::CONTROLLER).status(statuses::REPLICA_SET).warns(warnings::WORKLOAD)
            }
            K::ResourceQuota => of(limits::QUOTA).status(limits::QUOTA_STATUS),
            K::Secret => of(data::SECRET).warns(warnings::SECRET),
            K::Service => of(services::SERVICE).status(networks::SERVICE_STATUS).warns(warnings::SERVICE).balances(),
            K::ControllerRevision => of(others::CONTROLLER_REVISION),
            K::DaemonSet => of(workloads::DAEMON_SET).status(statuses::DAEMON_SET).warns(warnings::DAEMON_SET),
            K::Deployment => of(workloads::DEPLOYMENT).status(statuses::DEPLOYMENT).warns(warnings::WORKLOAD),
            K::ReplicaSet => of(workloads::REPLICA_SET).status(statuses::REPLICA_SET).warns(warnings::WORKLOAD),
            K::StatefulSet => {
                of(workloads::STATEFUL_SET).status(statuses::STATEFUL_SET).warns(warnings::STATEFUL_SET)
            }
            K::CronJob => of(jobs::CRON_JOB).warns(warnings::CRON_JOB),
            K::Job => of(jobs::JOB).status(job_status::STATUS).warns(warnings::JOB),
            K::HorizontalPodAutoscaler => of(autoscalers::AUTOSCALER).all(),
            K::CertificateSigningRequest => of(others::SIGNING_REQUEST).status(others::SIGNING_STATUS),
            K::Lease => of(others::LEASE),
            K::EndpointSlice => of(networks::SLICE).warns(warnings::SLICE),
            K::NewEvent => of(events::NEW_EVENT).all(),
            K::Ingress => of(networks::INGRESS).status(networks::INGRESS_STATUS).warns(warnings::INGRESS).balances(),
            K::IngressClass => of(networks::INGRESS_CLASS),
            K::IpAddress => of(networks::IP_ADDRESS),
            K::NetworkPolicy => of(networks::NETWORK_POLICY).warns(warnings::NETWORK_POLICY),
            K::ServiceCidr => of(networks::SERVICE_CIDR),
            K::RuntimeClass => of(others::RUNTIME_CLASS),
            K::PodDisruptionBudget => of(others::BUDGET).status(others::BUDGET_STATUS),
            K::ClusterRole => of(permissions::CLUSTER_ROLE),
            K::ClusterRoleBinding => of(permissions::CLUSTER_ROLE_BINDING),
            K::Role => of(permissions::ROLE),
            K::RoleBinding => of(permissions::ROLE_BINDING),
            K::PriorityClass => of(limits::PRIORITY_CLASS),
            K::CsiDriver => of(storage::CSI_DRIVER).warns(warnings::CSI_DRIVER),
            K::CsiNode => of(storage::CSI_NODE),
            K::CsiStorageCapacity => of(storage::CSI_STORAGE_CAPACITY),
            K::StorageClass => of(storage::STORAGE_CLASS).warns(warnings::STORAGE_CLASS),
            K::VolumeAttachment => of(storage::VOLUME_ATTACHMENT),
            K::DeviceClass => of(devices::CLASS),
            K::DeviceTaintRule => of(devices::TAINT_RULE).status(devices::TAINT_RULE_STATUS).only_status(),
            K::ResourceClaim => of(devices::CLAIM).status(devices::CLAIM_STATUS).only_status(),
            K::ResourceClaimTemplate => of(devices::CLAIM_TEMPLATE),
            K::ResourceSlice => of(devices::SLICE).warns(devices::WARNINGS),
            K::VolumeAttributesClass => of(storage::ATTRIBUTES_CLASS),
            K::MutatingWebhookConfiguration | K::ValidatingWebhookConfiguration => of(webhooks::CONFIGURATION).all(),
            K::ValidatingAdmissionPolicy => of(policies::VALIDATING).status(policies::VALIDATING_STATUS).only_status().all(),
            K::ValidatingAdmissionPolicyBinding => of(policies::VALIDATING_BINDING).all(),
            K::MutatingAdmissionPolicy => of(policies::MUTATING).all(),
            K::MutatingAdmissionPolicyBinding => of(policies::MUTATING_BINDING).all(),
            K::ServiceAccount
            | K::Binding
            | K::ComponentStatus
            | K::CustomResourceDefinition
            | K::LocalSubjectAccessReview
            | K::SelfSubjectRulesReview
            | K::SelfSubjectAccessReview
            | K::SubjectAccessReview
            | K::SelfSubjectReview
            | K::TokenReview => NONE,
        }
    }

    /// The same on a server.
    pub(crate) const fn on(self, server: Server) -> Checks {
        Checks { server, ..self }
    }

    const fn status(self, status: &'static [Row]) -> Checks {
        Checks { status, ..self }
    }

    const fn only_status(self) -> Checks {
        Checks { is_status_alone: true, ..self }
    }

    const fn warns(self, warnings: &'static [Row]) -> Checks {
        Checks { warnings, ..self }
    }

    const fn balances(self) -> Checks {
        Checks { warnings_of_status: warnings::BALANCERS, ..self }
    }

    const fn all(self) -> Checks {
        Checks { are_all: true, ..self }
    }

    /// The mistakes in a claim or a template that wants devices for an administrator, and in the status of one that gets them.
    pub(crate) fn of_administrators(
        kind: KindId,
        is_of_status: bool,
        object: &Value,
        live: Option<&Value>,
    ) -> Mistakes {
        let rows = match (kind, is_of_status) {
            (KindId::ResourceClaim, true) => devices::ADMIN_OF_STATUS,
            (KindId::ResourceClaim | KindId::ResourceClaimTemplate, false) => devices::ADMIN,
            _ => &[],
        };
        NONE.found(rows, object, live)
    }

    /// The mistakes that all writes of an object check.
    pub(crate) fn object(self, object: &Value, live: Option<&Value>) -> Mistakes {
        self.found(self.object, object, live)
    }

    /// The mistakes in a status that a write of the status has changed.
    pub(crate) fn of_status(self, object: &Value, live: Option<&Value>) -> Mistakes {
        self.found(self.status, object, live)
    }

    /// The mistakes in what an update changes.
    pub(crate) fn of_changes(self, object: &Value, live: &Value) -> Mistakes {
        self.found(self.changes, object, Some(live))
    }

    /// The mistakes in what an update of the resources of a pod changes.
    pub(crate) fn of_resizes(self, object: &Value, live: &Value) -> Mistakes {
        self.found(self.resizes, object, Some(live))
    }

    /// The warnings about a new object, or about the new state of one.
    pub(crate) fn warnings(self, object: &Value, live: Option<&Value>) -> Mistakes {
        self.found(self.warnings, object, live)
    }

    /// The warnings about the new status of an object.
    pub(crate) fn warnings_of_status(self, object: &Value) -> Mistakes {
        self.found(self.warnings_of_status, object, None)
    }

    fn found(self, rows: &[Row], object: &Value, live: Option<&Value>) -> Mistakes {
        let mut out = Mistakes::new();
        check(rows, &At { server: self.server, ..At::new(object, live) }, &mut out);
        out.sort_by_key(|mistake| mistake.is_declared);
        out
    }
}

const POD: &[Row] = &[("", Check::Code(pods::pod))];
const POD_TEMPLATE: &[Row] = &[("template", Check::Code(pods::template))];

/// The mistake of a Scale with a negative number of replicas.
pub(crate) fn negative_replicas(object: &Value) -> Mistakes {
    NONE.found(&[("spec.replicas", Check::NotNegative)], object, None)
}
