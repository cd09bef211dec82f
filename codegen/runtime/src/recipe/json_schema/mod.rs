//! JSON Schema as schemars writes it, read as recipes and written for types that schemars needs to know.

pub mod read;
pub mod write;
