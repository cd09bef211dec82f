//! The CRDs that commands work with: those that a server accepts, and those that objects are checked against.

pub(crate) mod accepted;
pub(crate) mod kinds;
pub(crate) mod sources;
