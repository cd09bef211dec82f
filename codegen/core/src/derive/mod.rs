//! What the derives write: one item is read as a recipe, and the code that gives it at run time comes out.

pub mod item;
#[cfg(feature = "kube")]
pub mod kube;
mod tokens;
