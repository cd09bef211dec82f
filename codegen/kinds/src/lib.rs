//! Part of crdgen: Rust types that are Kubernetes kinds, while a program runs. It has their CRDs, the checks of their objects, and
//! the conversion of objects between versions. Use it through the crate [`crdgen`](https://docs.rs/crdgen), which has the derives.

mod compounds;
#[cfg(feature = "convert")]
pub mod convert;
#[cfg(any(feature = "convert", feature = "check"))]
#[doc(hidden)]
pub mod from_value;
#[cfg(feature = "check")]
pub mod installed;
mod kind;
#[cfg(feature = "check")]
pub mod objects;
#[cfg(feature = "check")]
pub mod rules;
#[cfg(feature = "webhook")]
#[doc(hidden)]
pub mod straight;
#[doc(hidden)]
pub mod to_value;

pub use crdgen_runtime::recipe::Schema;
pub use kind::{CustomResource, Problems, merge, to_yaml};
#[cfg(feature = "check")]
pub use kind::{Report, check};
