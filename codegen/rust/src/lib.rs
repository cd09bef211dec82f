//! Rust sources: reads attributes, applies serde's rules to an item, and makes the item's recipe from both.

pub mod attrs;
#[cfg(feature = "convert")]
pub mod convert;
mod cost;
pub mod facts;
pub mod input;
pub mod kind;
pub mod literal;
pub mod lower;
pub mod names;
pub mod reach;
pub mod report;
#[cfg(feature = "source")]
pub mod resolve;
pub mod rules;
#[cfg(feature = "convert")]
pub mod versioned;
pub mod written;

pub use kind::{Kind, kind};
pub use lower::{Ask, Assertion, Item, item};
pub use names::plain;
pub use report::{Finding, Report, file, line_and_column};
