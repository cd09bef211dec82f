//! What the API server does with a custom resource, a module per behaviour.

pub mod defaults;
pub mod embedded;
pub mod format;
pub mod metadata;
pub mod prune;
pub mod rules;
mod surrounding;
pub mod validate;

pub(crate) use surrounding::Surrounding;
