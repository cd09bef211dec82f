//! Crates as trees of modules (files, inline modules, `#[path]`), with the items that each module declares.

mod blocks;
mod declare;
mod derives;
mod features;
mod fragment;
mod include;
mod strum;

pub(super) use derives::{DerivePath, derive_paths, derives, derives_schema};

use self::declare::ModuleFile;
use super::calls::Call;
use super::cfg::Cfgs;
use super::macros::Macros;
use super::named::{Named, Search};
use super::{At, Found};
use crate::diag::codes::rust as codes;
use crate::diag::{Diag, Level};
use crate::path::Path;
use crate::span::Place;
use crdgen_rust::lower::plain;
use crdgen_rust::syntax::nesting;
use proc_macro2::Span;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;
use syn::spanned::Spanned;

/// A source of files and crates. The command reads them from disk, and tests have them in memory.
pub trait Sources {
    /// Returns the text of a file. `None` if there is no such file.
    fn read(&mut self, path: &str) -> Option<String>;
    /// Returns the crate to which `name` refers in the code of the crate `from`.
    fn extern_crate(&mut self, from: &CrateSource, name: &str) -> Option<CrateSource>;
    /// Returns the version of a dependency from elsewhere, by the name of its crate in the code of the crate `from`.
    fn version(&mut self, from: &CrateSource, name: &str) -> Option<String> {
        self.extern_crate(from, name)?.dependency
    }
    /// Returns the names of the files in a folder.
    fn files_in(&mut self, _folder: &str) -> Vec<String> {
        Vec::new()
    }
    /// Why [`Sources::read`] returns no text of a file.
    fn why_unread(&self, _path: &str) -> Unread {
        Unread::Missing
    }
}

/// How code in the root of a crate can call code in the module of an item, also if the item and its modules are private.
#[derive(Clone, Debug)]
pub struct Access {
    /// The visibilities of modules that must be `pub(crate)`: files and bytes. They may be empty.
    pub visibilities: Vec<(String, Range<usize>)>,
    /// The file of the module.
    pub file: String,
    /// The byte in the file at the end of the module.
    pub end: usize,
    /// The path of the module, which begins with `crate`.
    pub module: String,
    /// The generated modules between the module and the item: `v1::`.
    pub generated: String,
}

/// Why a file of the sources is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// There is no such file.
    Missing,
    /// It is outside of the packages.
    Outside,
    /// It cannot be read, for this reason.
    Failed(String),
}

/// What to do about a file that cannot be read.
const UNREADABLE: &str = "crdgen reads regular files in UTF-8. If a file is too large, split it into modules";

/// A crate that can be read from its sources.
#[derive(Clone, Debug)]
pub struct CrateSource {
    /// The name of its library, as it is written in code.
    pub name: String,
    /// A unique name for the package.
    pub id: String,
    /// The root file of the crate.
    pub root: String,
    /// The configuration of the crate, including its features.
    pub cfgs: Cfgs,
    /// The variables that cargo sets from the manifest when it compiles the crate, such as `CARGO_PKG_VERSION`.
    pub environment: Vec<(String, String)>,
    /// The version of its package, if the package is a dependency from elsewhere, so that the project cannot change
    /// its code. `None` for packages of the workspace and for dependencies with a `path`.
    pub dependency: Option<String>,
}

/// Which macros a call may name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum MacroScope {
    Crate,
    AllCrates,
}

