//! A rule that costs more than the server allows, whatever else the CRD contains.
use crdgen::Schema;

#[derive(Schema)]
struct Rules {
    #[schema(rule = "self.all(x, self.all(y, self.all(z, x == y || y == z)))")]
    names: Vec<String>,
}

fn main() {}
