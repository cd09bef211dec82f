//! The path of the crate `crdgen` in generated code.

use proc_macro2::{Ident, Span};
use syn::Token;

/// What the user calls the crate, or `::crdgen`: a path, since its few tokens are written often, and as a stream each time would be
/// an exchange with the compiler.
pub(crate) fn krate(path: Option<&syn::Path>) -> syn::Path {
    let own = || {
        let crdgen = syn::PathSegment::from(Ident::new("crdgen", Span::call_site()));
        syn::Path { leading_colon: Some(<Token![::]>::default()), segments: [crdgen].into_iter().collect() }
    };
    path.cloned().unwrap_or_else(own)
}
