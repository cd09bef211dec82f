//! Reads Rust items and writes the code of the derives: reads attributes, applies serde's rules to an item, and makes the
//! item's recipe from both. `derive` writes code that returns the recipe at run time.

use crdgen_cel as cel;
use crdgen_runtime::{decode, diag, ir, recipe};
use crdgen_text::{go, inert, json, nearest, path, span, value};

pub mod attrs;
#[cfg(feature = "convert")]
pub mod convert;
mod cost;
pub mod derive;
#[cfg(feature = "source")]
pub mod edit;
pub mod facts;
pub mod input;
pub mod kind;
pub mod literal;
pub mod lower;
pub mod names;
pub mod reach;
pub mod report;
pub mod rules;
mod structure;
pub mod syntax;
#[cfg(feature = "convert")]
pub mod versioned;
pub mod written;

pub use kind::{Kind, kind};
pub use lower::{Ask, Assertion, Item, item};
pub use names::plain;
pub use report::{Finding, Report, file, line_and_column};
