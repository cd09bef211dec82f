//! Attributes that do not apply to an enum.
use crdgen::Schema;

#[derive(Schema)]
#[serde(rename_all = "lowercase")]
enum Level {
    Low,
    High,
}

#[derive(Schema)]
struct Levels {
    #[schema(default = "Low")]
    default: Level,
    #[schema(one_of_values = ["low", "medium"])]
    values: Level,
    #[schema(int_or_string)]
    either: Level,
    #[schema(default = "low", one_of_values = ["low"])]
    fine: Level,
}

fn main() {}
