//! Patterns that Go cannot parse.
use crdgen::Schema;

#[derive(Schema)]
struct Patterns {
    #[schema(pattern = "^(?!a)b")]
    look: String,
    #[schema(items(pattern = r"(a)\1"))]
    back: Vec<String>,
    #[schema(pattern = "^(a")]
    open: String,
}

fn main() {}
