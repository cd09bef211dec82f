//! The findings of a source.

use crdgen_core::documents::Finding;

use super::Source;

/// All findings of one source.
#[derive(Clone)]
pub struct Findings {
    /// The text they are in.
    pub source: Source,
    /// In the order of their places.
    pub findings: Vec<Finding>,
}
