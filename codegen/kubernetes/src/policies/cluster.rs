//! What policies ask of a cluster.

use super::authorizer::{Access, Permission};
use crdgen_core::metadata::Scope;
use crdgen_core::value::Value;

/// The objects that policies ask for.
pub trait Cluster {
    /// The namespace with a name.
    fn namespace(&self, name: &str) -> Option<Value>;

    /// What is known of a kind. `None` if there is no such kind.
    fn facts(&self, kind: &ParamKind) -> Option<KindFacts>;

    /// Whether somebody may do something.
    fn permission(&self, access: &Access) -> Permission;

    /// The objects of a kind that are wanted, or those in a namespace.
    fn objects(
        &self,
        kind: &ParamKind,
        namespace: Option<&str>,
        is_wanted: &dyn Fn(&Value) -> bool,
    ) -> Vec<Value>;
}

/// What a cluster knows of a kind of parameters.
#[derive(Clone, Copy, Debug)]
pub struct KindFacts {
    /// Whether its objects are in namespaces.
    pub scope: Scope,
    /// Whether it is that of a CRD.
    pub is_custom: bool,
}

/// The kind of the parameters of a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamKind {
    /// The group and version.
    pub api_version: String,
    /// The kind.
    pub kind: String,
}
