//! The older version.

mod cluster;
mod shared;
mod topology;

pub use cluster::*;
pub use shared::*;
pub use topology::*;
