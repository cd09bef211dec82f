//! What programs link that derive crdgen's traits: the model of definitions and schemas, the recipes that Rust
//! types have for them, and how definitions become documents. The derive links it too, without features, so that
//! Cargo compiles it once for both.

pub use crdgen_text::{go, inert, json, nearest, path, span, value, yaml};

pub mod decode;
pub mod descriptions;
pub mod diag;
pub mod encode;
pub mod ir;
#[cfg(feature = "k8s")]
pub mod k8s;
pub mod recipe;
