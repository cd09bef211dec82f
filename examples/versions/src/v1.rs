//! The third version, which is stored: milliseconds, a struct for scaling, and a state for what was a flag.

use crate::v1beta1;
use crdgen::{Convert, CustomResource, Schema};
use serde::{Deserialize, Serialize};

/// A web site.
#[derive(Clone, Debug, Convert, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Site", namespaced, status = "SiteStatus")]
#[convert(from = "v1beta1::SiteSpec")]
#[serde(rename_all = "camelCase")]
pub struct SiteSpec {
    /// Where the site is. The first host is the main one.
    #[schema(min_items = 1, items(min_length = 1))]
    pub hosts: Vec<String>,
    /// How the site grows.
    #[convert(from = "replicas", with = "fixed", back = "replicas")]
    pub scaling: Scaling,
    /// How long a request may take.
    #[serde(default = "thirty_thousand")]
    #[schema(minimum = 0, maximum = 86400000)]
    #[convert(from = "timeout_seconds", with = "to_millis", back = "to_seconds")]
    pub timeout_millis: i64,
    /// Whether it runs.
    #[serde(default)]
    #[convert(from = "paused", with = "state", back = "is_paused")]
    pub state: State,
    /// What answers.
    #[serde(default)]
    #[schema(list_type = "map", list_map_keys = ["name"])]
    pub backends: Vec<Backend>,
}

/// How a site grows.
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
pub struct Scaling {
    /// How many servers run.
    #[schema(minimum = 0, maximum = 100, scale(spec))]
    pub replicas: i32,
    /// How many may run when there is much to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, maximum = 100)]
    pub max: Option<i32>,
}

/// Whether a site runs.
#[derive(Clone, Copy, Debug, Default, Deserialize, Schema, Serialize)]
pub enum State {
    /// It runs.
    #[default]
    Running,
    /// It answers that it is away.
    Maintenance,
    /// It does not run.
    Paused,
}

/// What answers.
#[derive(Clone, Debug, Convert, Deserialize, Schema, Serialize)]
#[convert(from = "v1beta1::Backend")]
pub struct Backend {
    /// Its name.
    pub name: String,
    /// Where it listens.
    #[convert(from = "port")]
    #[schema(minimum = 1, maximum = 65535)]
    pub target_port: i32,
    /// How to speak to it.
    #[serde(default)]
    pub protocol: Protocol,
}

/// How to speak to a backend.
#[derive(Clone, Copy, Debug, Default, Convert, Deserialize, Schema, Serialize)]
#[convert(from = "v1beta1::Protocol")]
pub enum Protocol {
    /// HTTP/1.1
    #[default]
    Http,
    /// HTTP/2 without TLS
    #[convert(from = "H2c")]
    Http2,
    /// gRPC
    #[convert(as = "H2c")]
    Grpc,
}

/// What is there.
#[derive(Clone, Debug, Default, Convert, Deserialize, Schema, Serialize)]
#[convert(from = "v1beta1::SiteStatus")]
pub struct SiteStatus {
    /// How many servers run.
    #[schema(scale(status))]
    pub replicas: i32,
    /// When it was last seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[convert(default)]
    pub seen: Option<String>,
}

fn fixed(replicas: i32) -> Scaling {
    Scaling { replicas, max: None }
}

fn replicas(scaling: Scaling) -> i32 {
    scaling.replicas
}

fn to_millis(seconds: i64) -> i64 {
    seconds.saturating_mul(1000)
}

fn to_seconds(millis: i64) -> i64 {
    millis / 1000
}

fn state(paused: bool) -> State {
    if paused { State::Paused } else { State::Running }
}

fn is_paused(state: State) -> bool {
    match state {
        State::Running | State::Maintenance => false,
        State::Paused => true,
    }
}

fn thirty_thousand() -> i64 {
    30_000
}
