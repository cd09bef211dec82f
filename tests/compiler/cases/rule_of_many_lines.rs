use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "ui.example.com", version = "v1", kind = "Foo")]
#[schema(rule = r#"
    self.name == "main"
        ? self.parts.all(p, p.startsWith("m"))
        : self.part.size() == 0
"#)]
pub struct FooSpec {
    name: String,
    parts: Vec<String>,
}

fn main() {}
