//! Reads the items of a module and declares them.

use super::{
    Associated, Contents, Impl, MAX_DEPTH, MAX_MODULES, Opening, TypeItem, UNREADABLE, Unread, Use, at,
    derives, fragment, parent, strum,
};
use crate::diag::codes::rust as codes;
use crate::macros::Call as MacroCall;
use crate::span::Place;
use crate::{At, Found, calls};
use crdgen_rust::lower::{cfg_enabled, plain};
use crdgen_rust::syntax::nesting;
use crdgen_rust::{Finding, Report, versioned};
use proc_macro2::{TokenStream, TokenTree};
use std::rc::Rc;
use syn::spanned::Spanned;

/// A module that has a file of its own.
pub(super) struct ModuleFile<'p> {
    pub(super) name: &'p str,
    pub(super) path: &'p str,
    /// Where its child modules are searched.
    pub(super) directory: &'p str,
}

impl Contents<'_> {
    /// Reads a module in a file. `at` is where it is declared.
    pub(super) fn file_module(
        &mut self,
        krate: usize,
        up: Option<usize>,
        ModuleFile { name, path, directory }: ModuleFile<'_>,
        depth: usize,
        at: Option<&At>,
    ) -> Option<usize> {
        let text = self.sources.read(path)?;
        let file = self.files.len();
        self.files.push(path.to_owned());
        let module = self.empty_module(krate, up, name, file);
        self.modules[module].end = text.len() - nesting::start_of_code(&text);
        if !self.may_nest(depth, at) {
            return Some(module);
        }
        let place = straight(path);
        if let Some(start) = self.open.iter().position(|open| *open == place) {
            let circle = self.open[start..].join(" -> ");
            let message = format!("the file is a module of itself: {circle} -> {place}");
            self.error(
                at.cloned(),
                &codes::MODULES,
                message,
                "remove one of the `mod` items that form the cycle",
            );
            return Some(module);
        }
        self.open.push(place);
        self.parse(module, &text, path, directory, depth);
        self.open.pop();
        Some(module)
    }

    /// Whether another module may be read at this depth. Reports an error if not.
    pub(crate) fn may_nest(&mut self, depth: usize, at: Option<&At>) -> bool {
        if self.modules.len() > MAX_MODULES {
            if !std::mem::replace(&mut self.full, true) {
                let message = format!("the crates have more than {MAX_MODULES} modules");
                let help = "files that are modules in many places (`#[path]`) multiply. Declare each as a module once, and import its items with `use`";
                self.error(at.cloned(), &codes::MODULES, message, help);
            }
            return false;
        }
        if depth > MAX_DEPTH {
            let message = format!("modules are nested deeper than {MAX_DEPTH} levels");
            self.error(at.cloned(), &codes::TOO_DEEP, message, "move the module further out");
            return false;
        }
        true
    }

    fn parse(&mut self, module: usize, text: &str, path: &str, directory: &str, depth: usize) {
        match nesting::parse_file(text) {
            Ok(parsed) => {
                let has_calls = self.is_of_first_crate(module) && text.contains(calls::NAME);
                let around = std::mem::replace(&mut self.has_calls, has_calls);
                let call = self.macros.take_call();
                let is_versioned = std::mem::take(&mut self.is_versioned);
                self.declare(module, parsed.items, directory, &parent(path), depth);
                self.is_versioned = is_versioned;
                self.macros.set_call(call);
                self.has_calls = around;
            }
            Err(error) => {
                let code = if error.help().is_some() { &codes::TOO_DEEP } else { &codes::SYNTAX };
                let Place { start, end } = error.place();
                let at = At { file: path.to_owned(), start, end };
                self.error(Some(at), code, error.to_string(), error.help().unwrap_or_default());
            }
        }
    }

    /// Declares the items of a module. `directory` contains the files of its child modules, and `beside` the files that
    /// `#[path]` names.
    pub(crate) fn declare(
        &mut self,
        module: usize,
        items: Vec<syn::Item>,
        directory: &str,
        beside: &str,
        depth: usize,
    ) {
        let cfgs = Rc::clone(&self.crates[self.modules[module].krate].cfgs);
        let enabled = |attrs: &[syn::Attribute]| cfg_enabled(attrs, &|tokens| cfgs.enabled(tokens));
        for mut item in items {
            if let Some(items) = self.versions(module, &mut item, &enabled) {
                let around = std::mem::replace(&mut self.is_versioned, true);
                self.declare(module, items, directory, beside, depth);
                self.is_versioned = around;
                continue;
            }
            if self.has_calls && item_attrs(&item).is_some_and(&enabled) {
                calls::find_calls(module, quote::ToTokens::to_token_stream(&item), &mut self.calls);
            }
            self.look_behind_features(module, &item, directory, beside);
            match item {
                syn::Item::Mod(it) if enabled(&it.attrs) => self.child(module, it, directory, beside, depth),
                syn::Item::Struct(it) if enabled(&it.attrs) => {
                    if let Some(items) = fragment::items(&it, &cfgs) {
                        self.declare(module, items, directory, beside, depth);
                    }
                    self.add_type(module, it.into());
                }
                syn::Item::Enum(it) if enabled(&it.attrs) => {
                    if let Some(discriminants) = self.discriminants(module, &it) {
                        self.add_type(module, discriminants.into());
                    }
                    self.add_type(module, it.into());
                }
                syn::Item::Union(it) if enabled(&it.attrs) => self.add_type(module, it.into()),
                syn::Item::Type(it) if enabled(&it.attrs) => {
                    self.modules[module].aliases.insert(plain(&it.ident), Rc::new(it));
                }
                syn::Item::Use(it) if enabled(&it.attrs) => {
                    let like = Use {
                        name: None,
                        path: Vec::new(),
                        leading: it.leading_colon.is_some(),
                        public: !matches!(it.vis, syn::Visibility::Inherited),
                        exported: matches!(it.vis, syn::Visibility::Public(_)),
                    };
                    flatten(&it.tree, &mut Vec::new(), &like, &mut self.modules[module].uses);
                }
                syn::Item::ExternCrate(it) if enabled(&it.attrs) => {
                    if let Some((_, name)) = it.rename {
                        let path = vec![plain(&it.ident)];
                        self.modules[module].uses.push(Use {
                            name: Some(plain(&name)),
                            path,
                            leading: true,
                            public: false,
                            exported: false,
                        });
                    }
                }
                syn::Item::Fn(it) if enabled(&it.attrs) => {
                    self.modules[module].functions.insert(plain(&it.sig.ident), Rc::new(it));
                }
                syn::Item::Const(it) if enabled(&it.attrs) => {
                    let value = Rc::new(with_suffix(*it.expr, &it.ty));
                    self.modules[module].constants.insert(plain(&it.ident), value);
                }
                syn::Item::Static(it) if enabled(&it.attrs) => {
                    self.modules[module].constants.insert(plain(&it.ident), Rc::new(*it.expr));
                }
                syn::Item::Impl(it) if enabled(&it.attrs) => self.implementation(module, it),
                syn::Item::Macro(it) if enabled(&it.attrs) => {
                    self.macro_item(module, it, directory, beside, depth);
                }
                // Other items have no name by which a type could be found.
                _ => {}
            }
        }
    }

    /// Declares a macro, or the items that a call of one generates.
    fn macro_item(&mut self, module: usize, it: syn::ItemMacro, directory: &str, beside: &str, depth: usize) {
        if let Some(name) = it.ident {
            return self.macros.declare(self.modules[module].krate, &plain(&name), it.mac.tokens);
        }
        if is_lazy_static(&it.mac) {
            return self.lazy_statics(module, &it.mac);
        }
        let (directory, beside) = (directory.to_owned(), beside.to_owned());
        let call = MacroCall { module, mac: it.mac, directory, beside, depth };
        match is_include(&call.mac) {
            true => self.include(call),
            false => self.call_macro(call),
        }
    }

    /// Declares the types of all versions, if an item has `#[versioned(…)]`.
    fn versions(
        &mut self,
        module: usize,
        item: &mut syn::Item,
        enabled: &dyn Fn(&[syn::Attribute]) -> bool,
    ) -> Option<Vec<syn::Item>> {
        let (name, arguments) = versioned::take(item, enabled)?;
        let declared = if let syn::Item::Mod(it) = &*item { Some(it.mod_token) } else { None };
        let mut report = Report::default();
        let code = versioned::expand(arguments, quote::ToTokens::to_token_stream(item), &mut report);
        let is_wrong = report.has_errors();
        for Finding { diag, span, .. } in report.findings {
            // Errors about the whole attribute are at its name.
            let span = if span.byte_range().is_empty() { name.span() } else { span };
            let at = self.at_module(module, span);
            self.found.push(Found { diag, at });
        }
        let file = if is_wrong { None } else { nesting::parse2::<syn::File>(code).ok() };
        let mut items = file.map(|file| file.items).unwrap_or_default();
        // The modules of the versions have the visibility of the original module.
        if let Some(declared) = declared {
            for item in &mut items {
                if let syn::Item::Mod(it) = item {
                    it.mod_token = declared;
                }
            }
        }
        Some(items)
    }

    /// The enum that `EnumDiscriminants` of strum generates for an enum, if it derives a schema.
    fn discriminants(&mut self, module: usize, it: &syn::ItemEnum) -> Option<syn::ItemEnum> {
        let krate = &self.crates[self.modules[module].krate];
        let cfgs = Rc::clone(&krate.cfgs);
        if !strum::has_schema(it, &cfgs) {
            return None;
        }
        let from = krate.source.clone();
        let version = self.sources.version(&from, "strum_macros").or_else(|| {
            let strum = self.sources.extern_crate(&from, "strum")?;
            self.sources.version(&strum, "strum_macros")
        })?;
        strum::discriminants(it, &cfgs, strum::Release::of(&version)?)
    }

    fn add_type(&mut self, module: usize, input: syn::DeriveInput) {
        let name = plain(&input.ident);
        let call = self.macros.call();
        let is_of_macro = call.is_some();
        let bytes = call.unwrap_or_else(|| input.span().byte_range());
        self.items.push(Rc::new(TypeItem { module, input: Rc::new(input), bytes, is_of_macro }));
        self.modules[module].types.insert(name, self.items.len() - 1);
    }

    /// Whether the current items are not in the file as they are.
    fn is_generated(&self) -> bool {
        self.is_versioned || self.macros.call().is_some()
    }

    fn opening(&self, it: &syn::ItemMod) -> Opening {
        match &it.vis {
            _ if self.is_generated() => Opening::Generated,
            syn::Visibility::Public(_) => Opening::Open,
            syn::Visibility::Restricted(within) if within.path.is_ident("crate") => Opening::Open,
            vis @ syn::Visibility::Restricted(_) => Opening::Visibility(vis.span().byte_range()),
            syn::Visibility::Inherited => {
                let start = it.mod_token.span.byte_range().start;
                Opening::Visibility(start..start)
            }
        }
    }

    /// Declares the statics of `lazy_static!`. Their syntax is that of other statics, with `ref`.
    fn lazy_statics(&mut self, module: usize, mac: &syn::Macro) {
        let mut after_static = false;
        let tokens = mac.tokens.clone().into_iter().filter(|token| {
            let is = |word: &str| matches!(token, TokenTree::Ident(ident) if ident == word);
            let dropped = after_static && is("ref");
            after_static = is("static");
            !dropped
        });
        let tokens: TokenStream = tokens.collect();
        let Ok(parsed) = nesting::parse_file(&tokens.to_string()) else { return };
        for item in parsed.items {
            if let syn::Item::Static(it) = item {
                self.modules[module].constants.insert(plain(&it.ident), Rc::new(*it.expr));
            }
        }
    }

    fn implementation(&mut self, module: usize, it: syn::ItemImpl) {
        let Some((mut name, _)) = crdgen_rust::facts::name_of(&it.self_ty) else { return };
        if let syn::Type::Path(ty) = &*it.self_ty {
            let path: Vec<String> = ty.path.segments.iter().map(|s| plain(&s.ident)).collect();
            let leading = ty.path.leading_colon.is_some();
            let written = path.join("::");
            self.impls.entry(name).or_default().push(Impl { module, path, leading });
            name = written;
        }
        if let Some((path, _)) = &it.trait_
            && path.segments.len() > 1
            && path.segments.first().is_some_and(|s| s.ident == "schemars")
            && path.segments.last().is_some_and(|s| s.ident == "JsonSchema")
        {
            let span = syn::spanned::Spanned::span(path);
            self.impls_by_path.push((module, span, name.clone()));
        }
        let of = it.trait_.as_ref().and_then(|(path, _)| path.segments.last()).map(|s| s.ident.to_string());
        let last = it.trait_.as_ref().and_then(|(path, _)| path.segments.last());
        let is_of_many = last.is_some_and(|last| !last.arguments.is_none() || is_of_std(&last.ident));
        for part in it.items {
            match part {
                syn::ImplItem::Fn(f) if of.as_deref() == Some("Default") && f.sig.ident == "default" => {
                    self.modules[module].defaults.insert(name.clone(), Rc::new(f.block));
                }
                syn::ImplItem::Fn(f)
                    if matches!(of.as_deref(), Some("JsonSchema" | "Schema"))
                        && f.sig.ident == "json_schema" =>
                {
                    self.modules[module].schemas.insert(name.clone(), Rc::new(f.block));
                }
                syn::ImplItem::Fn(f)
                    if of.as_deref() == Some("JsonSchema") && f.sig.ident == "schema_name" =>
                {
                    if let Some(syn::Stmt::Expr(name_of_schema, None)) = f.block.stmts.last() {
                        self.modules[module].names.insert(name.clone(), Rc::new(name_of_schema.clone()));
                    }
                }
                syn::ImplItem::Fn(f) if of.as_deref() == Some("Serialize") && f.sig.ident == "serialize" => {
                    self.modules[module].serializers.insert(name.clone(), Rc::new(f.block));
                }
                syn::ImplItem::Fn(f) if of.is_none() => {
                    let key = (name.clone(), plain(&f.sig.ident));
                    self.modules[module].methods.insert(key, Rc::new(f));
                }
                // A function of a trait, unless the type has one itself. Traits such as `From<T>` have several impls.
                syn::ImplItem::Fn(f) if !is_of_many => {
                    let key = (name.clone(), plain(&f.sig.ident));
                    self.modules[module].methods.entry(key).or_insert_with(|| Rc::new(f));
                }
                syn::ImplItem::Type(ty) => {
                    let of = of.clone().unwrap_or_default();
                    let (own, generics) = ((*it.self_ty).clone(), it.generics.clone());
                    let associated = Associated { module, of, own, generics, ty: ty.ty };
                    self.associated.entry(plain(&ty.ident)).or_default().push(Rc::new(associated));
                }
                syn::ImplItem::Const(c) => {
                    let key = (name.clone(), plain(&c.ident));
                    self.modules[module].assoc_constants.insert(key, Rc::new(with_suffix(c.expr, &c.ty)));
                }
                _ => {}
            }
        }
    }

    fn child(&mut self, module: usize, it: syn::ItemMod, directory: &str, beside: &str, depth: usize) {
        let name = plain(&it.ident);
        let exported = matches!(it.vis, syn::Visibility::Public(_));
        let private = matches!(it.vis, syn::Visibility::Inherited);
        let declared = it.mod_token.span;
        let opening = self.opening(&it);
        let krate = self.modules[module].krate;
        let at = at(self.files[self.modules[module].file].clone(), it.ident.span());
        let leaks = it.attrs.iter().any(|a| a.path().is_ident("macro_use"));
        let scope = self.macros.enter();
        let path = derives::path(&it.attrs, &self.crates[krate].cfgs);
        let below = format!("{directory}/{name}");
        if let Some((braces, items)) = it.content {
            let file = self.modules[module].file;
            let child = self.empty_module(krate, Some(module), &name, file);
            self.modules[child].exported = exported;
            self.modules[child].private = private;
            self.modules[child].declared = Some(declared);
            self.modules[child].opening = opening;
            self.modules[child].end = braces.span.close().byte_range().start;
            self.modules[module].modules.insert(name, child);
            if self.may_nest(depth + 1, Some(&at)) {
                let below = path.map_or(below, |p| format!("{beside}/{p}"));
                self.declare(child, items, &below, &below, depth + 1);
            }
            if !leaks {
                self.macros.leave(scope);
            }
            return;
        }
        let is_absolute = path.as_deref().is_some_and(is_absolute);
        let files = module_files(path, below, beside);
        // The compiler rejects a second module of this name. If its file were read again, files with several such modules
        // would multiply.
        let known = self.modules[module].modules.get(&name).copied();
        let known = known.filter(|child| {
            let file = &self.files[self.modules[*child].file];
            files.iter().any(|(path, _)| path == file)
        });
        let child = known.or_else(|| {
            files.iter().find_map(|(path, directory)| {
                let file = ModuleFile { name: &name, path, directory };
                self.file_module(krate, Some(module), file, depth + 1, Some(&at))
            })
        });
        if !leaks {
            self.macros.leave(scope);
        }
        let Some(child) = child else {
            if is_absolute {
                self.report_absolute(&name, module, at);
            } else {
                let mut reasons = files.iter().map(|(path, _)| self.sources.why_unread(path));
                let reason = reasons.find(|reason| !matches!(reason, Unread::Missing));
                self.report_unread(&name, module, at, reason.unwrap_or(Unread::Missing));
            }
            return;
        };
        self.modules[child].exported = exported;
        self.modules[child].private = private;
        self.modules[child].declared = Some(declared);
        self.modules[child].opening = opening;
        self.modules[module].modules.insert(name, child);
    }

    /// Reports that the file of a module was not read because `#[path]` has an absolute path.
    fn report_absolute(&mut self, name: &str, parent: usize, at: At) {
        if self.is_of_first_crate(parent) {
            let message = format!(
                "crdgen does not read the file of the module `{name}`, because its path is absolute, so its kinds are missing"
            );
            let help = "write the path from the folder of this file: other machines have other folders";
            self.error(Some(at), &codes::MODULES, message, help);
        }
    }

    /// Reports that the file of a module was not read.
    fn report_unread(&mut self, name: &str, parent: usize, at: At, reason: Unread) {
        let (message, help) = match reason {
            Unread::Outside => (
                format!(
                    "the file of the module `{name}` is outside of the package and the checkout around it, so crdgen does not read it"
                ),
                "move the file into the package, or use `crdgen emit --exact` if you trust the package, because it runs code of the package",
            ),
            // In other crates, only the items that are used matter, and these are reported where they are used.
            Unread::Failed(_) | Unread::Missing if !self.is_of_first_crate(parent) => {
                return;
            }
            Unread::Failed(reason) => (
                format!(
                    "the file of the module `{name}` cannot be read ({reason}), so its kinds are missing"
                ),
                UNREADABLE,
            ),
            Unread::Missing => (
                format!("the file of the module `{name}` cannot be read, so its kinds are missing"),
                "add the file, as the compiler needs it too. If a build script writes it, run `cargo build` first",
            ),
        };
        self.error(Some(at), &codes::MODULES, message, help);
    }
}

