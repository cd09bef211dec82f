//! Flattened values that are not objects.
use crdgen::Schema;
use std::collections::BTreeMap;

#[derive(Schema)]
struct Flat {
    #[serde(flatten)]
    text: String,
    #[serde(flatten)]
    list: Option<Vec<i32>>,
    #[serde(flatten)]
    rest: BTreeMap<String, String>,
}

fn main() {}
