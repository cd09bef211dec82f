//! Crates as trees of modules: files, inline modules, `#[path]`; and what each module declares.

use super::calls::{self, Call};
use super::cfg::Cfgs;
use super::macros::{Call as MacroCall, Macros};
use super::paths::Named;
use super::{At, Found};
use crate::diag::codes::rust as codes;
use crate::diag::{Diag, Level};
use crate::path::Path;
use crate::read::rust::lower::{cfg_enabled, plain};
use crate::read::rust::{Finding, Report, versioned};
use crate::span::Place;
use crate::syntax::nesting;
use proc_macro2::{Span, TokenStream, TokenTree};
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;
use syn::spanned::Spanned;

/// Where sources come from; the command reads files, tests have them in memory.
pub trait Sources {
    /// The text of a file; none if there is no such file.
    fn read(&mut self, path: &str) -> Option<String>;
    /// The crate that a crate names so in its code.
    fn extern_crate(&mut self, from: &CrateSource, name: &str) -> Option<CrateSource>;
}

/// A crate before it is read.
#[derive(Clone, Debug)]
pub struct CrateSource {
    /// The name of its library, as code has it.
    pub name: String,
    /// A name for the package that is unique.
    pub id: String,
    /// Its root file.
    pub root: String,
    /// Its features and what else is set.
    pub cfgs: Cfgs,
}

/// All crates read so far.
pub(super) struct World<'s> {
    sources: &'s mut dyn Sources,
    pub(super) crates: Vec<Crate>,
    pub(super) modules: Vec<Module>,
    items: Vec<TypeItem>,
    files: Vec<String>,
    /// Those that are being read, each a module of the one before.
    open: Vec<String>,
    /// Whether there are more modules than are read, which is reported once.
    full: bool,
    found: Vec<Found>,
    /// Impls of schemars' trait that name it by its path: the module, the place, and the name of the type.
    impls_by_path: Vec<(usize, Span, String)>,
    /// Calls of `merge_crds` in the first crate.
    calls: Vec<Call>,
    /// Whether the file that is being read has such a call.
    has_calls: bool,
    /// `impl` blocks by the last name of their type: the module, and the path to the type there.
    impls: HashMap<String, Vec<Impl>>,
    pub(super) macros: Macros,
}

/// Where an `impl` block is, and how it names its type.
#[derive(Clone)]
struct Impl {
    module: usize,
    path: Vec<String>,
    leading: bool,
}

/// A crate.
pub(super) struct Crate {
    pub(super) source: CrateSource,
    pub(super) root: usize,
    cfgs: Rc<Cfgs>,
    pub(super) externs: HashMap<String, Option<usize>>,
}

/// A module: what it declares, by name.
pub(super) struct Module {
    pub(super) krate: usize,
    pub(super) parent: Option<usize>,
    name: String,
    /// Whether other crates see it where its parent is seen.
    pub(super) exported: bool,
    file: usize,
    pub(super) modules: HashMap<String, usize>,
    pub(super) types: HashMap<String, usize>,
    pub(super) aliases: HashMap<String, Rc<syn::ItemType>>,
    pub(super) functions: HashMap<String, Rc<syn::ItemFn>>,
    pub(super) constants: HashMap<String, Rc<syn::Expr>>,
    pub(super) uses: Vec<Use>,
    /// Functions and constants in `impl` blocks, by the type as it is named there: `Foo::default_port`.
    pub(super) methods: HashMap<(String, String), Rc<syn::ImplItemFn>>,
    pub(super) assoc_constants: HashMap<(String, String), Rc<syn::Expr>>,
    /// Bodies of `impl Default for Foo`.
    pub(super) defaults: HashMap<String, Rc<syn::Block>>,
    /// Bodies of `json_schema` in `impl JsonSchema for Foo`.
    pub(super) schemas: HashMap<String, Rc<syn::Block>>,
}

/// One name a `use` brings in; no name for a glob.
pub(super) struct Use {
    pub(super) name: Option<String>,
    pub(super) path: Vec<String>,
    pub(super) leading: bool,
    /// Whether other modules see it.
    pub(super) public: bool,
    /// Whether other crates see it.
    pub(super) exported: bool,
}

/// A struct or enum.
pub(super) struct TypeItem {
    pub(super) module: usize,
    pub(super) input: Rc<syn::DeriveInput>,
    /// Its bytes in its file, which take all its tokens to find.
    bytes: Range<usize>,
}

