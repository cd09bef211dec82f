//! What commands write: findings, and files in folders.

pub(crate) mod changes;
pub(crate) mod folders;
pub(crate) mod report;
