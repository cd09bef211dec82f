//! The CRDs that commands work with: those that a server accepts, those before an update, and those that objects are checked
//! against.

pub(crate) mod accepted;
pub(crate) mod against;
pub(crate) mod kinds;
pub(crate) mod partly;
pub(crate) mod sources;
