//! Attributes that contradict serde's.
use crdgen::Schema;

#[derive(Schema)]
struct Fields {
    #[schema(int_or_string)]
    either: String,
    #[schema(ty = "integer")]
    typed: String,
    #[schema(nullable)]
    null: String,
    #[schema(optional)]
    missing: String,
    #[schema(opaque)]
    opaque: String,
}

fn main() {}
