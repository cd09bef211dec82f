//! The webhooks that configurations name.

use super::Attributes;
use crate::meta::own;
use crate::registry::{Role, Subresource};
use crate::store::{Resource, Store};
use crate::webhooks::Endpoint;
use crdgen_core::go;
use crdgen_core::ir::{ClientConfig, ServiceReference};
use crdgen_core::object::conversion::review_version;
use crdgen_core::object::selector::LabelSelector;
use crdgen_core::value::Value;
use crdgen_kubernetes::labels::of_labels;

/// Whether webhooks may change the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Mutating,
    Validating,
}

/// A webhook that a configuration names.
#[derive(Debug)]
pub(super) struct Registration {
    pub(super) name: String,
    pub(super) phase: Phase,
    pub(super) endpoint: Endpoint,
    /// The version of the reviews: the first that the server sends.
    pub(super) review: Option<&'static str>,
    pub(super) ignores_failures: bool,
    pub(super) allows_dry_run: bool,
    /// Whether a change by another webhook makes the server call it again.
    pub(super) reinvoked: bool,
    /// Without selectors, all match.
    pub(super) namespaces: Option<LabelSelector>,
    pub(super) objects: Option<LabelSelector>,
    /// The expressions in `matchConditions`.
    pub(super) conditions: Vec<String>,
    matches_equivalents: bool,
    rules: Vec<Rule>,
}

#[derive(Debug)]
struct Rule {
    groups: Vec<String>,
    versions: Vec<String>,
    resources: Vec<String>,
    operations: Vec<String>,
    scope: String,
}

fn texts(value: &Value, name: &str) -> Vec<String> {
    let items = value.get(name).and_then(Value::as_list).unwrap_or_default();
    items.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

impl Phase {
    pub(super) const ALL: [Phase; 2] = [Phase::Mutating, Phase::Validating];

    /// The resource of the configurations that name webhooks of this phase.
    pub(super) fn configurations(self) -> Resource {
        let plural = match self {
            Phase::Mutating => "mutatingwebhookconfigurations",
            Phase::Validating => "validatingwebhookconfigurations",
        };
        Resource::new("admissionregistration.k8s.io", plural)
    }
}

/// Whether there are any configurations of webhooks.
pub(crate) fn has_webhooks(store: &Store) -> bool {
    Phase::ALL.iter().any(|phase| store.objects(&phase.configurations(), "").next().is_some())
}

/// The number of webhooks in all configurations.
pub(crate) fn number_of_webhooks(store: &Store) -> usize {
    let of_phase = |phase: &Phase| -> usize {
        let resource = phase.configurations();
        let objects = store.objects(&resource, "");
        objects.filter_map(|(_, object)| object.get("webhooks")?.as_list().map(<[Value]>::len)).sum()
    };
    Phase::ALL.iter().map(of_phase).sum()
}

/// The webhooks of a phase, in the order in which the server calls them.
pub(super) fn registrations(store: &Store, phase: Phase) -> Vec<Registration> {
    let resource = phase.configurations();
    let configurations = store.objects(&resource, "");
    let webhooks = configurations
        .flat_map(|(_, object)| object.get("webhooks").and_then(Value::as_list).unwrap_or_default());
    webhooks.map(|webhook| Registration::read(webhook, phase)).collect()
}

impl Registration {
    fn read(webhook: &Value, phase: Phase) -> Registration {
        let nothing = Value::default();
        let config = webhook.get("clientConfig").unwrap_or(&nothing);
        let service = config.get("service").filter(|it| !it.is_null()).map(|service| ServiceReference {
            namespace: own(service, "namespace").to_owned(),
            name: own(service, "name").to_owned(),
            path: service.get("path").and_then(Value::as_str).map(str::to_owned),
            port: service.get("port").and_then(Value::as_int).and_then(|port| port.try_into().ok()),
        });
        let config = ClientConfig {
            url: config.get("url").and_then(Value::as_str).map(str::to_owned),
            service,
            ca_bundle: go::base64_decode(own(config, "caBundle")).unwrap_or_default(),
        };
        let timeout = webhook.get("timeoutSeconds").and_then(Value::as_int);
        let timeout = timeout.and_then(|seconds| seconds.try_into().ok()).unwrap_or(10);
        let reviews = texts(webhook, "admissionReviewVersions");
        let conditions = webhook.get("matchConditions").and_then(Value::as_list).unwrap_or_default();
        let rules = webhook.get("rules").and_then(Value::as_list).unwrap_or_default();
        Registration {
            name: own(webhook, "name").to_owned(),
            phase,
            endpoint: Endpoint::of(Some(&config), timeout),
            review: review_version(&reviews),
            ignores_failures: own(webhook, "failurePolicy") == "Ignore",
            allows_dry_run: matches!(own(webhook, "sideEffects"), "None" | "NoneOnDryRun"),
            reinvoked: own(webhook, "reinvocationPolicy") == "IfNeeded",
            namespaces: webhook.get("namespaceSelector").and_then(of_labels),
            objects: webhook.get("objectSelector").and_then(of_labels),
            conditions: conditions.iter().map(|it| own(it, "expression").to_owned()).collect(),
            matches_equivalents: own(webhook, "matchPolicy") != "Exact",
            rules: rules.iter().map(Rule::read).collect(),
        }
    }

    /// The version in which the webhook wants the object. `None` if no rule matches the write.
    pub(super) fn version(&self, attributes: &Attributes<'_>) -> Option<String> {
        if self.rules.iter().any(|rule| rule.matches(attributes, attributes.version)) {
            return Some(attributes.version.to_owned());
        }
        if !self.matches_equivalents {
            return None;
        }
        let served = attributes.kind.versions.iter().filter(|version| version.served);
        let versions: Vec<&str> = served.map(|version| version.name.as_str()).collect();
        // Earlier rules come first.
        let found = self
            .rules
            .iter()
            .find_map(|rule| versions.iter().find(|version| rule.matches(attributes, version)).copied());
        found.map(str::to_owned)
    }
}

impl Rule {
    fn read(rule: &Value) -> Rule {
        Rule {
            groups: texts(rule, "apiGroups"),
            versions: texts(rule, "apiVersions"),
            resources: texts(rule, "resources"),
            operations: texts(rule, "operations"),
            scope: own(rule, "scope").to_owned(),
        }
    }

    fn matches(&self, attributes: &Attributes<'_>, version: &str) -> bool {
        let has = |items: &[String], wanted: &str| items.iter().any(|item| item == "*" || item == wanted);
        let Attributes { operation, kind, subresource, namespace, .. } = attributes;
        let is_cluster = namespace.is_empty() || kind.role == Role::Namespace;
        let in_scope = match self.scope.as_str() {
            "" | "*" => true,
            "Namespaced" => !is_cluster,
            "Cluster" => is_cluster,
            _ => false,
        };
        let is_resource = |resource: &String| {
            let (resource, sub) = resource.split_once('/').unwrap_or((resource, ""));
            (resource == "*" || resource == &*kind.resource.plural)
                && (sub == "*" || sub == subresource.map_or("", Subresource::name))
        };
        in_scope
            && has(&self.operations, operation.text())
            && has(&self.groups, &kind.resource.group)
            && has(&self.versions, version)
            && self.resources.iter().any(is_resource)
    }
}
