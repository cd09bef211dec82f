//! `import!`: the types of CRDs in files next to the crate.

use std::path::Path;
use std::{fmt, io};

use crdgen_import::Unreadable;
use crdgen_import::structs::{self, Options};
use crdgen_runtime::ir::Crd;
use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Error, LitStr, Token};

/// The code for `"file.yaml", …`, with paths from the folder of the crate.
pub(crate) fn expand(input: TokenStream) -> Result<TokenStream, Error> {
    let files = Punctuated::<LitStr, Token![,]>::parse_terminated.parse2(input)?;
    if files.is_empty() {
        let help = "write the files with the CRDs: import!(\"crds/widgets.yaml\")";
        return Err(Error::new(Span::call_site(), help));
    }
    let folder = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let (mut crds, mut paths) = (Vec::new(), Vec::new());
    for file in &files {
        let path = Path::new(&folder).join(file.value()).display().to_string();
        let found = definitions(&path).map_err(|why| Error::new(file.span(), format!("{path}: {why}")))?;
        crds.extend(found);
        paths.push(path);
    }
    let code = code(&crds)?;
    // The compiler looks at the files again when it sees them named.
    Ok(quote!(#code #(const _: &[u8] = ::core::include_bytes!(#paths);)*))
}

/// Why there are no types for a file.
enum NoTypes {
    File(io::Error),
    NotRegular,
    Unreadable(Unreadable),
    NoDefinition,
}

impl fmt::Display for NoTypes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoTypes::File(e) => e.fmt(f),
            NoTypes::NotRegular => f.write_str("not a regular file"),
            NoTypes::Unreadable(why) => why.fmt(f),
            NoTypes::NoDefinition => f.write_str("there is no CustomResourceDefinition in it"),
        }
    }
}

fn definitions(path: &str) -> Result<Vec<Crd>, NoTypes> {
    // A pipe or a device may never end.
    if std::fs::metadata(path).is_ok_and(|meta| !meta.is_file()) {
        return Err(NoTypes::NotRegular);
    }
    let text = std::fs::read(path).map_err(NoTypes::File)?;
    let crds = crdgen_import::definitions::definitions(&text).map_err(NoTypes::Unreadable)?;
    if crds.is_empty() { Err(NoTypes::NoDefinition) } else { Ok(crds) }
}

fn code(crds: &[Crd]) -> Result<TokenStream, Error> {
    let options = Options::default();
    structs::tokens(&structs::plan(crds, &options), &options)
        .map_err(|e| Error::new(Span::call_site(), format!("the code does not parse: {e}")))
}
