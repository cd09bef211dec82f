//! The reader: a scanner and a parser like those of go-yaml, a tree with places, and the values that sigs.k8s.io/yaml
//! makes from it.

mod align;
mod chars;
mod decode;
mod draft;
mod encoding;
mod json_tree;
mod locate;
mod parse;
mod plain;
mod problems;
mod properties;
mod read;
mod repeats;
mod scalars;
mod scan;
mod stream;
mod tag;
mod text;
mod tree;

use super::{problem, resolve};
pub use draft::{Draft, Form, Part, Spot, Touches};
pub use encoding::to_utf8;
pub use read::{
    Document, Documents, Format, MAX_BYTES, Unreadable, place, read, read_json, read_one, read_shared,
    read_yaml,
};
