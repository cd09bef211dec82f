//! Part of crdgen: what build scripts and tests write and run: CRDs and other documents, documentation pages, Rust types for CRDs,
//! and test suites. Use it through the crate [`crdgen`](https://docs.rs/crdgen), with its feature `build`.

mod builder;
#[doc(hidden)]
pub mod declared;
pub mod docs;
pub mod emit;
pub mod import;
pub mod suites;

pub use builder::Builder;
pub use crdgen_files::{Error, output, source};
