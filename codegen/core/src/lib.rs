//! The core of crdgen: pure functions between Kubernetes structural schemas, Rust types and the
//! documents an API server takes and publishes. Nothing here touches disk, environment or terminal.

#[cfg(feature = "k8s")]
pub use crdgen_model::k8s;
pub use crdgen_model::{diag, ir, json, nearest, path, shape, span, value};

pub mod emit;
pub mod go;
#[cfg(any(feature = "check", feature = "import"))]
pub mod names;
pub mod read;
#[cfg(feature = "check")]
pub mod size;
pub mod yaml;

#[cfg(any(feature = "check", feature = "syntax"))]
pub mod cel;
#[cfg(feature = "check")]
pub mod check;
#[cfg(any(feature = "check", feature = "syntax"))]
pub mod declare;
#[cfg(feature = "check")]
pub mod hold;
#[cfg(feature = "check")]
pub mod migrate;
#[cfg(feature = "check")]
pub mod object;
#[cfg(all(feature = "check", feature = "yaml"))]
pub mod rpc;
#[cfg(feature = "syntax")]
pub mod syntax;
