//! The limits of estimated costs, and the messages if they are exceeded.

pub use crate::cel::cost::{RULE_LIMIT, exceeds};
use crate::ir::{Schema, Type};
use crate::path::{Path, Step};
use crate::walk::Node;

/// A cost in words. The largest number means that the cost cannot be counted.
pub fn words(cost: u64) -> String {
    if cost == u64::MAX { "more than 2^64".to_owned() } else { cost.to_string() }
}

/// What all expressions of one schema may cost.
pub const TOTAL_LIMIT: u64 = 100_000_000;

/// The costs of a schema's expressions.
#[derive(Clone, Debug, Default)]
pub struct Total {
    /// All of them.
    pub cost: u64,
    /// The most expensive ones, at most four, each of at least a hundredth of the limit.
    pub most_expensive: Vec<Expensive>,
}

/// An expression that is a good part of the total.
#[derive(Clone, Debug)]
pub struct Expensive {
    /// Its path, as the server prints it.
    pub path: String,
    /// The steps to it in the author's document.
    pub steps: Vec<Step>,
    /// What it may cost.
    pub cost: u64,
}

impl Total {
    /// Adds the cost of the expression at a path.
    pub fn add(&mut self, cost: u64, path: &Path<'_>) {
        self.cost = self.cost.saturating_add(cost);
        if cost < TOTAL_LIMIT / 100 {
            return;
        }
        self.most_expensive.push(Expensive { path: path.to_string(), steps: path.steps(), cost });
        self.most_expensive.sort_by_key(|e| std::cmp::Reverse(e.cost));
        self.most_expensive.truncate(4);
    }

    /// Whether the server rejects the schema because of it.
    pub fn is_over(&self) -> bool {
        self.cost > TOTAL_LIMIT
    }
}

/// How many values a node can have, if all lists and maps above are bounded.
pub fn cardinality(node: &Node<'_>) -> Option<u64> {
    match node.up {
        None => Some(1),
        Some((up, _)) => Some(cardinality(up)?.saturating_mul(elements(up.schema)?)),
    }
}

/// The factor by which a schema multiplies the number of values below it. None if it is unlimited.
pub(super) fn elements(schema: &Schema) -> Option<u64> {
    let bounded = |max: Option<i64>| max.map(|n| n.max(0) as u64);
    match schema.ty {
        Some(Type::Object) if schema.additional_properties.is_some() => bounded(schema.limits.max_properties),
        Some(Type::Array) => bounded(schema.limits.max_items),
        Some(Type::Object | Type::String | Type::Integer | Type::Number | Type::Boolean | Type::Other(_))
        | None => Some(1),
    }
}
