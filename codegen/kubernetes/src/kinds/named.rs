//! Where objects name the resources of others, and which have expressions.

use super::KindId;

/// Rules that name resources: a field of each of them has groups, one versions, and one the plural names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResourceRules {
    /// The kind that has them.
    pub kind: KindId,
    /// The fields that lead to the list of rules, each of which but the last may be a list.
    pub path: &'static [&'static str],
}

const fn rules(kind: KindId, path: &'static [&'static str]) -> ResourceRules {
    ResourceRules { kind, path }
}

/// All of them.
pub const RESOURCE_RULES: &[ResourceRules] = &[
    rules(KindId::Role, &["rules"]),
    rules(KindId::ClusterRole, &["rules"]),
    rules(KindId::MutatingWebhookConfiguration, &["webhooks", "rules"]),
    rules(KindId::ValidatingWebhookConfiguration, &["webhooks", "rules"]),
    rules(KindId::MutatingAdmissionPolicy, &["spec", "matchConstraints", "resourceRules"]),
    rules(KindId::ValidatingAdmissionPolicy, &["spec", "matchConstraints", "resourceRules"]),
    rules(KindId::MutatingAdmissionPolicyBinding, &["spec", "matchResources", "resourceRules"]),
    rules(KindId::ValidatingAdmissionPolicyBinding, &["spec", "matchResources", "resourceRules"]),
];

/// The kinds whose objects have expressions, which servers compile with different functions.
pub const WITH_EXPRESSIONS: &[KindId] = &[
    KindId::MutatingWebhookConfiguration,
    KindId::ValidatingWebhookConfiguration,
    KindId::MutatingAdmissionPolicy,
    KindId::ValidatingAdmissionPolicy,
    KindId::DeviceClass,
    KindId::ResourceClaim,
    KindId::ResourceClaimTemplate,
];
