//! What commands write: findings, and files in folders.

pub(crate) mod aligned;
pub(crate) mod exceptions;
pub(crate) mod folders;
pub(crate) mod junit;
pub(crate) mod owners;
pub(crate) mod report;
