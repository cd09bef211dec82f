//! Types without a schema.
use crdgen::Schema;

struct Other;

#[derive(Schema)]
struct Fields {
    other: Other,
    json: serde_json::Map<String, serde_json::Value>,
}

fn main() {}
