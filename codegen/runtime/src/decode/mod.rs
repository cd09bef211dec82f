//! Decodes CustomResourceDefinitions like the API server: typed, with unknown fields reported and defaults for absent
//! ones, in v1 and v1beta1. Schemas can also be decoded alone, for schemas in attributes.

#[macro_use]
mod context;
#[cfg(feature = "read")]
mod document;
mod schema;

use crate::diag::Diags;
use crate::ir::{ApiVersion, Schema};
use crate::path::Path;
use crate::value::Value;
#[cfg(feature = "read")]
pub use document::{Written, crd, crd_as_written, set_defaults};

use context::{Cx, Decode};

/// Decodes a schema on its own, as in a CRD of v1.
pub fn schema(document: Value) -> (Option<Schema>, Diags) {
    let mut cx = Cx::new(ApiVersion::V1, Diags::new());
    let schema = Schema::decode(document, &Path::ROOT, &mut cx);
    let (failed, diags) = cx.finish();
    ((!failed).then_some(schema), diags)
}
