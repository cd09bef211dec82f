//! The first program in the README.

use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

/// Runs an image on a schedule.
#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "stable.example.com", version = "v1", kind = "CronTab", namespaced, shortname = "ct")]
#[serde(rename_all = "camelCase")]
pub struct CronTabSpec {
    /// When to run, in cron syntax.
    #[schema(pattern = r"^(\d+|\*)(/\d+)?(\s+(\d+|\*)(/\d+)?){4}$", column(name = "Spec"))]
    pub cron_spec: String,
    /// The container image to run.
    #[schema(min_length = 1)]
    pub image: String,
    /// How many to run at the same time.
    #[serde(default = "one")]
    #[schema(minimum = 1, maximum = 10)]
    pub replicas: i32,
}

fn one() -> i32 {
    1
}

fn main() {
    println!("{}", CronTab::crd_yaml());
}