/// What was read of all crates so far.
pub(super) struct Contents<'s> {
    sources: &'s mut dyn Sources,
    pub(super) crates: Vec<Crate>,
    pub(super) modules: Vec<Module>,
    items: Vec<Rc<TypeItem>>,
    files: Vec<String>,
    /// The files that are being read. Each is a module of the one before.
    open: Vec<String>,
    /// How many files `include!` has inserted.
    included: usize,
    /// Whether the first crate includes a file that only a build script writes.
    is_built: bool,
    /// Whether the limit for modules is exceeded, which is reported once.
    full: bool,
    found: Vec<Found>,
    /// The version of Kubernetes' types, once it is known.
    kubernetes: Option<Option<u32>>,
    /// Impls of schemars' trait that name the trait by its path: the module, the place, and the name of the type.
    impls_by_path: Vec<(usize, Span, String)>,
    /// Calls of `merge_crds` in the first crate.
    calls: Vec<Call>,
    /// Whether the current file has such a call.
    has_calls: bool,
    /// Whether the current items are those that `#[versioned]` generates.
    is_versioned: bool,
    /// `impl` blocks by the last name of their type, with the module and the path to the type.
    impls: HashMap<String, Vec<Impl>>,
    /// The associated types of `impl` blocks by their names.
    associated: HashMap<String, Vec<Rc<Associated>>>,
    /// The modules of blocks that declare items, by the module around the block, and its code.
    blocks: HashMap<(usize, String), usize>,
    pub(super) macros: Macros,
    /// The names that searches have found, and those that they have not found.
    pub(super) found_names: HashMap<Search, Option<Named>>,
    pub(super) absent: HashSet<Search>,
    /// The names that modules and the globs in them do not import, for the full paths of names.
    pub(super) not_spelled: RefCell<HashSet<(usize, String)>>,
}

/// Where an `impl` block is, and the path by which it names its type.
#[derive(Clone)]
struct Impl {
    module: usize,
    path: Vec<String>,
    leading: bool,
}

/// An associated type in an `impl` block.
pub(super) struct Associated {
    pub(super) module: usize,
    /// The last name of the trait.
    pub(super) of: String,
    /// The type that has it.
    pub(super) own: syn::Type,
    pub(super) generics: syn::Generics,
    pub(super) ty: syn::Type,
}

impl Associated {
    /// The type parameter for which the `impl` is written: `impl<T> Trait for T`.
    pub(super) fn for_all(&self) -> Option<String> {
        let syn::Type::Path(own) = &self.own else { return None };
        let name = own.path.get_ident()?;
        self.generics.type_params().any(|it| it.ident == *name).then(|| plain(name))
    }
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
    /// Whether it is a block of a function, which can also use all names of its parent.
    pub(super) is_block: bool,
    /// Whether other crates can name the module if they can name its parent.
    pub(super) exported: bool,
    /// Whether only its parent, and modules below that, can name the module.
    pub(super) private: bool,
    /// Where its parent declares it.
    declared: Option<Span>,
    opening: Opening,
    file: usize,
    /// The byte in the file at the end of its code.
    end: usize,
    pub(super) modules: HashMap<String, usize>,
    pub(super) types: HashMap<String, usize>,
    /// The structs that derives generate for kinds, and how many types the module had when they were looked up.
    pub(super) kinds: Option<(usize, HashMap<String, usize>)>,
    pub(super) aliases: HashMap<String, Rc<syn::ItemType>>,
    pub(super) functions: HashMap<String, Rc<syn::ItemFn>>,
    pub(super) constants: HashMap<String, Rc<syn::Expr>>,
    pub(super) uses: Vec<Use>,
    /// Functions and constants in `impl` blocks, by the name of the type there: `Foo::default_port`.
    pub(super) methods: HashMap<(String, String), Rc<syn::ImplItemFn>>,
    pub(super) assoc_constants: HashMap<(String, String), Rc<syn::Expr>>,
    /// Bodies of `impl Default for Foo`.
    pub(super) defaults: HashMap<String, Rc<syn::Block>>,
    /// Bodies of `json_schema` in `impl JsonSchema for Foo`.
    pub(super) schemas: HashMap<String, Rc<syn::Block>>,
    /// Bodies of `serialize` in `impl Serialize for Foo`.
    pub(super) serializers: HashMap<String, Rc<syn::Block>>,
    /// The names that `schema_name` returns in these impls.
    pub(super) names: HashMap<String, Rc<syn::Expr>>,
}

/// What the root of the crate needs to name a module, apart from the modules around it.
pub(super) enum Opening {
    /// Nothing.
    Open,
    /// `pub(crate)` in the place of the visibility in its parent's file.
    Visibility(Range<usize>),
    /// The declaration is generated code, which cannot be changed.
    Generated,
}

/// A name that `use` imports. None for a glob.
pub(super) struct Use {
    pub(super) name: Option<String>,
    pub(super) path: Vec<String>,
    pub(super) leading: bool,
    /// Whether other modules can use it.
    pub(super) public: bool,
    /// Whether other crates can use it.
    pub(super) exported: bool,
}

