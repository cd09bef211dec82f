//! What reading and writing Rust have in common.

pub mod doc;
pub mod pattern;
pub mod type_meta;
