//! `#[versioned(…)]`: generates a type for each version from a type with its history.
//!
//! The results are ordinary types with ordinary attributes. `#[derive(Convert)]` and `#[convert(…)]` connect the types
//! of neighboring versions, so the conversion is generated as if a user had written them. All tokens keep their places
//! in the source.

mod action;
mod args;
mod keys;
mod members;
mod parts;
mod write;

use self::action::Said;
use self::args::Args;
use self::keys::VersionedPlace;
use self::members::Versioned;
use self::parts::{Part, parts};
use self::write::Writer;
use super::input;
use super::report::Report;
use crate::diag::codes::rust as codes;
use crate::syntax::nesting;
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;

/// The maximum number of tokens of all versions. It is more than any kind needs, and small enough for the memory.
const MOST: usize = 4_000_000;

fn count(tokens: TokenStream) -> usize {
    let mut open = vec![tokens.into_iter()];
    let mut count = 0;
    while let Some(level) = open.last_mut() {
        match level.next() {
            None => _ = open.pop(),
            Some(token) => {
                count += 1;
                if let TokenTree::Group(group) = token {
                    open.push(group.stream().into_iter());
                }
            }
        }
    }
    count
}

/// Generates the code for an item, which is a type or a module of types. `args` are the arguments of the attribute.
/// The code is empty if the item is neither of them.
pub fn expand(args: TokenStream, item: TokenStream, report: &mut Report) -> TokenStream {
    if let Err(at) = nesting::check_attribute(args.clone()) {
        report.error(at, &codes::TOO_DEEP, "this attribute is nested too deeply", "remove some brackets");
        return TokenStream::new();
    }
    let args = Args::read(args, report);
    if count(item.clone()).saturating_mul(args.versions.len()) > MOST {
        let message = "the types of all versions are too much code";
        let help = "split the module, or remove versions that are no longer served";
        report.error(Span::call_site(), &codes::TOO_BIG, message, help);
        return TokenStream::new();
    }
    let mut found = parts(item);
    match (found.pop(), found.is_empty()) {
        (Some(Part::Type(tokens)), true) => of_type(&args, tokens, report),
        (Some(Part::Module(module)), true) => {
            args.no_type(report);
            let types: Vec<TokenStream> = module
                .parts
                .iter()
                .filter_map(|part| if let Part::Type(tokens) = part { Some(tokens.clone()) } else { None })
                .collect();
            let types = types.into_iter().filter_map(|tokens| read(&args, tokens, None, report)).collect();
            let writer = Writer::new(&args, types, report);
            writer.module(module)
        }
        (other, _) => {
            let span = match other {
                Some(Part::Other(tokens)) => tokens.into_iter().next().map(|token| token.span()),
                Some(Part::Type(_) | Part::Module(_)) | None => None,
            };
            let message = "#[versioned] does not belong on this item";
            let help = "write it on a struct, an enum, or a module of them";
            report.error(span.unwrap_or_else(Span::call_site), &codes::PLACE, message, help);
            TokenStream::new()
        }
    }
}

/// Returns the section about `#[versioned(…)]` in ATTRIBUTES.md.
pub fn reference() -> String {
    let head = "\
## `#[versioned(…)]`

`#[crdgen::versioned(v1alpha1, v1beta1, v1)]` (feature `convert`) makes a module for each version from a struct, an enum, or a
module of them. It must be above the derives. Fields and types without visibility become `pub`. Neighbouring versions are
converted by `#[derive(Convert)]`, and the newest version of each kind has a function `versions()`.

| argument | meaning |
| --- | --- |
| `v1`, or `version(name = \"v1\")` | A version, from the oldest to the newest. |
| `v1(deprecated)`, `v1(deprecated = \"warning\")` | Marks the version as deprecated. |
| `v1(storage)` | Objects are stored in this version. By default it is the newest one. |
| `v1(served = false)` | The server does not serve the version. |
| `v1(doc = \"…\")` | The documentation of the module. |
| `v1(skip(from))`, `options(skip(from))` | You write the conversion to the next version, or all conversions, by hand. |
| `preserve_module`, `options(preserve_module)` | The modules of the versions stay inside the module. By default they replace it. |
| `options(allow_unsorted)` | Allows the versions in any order. |
| `crate = \"path\"` | The path at which crdgen is re-exported. |

Arguments and keys have the names that they have in stackable-versioned, if they mean the same. The keys on types, fields and
variants are:

";
    format!(
        "{head}{}\nIf a value may be lost, write `lossy, reason = \"…\"` in `added`, `removed` or `changed`.\n",
        keys::reference()
    )
}

/// Removes the attribute from an item and returns it with its arguments, if the item is compiled. An attribute below a
/// derive is kept, because the derive sees it first and reports it.
#[cfg(feature = "source")]
pub fn take(
    item: &mut syn::Item,
    is_compiled: &dyn Fn(&[syn::Attribute]) -> bool,
) -> Option<(syn::Path, TokenStream)> {
    let attributes = match item {
        syn::Item::Mod(it) if it.content.is_some() => &mut it.attrs,
        syn::Item::Struct(it) => &mut it.attrs,
        syn::Item::Enum(it) => &mut it.attrs,
        _ => return None,
    };
    let first = attributes.iter().position(|it| it.path().is_ident("derive") || action::is_versioned(it));
    let at = first.filter(|at| action::is_versioned(&attributes[*at]) && is_compiled(attributes))?;
    Some(match attributes.remove(at).meta {
        syn::Meta::List(list) => (list.path, list.tokens),
        syn::Meta::Path(path) => (path, TokenStream::new()),
        syn::Meta::NameValue(pair) => (pair.path, TokenStream::new()),
    })
}

fn of_type(args: &Args, tokens: TokenStream, report: &mut Report) -> TokenStream {
    let said = Said { metas: args.of_type.clone(), place: VersionedPlace::Type };
    let visibility = |tokens: TokenStream| input::parse(tokens).map(|input| input.vis.to_token_stream());
    let vis = visibility(tokens.clone()).unwrap_or_default();
    let types = read(args, tokens, Some(said), report).into_iter().collect();
    Writer::new(args, types, report).modules(&TokenStream::new(), &vis, &[])
}

fn read(args: &Args, tokens: TokenStream, said: Option<Said>, report: &mut Report) -> Option<Versioned> {
    match input::parse(tokens) {
        Ok(input) => Versioned::read(args, input, said, report),
        Err(error) => {
            report.error(error.span(), &codes::SYNTAX, error.to_string(), "write a struct or an enum");
            None
        }
    }
}
