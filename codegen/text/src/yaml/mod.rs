//! YAML and JSON texts, as kubectl and the API server read and write them. They use sigs.k8s.io/yaml, which converts
//! go-yaml v2 (YAML 1.1) to JSON.

mod problem;
#[cfg(feature = "yaml")]
mod reader;
pub mod resolve;
mod write;

pub use problem::{Problem, ProblemKind};
#[cfg(feature = "yaml")]
pub use reader::{
    Document, Documents, Draft, Form, Format, MAX_BYTES, Part, Spot, Touches, Unreadable, place, read,
    read_json, read_one, read_shared, read_yaml, to_utf8,
};
pub use write::{Comments, write, write_commented, write_object};
