//! Where a webhook is.

use crdgen_core::ir::{ClientConfig, ServiceReference};

/// Where a webhook is, and whom it must be.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Endpoint {
    /// The URL, without the timeout.
    pub(crate) url: String,
    /// The certificates that the webhook's one must be signed with, in PEM.
    pub(crate) ca_bundle: Vec<u8>,
    /// The name of the service, if the webhook has one in place of a URL.
    pub(crate) service: Option<String>,
    /// The time for an answer, in seconds.
    pub(crate) timeout: u32,
}

impl Endpoint {
    pub(crate) fn of(config: Option<&ClientConfig>, timeout: u32) -> Endpoint {
        let nothing = ClientConfig::default();
        let ClientConfig { url, service, ca_bundle } = config.unwrap_or(&nothing);
        let url = match service {
            Some(ServiceReference { namespace, name, path, port }) => {
                let (path, port) = (path.as_deref().unwrap_or_default(), port.unwrap_or(443));
                let slash = if path.starts_with('/') { "" } else { "/" };
                format!("https://{name}.{namespace}.svc:{port}{slash}{path}")
            }
            None => url.clone().unwrap_or_default(),
        };
        Endpoint {
            url,
            ca_bundle: ca_bundle.clone(),
            service: service.as_ref().map(|service| service.name.clone()),
            timeout,
        }
    }

    /// The URL of the request.
    pub(crate) fn full_url(&self) -> String {
        let separator = if self.url.contains('?') { '&' } else { '?' };
        format!("{}{separator}timeout={}s", self.url, self.timeout)
    }
}
