//! `#[versioned(…)]`: writes the types of all versions.

use crate::read::rust::{Report, versioned};
use proc_macro2::TokenStream;
use quote::quote;

/// The code of an item with its history, and what is wrong with it.
pub fn versioned(args: TokenStream, item: TokenStream) -> TokenStream {
    let mut report = Report::of_one_item();
    let code = versioned::expand(args, item, &mut report);
    let errors = report.compile_errors();
    quote!(#errors #code)
}
