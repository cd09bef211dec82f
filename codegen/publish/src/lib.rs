//! Writes documents and Rust from the model, with a module per kind of output. It does not use `read`.

#[cfg(any(feature = "check", feature = "import"))]
mod file_name;
#[cfg(any(feature = "check", feature = "import"))]
pub use file_name::{file_name, is_device};

#[cfg(feature = "check")]
pub mod docs;
#[cfg(feature = "check")]
pub mod explain;
#[cfg(feature = "check")]
pub mod json_schema;
#[cfg(feature = "check")]
pub mod openapi;
#[cfg(feature = "check")]
mod possible;
#[cfg(any(feature = "check", feature = "import"))]
mod singular;
#[cfg(any(feature = "check", feature = "import"))]
pub(crate) use singular::singular;
#[cfg(feature = "import")]
pub mod structs;
#[cfg(feature = "check")]
pub mod unfold;
