//! Measures what derives cost the compiler: crates with the same types in several flavours.

pub mod emit;
pub mod types;
