//! Encodes CustomResourceDefinitions of v1: as an author writes them, and as the server stores them.

mod definition;
mod object;
mod schema;

pub use schema::{rule, schema};

use crate::ir::Crd;
use crate::value::Value;
use object::Object;

/// The definition as an author writes it: of v1, without status, without what the server sets in the
/// metadata, without nulls and empty lists. The server stores the same for it as for what was read.
pub fn crd(crd: &Crd) -> Value {
    let Crd { api_version: _, metadata, spec, status: _ } = crd;
    head().set("metadata", definition::own_metadata(metadata)).set("spec", definition::spec(spec)).build()
}

/// The definition as the server stores and returns it in v1, but for the parts of its metadata that no
/// one can foresee: uid, resource version, time of creation and managed fields.
pub fn stored(crd: &Crd) -> Value {
    let Crd { api_version: _, metadata, spec, status } = crd;
    head()
        .set("metadata", definition::metadata(metadata))
        .set("spec", definition::spec(spec))
        .set("status", definition::status(status))
        .build()
}

fn head() -> Object {
    Object::new().set("apiVersion", "apiextensions.k8s.io/v1").set("kind", "CustomResourceDefinition")
}