/// Nested deeper than any crate.
const MAX_DEPTH: usize = 100;
/// More than any crates have together; a few files that are modules of each other many times soon have more.
const MAX_MODULES: usize = 20_000;

impl<'s> World<'s> {
    pub(super) fn new(sources: &'s mut dyn Sources) -> Self {
        World {
            sources,
            crates: Vec::new(),
            modules: Vec::new(),
            items: Vec::new(),
            files: Vec::new(),
            open: Vec::new(),
            full: false,
            found: Vec::new(),
            impls_by_path: Vec::new(),
            calls: Vec::new(),
            has_calls: false,
            impls: HashMap::new(),
            macros: Macros::default(),
        }
    }

    /// Reads a crate; its number. The same crate is read once.
    pub(super) fn load(&mut self, source: CrateSource) -> usize {
        if let Some(at) = self.crates.iter().position(|c| c.source.id == source.id) {
            return at;
        }
        let number = self.crates.len();
        let cfgs = Rc::new(source.cfgs.clone());
        let (path, name) = (source.root.clone(), source.name.clone());
        self.crates.push(Crate { source, root: 0, cfgs, externs: HashMap::new() });
        let directory = parent(&path);
        let root = self.file_module(number, None, &name, &path, &directory, 0, None);
        self.call_waiting();
        self.crates[number].root = root.unwrap_or_else(|| {
            self.error(None, &codes::SYNTAX, format!("cannot read {path}"), "");
            let file = self.files.len();
            self.files.push(path);
            self.empty_module(number, None, &name, file)
        });
        number
    }

    pub(super) fn take_found(&mut self) -> Vec<Found> {
        std::mem::take(&mut self.found)
    }

    pub(super) fn take_calls(&mut self) -> Vec<Call> {
        std::mem::take(&mut self.calls)
    }

    /// The crate that code of a crate names so.
    pub(super) fn extern_crate(&mut self, krate: usize, name: &str) -> Option<usize> {
        if let Some(known) = self.crates[krate].externs.get(name) {
            return *known;
        }
        let from = self.crates[krate].source.clone();
        // A program and the library of its package may have one name.
        let other = self.sources.extern_crate(&from, name).filter(|other| other.root != from.root);
        let found = match other {
            Some(other) => Some(self.load(other)),
            None => (from.name == name).then_some(krate),
        };
        self.crates[krate].externs.insert(name.to_owned(), found);
        found
    }

    pub(super) fn item(&self, item: usize) -> &TypeItem {
        &self.items[item]
    }

    /// Whether a place is in an item.
    pub(super) fn is_in(&self, at: &At, item: usize) -> bool {
        let TypeItem { module, bytes, .. } = &self.items[item];
        (bytes.start..=bytes.end).contains(&at.start.offset)
            && self.files[self.modules[*module].file] == at.file
    }

    /// The modules with `impl` blocks of an item, its own and others of its crate, and how they name it.
    pub(super) fn homes(&mut self, item: usize) -> Vec<(usize, String)> {
        let TypeItem { module: own, input, .. } = &self.items[item];
        let (own, name) = (*own, plain(&input.ident));
        let mut out = vec![(own, name.clone())];
        for Impl { module, path, leading } in self.impls.get(&name).cloned().unwrap_or_default() {
            let home = (module, path.join("::"));
            if !out.contains(&home)
                && self.modules[module].krate == self.modules[own].krate
                && matches!(self.resolve(module, &path, leading), Some(Named::Item(found)) if found == item)
            {
                out.push(home);
            }
        }
        out
    }

    /// Whether a module is of the first crate, whose kinds are read.
    pub(super) fn is_of_first_crate(&self, module: usize) -> bool {
        self.modules[module].krate == 0
    }

    /// The name of an item with its modules.
    pub(super) fn name(&self, item: usize) -> String {
        let TypeItem { module, input, .. } = &self.items[item];
        format!("{}::{}", self.module_name(*module), input.ident)
    }

    pub(super) fn module_name(&self, module: usize) -> String {
        let mut names = Vec::new();
        let mut at = Some(module);
        while let Some(number) = at {
            names.push(self.modules[number].name.as_str());
            at = self.modules[number].parent;
        }
        names.reverse();
        names.join("::")
    }

    /// What is set in the crate of a module.
    pub(super) fn cfgs(&self, module: usize) -> Rc<Cfgs> {
        Rc::clone(&self.crates[self.modules[module].krate].cfgs)
    }

