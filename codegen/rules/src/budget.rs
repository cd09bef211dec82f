//! The limits of estimated costs, and the messages if they are exceeded.

pub use crate::cel::cost::{RULE_LIMIT, exceeds};
use crate::ir::{Schema, Type};
use crate::path::{Path, Step};
use crate::walk::Node;

/// Returns a cost as text. The largest number means that the cost cannot be counted.
pub fn words(cost: u64) -> String {
    if cost == u64::MAX { "more than 2^64".to_owned() } else { cost.to_string() }
}

/// The maximum cost of all expressions of one schema together.
pub const TOTAL_LIMIT: u64 = 100_000_000;

/// The estimated costs of the expressions of a schema.
#[derive(Clone, Debug, Default)]
pub struct Total {
    /// The total cost.
    pub cost: u64,
    /// The most expensive expressions: at most four, and only those that cost at least a hundredth of the limit.
    pub most_expensive: Vec<Expensive>,
}

/// An expression that makes up a large part of the total cost.
#[derive(Clone, Debug)]
pub struct Expensive {
    /// The path of the expression, as the server prints it.
    pub path: String,
    /// The steps to the expression in the author's document.
    pub steps: Vec<Step>,
    /// The maximum cost of the expression.
    pub cost: u64,
}

impl Total {
    /// Adds the cost of an expression at a path.
    pub fn add(&mut self, cost: u64, path: &Path<'_>) {
        self.cost = self.cost.saturating_add(cost);
        if cost < TOTAL_LIMIT / 100 {
            return;
        }
        self.most_expensive.push(Expensive { path: path.to_string(), steps: path.steps(), cost });
        self.most_expensive.sort_by_key(|e| std::cmp::Reverse(e.cost));
        self.most_expensive.truncate(4);
    }

    /// Returns whether the server rejects the schema because the total cost is too high.
    pub fn is_over(&self) -> bool {
        self.cost > TOTAL_LIMIT
    }
}

/// Returns the maximum number of values of a node. `None` if a list or map above it has no bound.
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
