//! Reads CRDs in files and turns them into Rust: `structs` writes the types. The readers never stop at the first error and
//! never drop input without a diagnostic.

use crdgen_runtime::{decode, diag, encode, ir, k8s, recipe};
use crdgen_text::{go, inert, json, names, nearest, span, value, yaml};

pub mod definitions;
mod helm;
pub mod openapi;
mod placeholders;
pub mod structs;
mod unreadable;

pub use helm::{is_template, without_actions};
pub use placeholders::has_placeholder;
pub use unreadable::Unreadable;
