//! The compiler of crdgen: pure functions between Kubernetes structural schemas, Rust types, and the documents that an
//! API server reads and publishes. Nothing here uses files, the environment or the terminal.

#[cfg(any(feature = "check", feature = "syntax"))]
pub use crdgen_cel as cel;
#[cfg(any(feature = "check", feature = "syntax"))]
pub use crdgen_rules::{self as rules, server};
#[cfg(feature = "check")]
pub use crdgen_rules::{correlate, structural, walk};
#[cfg(feature = "k8s")]
pub use crdgen_runtime::k8s;
pub use crdgen_runtime::{decode, descriptions, diag, encode, ir, recipe};
#[cfg(feature = "syntax")]
pub use crdgen_rust::{derive, syntax};
#[cfg(feature = "check")]
pub use crdgen_text::format;
#[cfg(any(feature = "check", feature = "convert", feature = "import"))]
pub use crdgen_text::names;
pub use crdgen_text::{file_name, go, inert, json, listed, nearest, path, span, value, yaml};

#[cfg(feature = "apply")]
pub mod apply;
#[cfg(feature = "check")]
pub mod check;
#[cfg(feature = "check")]
pub mod compare;
#[cfg(all(feature = "check", feature = "yaml"))]
pub mod documents;
pub mod emit {
    //! Documents and Rust.
    #[cfg(feature = "import")]
    pub use crdgen_import::structs;
    #[cfg(feature = "publish")]
    pub use crdgen_publish::*;
    pub use crdgen_text::{file_name, is_device};
}
#[cfg(feature = "check")]
pub mod metadata;
#[cfg(all(feature = "check", feature = "k8s"))]
pub mod migrate;
#[cfg(feature = "check")]
pub mod object;
pub mod read {
    //! Readers of CRDs and Rust.
    #[cfg(feature = "import")]
    pub use crdgen_import::*;
    #[cfg(feature = "syntax")]
    pub mod rust {
        //! Rust sources.
        pub use crdgen_rust::*;
        #[cfg(feature = "source")]
        pub use crdgen_source as resolve;
    }
}
#[cfg(feature = "rpc")]
pub mod rpc;
#[cfg(feature = "check")]
pub mod sample;
#[cfg(feature = "check")]
pub mod size;
