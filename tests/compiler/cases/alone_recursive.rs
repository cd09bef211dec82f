//! A type that directly contains itself.
use crdgen::Schema;
use std::collections::BTreeMap;

#[derive(Schema)]
struct Tree {
    left: Option<Box<Tree>>,
    more: Vec<Self>,
    named: BTreeMap<String, Tree>,
    #[schema(opaque)]
    told: Option<Box<Tree>>,
}

#[derive(Schema)]
enum Expr {
    Not(Box<Expr>),
    Literal(String),
}

fn main() {}
