//! What the derives write: one item is read as a recipe, and the code that gives it at run time comes out.

mod assertions;
pub mod item;
#[cfg(feature = "kube")]
pub mod kube;
mod kubernetes;
mod kubernetes_names;
mod tokens;
