//! The first version: one host, and a theme that was never used.

use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

/// A web site.
#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(
    group = "example.com",
    version = "v1alpha1",
    kind = "Site",
    namespaced,
    status = "SiteStatus",
    storage = false
)]
#[serde(rename_all = "camelCase")]
pub struct SiteSpec {
    /// Where the site is.
    #[schema(min_length = 1)]
    pub host: String,
    /// How many servers run.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 100, scale(spec))]
    pub replicas: i32,
    /// How long a request may take.
    #[serde(default = "thirty")]
    #[schema(minimum = 0, maximum = 86400)]
    pub timeout_seconds: i64,
    /// The look.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub theme: Option<String>,
    /// What answers.
    #[serde(default)]
    #[schema(list_type = "map", list_map_keys = ["name"])]
    pub backends: Vec<Backend>,
}

/// What answers.
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
pub struct Backend {
    /// Its name.
    pub name: String,
    /// Its port.
    #[schema(minimum = 1, maximum = 65535)]
    pub port: i32,
    /// What it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// What is there.
#[derive(Clone, Debug, Default, Deserialize, Schema, Serialize)]
pub struct SiteStatus {
    /// How many servers run.
    #[schema(scale(status))]
    pub replicas: i32,
}

fn thirty() -> i64 {
    30
}
