//! The path of the crate `crdgen` in generated code.

use proc_macro2::{Ident, Span};
use syn::Token;

/// The user's path for the crate, or `::crdgen`. This is a `syn::Path`, because its few tokens are written often, and
/// each token stream would need a call to the compiler.
pub(crate) fn crate_path(path: Option<&syn::Path>) -> syn::Path {
    let own = || {
        let crdgen = syn::PathSegment::from(Ident::new("crdgen", Span::call_site()));
        syn::Path { leading_colon: Some(<Token![::]>::default()), segments: [crdgen].into_iter().collect() }
    };
    path.cloned().unwrap_or_else(own)
}
