//! From documents to the model, with diagnostics. Readers never stop at the first mistake and never drop input
//! silently.

pub mod crd;
#[cfg(feature = "json-schema")]
pub mod schemars;

#[cfg(feature = "read")]
pub use crd::read as crd;
