//! The core of crdgen: pure functions between Kubernetes structural schemas, Rust types and the
//! documents an API server takes and publishes. Nothing here touches disk, environment or terminal.

pub mod diag;
pub mod go;
pub mod ir;
pub mod json;
#[cfg(feature = "k8s")]
pub mod k8s;
pub mod names;
pub mod path;
pub mod value;

pub mod emit;
pub mod read;
pub mod shape;
#[cfg(feature = "define")]
pub mod size;
pub mod span;

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
#[cfg(feature = "define")]
pub mod yaml;
