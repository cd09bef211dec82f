use crdgen::Schema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
#[serde(into = "String")]
struct Name {
    it: String,
}

impl From<Name> for String {
    fn from(name: Name) -> String {
        name.it
    }
}

fn main() {}
