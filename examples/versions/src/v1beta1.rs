//! The second version: several hosts, and no theme.

use crate::v1alpha1;
use crdgen::{Convert, CustomResource, Schema};
use serde::{Deserialize, Serialize};

/// A web site.
#[derive(Clone, Debug, Convert, CustomResource, Deserialize, Schema, Serialize)]
#[kube(
    group = "example.com",
    version = "v1beta1",
    kind = "Site",
    namespaced,
    status = "SiteStatus",
    storage = false
)]
#[convert(from = "v1alpha1::SiteSpec", removed(theme))]
#[serde(rename_all = "camelCase")]
pub struct SiteSpec {
    /// Where the site is. The first host is the main one.
    #[schema(min_items = 1, items(min_length = 1))]
    #[convert(from = "host", with = "one_host", back = "main_host")]
    pub hosts: Vec<String>,
    /// How many servers run.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 100, scale(spec))]
    pub replicas: i32,
    /// How long a request may take.
    #[serde(default = "thirty")]
    #[schema(minimum = 0, maximum = 86400)]
    pub timeout_seconds: i64,
    /// Whether it is switched off.
    #[serde(default)]
    #[convert(default)]
    pub paused: bool,
    /// What answers.
    #[serde(default)]
    #[schema(list_type = "map", list_map_keys = ["name"])]
    pub backends: Vec<Backend>,
}

/// What answers.
#[derive(Clone, Debug, Convert, Deserialize, Schema, Serialize)]
#[convert(from = "v1alpha1::Backend", removed(note))]
pub struct Backend {
    /// Its name.
    pub name: String,
    /// Its port.
    #[schema(minimum = 1, maximum = 65535)]
    pub port: i32,
    /// How to speak to it.
    #[serde(default)]
    #[convert(default)]
    pub protocol: Protocol,
}

/// How to speak to a backend.
#[derive(Clone, Copy, Debug, Default, Deserialize, Schema, Serialize)]
pub enum Protocol {
    /// HTTP/1.1
    #[default]
    Http,
    /// HTTP/2 without TLS
    H2c,
}

pub use crate::v1alpha1::SiteStatus;

fn one_host(host: String) -> Vec<String> {
    vec![host]
}

fn main_host(hosts: Vec<String>) -> String {
    hosts.into_iter().next().unwrap_or_default()
}

fn thirty() -> i64 {
    30
}
