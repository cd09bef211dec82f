//! Encodes CustomResourceDefinitions of v1: as an author writes them, and as the server stores them.

mod definition;
mod object;
mod schema;

pub use schema::{rule, schema};

use crate::ir::Crd;
use crate::value::Value;
use object::Object;

/// Encodes a CRD as an author writes it: in v1, without the status, without the metadata that the server sets, and
/// without nulls and empty lists. The server stores the same CRD for it as for the original.
pub fn crd(crd: &Crd) -> Value {
    let Crd { api_version: _, metadata, spec, status: _ } = crd;
    head().set("metadata", definition::own_metadata(metadata)).set("spec", definition::spec(spec)).build()
}

/// Encodes a CRD as the server stores and returns it in v1. Only the metadata that cannot be predicted is missing: the
/// uid, the resource version, the creation time and the managed fields.
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
