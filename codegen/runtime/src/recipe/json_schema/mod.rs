//! JSON Schema in the form that schemars uses: reads it as recipes, and writes it for types that schemars needs to
//! know.

pub mod read;
pub mod write;
