//! Rust types to Kubernetes CustomResourceDefinitions and back, checked exactly as the API server
//! checks them. If it compiles, it applies.

#[cfg(feature = "cli")]
pub mod cli;

#[cfg(feature = "build")]
pub mod output;
