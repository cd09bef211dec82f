//! What the derives write: one item is read as a recipe, and the code that gives it at run time comes out.

mod assertions;
#[cfg(feature = "convert")]
pub mod convert;
pub mod item;
#[cfg(feature = "kube")]
pub mod kube;
mod kubernetes;
mod kubernetes_names;
mod tokens;
#[cfg(feature = "convert")]
pub mod versioned;
