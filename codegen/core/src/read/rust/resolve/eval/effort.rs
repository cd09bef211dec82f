//! What evaluating a program's code may cost. Constants, functions and variables that name each other twice double what
//! they make at each step.

use crate::recipe::Unknown;
use crate::value::Value;
use std::cell::Cell;

/// Some hundred thousand steps, or as many values: far more than the defaults of any program need.
const LIMIT: usize = 20_000_000;

/// A step reads attributes and looks names up.
const STEP: usize = 100;

/// What is left.
pub(in crate::read::rust::resolve) struct Effort(Cell<usize>);

impl Default for Effort {
    fn default() -> Self {
        Effort(Cell::new(LIMIT))
    }
}

impl Effort {
    /// One step of the evaluation.
    pub(in crate::read::rust::resolve) fn step(&self) -> Result<(), Unknown> {
        self.spend(STEP)
    }

    /// A copy of a value.
    pub(super) fn copy(&self, value: &Value) -> Result<Value, Unknown> {
        self.spend(size(value))?;
        Ok(value.clone())
    }

    /// A text of this length, or a walk over as many variables.
    pub(super) fn spend(&self, cost: usize) -> Result<(), Unknown> {
        let left = self.0.get().checked_sub(cost);
        self.0.set(left.unwrap_or(0));
        left.map(|_| ()).ok_or(Unknown::TooLarge)
    }
}

fn size(value: &Value) -> usize {
    const NODE: usize = 20;
    let inside: usize = match value {
        Value::Str(text) => text.len(),
        Value::List(items) => items.iter().map(size).sum(),
        Value::Map(map) => map.iter().map(|(key, value)| key.len() + size(value)).sum(),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) => 0,
    };
    NODE + inside
}
