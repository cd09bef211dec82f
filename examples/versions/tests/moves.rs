//! Tests types with every kind of move, with random objects.

#![allow(deprecated, reason = "the variants of some enums have different types")]

#[path = "../../../tests/derive/tests/convert.rs"]
mod types;

#[test]
fn no_object_is_lost_by_any_move() {
    let count = std::env::var("VERSIONS_COUNT").ok().and_then(|count| count.parse().ok()).unwrap_or(300);
    types::versions().lossless(count).unwrap_or_else(|lossy| panic!("{lossy}"));
}
