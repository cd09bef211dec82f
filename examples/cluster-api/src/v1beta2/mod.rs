//! The newer version. It declares how it is converted from the older one.

mod cluster;
mod machine_deployment;
mod shared;
mod topology;

pub use cluster::*;
pub use machine_deployment::*;
pub use shared::*;
pub use topology::*;
