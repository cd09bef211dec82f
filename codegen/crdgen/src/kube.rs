//! For programs on kube-rs. The derives stand under the names that kube and schemars give them, and the
//! generated code implements the traits of *your* kube for a struct with *your* k8s-openapi's metadata:
//! changing the `use` lines moves a project over.
//!
//! ```text
//! use kube::CustomResource;      →  use crdgen::kube::CustomResource;
//! use kube::KubeSchema;          →  use crdgen::kube::KubeSchema;
//! use schemars::JsonSchema;      →  use crdgen::kube::JsonSchema;
//! ```
//!
//! Made for kube 5 and k8s-openapi 0.29, found as `::kube` and `::k8s_openapi` or where
//! `#[kube(crates(kube_core = "…", k8s_openapi = "…"))]` says. Other versions are told at compile time.

pub use crate::{JsonSchema, KubeSchema, KubeSchema as CELSchema, Schema};
pub use crdgen_derive::KubeCustomResource as CustomResource;

use crdgen_runtime::{encode, ir, json};
use serde::de;

/// Metadata of the k8s-openapi that this crate knows the types of.
#[diagnostic::on_unimplemented(
    message = "this is another version of k8s-openapi than crdgen's feature `kube` speaks",
    label = "not the ObjectMeta of k8s-openapi 0.29",
    note = "crdgen is made for kube 5 and k8s-openapi 0.29: bring both to these versions; `cargo tree -i k8s-openapi` shows who wants another"
)]
#[doc(hidden)]
pub trait Metadata {}
impl Metadata for k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta {}

/// Compiles for the versions of kube and k8s-openapi that go together: each gives its ObjectMeta.
#[doc(hidden)]
pub const fn versions<Kube: Metadata, K8sOpenapi: Metadata>() {}

/// A definition as a client's type.
///
/// # Panics
///
/// Panics if the type cannot read what the server can: it is no `CustomResourceDefinition` then.
#[doc(hidden)]
pub fn definition<T: de::DeserializeOwned>(crd: &ir::Crd) -> T {
    match serde_json::from_str(&json::to_string(&encode::crd(crd))) {
        Ok(crd) => crd,
        Err(error) => panic!("{}: {error}", crd.metadata.name),
    }
}

/// Annotations or labels as metadata has them.
#[doc(hidden)]
pub fn texts<T: FromIterator<(String, String)>>(pairs: &[(&str, &str)]) -> Option<T> {
    let owned = |(k, v): &(&str, &str)| ((*k).to_owned(), (*v).to_owned());
    (!pairs.is_empty()).then(|| pairs.iter().map(owned).collect())
}
