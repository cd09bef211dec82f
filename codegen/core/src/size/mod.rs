//! How big definitions are, and how they become smaller without accepting anything else: descriptions
//! are cut, nothing more.

mod applied;
mod sizes;

pub use applied::{Applied, Fit, applied, fit_annotation};
pub(crate) use applied::{bytes, of_description, room};
use crdgen_model::size::each_of;
pub use crdgen_model::size::{limit, limit_all};
pub use sizes::{Below, Sizes, report};
