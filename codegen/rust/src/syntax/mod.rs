//! Functions that both reading and writing Rust code need.

#[cfg(feature = "source")]
pub mod code;
#[cfg(feature = "source")]
pub mod delimiters;
pub mod doc;
pub(crate) mod facade;
pub mod nesting;
pub mod pattern;
pub mod type_meta;
