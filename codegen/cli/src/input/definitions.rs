//! The definitions in files.

pub(crate) use crdgen_core::documents::{Definitions, Group, Named};
pub(crate) use crdgen_tasks::inputs::{expect_accepted, is_named};
