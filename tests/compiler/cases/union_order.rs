//! Variants of untagged enums that serde never reaches.
use crdgen::Schema;
use serde::Deserialize;

#[derive(Deserialize, Schema)]
#[serde(untagged)]
enum Longer {
    A { a: String },
    B { a: String, b: String },
}

#[derive(Deserialize, Schema)]
#[serde(untagged)]
enum Same {
    A { a: String },
    B { a: String },
}

#[derive(Deserialize, Schema)]
#[serde(untagged)]
enum AllOptional {
    A { a: Option<String> },
    B { b: String },
}

#[derive(Deserialize, Schema)]
#[serde(untagged)]
enum Fine {
    A { a: String, b: String },
    B { a: String, c: Option<String> },
    C { a: i32 },
    D { d: String },
}

#[derive(Deserialize, Schema)]
#[serde(untagged, deny_unknown_fields)]
enum Strict {
    A { a: String },
    B { a: String, b: String },
}

#[derive(Deserialize, Schema)]
#[serde(untagged, deny_unknown_fields)]
enum Value {
    A(String),
    #[schema(description = "never")]
    B(String),
    C(i32),
}

#[derive(Deserialize, Schema)]
#[serde(untagged)]
enum Otherwise {
    A(String),
    B(
        #[serde(deserialize_with = "number")]
        #[schema(as = "i32")]
        String,
    ),
}

fn number<'de, D: serde::Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    i32::deserialize(from).map(|number| number.to_string())
}

fn main() {}
