use crdgen::{CustomResource, Schema};
use std::collections::BTreeMap;

#[derive(CustomResource, Schema)]
#[kube(
    group = "app.example.com",
    version = "v1",
    kind = "Twice",
    validation = ("self.spec.name >", "broken")
)]
#[schema(exactly_one_of = ["name", "nmae"])]
pub struct TwiceSpec {
    #[schema(rule = "self > 1")]
    pub name: String,
    #[schema(keys(rule = "self > 1"))]
    pub labels: BTreeMap<String, String>,
}
