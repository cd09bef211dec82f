//! The public API of `crdgen`: `tests/goldens/api.txt` has every item that users can name, so that a reviewer sees each
//! change. `UPDATE=1` writes it. The sources are read as they are, since rustdoc's JSON needs a nightly compiler; what
//! macros generate appears as the call of the macro.

use proc_macro2::TokenTree;
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use syn::punctuated::Punctuated;
use syn::{Attribute, Fields, ImplItem, Item, ItemImpl, TraitItem, UseTree, Visibility, parse_quote};

/// The crates whose items `crdgen` exports, and their folders.
const CRATES: [(&str, &str); 12] = [
    ("crdgen", "codegen/crdgen"),
    ("crdgen_apiserver", "codegen/apiserver"),
    ("crdgen_build", "codegen/build"),
    ("crdgen_core", "codegen/core"),
    ("crdgen_derive", "derive"),
    ("crdgen_files", "codegen/files"),
    ("crdgen_import", "codegen/import"),
    ("crdgen_kinds", "codegen/kinds"),
    ("crdgen_publish", "codegen/publish"),
    ("crdgen_rules", "codegen/rules"),
    ("crdgen_runtime", "codegen/runtime"),
    ("crdgen_text", "codegen/text"),
];

/// A module: the crate, and the path inside.
type Module = Vec<String>;

/// All modules of the crates with their items.
type Program = BTreeMap<Module, Vec<Item>>;

fn load(file: &Path, folder: &Path, module: &Module, out: &mut Program) {
    let text = fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let parsed = syn::parse_file(&text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    add(parsed.items, folder, module, out);
}

fn add(items: Vec<Item>, folder: &Path, module: &Module, out: &mut Program) {
    for item in &items {
        let Item::Mod(inner) = item else { continue };
        if is_for_tests(&inner.attrs) {
            continue;
        }
        let name = inner.ident.to_string();
        let mut below = module.clone();
        below.push(name.clone());
        let folder_below = folder.join(&name);
        match &inner.content {
            Some((_, items)) => add(items.clone(), &folder_below, &below, out),
            None => {
                let files = [folder.join(format!("{name}.rs")), folder_below.join("mod.rs")];
                // Users do not see modules with `#[path]`.
                match files.iter().find(|f| f.is_file()) {
                    Some(file) => load(file, &folder_below, &below, out),
                    None => assert!(is_hidden(&inner.attrs), "no file of the module {name}"),
                }
            }
        }
    }
    out.insert(module.clone(), items);
}

/// Formats an attribute without spaces.
fn text(attribute: &Attribute) -> String {
    attribute.to_token_stream().to_string().replace(' ', "")
}

/// Formats attributes, one per line.
fn lines(attributes: &[Attribute]) -> String {
    attributes.iter().map(|a| text(a) + "\n").collect()
}

/// Whether an item is compiled only for tests or documentation.
fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().map(text).any(|text| text == "#[cfg(test)]" || text.contains("doctest"))
}

/// Whether an item is hidden from users.
fn is_hidden(attributes: &[Attribute]) -> bool {
    is_for_tests(attributes) || attributes.iter().any(|a| text(a) == "#[doc(hidden)]")
}

