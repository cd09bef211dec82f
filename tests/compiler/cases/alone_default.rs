//! Rust defaults that violate the field's own bounds.
use crdgen::Schema;

#[derive(Schema)]
struct Defaults {
    #[serde(default)]
    #[schema(min_length = 1)]
    name: String,
    #[serde(default)]
    #[schema(minimum = 1)]
    count: i32,
}

fn main() {}
