//! Rust sources: attributes, what serde makes of an item, and from both the item's recipe.

pub mod attrs;
pub mod facts;
pub mod lower;
pub mod names;
pub mod report;
pub mod resolve;

pub use lower::{Item, Kind, item, kind};
pub use report::{Finding, Report};