    pub(super) fn cfg_of(&self, item: usize) -> Rc<Cfgs> {
        self.cfgs(self.items[item].module)
    }

    /// The kinds of the first crate, in the order of its source.
    pub(super) fn kinds(&self) -> Vec<usize> {
        let all = self.items.iter().enumerate();
        all.filter(|(_, item)| self.is_of_first_crate(item.module))
            .filter(|(_, item)| {
                let cfgs = &self.crates[0].cfgs;
                derives(&item.input.attrs, cfgs).iter().any(|d| d == "CustomResource")
            })
            .map(|(number, _)| number)
            .collect()
    }

    /// Types of the first crate with `#[kube(…)]` that nothing reads, since they derive a schema alone.
    pub(super) fn no_kinds(&self) -> Vec<(usize, Span)> {
        let cfgs = &self.crates[0].cfgs;
        let own = self.items.iter().enumerate().filter(|(_, item)| self.is_of_first_crate(item.module));
        own.filter_map(|(number, item)| {
            let attrs = &item.input.attrs;
            let kube = attrs.iter().find(|a| a.path().is_ident("kube"))?;
            let derived = derives(attrs, cfgs);
            let lonely = derives_schema(attrs, cfgs) && !derived.iter().any(|d| d == "CustomResource");
            lonely.then(|| (number, kube.path().span()))
        })
        .collect()
    }

    /// What the first crate names by its path where a `use` line would do: derives and impls of kube's and schemars' traits,
    /// with what they become.
    pub(super) fn by_path(&self) -> Vec<(At, String, String)> {
        let cfgs = &self.crates[0].cfgs;
        let own = self.items.iter().enumerate().filter(|(_, item)| self.is_of_first_crate(item.module));
        let derives = own.flat_map(|(number, item)| {
            let paths = derive_paths(&item.input.attrs, cfgs).into_iter();
            paths.filter_map(move |path| {
                let (krate, name) = (path.names.first()?.as_str(), path.names.last()?.as_str());
                let ours = match (krate, name) {
                    ("schemars", "JsonSchema")
                    | ("kube" | "kube_derive", "CustomResource" | "KubeSchema" | "CELSchema") => {
                        format!("crdgen::kube::{name}")
                    }
                    _ => return None,
                };
                Some((self.at(number, path.span)?, path.names.join("::"), ours))
            })
        });
        let impls = self.impls_by_path.iter().filter(|(module, ..)| self.is_of_first_crate(*module));
        let impls = impls.filter_map(|(module, span, name)| {
            let at = self.at_module(*module, *span)?;
            Some((
                at,
                format!("impl schemars::JsonSchema for {name}"),
                format!("add crdgen::from_schemars!({name});"),
            ))
        });
        derives.chain(impls).collect()
    }

    /// The text of a file that is named from the file of a module.
    pub(super) fn beside(&mut self, module: usize, path: &str) -> Option<String> {
        let path = match path.starts_with('/') {
            true => path.to_owned(),
            false => format!("{}/{path}", parent(&self.files[self.modules[module].file])),
        };
        self.sources.read(&path)
    }

    /// Where a span is that belongs to an item.
    pub(super) fn at(&self, item: usize, span: Span) -> Option<At> {
        self.at_module(self.items[item].module, span)
    }

    pub(super) fn at_module(&self, module: usize, span: Span) -> Option<At> {
        Some(at(self.files[self.modules[module].file].clone(), span))
    }

    fn error(&mut self, at: Option<At>, code: &'static crate::diag::Code, message: String, help: &str) {
        let mut diag = Diag::own(code, Level::Error, &Path::ROOT, message);
        diag.help = (!help.is_empty()).then(|| help.to_owned());
        self.found.push(Found { diag, at });
    }

    fn empty_module(&mut self, krate: usize, parent: Option<usize>, name: &str, file: usize) -> usize {
        self.modules.push(Module {
            krate,
            parent,
            name: name.to_owned(),
            exported: false,
            file,
            modules: HashMap::new(),
            types: HashMap::new(),
            aliases: HashMap::new(),
            functions: HashMap::new(),
            constants: HashMap::new(),
            uses: Vec::new(),
            methods: HashMap::new(),
            assoc_constants: HashMap::new(),
            schemas: HashMap::new(),
            defaults: HashMap::new(),
        });
        self.modules.len() - 1
    }

