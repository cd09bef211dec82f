use k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelector;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap, HashSet};

/// What comes out better than before.
#[derive(Clone, CustomResource, Debug, Deserialize, KubeSchema, Serialize)]
#[kube(group = "habits.example.com", version = "v1", kind = "Habit", namespaced, status = "HabitStatus")]
#[serde(rename_all = "camelCase")]
pub struct HabitSpec {
    pub small: u8,
    pub size: u32,
    pub long: Option<u64>,
    pub anything: serde_json::Value,
    pub unique: HashSet<String>,
    pub port: Port,
    #[serde(alias = "oldName")]
    pub name: String,
    #[serde(default, skip_deserializing)]
    pub computed: String,
    #[x_kube(merge_strategy = StructMerge::Atomic)]
    pub pair: Pair,
    pub bounded: Bounded,
    pub pace: Pace,
    #[serde(default)]
    pub limits: Limits,
    pub selector: Option<LabelSelector>,
    #[serde(default)]
    pub labels: BTreeMap<String, u16>,
    pub open: Open,
}

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(untagged)]
pub enum Port {
    Number(i32),
    Name(String),
}

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    pub left: i32,
    pub right: i32,
}

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct Bounded {
    #[validate(range(exclusive_min = 0))]
    pub positive: i32,
    #[garde(ascii)]
    pub plain: String,
}

/// How fast.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
pub enum Pace {
    /// As fast as it goes.
    Fast,
    #[default]
    Slow,
}

#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
pub struct Limits {
    pub low: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub high: Option<i32>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct Open {
    pub known: String,
    #[serde(flatten)]
    pub rest: HashMap<String, String>,
}

#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
pub struct HabitStatus {
    pub count: usize,
}
