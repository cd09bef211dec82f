//! Values and text as the Kubernetes API server reads and writes them: JSON values, JSON and YAML 1.1, Go's forms of
//! numbers, times and patterns, names and string formats. It does not know CRDs, schemas or expressions.

mod file_name;
pub mod format;
pub mod go;
mod group_version;
pub mod inert;
pub mod json;
pub mod listed;
pub mod names;
pub mod nearest;
pub mod path;
mod singular;
pub mod span;
pub mod value;
pub mod yaml;

pub use file_name::{file_name, is_device};
pub use group_version::GroupVersion;
pub use singular::singular;