/// Returns the attributes that are part of the API.
fn kept(attributes: &[Attribute]) -> Vec<Attribute> {
    const KEPT: &[&str] =
        &["cfg", "derive", "deprecated", "macro_export", "must_use", "non_exhaustive", "proc_macro_derive"];
    let is_kept = |a: &&Attribute| KEPT.iter().any(|name| a.path().is_ident(name));
    attributes.iter().filter(is_kept).cloned().collect()
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Leaves only the fields that users see. For private fields, only shows that there are some.
fn strip_fields(fields: &mut Fields) {
    match fields {
        Fields::Named(named) => {
            let mut public = Punctuated::new();
            for mut field in named.named.clone() {
                field.attrs = kept(&field.attrs);
                if is_public(&field.vis) {
                    public.push(field);
                }
            }
            if public.len() < named.named.len() {
                public.push(parse_quote!(_private: _));
            }
            named.named = public;
        }
        Fields::Unnamed(unnamed) => {
            for field in &mut unnamed.unnamed {
                field.attrs.clear();
                if !is_public(&field.vis) {
                    field.ty = parse_quote!(_);
                }
            }
        }
        Fields::Unit => {}
    }
}

/// Returns an item as users see it: without documentation, bodies and private parts. `None` if it is not public.
fn strip(item: &Item) -> Option<Item> {
    let mut item = item.clone();
    let visible = match &mut item {
        Item::Struct(it) => {
            it.attrs = kept(&it.attrs);
            strip_fields(&mut it.fields);
            is_public(&it.vis)
        }
        Item::Enum(it) => {
            it.attrs = kept(&it.attrs);
            for variant in &mut it.variants {
                variant.attrs = kept(&variant.attrs);
                for field in &mut variant.fields {
                    field.attrs.clear();
                }
            }
            is_public(&it.vis)
        }
        Item::Trait(it) => {
            it.attrs = kept(&it.attrs);
            it.items.retain(|item| !matches!(item, TraitItem::Fn(f) if is_hidden(&f.attrs)));
            it.items.retain(|item| !matches!(item, TraitItem::Const(c) if is_hidden(&c.attrs)));
            for item in &mut it.items {
                match item {
                    TraitItem::Fn(f) => {
                        f.attrs = kept(&f.attrs);
                        f.default = f.default.as_ref().map(|_| parse_quote!({}));
                    }
                    TraitItem::Const(c) => {
                        c.attrs = kept(&c.attrs);
                        c.default = None;
                    }
                    TraitItem::Type(t) => t.attrs = kept(&t.attrs),
                    _ => {}
                }
            }
            is_public(&it.vis)
        }
        Item::Fn(it) => {
            it.attrs = kept(&it.attrs);
            *it.block = parse_quote!({});
            is_public(&it.vis)
        }
        Item::Const(it) => {
            it.attrs = kept(&it.attrs);
            *it.expr = parse_quote!(_);
            is_public(&it.vis)
        }
        Item::Static(it) => {
            it.attrs = kept(&it.attrs);
            *it.expr = parse_quote!(_);
            is_public(&it.vis)
        }
        Item::Type(it) => {
            it.attrs = kept(&it.attrs);
            is_public(&it.vis)
        }
        _ => false,
    };
    visible.then_some(item)
}

fn name_of(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Struct(it) => &it.ident,
        Item::Enum(it) => &it.ident,
        Item::Trait(it) => &it.ident,
        Item::Fn(it) => &it.sig.ident,
        Item::Const(it) => &it.ident,
        Item::Static(it) => &it.ident,
        Item::Type(it) => &it.ident,
        _ => return None,
    };
    Some(ident.to_string())
}

/// Collects each path in a `use`, with the name that it gets.
pub(crate) fn flatten(tree: &UseTree, before: &[String], out: &mut Vec<(Vec<String>, String)>) {
    let with = |name: String| [before, &[name]].concat();
    match tree {
        UseTree::Path(path) => flatten(&path.tree, &with(path.ident.to_string()), out),
        UseTree::Name(name) => out.push((with(name.ident.to_string()), name.ident.to_string())),
        UseTree::Rename(rename) => out.push((with(rename.ident.to_string()), rename.rename.to_string())),
        UseTree::Glob(_) => out.push((with("*".to_owned()), "*".to_owned())),
        UseTree::Group(group) => group.items.iter().for_each(|tree| flatten(tree, before, out)),
    }
}

