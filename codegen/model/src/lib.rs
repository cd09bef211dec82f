//! The model of crdgen: what a definition and its schemas are, the recipes that Rust types have for them, and
//! their text. Programs have this crate alone of crdgen's insides, and the derive has it too.

pub mod diag;
pub mod emit;
pub mod go;
pub mod ir;
pub mod json;
#[cfg(feature = "k8s")]
pub mod k8s;
pub mod nearest;
pub mod path;
pub mod read;
pub mod shape;
pub mod size;
pub mod span;
pub mod value;
pub mod yaml;
