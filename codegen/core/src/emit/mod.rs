//! From the model to documents and tokens: a module per kind of output. Knows nothing of `read`.

#[cfg(feature = "define")]
pub mod crd;
#[cfg(feature = "syntax")]
pub mod derive_impl;

#[cfg(feature = "define")]
pub use crd::{crd, schema};
#[cfg(feature = "check")]
pub mod docs;
#[cfg(feature = "check")]
pub mod json_schema;
#[cfg(feature = "kube")]
pub mod kube_impl;
#[cfg(feature = "check")]
pub mod openapi;
#[cfg(feature = "schemars")]
pub mod schemars;
#[cfg(feature = "import")]
pub mod structs;
#[cfg(feature = "syntax")]
mod tokens;
#[cfg(feature = "check")]
pub mod unfold;
