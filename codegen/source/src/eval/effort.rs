//! The budget for evaluating a program's code. It is needed because constants, functions and variables that use each
//! other twice double the size of the value at each step.

use crate::recipe::Unknown;
use crate::value::Value;
use std::cell::Cell;

/// Some hundred thousand steps, or as many values. The defaults of real programs need far less.
const LIMIT: usize = 20_000_000;

/// The cost of a step. A step reads attributes and looks up names.
const STEP: usize = 100;

/// The rest of the budget.
pub(crate) struct Effort(Cell<usize>);

impl Default for Effort {
    fn default() -> Self {
        Effort(Cell::new(LIMIT))
    }
}

impl Effort {
    /// Spends the cost of one step.
    pub(crate) fn step(&self) -> Result<(), Unknown> {
        self.spend(STEP)
    }

    /// Copies a value and spends its cost.
    pub(super) fn copy(&self, value: &Value) -> Result<Value, Unknown> {
        self.spend(size(value))?;
        Ok(value.clone())
    }

    /// Spends a cost, such as the length of a text or a number of variables.
    pub(super) fn spend(&self, cost: usize) -> Result<(), Unknown> {
        let left = self.0.get().checked_sub(cost);
        self.0.set(left.unwrap_or(0));
        left.map(|_| ()).ok_or(Unknown::TooLarge)
    }
}

/// The cost of a value.
pub(super) fn size(value: &Value) -> usize {
    const NODE: usize = 20;
    let inside: usize = match value {
        Value::Str(text) => text.len(),
        Value::List(items) => items.iter().map(size).sum(),
        Value::Map(map) => map.iter().map(|(key, value)| key.len() + size(value)).sum(),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) => 0,
    };
    NODE + inside
}
