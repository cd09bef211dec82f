//! Code of programs that measure crdgen or compare it with other programs: peers, costs and speed.

pub mod built_in;
pub mod compile;
pub mod expressions;
pub mod judging;
pub mod lifecycle;
pub mod peers;
#[cfg(feature = "bench")]
pub mod speed;
pub mod tables;
pub mod updates;
