//! The size of CRDs, and how to make them smaller without changing what they accept: only descriptions are removed.

mod applied;
mod sizes;

pub use applied::{Applied, Fit, applied, fit_annotation};
pub(crate) use applied::{bytes, of_description, room};
use crdgen_runtime::descriptions::each_of;
pub use sizes::{Below, Sizes, report};
