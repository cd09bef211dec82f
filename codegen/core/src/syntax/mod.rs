//! What reading and writing Rust have in common.

pub mod doc;
pub mod type_meta;
