//! YAML as kubectl writes it: sigs.k8s.io/yaml, which is go-yaml v2 (YAML 1.1).

pub mod resolve;
mod write;

pub use write::{write, write_object};