/// Returns a path in a `use` of a module, starting at the name of its crate.
fn absolute(path: &[String], module: &Module, program: &Program) -> Vec<String> {
    let (first, rest) = path.split_first().expect("a path has segments");
    let child = [module.as_slice(), std::slice::from_ref(first)].concat();
    match first.as_str() {
        "crate" => [&module[..1], rest].concat(),
        "self" => [module.as_slice(), rest].concat(),
        "super" => [&module[..module.len() - 1], rest].concat(),
        _ if program.contains_key(&child) => [child.as_slice(), rest].concat(),
        _ => path.to_vec(),
    }
}

/// The text of the golden: one section per module that users can name.
struct Api<'p> {
    program: &'p Program,
    sections: BTreeMap<String, Vec<String>>,
    seen: BTreeSet<(Module, String)>,
}

impl Api<'_> {
    /// Adds the items of a module to the section of its public path.
    fn module(&mut self, module: &Module, public: &str, features: &[Attribute]) {
        let Some(items) = self.program.get(module) else { return };
        self.sections.entry(public.to_owned()).or_default();
        for item in items {
            match item {
                Item::Mod(inner) if is_public(&inner.vis) && !is_hidden(&inner.attrs) => {
                    let name = inner.ident.to_string();
                    let features: Vec<Attribute> =
                        features.iter().cloned().chain(kept(&inner.attrs)).collect();
                    self.module(
                        &[module.as_slice(), std::slice::from_ref(&name)].concat(),
                        &format!("{public}::{name}"),
                        &features,
                    );
                }
                Item::Use(it) if is_public(&it.vis) && !is_hidden(&it.attrs) => {
                    let mut paths = Vec::new();
                    flatten(&it.tree, &[], &mut paths);
                    for (path, name) in paths {
                        let target = absolute(&path, module, self.program);
                        self.export(&target, &name, public, &kept(&it.attrs));
                    }
                }
                Item::Macro(it) if it.ident.is_none() => self.generated(it, public),
                item => self.item(item, module, public, &[]),
            }
        }
        if !features.is_empty() {
            self.sections.get_mut(public).expect("the section").insert(0, lines(features));
        }
    }

    /// Adds an item that another module exports under a name.
    fn export(&mut self, target: &[String], name: &str, public: &str, attributes: &[Attribute]) {
        let (last, module) = target.split_last().expect("a path has segments");
        let alias = |api: &mut Self| {
            let written = format!("pub use {} as {name};\n", target.join("::"));
            let written = if last == name { written.replace(&format!(" as {name};"), ";") } else { written };
            let attributes = lines(attributes);
            api.sections.entry(public.to_owned()).or_default().push(attributes + &written);
        };
        // For a macro of this crate, only its documentation shows which arguments it accepts.
        if last != name || module == ["crdgen_derive"] {
            return alias(self);
        }
        if self.is_module(target) {
            return self.module(&target.to_vec(), &format!("{public}::{name}"), attributes);
        }
        let module = module.to_vec();
        let Some(items) = self.program.get(&module) else { return alias(self) };
        if let Some(item) =
            items.iter().find(|item| name_of(item).as_deref() == Some(name) && strip(item).is_some())
        {
            return self.item(item, &module, public, attributes);
        }
        for item in items {
            if let Item::Use(it) = item {
                let mut paths = Vec::new();
                flatten(&it.tree, &[], &mut paths);
                if let Some((path, _)) = paths.iter().find(|(_, as_name)| as_name == name) {
                    let target = absolute(path, &module, self.program);
                    return self.export(&target, name, public, attributes);
                }
            }
        }
        alias(self);
    }

    /// Whether a path is that of a module that other crates can name.
    fn is_module(&self, path: &[String]) -> bool {
        let Some((name, parent)) = path.split_last() else { return false };
        let is_it = |item: &Item| matches!(item, Item::Mod(it) if it.ident == name && is_public(&it.vis));
        self.program.get(parent).is_some_and(|items| items.iter().any(is_it))
    }

    /// Adds an item with its impls.
    fn item(&mut self, item: &Item, module: &Module, public: &str, attributes: &[Attribute]) {
        let (Some(name), Some(stripped)) = (name_of(item), strip(item)) else { return };
        let hidden = match item {
            Item::Struct(it) => is_hidden(&it.attrs),
            Item::Enum(it) => is_hidden(&it.attrs),
            Item::Trait(it) => is_hidden(&it.attrs),
            Item::Fn(it) => is_hidden(&it.attrs),
            Item::Const(it) => is_hidden(&it.attrs),
            Item::Static(it) => is_hidden(&it.attrs),
            Item::Type(it) => is_hidden(&it.attrs),
            _ => true,
        };
        if hidden || !self.seen.insert((module.clone(), format!("{public}::{name}"))) {
            return;
        }
        let attributes = lines(attributes);
        let mut text = written(stripped);
        if !text.replace(' ', "").starts_with(&attributes) {
            text = attributes + &text;
        }
        if matches!(item, Item::Struct(_) | Item::Enum(_)) {
            let impls = self.impls(&name, module);
            let mut lines: Vec<String> = impls.into_iter().map(|it| written(Item::Impl(it))).collect();
            lines.sort();
            text.extend(lines);
        }
        self.sections.entry(public.to_owned()).or_default().push(text);
    }

    /// Returns the impls of a type in its crate, as users see them.
    fn impls(&self, name: &str, module: &Module) -> Vec<ItemImpl> {
        let same_crate = |other: &&Module| other[0] == module[0];
        let defined = |other: &Module| {
            self.program[other].iter().any(|item| {
                name_of(item).as_deref() == Some(name) && matches!(item, Item::Struct(_) | Item::Enum(_))
            })
        };
        let mut out = Vec::new();
        for other in self.program.keys().filter(same_crate) {
            // The name may mean another type, in the module itself or in a module around it.
            let nearest = (0..=other.len())
                .rev()
                .map(|n| other[..n].to_vec())
                .find(|m| self.program.contains_key(m) && defined(m));
            if nearest.is_some_and(|nearest| nearest != *module) {
                continue;
            }
            let is_here = other == module || self.names(other, name, module);
            for item in &self.program[other] {
                let Item::Impl(it) = item else { continue };
                let syn::Type::Path(path) = &*it.self_ty else { continue };
                let is_it = path.path.segments.last().is_some_and(|s| s.ident == name);
                if !is_it || !is_here || is_hidden(&it.attrs) {
                    continue;
                }
                out.extend(stripped_impl(it));
            }
        }
        out
    }

    /// Whether a module imports a type, or is below the module that defines it.
    fn names(&self, other: &Module, name: &str, module: &Module) -> bool {
        other.starts_with(module)
            || self.program[other].iter().any(|item| {
                let Item::Use(it) = item else { return false };
                let mut paths = Vec::new();
                flatten(&it.tree, &[], &mut paths);
                paths.iter().any(|(path, as_name)| {
                    let target = absolute(path, other, self.program);
                    as_name == name && target[0] == module[0]
                        || target.last().is_some_and(|last| last == "*")
                            && target[..target.len() - 1] == module[..]
                })
            })
    }

    /// Adds the names of the items that a macro generates.
    fn generated(&mut self, it: &syn::ItemMacro, public: &str) {
        let tokens: Vec<TokenTree> = it.mac.tokens.clone().into_iter().collect();
        let names = tokens.windows(2).filter_map(|pair| match pair {
            [TokenTree::Ident(name), TokenTree::Punct(p)] if p.as_char() == '=' => Some(name.to_string()),
            _ => None,
        });
        let names: Vec<String> = names.collect();
        if !names.is_empty() {
            let text = format!("{}! {{ {} }}\n", it.mac.path.to_token_stream(), names.join(", "));
            self.sections.entry(public.to_owned()).or_default().push(text);
        }
    }

    /// Adds the macros of a crate that users call, with their patterns. They are at its root, wherever they are
    /// written.
    fn macros(&mut self, krate: &str) {
        for (module, items) in self.program {
            for item in items {
                let Item::Macro(it) = item else { continue };
                let is_exported = it.attrs.iter().any(|a| a.path().is_ident("macro_export"));
                let Some(name) = it.ident.as_ref().filter(|_| module[0] == krate && is_exported) else {
                    continue;
                };
                if is_hidden(&it.attrs) {
                    continue;
                }
                let tokens: Vec<TokenTree> = it.mac.tokens.clone().into_iter().collect();
                let rules = tokens.windows(2).filter_map(|pair| match pair {
                    [TokenTree::Group(rule), TokenTree::Punct(p)] if p.as_char() == '=' => {
                        Some(rule.stream())
                    }
                    _ => None,
                });
                let rules = rules.map(|rule| format!("macro {name}!({rule})\n"));
                self.sections.entry(krate.to_owned()).or_default().extend(rules);
            }
        }
    }
}

