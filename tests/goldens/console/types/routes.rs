use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "policy.example.com", version = "v1", kind = "Route", plural = "httproutes", status = "RouteStatus")]
#[serde(rename_all = "camelCase")]
pub struct RouteSpec {
    /// Missing in the definition.
    pub only_in_rust: i32,
    pub optional_there: String,
    pub required_there: Option<String>,
    pub port: u16,
    pub mode: Mode,
    pub open: Mode,
    pub target: String,
    pub labels: BTreeMap<String, String>,
    pub rules: Vec<Rule>,
    pub filled: bool,
}

#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
pub enum Mode { Allow, Deny, Audit }

#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
pub struct Rule {
    pub name: String,
    #[schema(max_length = 10)]
    pub path: String,
    pub null: String,
}

#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
pub struct RouteStatus { pub ready: bool }

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "policy.example.com", version = "v1", kind = "Gate")]
pub struct GateSpec { pub a: i32 }
