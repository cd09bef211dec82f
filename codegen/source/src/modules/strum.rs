//! The enums that strum's derive `EnumDiscriminants` generates: the variants of another enum without their fields. Some of
//! them derive a schema.

use super::derives::{self, derives_schema};
use crate::cfg::Cfgs;
use crdgen_rust::attrs::meta::split;
use crdgen_rust::syntax::nesting;
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};

/// What differs between the releases of strum.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Release {
    /// 0.22 to 0.27.1, which document every enum.
    Documents,
    /// 0.27.2, which documents none.
    Silent,
    /// 0.28, which documents those without documentation, and keeps `#[default]`.
    Keeps,
}

impl Release {
    /// The release with a version of `strum_macros`. `None` for versions whose enums crdgen does not know.
    pub(super) fn of(version: &str) -> Option<Release> {
        let numbers: Option<Vec<u32>> = version.split('.').map(|number| number.parse().ok()).collect();
        match numbers?.as_slice() {
            [0, 22..=26, _] | [0, 27, 0 | 1] => Some(Release::Documents),
            [0, 27, 2] => Some(Release::Silent),
            [0, 28, _] => Some(Release::Keeps),
            _ => None,
        }
    }
}

/// The attributes of variants that strum copies.
const COPIED: [&str; 4] = ["doc", "cfg", "allow", "deny"];

const DOCUMENTATION: &str = "Auto-generated discriminant enum variants";

/// The settings of the generated enum.
struct Settings {
    name: proc_macro2::Ident,
    vis: TokenStream,
    /// Its derives and other attributes.
    attributes: Vec<TokenStream>,
    is_documented: bool,
}

/// Whether the derive generates an enum that derives a schema. Others are not read, because determining the release may
/// need cargo.
pub(super) fn has_schema(input: &syn::ItemEnum, cfgs: &Cfgs) -> bool {
    if !derives::derives(&input.attrs, cfgs).iter().any(|name| name == "EnumDiscriminants") {
        return false;
    }
    let attributes = settings(input, cfgs).attributes;
    let parsed: Option<syn::ItemEnum> = nesting::parse2(quote!(#(#[#attributes])* enum It {})).ok();
    parsed.is_some_and(|it| derives_schema(&it.attrs, cfgs))
}

/// The enum that the derive generates.
pub(super) fn discriminants(input: &syn::ItemEnum, cfgs: &Cfgs, release: Release) -> Option<syn::ItemEnum> {
    let Settings { name, vis, mut attributes, is_documented } = settings(input, cfgs);
    let is_default = |attr: &syn::Attribute| attr.path().is_ident("default");
    let keeps_default = release == Release::Keeps
        && input.variants.iter().any(|variant| variant.attrs.iter().any(is_default));
    if keeps_default {
        attributes.push(quote!(derive(Default)));
    }
    match release {
        Release::Documents => attributes.insert(0, quote!(doc = #DOCUMENTATION)),
        Release::Keeps if !is_documented => attributes.push(quote!(doc = #DOCUMENTATION)),
        Release::Silent | Release::Keeps => {}
    }
    let variants = input.variants.iter().map(|variant| {
        let ident = &variant.ident;
        let kept = variant.attrs.iter().filter_map(|attr| match &attr.meta {
            syn::Meta::List(list) if list.path.is_ident("strum_discriminants") => {
                let tokens = &list.tokens;
                Some(quote!(#[#tokens]))
            }
            _ if COPIED.iter().any(|name| attr.path().is_ident(name)) => Some(attr.to_token_stream()),
            _ if keeps_default && is_default(attr) => Some(attr.to_token_stream()),
            _ => None,
        });
        quote!(#(#kept)* #ident)
    });
    nesting::parse2(quote!(#(#[#attributes])* #vis enum #name { #(#variants),* })).ok()
}

fn settings(input: &syn::ItemEnum, cfgs: &Cfgs) -> Settings {
    let mut out = Settings {
        name: format_ident!("{}Discriminants", input.ident),
        vis: input.vis.to_token_stream(),
        attributes: Vec::new(),
        is_documented: false,
    };
    derives::each(&input.attrs, cfgs, &mut |meta| {
        let syn::Meta::List(list) = meta else { return };
        if !list.path.is_ident("strum_discriminants") {
            return;
        }
        for part in split(list.tokens.clone()) {
            match part.as_slice() {
                [TokenTree::Ident(key), TokenTree::Group(group)] if key == "name" => {
                    if let Ok(name) = nesting::parse2(group.stream()) {
                        out.name = name;
                    }
                }
                [TokenTree::Ident(key), TokenTree::Group(group)] if key == "vis" => out.vis = group.stream(),
                _ => {
                    out.is_documented |= matches!(part.first(), Some(TokenTree::Ident(key)) if key == "doc");
                    out.attributes.push(part.into_iter().collect());
                }
            }
        }
    });
    out
}
