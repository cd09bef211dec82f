//! Macros that read other files: `include!`, and `automod::dir!`, which declares a module for each file of a folder.

use super::declare::straight;
use super::{Contents, Level, UNREADABLE, Unread, parent};
use crate::diag::codes::rust as codes;
use crate::macros::Call;
use crdgen_rust::attrs::meta::{split, string_of};
use crdgen_rust::syntax::nesting;
use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;

/// More inserted files than any real crate has. Files that include others twice would soon exceed it.
const MOST_FILES: usize = 1000;

/// Why the path in `include!` is not known.
enum NoPath {
    /// A variable that a build script or cargo sets.
    Variable(String),
    /// Other code.
    Code,
}

impl Contents<'_> {
    /// Declares the items in a file as if they were in the place of `include!`.
    pub(super) fn include(&mut self, call: Call) {
        let path = self.included_path(call.module, &call.mac.tokens);
        let is_own = self.is_of_first_crate(call.module);
        let place = self.at_module(call.module, call.mac.path.span());
        let path = match path {
            Ok(path) => path,
            Err(_) if !is_own => return,
            Err(why) => {
                self.is_built = true;
                let what = match why {
                    NoPath::Variable(name) => format!("the file is in `{name}`, which crdgen does not know"),
                    NoPath::Code => "crdgen does not know the path of the file".to_owned(),
                };
                let message =
                    format!("what `include!` inserts here is missing, with any kinds in it: {what}");
                let help = "if it has kinds, use `crdgen emit --exact`, which runs build scripts";
                return self.report(Level::Warning, place, &codes::MODULES, message, help);
            }
        };
        let text = match self.beside(call.module, &path) {
            Ok(text) => text,
            Err(_) if !is_own => return,
            Err(why) => {
                let message = format!("the file {path} that `include!` inserts here cannot be read");
                let help = match why {
                    Unread::Missing => "add the file. If a build script writes it, run `cargo build` first",
                    Unread::Outside => {
                        "it is outside of the package; use `crdgen emit --exact` if you trust it"
                    }
                    Unread::Failed(_) => UNREADABLE,
                };
                return self.error(place, &codes::MODULES, message, help);
            }
        };
        let file = straight(&path);
        self.included += 1;
        if self.open.contains(&file) || self.included > MOST_FILES {
            let message =
                format!("the file {path} includes itself, or there are more than {MOST_FILES} files");
            return self.error(place, &codes::MODULES, message, "remove one of the `include!`");
        }
        self.open.push(file);
        self.insert(call, &text, &path);
        self.open.pop();
    }

    fn insert(&mut self, call: Call, text: &str, path: &str) {
        // The tokens get the place of the call, because the file of the module has them there.
        let file = nesting::parse_file(text).ok();
        let code = file.map(|file| placed(file.into_token_stream(), call.mac.path.span()));
        let items = code.and_then(|code| nesting::parse2::<syn::File>(code).ok()).map(|file| file.items);
        match items {
            Some(items) => self.declare_code(call, items),
            None if self.is_of_first_crate(call.module) => {
                let place = self.at_module(call.module, call.mac.path.span());
                let message = format!("the file {path} that `include!` inserts here is not Rust items");
                self.error(place, &codes::SYNTAX, message, "write it as the compiler reads it");
            }
            None => {}
        }
    }

    /// The path in `include!("…")` and `include!(concat!(env!("…"), "…"))`.
    fn included_path(&self, module: usize, tokens: &TokenStream) -> Result<String, NoPath> {
        let parts: Vec<TokenTree> = tokens.clone().into_iter().collect();
        match parts.as_slice() {
            [TokenTree::Ident(name), TokenTree::Punct(bang), TokenTree::Group(inside)]
                if bang.as_char() == '!' =>
            {
                let inside = inside.stream();
                match name.to_string().as_str() {
                    "concat" => {
                        let parts = split(inside).into_iter();
                        parts.map(|part| self.included_path(module, &part.into_iter().collect())).collect()
                    }
                    "env" => {
                        let name = string_of(inside).ok_or(NoPath::Code)?;
                        self.any_variable(module, &name).ok_or(NoPath::Variable(name))
                    }
                    _ => Err(NoPath::Code),
                }
            }
            _ => string_of(tokens.clone()).ok_or(NoPath::Code),
        }
    }

    /// The modules of `automod::dir!(pub "src/api")`: one for each file of the folder.
    pub(crate) fn modules_of_folder(&mut self, call: &Call) -> Option<Vec<syn::Item>> {
        let tokens: Vec<TokenTree> = call.mac.tokens.clone().into_iter().collect();
        let (folder, before) = tokens.split_last()?;
        let folder = string_of(folder.clone().into())?;
        let before: TokenStream = before.iter().cloned().collect();
        let root = &self.crates[self.modules[call.module].krate].source.root;
        let manifest = self.any_variable(call.module, "CARGO_MANIFEST_DIR");
        let manifest = manifest.unwrap_or_else(|| parent(&parent(root)));
        let folder = straight(&format!("{manifest}/{folder}"));
        let mut names: Vec<String> = self
            .sources
            .files_in(&folder)
            .into_iter()
            .filter_map(|file| file.strip_suffix(".rs").map(str::to_owned))
            .filter(|name| !matches!(name.as_str(), "mod" | "lib" | "main"))
            .collect();
        names.sort();
        let span = call.mac.path.span();
        let item = |name: String| {
            let path = up_to(&call.beside, &format!("{folder}/{name}.rs"));
            let name = syn::Ident::new(&name.replace('-', "_"), span);
            nesting::parse2(quote::quote_spanned!(span=> #[path = #path] #before mod #name;)).ok()
        };
        Some(
            names
                .into_iter()
                .filter(|name| nesting::is_identifier(&name.replace('-', "_")))
                .filter_map(item)
                .collect(),
        )
    }

    /// Reports a macro of the first crate whose items are unknown.
    pub(crate) fn report_unexpanded(&mut self, call: &Call) {
        const OF_NO_TYPES: [&str; 6] =
            ["thread_local", "compile_error", "assert", "global_asm", "lazy_static", "const_assert"];
        let name = call.mac.path.segments.last().map(|part| part.ident.to_string()).unwrap_or_default();
        // crdgen's own macros generate types from CRDs, and no kinds of the crate.
        let is_own = call.mac.path.segments.first().is_some_and(|part| part.ident == "crdgen");
        if !self.is_of_first_crate(call.module) || is_own || OF_NO_TYPES.contains(&name.as_str()) {
            return;
        }
        let message =
            format!("crdgen does not expand the macro `{name}!`, so any kinds that it declares are missing");
        let help = "if it declares kinds, use `crdgen emit --exact`, which compiles the package";
        let place = self.at_module(call.module, call.mac.path.span());
        self.report(Level::Note, place, &codes::MODULES, message, help);
    }
}

/// The path of a file from a folder, with `..` for each folder on the way up.
fn up_to(folder: &str, file: &str) -> String {
    let parts = |path: &str| straight(path).split('/').map(str::to_owned).collect::<Vec<_>>();
    let (folder, file) = (parts(folder), parts(file));
    let same = folder.iter().zip(&file).take_while(|(a, b)| a == b).count();
    let up = folder[same..].iter().filter(|part| *part != ".").map(|_| "..".to_owned());
    up.chain(file[same..].iter().cloned()).collect::<Vec<_>>().join("/")
}

/// The same tokens at another place.
fn placed(tokens: TokenStream, span: Span) -> TokenStream {
    let one = |token: TokenTree| match token {
        TokenTree::Group(group) => {
            let mut new = Group::new(group.delimiter(), placed(group.stream(), span));
            new.set_span(span);
            TokenTree::Group(new)
        }
        mut token => {
            token.set_span(span);
            token
        }
    };
    tokens.into_iter().map(one).collect()
}
