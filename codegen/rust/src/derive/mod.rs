//! Generates the code of the derives. A derive reads one item into a recipe, and writes code that returns the recipe
//! at run time.

#[cfg(feature = "configurations")]
pub mod apply;
mod assertions;
#[cfg(feature = "convert")]
pub mod convert;
#[cfg(all(feature = "kube", feature = "source"))]
pub mod in_file;
pub mod item;
#[cfg(feature = "kube")]
pub mod kube;
mod kubernetes;
mod kubernetes_names;
mod tokens;
#[cfg(feature = "convert")]
pub mod versioned;
