//! From the model to documents.

pub mod crd;
#[cfg(feature = "schemars")]
pub mod schemars;

pub use crd::{crd, schema};
