//! `#[versioned(…)]`: writes the types of all versions.

use crate::{Report, versioned};
use proc_macro2::TokenStream;
use quote::quote;

/// Generates the code of `#[versioned(…)]` for an item, with the errors in it.
pub fn versioned(args: TokenStream, item: TokenStream) -> TokenStream {
    let mut report = Report::of_one_item();
    let code = versioned::expand(args, item, &mut report);
    let errors = report.compile_errors();
    quote!(#errors #code)
}
