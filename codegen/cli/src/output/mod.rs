//! What commands write: findings, and files in folders.

pub(crate) mod folders;
pub(crate) mod report;
