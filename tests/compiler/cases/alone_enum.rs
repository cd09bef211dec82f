//! Enums that no value matches.
use crdgen::Schema;

#[derive(Schema)]
enum Nothing {}

#[derive(Schema)]
#[serde(tag = "type")]
enum Tagged {
    Text(String),
    List(Vec<String>),
    Unit,
}

fn main() {}
