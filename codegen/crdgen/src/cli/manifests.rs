//! Objects in files, each at its place.

pub(crate) use crdgen_core::documents::{Manifest, objects as of};
