//! YAML and JSON texts as kubectl and the API server read and write them: sigs.k8s.io/yaml, which is
//! go-yaml v2 (YAML 1.1) converted to JSON.

pub mod resolve;
mod write;

pub use write::{write, write_object};

#[cfg(feature = "yaml")]
mod align;
#[cfg(feature = "yaml")]
mod chars;
#[cfg(feature = "yaml")]
mod decode;
#[cfg(feature = "yaml")]
mod encoding;
#[cfg(feature = "yaml")]
mod json_tree;
#[cfg(feature = "yaml")]
mod locate;
#[cfg(feature = "yaml")]
mod parse;
#[cfg(feature = "read")]
mod problem;
#[cfg(feature = "yaml")]
mod properties;
#[cfg(feature = "yaml")]
mod read;
#[cfg(feature = "yaml")]
mod repeats;
#[cfg(feature = "yaml")]
mod scalars;
#[cfg(feature = "yaml")]
mod scan;
#[cfg(feature = "yaml")]
mod stream;
#[cfg(feature = "yaml")]
mod tag;
#[cfg(feature = "yaml")]
mod text;
#[cfg(feature = "yaml")]
mod tree;

#[cfg(feature = "read")]
pub use problem::{Problem, ProblemKind};
#[cfg(feature = "yaml")]
pub use read::{Document, Documents, Format, MAX_BYTES, Unreadable, place, read, read_one, read_shared};
