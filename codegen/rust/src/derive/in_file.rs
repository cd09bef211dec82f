//! What the derives of a file write.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Attribute, Ident, Item, Path, Token};

use super::{convert, item, kube};
use crate::syntax::nesting;
use crate::versioned;

/// A function that writes the code of a derive for the tokens of an item.
type Derive = fn(TokenStream) -> TokenStream;

/// The items of a file and of the modules in it, for the derives. An item with `#[versioned]` is replaced by the types of all
/// versions.
pub struct DerivedIn {
    items: Vec<Item>,
    versioned: Vec<syn::File>,
}

/// Whose derive `CustomResource` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CustomResources {
    /// `crdgen::CustomResource`
    Crdgen,
    /// `crdgen::kube::CustomResource`
    Kube,
}

/// A type, and a derive that it names.
pub struct Derived<'i> {
    /// The type.
    pub name: &'i Ident,
    derive: Derive,
    item: TokenStream,
}

impl Derived<'_> {
    /// The code that the derive writes for the type.
    pub fn code(self) -> TokenStream {
        (self.derive)(self.item)
    }
}

impl DerivedIn {
    /// Reads the items of a file.
    ///
    /// # Errors
    /// Fails if what `#[versioned]` writes is not valid Rust.
    pub fn new(file: syn::File) -> syn::Result<DerivedIn> {
        let mut all = DerivedIn { items: Vec::new(), versioned: Vec::new() };
        all.add(file.items)?;
        Ok(all)
    }

    fn add(&mut self, items: Vec<Item>) -> syn::Result<()> {
        for mut item in items {
            if let Some((_, arguments)) = versioned::take(&mut item, &|_| true) {
                let code = super::versioned::versioned(arguments, item.to_token_stream());
                let file: syn::File = nesting::parse2(code)?;
                self.items.extend(file.items.iter().cloned());
                self.versioned.push(file);
            } else if let Item::Mod(syn::ItemMod { content: Some((_, inner)), .. }) = item {
                self.add(inner)?;
            } else {
                self.items.push(item);
            }
        }
        Ok(())
    }

    /// What `#[versioned]` writes for each item that has it.
    pub fn versioned(&self) -> &[syn::File] {
        &self.versioned
    }

    /// The types, each with a derive that it names.
    pub fn derived(&self, resources: CustomResources) -> Vec<Derived<'_>> {
        derived(&self.items, resources)
    }
}

fn derived(items: &[Item], resources: CustomResources) -> Vec<Derived<'_>> {
    let mut out = Vec::new();
    for item in items {
        let (name, attributes) = match item {
            Item::Struct(item) => (&item.ident, &item.attrs),
            Item::Enum(item) => (&item.ident, &item.attrs),
            Item::Mod(module) => {
                let inner = module.content.iter().flat_map(|(_, items)| derived(items, resources));
                out.extend(inner);
                continue;
            }
            _ => continue,
        };
        let derives = attributes.iter().flat_map(derives).filter_map(|path| ours(&path, resources));
        out.extend(derives.map(|derive| Derived { name, derive, item: item.to_token_stream() }));
    }
    out
}

/// Returns what an attribute derives. Empty for any other attribute.
fn derives(attribute: &Attribute) -> Punctuated<Path, Token![,]> {
    let derive = attribute.path().is_ident("derive");
    let paths = derive.then(|| attribute.parse_args_with(Punctuated::parse_terminated));
    paths.and_then(Result::ok).unwrap_or_default()
}

fn ours(path: &Path, resources: CustomResources) -> Option<Derive> {
    let name = path.segments.last()?.ident.to_string();
    match (name.as_str(), resources) {
        ("Schema", _) => Some(item::schema),
        ("JsonSchema" | "KubeSchema", _) => Some(item::json_schema),
        ("Convert", _) => Some(convert::convert),
        ("CustomResource", CustomResources::Kube) => Some(kube::custom_resource),
        ("CustomResource", CustomResources::Crdgen) => Some(item::custom_resource),
        _ => None,
    }
}