/// The files in which a module may be, each with the folder of its child modules. `path` is that of `#[path]`.
pub(super) fn module_files(path: Option<String>, below: String, beside: &str) -> Vec<(String, String)> {
    match path {
        // It does not continue that of the folder.
        Some(path) if is_absolute(&path) => Vec::new(),
        Some(path) => {
            // Crates that share a file then have the same name for it.
            let path = format!("{beside}/{path}");
            let path = if path.split('/').any(|part| part == "..") { straight(&path) } else { path };
            let directory = parent(&path);
            vec![(path, directory)]
        }
        None => vec![(format!("{below}.rs"), below.clone()), (format!("{below}/mod.rs"), below)],
    }
}

/// Whether this is the compiler's `include!`, and not a macro of that name of another crate.
fn is_include(mac: &syn::Macro) -> bool {
    let names: Vec<String> = mac.path.segments.iter().map(|part| plain(&part.ident)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    matches!(names.as_slice(), ["include"] | ["std" | "core", "include"])
}

/// Whether a path of `#[path]` is absolute, on any system.
fn is_absolute(path: &str) -> bool {
    path.starts_with(['/', '\\'])
        || matches!(path.as_bytes(), [drive, b':', ..] if drive.is_ascii_alphabetic())
}

fn is_lazy_static(mac: &syn::Macro) -> bool {
    mac.path.segments.last().is_some_and(|part| part.ident == "lazy_static")
}

/// Whether a trait has the name of one of the standard library whose functions have their own meaning here, or none for
/// values.
fn is_of_std(name: &syn::Ident) -> bool {
    ["Clone", "Default", "Display", "Debug", "Iterator", "Ord", "PartialEq", "PartialOrd", "Hash"]
        .iter()
        .any(|known| name == known)
}

/// The attributes of an item, if it adds code to its module.
fn item_attrs(item: &syn::Item) -> Option<&[syn::Attribute]> {
    match item {
        syn::Item::Fn(it) => Some(&it.attrs),
        syn::Item::Impl(it) => Some(&it.attrs),
        syn::Item::Trait(it) => Some(&it.attrs),
        syn::Item::Const(it) => Some(&it.attrs),
        syn::Item::Static(it) => Some(&it.attrs),
        syn::Item::Macro(it) => Some(&it.attrs),
        _ => None,
    }
}

/// Removes `.` and `..` from a path.
pub(super) fn straight(path: &str) -> String {
    let mut out: Vec<&str> = Vec::new();
    for part in path.split(['/', '\\']) {
        match (part, out.last()) {
            (".", _) => {}
            ("..", Some(last)) if !matches!(*last, "" | "..") => _ = out.pop(),
            _ => out.push(part),
        }
    }
    out.join("/")
}

/// Splits a `use` tree into one `use` for each name. The rest is copied from `like`.
fn flatten(tree: &syn::UseTree, path: &mut Vec<String>, like: &Use, out: &mut Vec<Use>) {
    let mut add = |name: Option<String>, path: Vec<String>| {
        out.push(Use { name, path, leading: like.leading, public: like.public, exported: like.exported });
    };
    match tree {
        syn::UseTree::Path(it) => {
            path.push(plain(&it.ident));
            flatten(&it.tree, path, like, out);
            path.pop();
        }
        syn::UseTree::Name(it) if it.ident == "self" => add(path.last().cloned(), path.clone()),
        syn::UseTree::Name(it) => {
            let name = plain(&it.ident);
            add(Some(name.clone()), path.iter().cloned().chain([name]).collect());
        }
        syn::UseTree::Rename(it) => {
            let last = (it.ident != "self").then(|| plain(&it.ident));
            add(Some(plain(&it.rename)), path.iter().cloned().chain(last).collect());
        }
        syn::UseTree::Glob(_) => add(None, path.clone()),
        syn::UseTree::Group(it) => it.items.iter().for_each(|tree| flatten(tree, path, like, out)),
    }
}

/// Adds the type of a constant to a literal integer without one: what some methods return depends on it.
fn with_suffix(value: syn::Expr, ty: &syn::Type) -> syn::Expr {
    const INTEGERS: [&str; 10] = ["i8", "i16", "i32", "i64", "isize", "u8", "u16", "u32", "u64", "usize"];
    let (syn::Expr::Lit(mut it), syn::Type::Path(path)) = (value.clone(), ty) else { return value };
    if let (syn::Lit::Int(number), Some(name)) = (&it.lit, path.path.get_ident())
        && number.suffix().is_empty()
        && INTEGERS.iter().any(|integer| name == integer)
    {
        it.lit = syn::Lit::Int(syn::LitInt::new(&format!("{number}{name}"), number.span()));
        return syn::Expr::Lit(it);
    }
    value
}
