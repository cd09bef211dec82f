//! Kinds that are left out because features of the package are off.

use super::declare::module_files;
use super::{Contents, at, derives, parent};
use crate::cfg::Cfgs;
use crate::diag::Level;
use crate::diag::codes::rust as codes;
use crdgen_rust::attrs::meta::string_of;
use crdgen_rust::lower::{cfg_enabled, plain};
use crdgen_rust::syntax::nesting;
use proc_macro2::{TokenStream, TokenTree};

/// More files than real crates have behind a feature. They are read again for each target of a package.
const MOST_FILES: usize = 500;

/// The kinds that are looked for with other features.
struct Behind {
    cfgs: Cfgs,
    files: usize,
    kinds: Vec<String>,
}

impl Contents<'_> {
    /// Reports kinds in an item of the first crate that is compiled only with features that are off.
    pub(super) fn look_behind_features(
        &mut self,
        module: usize,
        item: &syn::Item,
        directory: &str,
        beside: &str,
    ) {
        let (attrs, ident) = match item {
            syn::Item::Mod(it) => (&it.attrs, &it.ident),
            syn::Item::Struct(it) => (&it.attrs, &it.ident),
            syn::Item::Enum(it) => (&it.attrs, &it.ident),
            _ => return,
        };
        let cfgs = self.cfgs(module);
        if !self.is_of_first_crate(module) || cfg_enabled(attrs, &|tokens| cfgs.enabled(tokens)) {
            return;
        }
        let mut features = Vec::new();
        attrs
            .iter()
            .filter_map(|it| it.meta.require_list().ok())
            .filter(|list| list.path.is_ident("cfg"))
            .for_each(|list| features_in(list.tokens.clone(), &mut features));
        let pair = |name: &String| ("feature".to_owned(), name.clone());
        features.retain(|name| !cfgs.pairs.contains(&pair(name)));
        let mut with = Cfgs::clone(&cfgs);
        with.pairs.extend(features.iter().map(pair));
        if features.is_empty() || !cfg_enabled(attrs, &|tokens| with.enabled(tokens)) {
            return;
        }
        let mut behind = Behind { cfgs: with, files: 0, kinds: Vec::new() };
        self.kinds_behind(item, directory, beside, &mut behind);
        if behind.kinds.is_empty() {
            return;
        }
        let (features, kinds) = (features.join("`, `"), behind.kinds.join("`, `"));
        let message =
            format!("kinds are missing because features of the package are off (`{features}`): `{kinds}`");
        let help = format!("use `--features {}`", features.replace("`, `", ","));
        let at = at(self.files[self.modules[module].file].clone(), ident.span());
        self.report(Level::Note, Some(at), &codes::MODULES, message, &help);
    }

    fn kinds_behind(&mut self, item: &syn::Item, directory: &str, beside: &str, behind: &mut Behind) {
        let enabled = |attrs: &[syn::Attribute]| cfg_enabled(attrs, &|tokens| behind.cfgs.enabled(tokens));
        let is_kind = |attrs: &[syn::Attribute]| {
            derives::derives(attrs, &behind.cfgs).iter().any(|d| d == "CustomResource")
        };
        match item {
            syn::Item::Struct(it) if enabled(&it.attrs) && is_kind(&it.attrs) => {
                behind.kinds.push(plain(&it.ident));
            }
            syn::Item::Enum(it) if enabled(&it.attrs) && is_kind(&it.attrs) => {
                behind.kinds.push(plain(&it.ident));
            }
            syn::Item::Mod(it) if enabled(&it.attrs) => {
                let below = format!("{directory}/{}", plain(&it.ident));
                let path = derives::path(&it.attrs, &behind.cfgs);
                if let Some((_, items)) = &it.content {
                    let below = path.map_or(below, |path| format!("{beside}/{path}"));
                    items.iter().for_each(|item| self.kinds_behind(item, &below, &below, behind));
                    return;
                }
                let files = module_files(path, below, beside).into_iter();
                let mut read =
                    files.filter_map(|(path, directory)| Some((self.sources.read(&path)?, path, directory)));
                let Some((text, path, directory)) = read.next() else { return };
                behind.files += 1;
                // Most files have neither kinds nor modules.
                if behind.files > MOST_FILES || !(text.contains("CustomResource") || text.contains("mod ")) {
                    return;
                }
                let Ok(file) = nesting::parse_file(&text) else { return };
                file.items
                    .iter()
                    .for_each(|item| self.kinds_behind(item, &directory, &parent(&path), behind));
            }
            _ => {}
        }
    }
}

/// The names in `feature = "name"`.
fn features_in(tokens: TokenStream, out: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(key) if key == "feature" => {
                let value = tokens.get(at + 2).cloned().and_then(|value| string_of(value.into()));
                out.extend(value.filter(|name| !out.contains(name)));
            }
            TokenTree::Group(group) => features_in(group.stream(), out),
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}
