//! What the API server does with CRDs and objects, and what crdgen makes of it: checks, admission, examples and comparisons.
//! Nothing here uses files, the environment or the terminal.

pub use crdgen_cel as cel;
pub use crdgen_rules::{self as rules, correlate, server, structural, walk};
#[cfg(feature = "k8s")]
pub use crdgen_runtime::k8s;
pub use crdgen_runtime::{decode, descriptions, diag, encode, ir, recipe};
pub use crdgen_text::{
    GroupVersion, file_name, format, go, inert, json, listed, names, nearest, path, span, value, yaml,
};

#[cfg(feature = "apply")]
pub mod apply;
pub mod check;
pub mod compare;
#[cfg(feature = "yaml")]
pub mod documents;
pub mod finding;
pub mod json_patch;
pub mod keyed;
pub mod metadata;
#[cfg(feature = "k8s")]
pub mod migrate;
pub mod object;
#[cfg(feature = "rpc")]
pub mod rpc;
pub mod sample;
pub mod size;
