//! `Cluster` and `MachineDeployment` of [cluster-api](https://cluster-api.sigs.k8s.io) in two versions. `tests/go.rs` compares
//! the conversions with cluster-api's own.

#![allow(missing_docs)]

pub mod common;
pub mod v1beta1;
pub mod v1beta2;

use crdgen::convert::Versions;

/// The versions of a cluster.
pub fn clusters() -> Versions {
    Versions::new().pair::<v1beta1::Cluster, v1beta2::Cluster>()
}

/// The versions of a machine deployment.
pub fn machine_deployments() -> Versions {
    Versions::new().pair::<v1beta1::MachineDeployment, v1beta2::MachineDeployment>()
}
