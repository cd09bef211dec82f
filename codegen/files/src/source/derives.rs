//! Whether a package has kinds, as far as its sources show it without cargo: for hints, which must not take long.

use crate::input::{self, folder_of};
use crdgen_rust::syntax::nesting;
use std::path::{Path, PathBuf};

use super::{MANIFEST, alone};

/// More files than the sources of any package have.
const MOST_FILES: usize = 10_000;

/// The derive of kinds.
const DERIVE: &str = "CustomResource";

/// Whether the sources of the package of a manifest derive `CustomResource`, also behind conditions of `cfg_attr`, but not only for
/// tests.
pub(super) fn has_kinds(manifest: &Path) -> bool {
    let roots = alone::own_targets(manifest).into_iter().map(|target| folder_of(&target.root).to_owned());
    let mut folders: Vec<PathBuf> = roots.collect();
    folders.dedup();
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            match entry.file_type() {
                Ok(of) if of.is_dir() => folders.extend(is_own(&path).then_some(path)),
                Ok(of) if of.is_file() && path.extension().is_some_and(|it| it == "rs") => {
                    files += 1;
                    if files > MOST_FILES || derives_kind(&path) {
                        return files <= MOST_FILES;
                    }
                }
                Ok(_) | Err(_) => {}
            }
        }
    }
    false
}

/// Whether a folder belongs to the package around it: other packages and what cargo writes do not.
fn is_own(folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    name != "target" && !name.starts_with('.') && !folder.join(MANIFEST).exists()
}

fn derives_kind(file: &Path) -> bool {
    let Ok(text) = input::read_to_string(file) else { return false };
    if !text.contains(DERIVE) {
        return false;
    }
    nesting::parse_file(&text).is_ok_and(|file| file.items.iter().any(is_kind))
}

/// Whether an item derives `CustomResource`, or is a module with such an item.
fn is_kind(item: &syn::Item) -> bool {
    let derives = |attributes: &[syn::Attribute]| {
        attributes.iter().any(|it| match &it.meta {
            syn::Meta::List(list) if it.path().is_ident("derive") || it.path().is_ident("cfg_attr") => {
                has_name(list.tokens.clone())
            }
            syn::Meta::List(_) | syn::Meta::Path(_) | syn::Meta::NameValue(_) => false,
        })
    };
    let is_test = |it: &syn::Attribute| {
        it.path().is_ident("cfg") && it.parse_args::<syn::Path>().is_ok_and(|it| it.is_ident("test"))
    };
    match item {
        syn::Item::Struct(item) => derives(&item.attrs),
        syn::Item::Enum(item) => derives(&item.attrs),
        syn::Item::Mod(syn::ItemMod { attrs, content: Some((_, items)), .. }) => {
            !attrs.iter().any(is_test) && items.iter().any(is_kind)
        }
        _ => false,
    }
}

/// Whether tokens contain the name of the derive. Attributes that were parsed are not nested deeply.
fn has_name(tokens: proc_macro2::TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        proc_macro2::TokenTree::Ident(name) => name == DERIVE,
        proc_macro2::TokenTree::Group(group) => has_name(group.stream()),
        proc_macro2::TokenTree::Punct(_) | proc_macro2::TokenTree::Literal(_) => false,
    })
}
