use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "app.example.com", version = "v1", kind = "Job", selectable = ".spec.nope")]
pub struct JobSpec {
    #[schema(rule = "self.size() > 'a'")]
    pub image: String,
}