/// A struct or enum.
pub(super) struct TypeItem {
    pub(super) module: usize,
    pub(super) input: Rc<syn::DeriveInput>,
    /// Its byte range in the file. It is kept because computing it needs all tokens.
    bytes: Range<usize>,
    /// Whether a macro call is in its place in the file.
    pub(super) is_of_macro: bool,
}

/// The variables with paths of folders.
const FOLDERS: [&str; 2] = ["CARGO_MANIFEST_DIR", "OUT_DIR"];

/// Modules of real crates are nested less deeply.
const MAX_DEPTH: usize = 100;
/// More modules than any real crates have in total. A few files that include each other many times would soon exceed
/// it.
const MAX_MODULES: usize = 20_000;

impl<'s> Contents<'s> {
    pub(super) fn new(sources: &'s mut dyn Sources) -> Self {
        Contents {
            sources,
            crates: Vec::new(),
            modules: Vec::new(),
            items: Vec::new(),
            files: Vec::new(),
            open: Vec::new(),
            included: 0,
            is_built: false,
            full: false,
            found: Vec::new(),
            impls_by_path: Vec::new(),
            kubernetes: None,
            calls: Vec::new(),
            has_calls: false,
            is_versioned: false,
            impls: HashMap::new(),
            associated: HashMap::new(),
            blocks: HashMap::new(),
            macros: Macros::default(),
            found_names: HashMap::new(),
            absent: HashSet::new(),
            not_spelled: RefCell::default(),
        }
    }

    /// Reads a crate once, and returns its number.
    pub(super) fn load(&mut self, source: CrateSource) -> usize {
        if let Some(at) = self.crates.iter().position(|c| c.source.id == source.id) {
            return at;
        }
        let number = self.crates.len();
        let cfgs = Rc::new(source.cfgs.clone());
        let (path, name) = (source.root.clone(), source.name.clone());
        self.crates.push(Crate { source, root: 0, cfgs, externs: HashMap::new() });
        let directory = parent(&path);
        let file = ModuleFile { name: &name, path: &path, directory: &directory };
        let root = self.file_module(number, None, file, 0, None);
        self.call_waiting();
        self.crates[number].root = root.unwrap_or_else(|| {
            let (message, help) = match self.sources.why_unread(&path) {
                Unread::Outside => {
                    let what =
                        "is outside of the package and the checkout around it, so crdgen does not read it";
                    (format!("{path} {what}"), "")
                }
                Unread::Missing => (format!("cannot read {path}: there is no such file"), ""),
                Unread::Failed(why) => (format!("cannot read {path}: {why}"), UNREADABLE),
            };
            self.error(None, &codes::SYNTAX, message, help);
            let file = self.files.len();
            self.files.push(path);
            self.empty_module(number, None, &name, file)
        });
        number
    }

    /// The associated types with this name.
    pub(super) fn associated(&self, name: &str) -> Vec<Rc<Associated>> {
        self.associated.get(name).cloned().unwrap_or_default()
    }

    /// What was wrong in the crates that were read since the last call.
    pub(super) fn take_found(&mut self) -> Vec<Found> {
        std::mem::take(&mut self.found)
    }

    /// Whether the first crate includes a file that only a build script writes.
    pub(super) fn is_built(&self) -> bool {
        self.is_built
    }

    /// The calls of `merge_crds` in the first crate.
    pub(super) fn take_calls(&mut self) -> Vec<Call> {
        std::mem::take(&mut self.calls)
    }

    /// The crate that has this name in the code of another crate.
    pub(super) fn extern_crate(&mut self, krate: usize, name: &str) -> Option<usize> {
        if let Some(known) = self.crates[krate].externs.get(name) {
            return *known;
        }
        let from = self.crates[krate].source.clone();
        // A program and the library of its package may have the same name.
        let other = self.sources.extern_crate(&from, name).filter(|other| other.root != from.root);
        let found = match other {
            Some(other) => Some(self.load(other)),
            None => (from.name == name).then_some(krate),
        };
        self.crates[krate].externs.insert(name.to_owned(), found);
        found
    }

    /// The minor version of Kubernetes whose types k8s-openapi has in the first crate.
    pub(super) fn kubernetes(&mut self) -> Option<u32> {
        let from = self.crates.first()?.source.clone();
        *self.kubernetes.get_or_insert_with(|| {
            let cfgs = self.sources.extern_crate(&from, "k8s_openapi")?.cfgs;
            let (_, version) =
                cfgs.pairs.into_iter().find(|(key, _)| key == "k8s_openapi_enabled_version")?;
            version.strip_prefix("1.")?.parse().ok()
        })
    }

