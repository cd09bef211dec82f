//! The webhooks that configurations name.

use crate::meta;
use crate::store::{Resource, Store};
use crate::webhooks::Endpoint;
use crdgen_core::go;
use crdgen_core::ir::{ClientConfig, ServiceReference};
use crdgen_core::object::conversion::review_version;
use crdgen_core::value::Value;
use crdgen_kubernetes::policies::matching::{Rules, Selectors};

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
    pub(super) selectors: Selectors,
    /// The field `matchConditions`.
    pub(super) conditions: Vec<Value>,
    pub(super) rules: Rules,
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
pub(super) fn has_webhooks(store: &Store) -> bool {
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
            namespace: service.text("namespace").to_owned(),
            name: service.text("name").to_owned(),
            path: service.get("path").and_then(Value::as_str).map(str::to_owned),
            port: service.get("port").and_then(Value::as_int).and_then(|port| port.try_into().ok()),
        });
        let config = ClientConfig {
            url: config.get("url").and_then(Value::as_str).map(str::to_owned),
            service,
            ca_bundle: go::base64_decode(config.text("caBundle")).unwrap_or_default(),
        };
        let timeout = webhook.get("timeoutSeconds").and_then(Value::as_int);
        let timeout = timeout.and_then(|seconds| seconds.try_into().ok()).unwrap_or(10);
        let reviews = meta::texts(webhook, "admissionReviewVersions");
        let conditions = webhook.get("matchConditions").and_then(Value::as_list).unwrap_or_default();
        Registration {
            name: webhook.text("name").to_owned(),
            phase,
            endpoint: Endpoint::of(Some(&config), timeout),
            review: review_version(&reviews),
            ignores_failures: webhook.text("failurePolicy") == "Ignore",
            allows_dry_run: matches!(webhook.text("sideEffects"), "None" | "NoneOnDryRun"),
            reinvoked: webhook.text("reinvocationPolicy") == "IfNeeded",
            selectors: Selectors::read(webhook),
            conditions: conditions.to_vec(),
            rules: Rules::read(webhook, "rules"),
        }
    }
}
