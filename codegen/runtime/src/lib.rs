//! The part of crdgen that programs with its derives link: the model of CRDs and schemas, the recipes with which Rust
//! types describe their schemas, and the code that turns CRDs into documents. The derive links it too, without
//! features, so that Cargo compiles it once for both.

pub use crdgen_text::{GroupVersion, go, inert, json, nearest, path, span, value, yaml};

pub mod decode;
pub mod descriptions;
pub mod diag;
pub mod encode;
pub mod ir;
#[cfg(feature = "k8s")]
pub mod k8s;
pub mod recipe;
