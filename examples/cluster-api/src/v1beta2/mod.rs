//! The newer version, which says how it comes from the older one.

mod cluster;
mod shared;
mod topology;

pub use cluster::*;
pub use shared::*;
pub use topology::*;