/// Returns the parts of an impl that users see. `None` if there are none.
fn stripped_impl(it: &ItemImpl) -> Option<ItemImpl> {
    let mut it = it.clone();
    it.attrs = kept(&it.attrs);
    let of_trait = it.trait_.is_some();
    it.items.retain(|item| match item {
        ImplItem::Fn(f) => !of_trait && is_public(&f.vis) && !is_hidden(&f.attrs),
        ImplItem::Const(c) => !of_trait && is_public(&c.vis) && !is_hidden(&c.attrs),
        ImplItem::Type(_) => true,
        _ => false,
    });
    for item in &mut it.items {
        match item {
            ImplItem::Fn(f) => {
                f.attrs = kept(&f.attrs);
                f.block = parse_quote!({});
            }
            ImplItem::Const(c) => {
                c.attrs = kept(&c.attrs);
                c.expr = parse_quote!(_);
            }
            ImplItem::Type(t) => t.attrs.clear(),
            _ => {}
        }
    }
    (of_trait || !it.items.is_empty()).then_some(it)
}

/// Formats an item with rustfmt.
fn written(item: Item) -> String {
    let file: syn::File = parse_quote!(#item);
    let text = prettyplease::unparse(&file);
    let text = text.replace("_private: _,", "// private fields");
    let mut out = String::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let start = line.trim_start();
        let is_function = start.starts_with("pub fn") || start.starts_with(") ");
        out.push_str(&if is_function { line.replace(" {}", ";") } else { line.to_owned() });
        out.push('\n');
    }
    out
}

#[test]
fn changes_are_visible() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut program = Program::new();
    for (name, folder) in CRATES {
        let folder = root.join(folder).join("src");
        load(&folder.join("lib.rs"), &folder, &vec![name.to_owned()], &mut program);
    }
    let mut api = Api { program: &program, sections: BTreeMap::new(), seen: BTreeSet::new() };
    api.module(&vec!["crdgen".to_owned()], "crdgen", &[]);
    api.macros("crdgen");
    let mut out = String::from(
        "The public API of crdgen, by module. `UPDATE=1 cargo test -p crdgen-tests public_api` writes this file.\n\
         Modules are unstable where their documentation says so.\n",
    );
    for (module, items) in &api.sections {
        out.push_str(&format!("\n## {module}\n\n{}", items.concat()));
    }
    let golden = root.join("tests/goldens/api.txt");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&golden, &out).unwrap_or_else(|e| panic!("{}: {e}", golden.display()));
    }
    let found = fs::read_to_string(&golden).unwrap_or_default();
    let changed = found.lines().zip(out.lines()).find(|(old, new)| old != new);
    assert!(
        found == out,
        "the public API has changed, first at {changed:?}. If you mean it: UPDATE=1 cargo test -p crdgen-tests public_api"
    );
}
