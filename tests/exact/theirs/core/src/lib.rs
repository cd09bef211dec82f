//! What `crdgen emit --exact` needs of kube-core.

pub use kube_derive::{CustomResource, main};
pub use serde_json;

pub trait CustomResourceExt {
    fn crd() -> serde_json::Value;
}
