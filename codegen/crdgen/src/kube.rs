//! Derives for programs on kube-rs, under the names that kube and schemars use. The generated code implements the traits of
//! your version of kube, with the metadata of your version of k8s-openapi. To move a project, change its `use` lines:
//!
//! ```text
//! use kube::CustomResource;      →  use crdgen::kube::CustomResource;
//! use kube::KubeSchema;          →  use crdgen::kube::KubeSchema;
//! use schemars::JsonSchema;      →  use crdgen::kube::JsonSchema;
//! ```
//!
//! The generated code refers to your crates as `::kube` and `::k8s_openapi`, or by the paths in
//! `#[kube(crates(kube_core = "…", k8s_openapi = "…"))]`. crdgen depends on neither of them, so it works with every version
//! of kube since 0.88.

pub use crate::{JsonSchema, KubeSchema, KubeSchema as CELSchema, Schema};
pub use crdgen_derive::KubeCustomResource as CustomResource;

/// Compares the types of a kind with the CRD that the cluster has, as at the start of a controller. Takes the kind and a
/// reference to your `kube::Client`. Returns a future with a [`Skew`](crate::installed::Skew), or with the reason why there is none
/// ([`NotCompared`](crate::installed::NotCompared)). Both are errors that `?` converts to any other one.
///
/// ```ignore
/// crdgen::kube::check_installed!(Site, &client).await?.into_result()?;
/// ```
#[cfg(feature = "check")]
#[doc(inline)]
pub use crate::__check_installed as check_installed;

use crdgen_runtime::{encode, ir, json};
use serde::de;

/// Requires that two types are the same: the metadata of kube and that of your k8s-openapi.
#[diagnostic::on_unimplemented(
    message = "kube and this crate use different versions of k8s-openapi",
    label = "not the ObjectMeta of kube's k8s-openapi",
    note = "bring `k8s-openapi` in Cargo.toml to the version that kube uses: `cargo tree -i k8s-openapi` shows both"
)]
#[doc(hidden)]
pub trait Same<Other> {}
impl<T> Same<T> for T {}

/// Compiles only if the versions of kube and k8s-openapi have the same `ObjectMeta`.
#[doc(hidden)]
pub const fn versions<Kube, K8sOpenapi: Same<Kube>>() {}

/// Returns a CRD as the type of a client.
///
/// # Panics
///
/// Panics if the type cannot read what the server can read. Then it is not `CustomResourceDefinition`.
#[doc(hidden)]
pub fn definition<T: de::DeserializeOwned>(crd: &ir::Crd) -> T {
    match serde_json::from_str(&json::to_string(&encode::crd(crd))) {
        Ok(crd) => crd,
        Err(error) => panic!("{}: {error}", crd.metadata.name),
    }
}

/// Returns annotations or labels in the type that metadata uses for them.
#[doc(hidden)]
pub fn texts<T: FromIterator<(String, String)>>(pairs: &[(&str, &str)]) -> Option<T> {
    let owned = |(k, v): &(&str, &str)| ((*k).to_owned(), (*v).to_owned());
    (!pairs.is_empty()).then(|| pairs.iter().map(owned).collect())
}

/// Asks for the CRD of a kind, and compares it with the types.
#[cfg(feature = "check")]
#[doc(hidden)]
pub async fn installed<K, T, E, F>(
    ask: impl FnOnce(String) -> F,
) -> Result<crate::installed::Skew, crate::installed::NotCompared>
where
    K: crate::CustomResource,
    T: serde::Serialize,
    E: std::error::Error + Send + Sync + 'static,
    F: Future<Output = Result<Option<T>, E>>,
{
    use crate::installed::{NotCompared, Skew};
    let name = K::definition().map_err(NotCompared::new)?.metadata.name;
    let crd = ask(name).await.map_err(NotCompared::new)?;
    Skew::of::<K>(crd.as_ref()).map_err(NotCompared::new)
}
