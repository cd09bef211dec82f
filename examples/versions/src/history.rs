//! The same kind in the other notation: each type once, with its history. The modules `v1alpha1`, `v1beta1` and `v1`
//! in here are generated, with the same definition and the same conversions as those that are written by hand.

use crdgen::{CustomResource, Schema, versioned};
use serde::{Deserialize, Serialize};

/// The types with their history.
#[versioned(v1alpha1, v1beta1, v1, preserve_module)]
pub mod sites {
    use super::*;

    /// A web site.
    #[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", kind = "Site", namespaced, status = "SiteStatus")]
    // The versions that are written by hand are tested.
    #[schema(test = false)]
    #[serde(rename_all = "camelCase")]
    pub struct SiteSpec {
        #[versioned(
            changed(
                since = "v1beta1",
                from_name = "host",
                from_type = "String",
                with = "one_host",
                back = "main_host"
            ),
            attr(before = "v1beta1", doc = "Where the site is.", schema(min_length = 1)),
            attr(
                since = "v1beta1",
                doc = "Where the site is. The first host is the main one.",
                schema(min_items = 1, items(min_length = 1))
            )
        )]
        pub hosts: Vec<String>,
        #[versioned(
            changed(
                since = "v1",
                from_name = "replicas",
                from_type = "i32",
                with = "fixed",
                back = "replicas"
            ),
            attr(
                before = "v1",
                doc = "How many servers run.",
                serde(default),
                schema(minimum = 0, maximum = 100, scale(spec))
            ),
            attr(since = "v1", doc = "How the site grows.")
        )]
        pub scaling: Scaling,
        /// How long a request may take.
        #[versioned(
            changed(since = "v1", from_name = "timeout_seconds", with = "to_millis", back = "to_seconds"),
            attr(before = "v1", serde(default = "thirty"), schema(minimum = 0, maximum = 86400)),
            attr(since = "v1", serde(default = "thirty_thousand"), schema(minimum = 0, maximum = 86400000))
        )]
        pub timeout_millis: i64,
        /// The look.
        #[versioned(removed(since = "v1beta1"))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub theme: Option<String>,
        #[versioned(
            added(since = "v1beta1"),
            changed(
                since = "v1",
                from_name = "paused",
                from_type = "bool",
                with = "state",
                back = "is_paused"
            ),
            attr(before = "v1", doc = "Whether it is switched off."),
            attr(since = "v1", doc = "Whether it runs.")
        )]
        #[serde(default)]
        pub state: State,
        /// What answers.
        #[serde(default)]
        #[schema(list_type = "map", list_map_keys = ["name"])]
        pub backends: Vec<Backend>,
    }

    /// How a site grows.
    #[versioned(added(since = "v1"))]
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
    #[versioned(added(since = "v1"))]
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
    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    pub struct Backend {
        /// Its name.
        pub name: String,
        #[versioned(
            renamed(since = "v1", from = "port"),
            attr(before = "v1", doc = "Its port."),
            attr(since = "v1", doc = "Where it listens.")
        )]
        #[schema(minimum = 1, maximum = 65535)]
        pub target_port: i32,
        /// What it is for.
        #[versioned(removed(since = "v1beta1"))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub note: Option<String>,
        /// How to speak to it.
        #[versioned(added(since = "v1beta1"))]
        #[serde(default)]
        pub protocol: Protocol,
    }

    /// How to speak to a backend.
    #[versioned(added(since = "v1beta1"))]
    #[derive(Clone, Copy, Debug, Default, Deserialize, Schema, Serialize)]
    pub enum Protocol {
        /// HTTP/1.1
        #[default]
        Http,
        /// HTTP/2 without TLS
        #[versioned(renamed(since = "v1", from = "H2c"))]
        Http2,
        /// gRPC
        #[versioned(added(since = "v1", as = "H2c"))]
        Grpc,
    }

    /// What is there.
    #[derive(Clone, Debug, Default, Deserialize, Schema, Serialize)]
    pub struct SiteStatus {
        /// How many servers run.
        #[schema(scale(status))]
        pub replicas: i32,
        /// When it was last seen.
        #[versioned(added(since = "v1"))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub seen: Option<String>,
    }

    fn one_host(host: String) -> Vec<String> {
        vec![host]
    }

    fn main_host(hosts: Vec<String>) -> String {
        hosts.into_iter().next().unwrap_or_default()
    }

    fn fixed(replicas: i32) -> v1::Scaling {
        v1::Scaling { replicas, max: None }
    }

    fn replicas(scaling: v1::Scaling) -> i32 {
        scaling.replicas
    }

    fn to_millis(seconds: i64) -> i64 {
        seconds.saturating_mul(1000)
    }

    fn to_seconds(millis: i64) -> i64 {
        millis / 1000
    }

    fn state(paused: bool) -> v1::State {
        if paused { v1::State::Paused } else { v1::State::Running }
    }

    fn is_paused(state: v1::State) -> bool {
        matches!(state, v1::State::Paused)
    }

    fn thirty() -> i64 {
        30
    }

    fn thirty_thousand() -> i64 {
        30_000
    }
}
