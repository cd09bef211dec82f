//! From the model to documents and tokens: a module per kind of output. Knows nothing of `read`.

#[cfg(feature = "syntax")]
mod assertions;
#[cfg(feature = "syntax")]
pub mod derive_impl;

#[cfg(feature = "schemars")]
pub use crdgen_model::emit::schemars;
pub use crdgen_model::emit::{crd, schema};
#[cfg(feature = "check")]
pub mod docs;
#[cfg(feature = "check")]
pub mod json_schema;
#[cfg(feature = "kube")]
pub mod kube_impl;
#[cfg(feature = "check")]
pub mod openapi;
#[cfg(feature = "import")]
pub mod structs;
#[cfg(feature = "syntax")]
mod tokens;
#[cfg(feature = "check")]
pub mod unfold;
