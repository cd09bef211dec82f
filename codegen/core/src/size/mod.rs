//! How big definitions are, and how they become smaller without accepting anything else: descriptions
//! are cut, nothing more.

#[cfg(feature = "check")]
mod applied;
mod descriptions;
#[cfg(feature = "check")]
mod sizes;

#[cfg(feature = "check")]
pub use applied::{Applied, Fit, applied, fit_annotation};
#[cfg(feature = "check")]
pub(crate) use applied::{bytes, of_description, room};
pub use descriptions::{limit, limit_all};
#[cfg(feature = "check")]
pub use sizes::{Below, Sizes, report};
