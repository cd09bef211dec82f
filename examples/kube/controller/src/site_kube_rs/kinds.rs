//! The kinds: a site, and the pages it is made of.

use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A site of some pages.
#[derive(Clone, CustomResource, Debug, Deserialize, KubeSchema, Serialize)]
#[kube(
    group = "www.example.com",
    version = "v1",
    kind = "Site",
    namespaced,
    shortname = "www",
    status = "SiteStatus",
    printcolumn(name = "Pages", type_ = "integer", json_path = ".status.pages"),
    printcolumn(name = "Phase", type_ = "string", json_path = ".status.phase")
)]
#[x_kube(validation = ("self.pages.size() > 0", "a site has pages"))]
#[serde(rename_all = "camelCase")]
pub struct SiteSpec {
    /// Shown above all pages.
    #[schemars(length(min = 1, max = 80))]
    pub title: String,
    /// Its pages.
    #[schemars(length(max = 100))]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["name".into()]))]
    pub pages: Vec<Leaf>,
}

/// A page of a site.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct Leaf {
    #[schemars(length(min = 1, max = 40), regex(pattern = "^[a-z0-9]+$"))]
    pub name: String,
    #[serde(default)]
    pub text: String,
}

/// What there is of it.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SiteStatus {
    pub phase: Phase,
    pub pages: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
pub enum Phase {
    #[default]
    Pending,
    Ready,
}

/// A page as it is published.
#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "www.example.com", version = "v1", kind = "Page", namespaced, label("app", "site"))]
pub struct PageSpec {
    pub title: String,
    pub text: String,
}