    /// A module that is a file; its children are looked for in `directory`. It is declared at `at`.
    #[expect(clippy::too_many_arguments, reason = "a module has a name, and a file has a place")]
    fn file_module(
        &mut self,
        krate: usize,
        up: Option<usize>,
        name: &str,
        path: &str,
        directory: &str,
        depth: usize,
        at: Option<&At>,
    ) -> Option<usize> {
        let text = self.sources.read(path)?;
        let file = self.files.len();
        self.files.push(path.to_owned());
        let module = self.empty_module(krate, up, name, file);
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

    /// Whether there may be a module there; says so if not.
    pub(super) fn may_nest(&mut self, depth: usize, at: Option<&At>) -> bool {
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
                self.declare(module, parsed.items, directory, &parent(path), depth);
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

    /// What a module declares. `directory` has the files of its child modules, `beside` those that `#[path]` names.
    pub(super) fn declare(
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
                self.declare(module, items, directory, beside, depth);
                continue;
            }
            if self.has_calls && item_attrs(&item).is_some_and(&enabled) {
                calls::find_calls(module, quote::ToTokens::to_token_stream(&item), &mut self.calls);
            }
            match item {
                syn::Item::Mod(it) if enabled(&it.attrs) => self.child(module, it, directory, beside, depth),
                syn::Item::Struct(it) if enabled(&it.attrs) => self.add_type(module, it.into()),
                syn::Item::Enum(it) if enabled(&it.attrs) => self.add_type(module, it.into()),
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
                    self.modules[module].constants.insert(plain(&it.ident), Rc::new(*it.expr));
                }
                syn::Item::Static(it) if enabled(&it.attrs) => {
                    self.modules[module].constants.insert(plain(&it.ident), Rc::new(*it.expr));
                }
                syn::Item::Impl(it) if enabled(&it.attrs) => self.implementation(module, it),
                syn::Item::Macro(it) if enabled(&it.attrs) => match it.ident {
                    Some(name) => {
                        self.macros.declare(self.modules[module].krate, &plain(&name), it.mac.tokens)
                    }
                    None if is_lazy_static(&it.mac) => self.lazy_statics(module, &it.mac),
                    None => {
                        let (directory, beside) = (directory.to_owned(), beside.to_owned());
                        self.call_macro(MacroCall { module, mac: it.mac, directory, beside, depth });
                    }
                },
                // Nothing else has a name that a type could be found by.
                _ => {}
            }
        }
    }

    /// The types of all versions, if an item has `#[versioned(…)]`.
    fn versions(
        &mut self,
        module: usize,
        item: &mut syn::Item,
        enabled: &dyn Fn(&[syn::Attribute]) -> bool,
    ) -> Option<Vec<syn::Item>> {
        let (name, arguments) = versioned::take(item, enabled)?;
        let mut report = Report::default();
        let code = versioned::expand(arguments, quote::ToTokens::to_token_stream(item), &mut report);
        let is_wrong = report.has_errors();
        for Finding { diag, span, .. } in report.findings {
            // What is about the whole attribute is at its name.
            let span = if span.byte_range().is_empty() { name.span() } else { span };
            let at = self.at_module(module, span);
            self.found.push(Found { diag, at });
        }
        let file = if is_wrong { None } else { nesting::parse2::<syn::File>(code).ok() };
        Some(file.map(|file| file.items).unwrap_or_default())
    }

    fn add_type(&mut self, module: usize, input: syn::DeriveInput) {
        let name = plain(&input.ident);
        let bytes = self.macros.call().unwrap_or_else(|| input.span().byte_range());
        self.items.push(TypeItem { module, input: Rc::new(input), bytes });
        self.modules[module].types.insert(name, self.items.len() - 1);
    }

    /// The statics of `lazy_static!`, which are written as others are but for a `ref`.
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
        let Some((mut name, _)) = crate::read::rust::facts::name_of(&it.self_ty) else { return };
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
                syn::ImplItem::Fn(f) if of.is_none() => {
                    let key = (name.clone(), plain(&f.sig.ident));
                    self.modules[module].methods.insert(key, Rc::new(f));
                }
                syn::ImplItem::Const(c) => {
                    let key = (name.clone(), plain(&c.ident));
                    self.modules[module].assoc_constants.insert(key, Rc::new(c.expr));
                }
                _ => {}
            }
        }
    }

    fn child(&mut self, module: usize, it: syn::ItemMod, directory: &str, beside: &str, depth: usize) {
        let name = plain(&it.ident);
        let exported = matches!(it.vis, syn::Visibility::Public(_));
        let krate = self.modules[module].krate;
        let at = at(self.files[self.modules[module].file].clone(), it.ident.span());
        let leaks = it.attrs.iter().any(|a| a.path().is_ident("macro_use"));
        let scope = self.macros.enter();
        let path = it.attrs.iter().find(|a| a.path().is_ident("path")).and_then(|a| match &a.meta {
            syn::Meta::NameValue(pair) => {
                crate::read::rust::attrs::string_of(quote::ToTokens::to_token_stream(&pair.value))
            }
            syn::Meta::List(_) | syn::Meta::Path(_) => None,
        });
        let below = format!("{directory}/{name}");
        if let Some((_, items)) = it.content {
            let file = self.modules[module].file;
            let child = self.empty_module(krate, Some(module), &name, file);
            self.modules[child].exported = exported;
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
        let child = match path {
            Some(path) => {
                let path = format!("{beside}/{path}");
                self.file_module(krate, Some(module), &name, &path, &parent(&path), depth + 1, Some(&at))
            }
            None => {
                let (flat, nested) = (format!("{below}.rs"), format!("{below}/mod.rs"));
                self.file_module(krate, Some(module), &name, &flat, &below, depth + 1, Some(&at)).or_else(
                    || self.file_module(krate, Some(module), &name, &nested, &below, depth + 1, Some(&at)),
                )
            }
        };
        if !leaks {
            self.macros.leave(scope);
        }
        // A missing file is most likely a module of generated code. A type that needs it is reported.
        if let Some(child) = child {
            self.modules[child].exported = exported;
            self.modules[module].modules.insert(name, child);
        }
    }
}

