//! What only programs use that measure crdgen, or compare it with others: peers, costs and speed.

pub mod compile;
pub mod expressions;
pub mod judging;
pub mod peers;
pub mod speed;
pub mod tables;
