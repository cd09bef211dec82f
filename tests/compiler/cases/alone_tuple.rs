//! Tuples of different types.
use crdgen::Schema;

#[derive(Schema)]
struct Pair(String, i32);

#[derive(Schema)]
struct Holder {
    pairs: Vec<(String, i32)>,
    same: (String, String),
}

fn main() {}