fn is_lazy_static(mac: &syn::Macro) -> bool {
    mac.path.segments.last().is_some_and(|part| part.ident == "lazy_static")
}

/// The attributes of an item that has code in its module.
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

fn at(file: String, span: Span) -> At {
    let Place { start, end } = nesting::place(span);
    At { file, start, end }
}

/// A path without `.` and without folders that `..` leaves again.
fn straight(path: &str) -> String {
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

fn parent(path: &str) -> String {
    path.rsplit_once(['/', '\\']).map_or(".", |(head, _)| head).to_owned()
}

/// The names of a tree, each a `use` of its own that is otherwise `like` this one.
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

/// Whether a schema is derived, by any of its names.
pub(super) fn derives_schema(attrs: &[syn::Attribute], cfgs: &Cfgs) -> bool {
    let derived = derives(attrs, cfgs);
    derived.iter().any(|d| matches!(d.as_str(), "Schema" | "JsonSchema" | "KubeSchema" | "CELSchema"))
}

/// The last names of all derives, those under `cfg_attr` too.
pub(super) fn derives(attrs: &[syn::Attribute], cfgs: &Cfgs) -> Vec<String> {
    derive_paths(attrs, cfgs).into_iter().filter_map(|mut path| path.names.pop()).collect()
}

/// A derive as it is written.
pub(super) struct DerivePath {
    pub(super) names: Vec<String>,
    pub(super) span: Span,
}

/// The paths of all derives.
pub(super) fn derive_paths(attrs: &[syn::Attribute], cfgs: &Cfgs) -> Vec<DerivePath> {
    let mut out = Vec::new();
    for attr in attrs {
        collect(&attr.meta, cfgs, &mut out);
    }
    out
}

fn collect(meta: &syn::Meta, cfgs: &Cfgs, out: &mut Vec<DerivePath>) {
    let syn::Meta::List(list) = meta else { return };
    let mut parts = crate::read::rust::attrs::meta::split(list.tokens.clone()).into_iter();
    if list.path.is_ident("derive") {
        let path = |part: Vec<TokenTree>| {
            let names = part.iter().filter(|token| matches!(token, TokenTree::Ident(_)));
            let names = names.map(ToString::to_string).collect();
            DerivePath { names, span: part.first().map_or_else(Span::call_site, TokenTree::span) }
        };
        out.extend(parts.map(path));
    } else if list.path.is_ident("cfg_attr")
        && parts.next().is_some_and(|condition| cfgs.enabled(&condition.into_iter().collect()))
    {
        for part in parts {
            if let Ok(inner) = nesting::parse2::<syn::Meta>(part.into_iter().collect()) {
                collect(&inner, cfgs, out);
            }
        }
    }
}
