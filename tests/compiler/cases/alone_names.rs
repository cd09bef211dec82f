//! Names in attributes that are not fields.
use crdgen::Schema;

#[derive(Schema)]
#[schema(
    exactly_one_of = ["first", "secnd"],
    discriminator = "kind",
    override(".thrid.x", minimum = 1),
    rule(rule = "true", message = "m", field_path = ".nope")
)]
struct Named {
    kind: String,
    first: Option<String>,
    second: Option<String>,
    #[schema(at_most_one_of = ["a", "b"])]
    text: String,
}

fn main() {}
