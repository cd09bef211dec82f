//! The older version.

mod cluster;
mod machine_deployment;
mod shared;
mod topology;

pub use cluster::*;
pub use machine_deployment::*;
pub use shared::*;
pub use topology::*;
