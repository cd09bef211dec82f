//! How big definitions are, and how they become smaller without accepting anything else: descriptions
//! are cut, nothing more.

mod applied;
mod sizes;

pub use applied::{Applied, Fit, applied, fit_annotation};
pub(crate) use applied::{bytes, of_description, room};
use crdgen_runtime::descriptions::each_of;
pub use sizes::{Below, Sizes, report};