    /// Whether an item is in a crate whose code the project cannot change.
    pub(super) fn is_of_dependency(&self, item: usize) -> bool {
        self.crates[self.modules[self.items[item].module].krate].source.dependency.is_some()
    }

    /// Whether a module is of one of kube's crates.
    pub(super) fn is_of_kube(&self, module: usize) -> bool {
        let name = &self.crates[self.modules[module].krate].source.name;
        matches!(name.as_str(), "kube" | "kube_core" | "kube_client")
    }

    /// Whether an item is of the crate with this name.
    pub(super) fn is_of_crate(&self, item: usize, name: &str) -> bool {
        self.crates[self.modules[self.items[item].module].krate].source.name == name
    }

    /// The version of a dependency, by the name that the crate of an item has for it.
    pub(super) fn version_of(&mut self, item: usize, name: &str) -> Option<String> {
        let from = &self.crates[self.modules[self.items[item].module].krate].source;
        self.sources.version(from, name)
    }

    pub(super) fn item(&self, item: usize) -> &Rc<TypeItem> {
        &self.items[item]
    }

    /// Whether a place is in an item.
    pub(super) fn is_in(&self, at: &At, item: usize) -> bool {
        let TypeItem { module, bytes, .. } = &*self.items[item];
        (bytes.start..=bytes.end).contains(&at.start.offset)
            && self.files[self.modules[*module].file] == at.file
    }

    /// The modules with `impl` blocks of an item in its crate, and the name that each has for it.
    pub(super) fn homes(&mut self, item: usize) -> Vec<(usize, String)> {
        let TypeItem { module: own, input, .. } = &*self.items[item];
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
        let TypeItem { module, input, .. } = &*self.items[item];
        format!("{}::{}", self.module_name(*module), input.ident)
    }

    pub(super) fn module_name(&self, module: usize) -> String {
        let mut names = Vec::new();
        let mut at = Some(module);
        while let Some(number) = at {
            if !self.modules[number].is_block {
                names.push(self.modules[number].name.as_str());
            }
            at = self.modules[number].parent;
        }
        names.reverse();
        names.join("::")
    }

    /// The `cfg` values that are set in the crate of a module.
    pub(super) fn cfgs(&self, module: usize) -> Rc<Cfgs> {
        Rc::clone(&self.crates[self.modules[module].krate].cfgs)
    }

    /// The same for the crate of an item.
    pub(super) fn cfg_of(&self, item: usize) -> Rc<Cfgs> {
        self.cfgs(self.items[item].module)
    }

    /// The value of a variable when the crate of a module is compiled. Others than those from the manifest are unknown, and so are
    /// folders, whose paths are others when the crate is compiled.
    pub(super) fn variable(&self, module: usize, name: &str) -> Option<String> {
        (!FOLDERS.contains(&name)).then(|| self.any_variable(module, name))?
    }

    /// The same, with the paths of folders.
    fn any_variable(&self, module: usize, name: &str) -> Option<String> {
        let all = &self.crates[self.modules[module].krate].source.environment;
        all.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    }

    /// The kinds of the first crate, in the order of its source.
    pub(super) fn kinds(&self) -> Vec<usize> {
        let all = self.items.iter().enumerate();
        all.filter(|(_, item)| self.is_of_first_crate(item.module) && !self.modules[item.module].is_block)
            .filter(|(_, item)| {
                let cfgs = &self.crates[0].cfgs;
                derives(&item.input.attrs, cfgs).iter().any(|d| d == "CustomResource")
            })
            .map(|(number, _)| number)
            .collect()
    }

    /// Types of the first crate with `#[kube(…)]` that is never read, because they only derive a schema.
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

    /// Paths in the first crate for which a `use` line would be enough: derives and impls of kube's and schemars'
    /// traits, with their replacements.
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

    /// The text of a file, by its path relative to the file of a module.
    pub(super) fn beside(&mut self, module: usize, path: &str) -> Result<String, Unread> {
        let path = match path.starts_with('/') {
            true => path.to_owned(),
            false => format!("{}/{path}", parent(&self.files[self.modules[module].file])),
        };
        self.sources.read(&path).ok_or_else(|| self.sources.why_unread(&path))
    }

