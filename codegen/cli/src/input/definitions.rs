//! The definitions in files.

pub(crate) use crdgen::inputs::{expect_accepted, is_named};
pub(crate) use crdgen_core::documents::{Definitions, Group, Named};
