//! Twelve kinds with two versions each. Together they contain every kind of move.

#![allow(unreachable_pub, dead_code)]

pub mod defaults;
pub mod depths;
pub mod empty;
pub mod keys;
pub mod lists;
pub mod nested;
pub mod objects;
pub mod renames;
pub mod texts;
pub mod unions;
pub mod units;
pub mod variants;

use crdgen::convert::Versions;
use crdgen::{Convert, CustomResource, Schema, versioned};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

/// A pair of versions, and the functions that its moves call.
pub type Pair = (Versions, &'static [&'static str]);

/// Returns all pairs.
pub fn all() -> [Pair; 12] {
    [
        (renames::versions(), &[]),
        (depths::versions(), &[]),
        (texts::versions(), &["email", "join", "of_email", "split"]),
        (lists::versions(), &["first", "one"]),
        (defaults::versions(), &[]),
        (variants::versions(), &[]),
        (unions::versions(), &[]),
        (units::versions(), &["per_cent", "to_millis", "to_seconds", "to_state"]),
        (keys::versions(), &["by_names", "named"]),
        (nested::versions(), &["::core::convert::From::from"]),
        (empty::versions(), &[]),
        (objects::versions(), &["far", "near"]),
    ]
}