    /// The place of a span in an item.
    pub(super) fn at(&self, item: usize, span: Span) -> Option<At> {
        self.at_module(self.items[item].module, span)
    }

    /// Where the outermost private module around a module is declared.
    pub(super) fn private_around(&self, module: usize) -> Option<At> {
        let mut found = None;
        let mut at = module;
        while let Some(parent) = self.modules[at].parent {
            if !self.modules[at].exported {
                found = self.modules[at].declared.map(|span| (parent, span)).or(found);
            }
            at = parent;
        }
        found.and_then(|(parent, span)| self.at_module(parent, span))
    }

    /// The changes after which the root of the crate can call code in the module of an item. None if the item is private in a module
    /// that is generated.
    pub(super) fn access(&self, item: usize) -> Option<Access> {
        let TypeItem { module: own, input, .. } = &*self.items[item];
        let (mut module, mut generated, mut is_hidden) = (*own, String::new(), false);
        // A generated module is not in a file, but the module around it is, and sees the module itself.
        while matches!(self.modules[module].opening, Opening::Generated) {
            is_hidden |= !generated.is_empty() && self.modules[module].private;
            generated = format!("{}::{generated}", self.raw_name(module));
            module = self.modules[module].parent?;
        }
        is_hidden |= !generated.is_empty() && matches!(input.vis, syn::Visibility::Inherited);
        if is_hidden {
            return None;
        }
        let (file, end) = (self.files[self.modules[module].file].clone(), self.modules[module].end);
        let (mut visibilities, mut names) = (Vec::new(), Vec::new());
        while let Some(parent) = self.modules[module].parent {
            names.push(self.raw_name(module));
            match &self.modules[module].opening {
                Opening::Open => {}
                Opening::Visibility(range) => {
                    visibilities.push((self.files[self.modules[parent].file].clone(), range.clone()));
                }
                Opening::Generated => return None,
            }
            module = parent;
        }
        names.push("crate".to_owned());
        names.reverse();
        Some(Access { visibilities, file, end, module: names.join("::"), generated })
    }

    /// The name of a module as code writes it.
    fn raw_name(&self, module: usize) -> String {
        match syn::parse_str::<syn::Ident>(&self.modules[module].name) {
            Ok(name) => name.to_string(),
            Err(_) => format!("r#{}", self.modules[module].name),
        }
    }

    /// The place of a span in a module.
    pub(super) fn at_module(&self, module: usize, span: Span) -> Option<At> {
        Some(at(self.files[self.modules[module].file].clone(), span))
    }

    fn error(&mut self, at: Option<At>, code: &'static crate::diag::Code, message: String, help: &str) {
        self.report(Level::Error, at, code, message, help);
    }

    fn report(
        &mut self,
        level: Level,
        at: Option<At>,
        code: &'static crate::diag::Code,
        message: String,
        help: &str,
    ) {
        let mut diag = Diag::own(code, level, &Path::ROOT, message);
        diag.help = (!help.is_empty()).then(|| help.to_owned());
        self.found.push(Found { diag, at });
    }

    fn empty_module(&mut self, krate: usize, parent: Option<usize>, name: &str, file: usize) -> usize {
        self.modules.push(Module {
            krate,
            parent,
            name: name.to_owned(),
            is_block: false,
            exported: false,
            private: false,
            declared: None,
            opening: Opening::Open,
            file,
            end: 0,
            modules: HashMap::new(),
            types: HashMap::new(),
            kinds: None,
            aliases: HashMap::new(),
            functions: HashMap::new(),
            constants: HashMap::new(),
            uses: Vec::new(),
            methods: HashMap::new(),
            assoc_constants: HashMap::new(),
            serializers: HashMap::new(),
            schemas: HashMap::new(),
            names: HashMap::new(),
            defaults: HashMap::new(),
        });
        self.modules.len() - 1
    }
}

fn at(file: String, span: Span) -> At {
    let Place { start, end } = nesting::place(span);
    At { file, start, end }
}

fn parent(path: &str) -> String {
    path.rsplit_once(['/', '\\']).map_or(".", |(head, _)| head).to_owned()
}
