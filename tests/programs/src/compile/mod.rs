//! What derives cost the compiler: crates of the same types in several flavours, and what they take.

pub mod emit;
pub mod types;
