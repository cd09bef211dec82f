//! The CronTab of the Kubernetes user guide, as Rust.

use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

/// Runs an image on a schedule.
#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(
    group = "stable.example.com",
    version = "v1",
    kind = "CronTab",
    namespaced,
    shortname = "ct",
    category = "all",
    status = "CronTabStatus",
    printcolumn(name = "Age", type_ = "date", json_path = ".metadata.creationTimestamp")
)]
#[serde(rename_all = "camelCase")]
pub struct CronTabSpec {
    /// When to run, in the form of cron.
    #[schema(pattern = r"^(\d+|\*)(/\d+)?(\s+(\d+|\*)(/\d+)?){4}$", column(name = "Spec"))]
    pub cron_spec: String,
    /// What to run.
    #[schema(min_length = 1)]
    pub image: String,
    /// How many at once.
    #[serde(default = "one")]
    #[schema(minimum = 1, maximum = 10, column(name = "Replicas"), scale(spec))]
    pub replicas: i32,
    /// What to do while one still runs.
    #[serde(default)]
    pub concurrency: Concurrency,
}

/// What to do while one still runs.
#[derive(Clone, Copy, Debug, Default, Deserialize, Schema, Serialize)]
pub enum Concurrency {
    /// Start another.
    #[default]
    Allow,
    /// Wait for the next time.
    Forbid,
    /// Stop it and start another.
    Replace,
}

/// What is there.
#[derive(Clone, Debug, Default, Deserialize, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CronTabStatus {
    /// How many run now.
    #[schema(scale(status))]
    pub replicas: i32,
    /// Selects what runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(scale(selector))]
    pub label_selector: Option<String>,
}

fn one() -> i32 {
    1
}
