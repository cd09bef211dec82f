//! Writes what is published about CRDs, with a module per kind of output: the documents that an API server publishes, JSON
//! Schema, and what people read.

use crdgen_cel as cel;
use crdgen_runtime::{ir, recipe};
use crdgen_text::{go, json, names, path, value, yaml};

pub mod docs;
pub mod explain;
pub mod json_schema;
pub mod openapi;
mod possible;
pub mod unfold;
