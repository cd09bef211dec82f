//! Generates Rust code for CRDs: one file, or a folder of modules.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use crate::Error;
use crdgen_core::ir::{Crd, Version};
use crdgen_core::value::Value;
use crdgen_core::yaml::Document;
use crdgen_core::{decode, encode, inert, json};
use crdgen_import::structs::{self, Heading, Plan};
use crdgen_import::{Unreadable, definitions};

pub use crdgen_import::structs::{
    Builders, Fallback, KubernetesTypes, Layout, MapType, Numbers, Options, TimeType,
};

/// Reads CRDs and generates Rust types for them.
///
/// ```
/// # let text = "apiVersion: v1\nkind: ConfigMap";
/// let mut import = crdgen::import::Import::default();
/// import.read("crds.yaml", text.as_bytes())?;
/// let rust = import.run();
/// # assert!(rust.fallbacks.is_empty());
/// # Ok::<(), crdgen::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Import {
    /// Options for the code.
    pub options: Options,
    /// The CRDs.
    pub crds: Vec<Crd>,
    /// More CRDs, in a form that needs less memory.
    kept: Vec<Kept>,
    /// The names and digests of the sources, for the first lines of the code.
    sources: Vec<(String, u64)>,
}

/// Generated Rust code, with remarks.
#[derive(Clone, Debug)]
pub struct Imported {
    plan: Plan,
    options: Options,
    header: String,
    /// Schemas without a Rust type, which became JSON values.
    pub fallbacks: Vec<Fallback>,
    /// Lines of [`Options::names`] that had no effect: the path or name does not exist, it belongs to a kind, or the new
    /// name is already taken.
    pub unused_names: Vec<String>,
    /// Kinds with several different CRDs, of which a server accepts only one. Each has its own types, which do not
    /// reproduce the CRDs.
    pub contested: Vec<String>,
}

/// A version of a kind, with the path of its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The API group.
    pub group: String,
    /// The version.
    pub version: String,
    /// The kind.
    pub kind: String,
    /// The path of its type in the code.
    pub path: String,
}

impl Import {
    /// Reads all CRDs in a text of YAML or JSON, which may be a template of a Helm chart, and skips other objects. Returns the
    /// number of CRDs.
    pub fn read(&mut self, name: &str, text: &[u8]) -> Result<usize, Error> {
        let found = definitions::definitions(text).map_err(unreadable(name))?;
        Ok(self.take(name, text, found))
    }

    /// Reads the kinds in an OpenAPI v3 document of a server. Unlike a CRD, it has no rules, printer columns and short
    /// names. Returns the number of kinds.
    pub fn read_openapi(&mut self, name: &str, text: &[u8]) -> Result<usize, Error> {
        let of_document = |document: Document| {
            crdgen_import::openapi::definitions(&document.value, &definitions::definition)
        };
        let read = definitions::read(&Arc::new(text.to_vec()), &of_document).map_err(unreadable(name))?;
        Ok(self.take(name, text, read.found))
    }

    /// The CRDs that [`Import::keep`] has read.
    #[doc(hidden)]
    pub fn kept(&mut self) -> &mut Vec<Kept> {
        &mut self.kept
    }

    /// Like [`Import::read`] and [`Import::read_openapi`], for any number of CRDs. Returns
    /// [`definitions::Read::is_plain`].
    #[doc(hidden)]
    pub fn keep(&mut self, name: &str, text: &Arc<Vec<u8>>, openapi: bool) -> Result<bool, Error> {
        let before: usize = self.kept.iter().map(|kept| kept.values).sum();
        let left = Cell::new(MAX_VALUES.saturating_sub(before));
        let keep = |value: Value| Kept::of(value, &left);
        let of_document = |document: Document| match openapi {
            true => crdgen_import::openapi::definitions(&document.value, &keep),
            false => definitions::of_document(document, &keep),
        };
        let read = definitions::read(text, &of_document);
        if left.get() == 0 {
            return Err(Error::Argument(format!(
                "{name}: the definitions have more than {MAX_VALUES} values in all: import them in parts, such as a group \
                 at a time"
            )));
        }
        let read = read.map_err(unreadable(name))?;
        if !read.found.is_empty() {
            self.sources.push((name.to_owned(), digest(text)));
        }
        self.kept.extend(read.found);
        Ok(read.is_plain)
    }

    /// Adds CRDs and remembers their source. Returns the number of CRDs.
    fn take(&mut self, name: &str, text: &[u8], found: Vec<Crd>) -> usize {
        let count = found.len();
        if count > 0 {
            self.sources.push((name.to_owned(), digest(text)));
        }
        self.crds.extend(found);
        count
    }

    /// Generates the code.
    pub fn run(self) -> Imported {
        let Import { options, crds, kept, sources } = self;
        let all = All { crds, kept };
        let (order, contested) = all.resolve();
        let headings: Vec<Heading> = order.iter().map(|index| all.heading(*index)).collect();
        let plan = structs::plan_of(&headings, &|index| all.get(order[index]), &options);
        drop(all);
        let (fallbacks, unused_names) = (plan.fallbacks.clone(), plan.unused_names.clone());
        let mut header = header(&sources);
        for line in structs::manifest(&plan, &options) {
            header.push_str(&format!("// {line}\n"));
        }
        Imported { plan, options, header, fallbacks, unused_names, contested }
    }
}

impl Imported {
    /// The [`Imported::unused_names`] that are neither a path nor a name, each with the most similar name if there is
    /// one.
    #[doc(hidden)]
    pub fn unknown_names(&self) -> &[(String, Option<String>)] {
        &self.plan.unknown_names
    }

    /// Returns the code as one file.
    pub fn file(&self) -> String {
        format!("{}\n{}", self.header, structs::file(&self.plan, &self.options))
    }

    /// Returns the code as one file per module, with `mod.rs` at the top. Each file has its path in the folder and its
    /// text.
    pub fn folder(&self) -> Vec<(PathBuf, String)> {
        let files = structs::files(&self.plan, &self.options);
        let parents: Vec<Vec<String>> =
            files.iter().filter(|(p, _)| p.len() > 1).map(|(p, _)| p[..p.len() - 1].to_vec()).collect();
        let mut out = Vec::with_capacity(files.len());
        for (module, text) in files {
            let mut path: PathBuf = module.iter().collect();
            if module.is_empty() || parents.contains(&module) {
                path.push("mod.rs");
            } else {
                path.set_extension("rs");
            }
            out.push((path, format!("{}\n{text}", self.header)));
        }
        out
    }

    /// Returns the kinds, with the paths of their types in the code.
    pub fn kinds(&self) -> Vec<Kind> {
        let text = |keys: &[structs::Keyword], key: &str| {
            let found = keys.iter().find(|k| k.key == key).map(|k| &k.arg);
            match found {
                Some(structs::Arg::Json(structs::Json(Value::Str(text)))) => text.clone(),
                Some(_) | None => String::new(),
            }
        };
        let of_module = |module: &structs::Module| {
            let roots: Vec<&structs::Root> =
                module.types.iter().filter_map(|&id| self.plan.types[id].root.as_deref()).collect();
            let kind = |root: &structs::Root| Kind {
                group: module.group.clone(),
                version: text(&root.kube, "version"),
                kind: text(&root.kube, "kind"),
                path: match (self.options.layout, self.plan.modules.len()) {
                    (Layout::Flat, 1) => root.kind.clone(),
                    _ => format!("{}::{}", module.path.join("::"), root.kind),
                },
            };
            roots.into_iter().map(kind).collect::<Vec<Kind>>()
        };
        self.plan.modules.iter().flat_map(of_module).collect()
    }

    /// Returns the lines that the code needs in `[dependencies]` and `[features]` of `Cargo.toml`.
    pub fn needs(&self) -> Vec<String> {
        structs::manifest(&self.plan, &self.options)
    }

    /// Returns the number of types in the code.
    pub fn types(&self) -> usize {
        self.plan.types.len()
    }
}

fn unreadable(name: &str) -> impl Fn(Unreadable) -> Error {
    move |why| Error::NoDefinitions { name: name.to_owned(), why }
}

/// How many values all kept CRDs may have together. Each value becomes some hundred bytes of types and code.
const MAX_VALUES: usize = 2_500_000;

/// Counts the values inside a value, including itself.
fn count(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => 1,
        Value::List(items) => 1 + items.iter().map(count).sum::<usize>(),
        Value::Map(members) => 1 + members.values().map(count).sum::<usize>(),
    }
}

/// How many values the CRDs that stay decoded may have together. A decoded CRD needs several times the memory of its
/// text. Decoding it again takes time, but for this much input memory matters more.
const MAX_DECODED: usize = 1_000_000;

/// A CRD that is kept until the code is generated.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct Kept {
    body: Body,
    /// How many values it contains.
    values: usize,
    /// Versions that are not listed here are left out.
    pub heading: Heading,
}

#[derive(Clone, Debug)]
enum Body {
    Decoded(Box<Crd>),
    /// JSON, which needs the least memory.
    Text(Box<str>),
}

impl Kept {
    fn of(mut value: Value, left: &Cell<usize>) -> Result<Kept, Unreadable> {
        definitions::clean(&mut value);
        let values = count(&value);
        left.set(left.get().saturating_sub(values));
        if left.get() == 0 {
            return Err(Unreadable::TooManyValues);
        }
        let stays = left.get() > MAX_VALUES - MAX_DECODED;
        let text = (!stays).then(|| json::to_string(&value).into_boxed_str());
        let crd = definitions::definition(value)?;
        let heading = Heading::of(&crd);
        let body = text.map_or_else(|| Body::Decoded(Box::new(crd)), Body::Text);
        Ok(Kept { body, values, heading })
    }

    /// Returns the CRD, with only the versions in its heading.
    pub fn get(&self) -> Cow<'_, Crd> {
        let mut crd = match &self.body {
            Body::Decoded(crd) => Cow::Borrowed(&**crd),
            Body::Text(text) => {
                let value = json::read(text.as_bytes()).unwrap_or_default();
                Cow::Owned(decode::crd(value).0.unwrap_or_default())
            }
        };
        let is_left = |version: &Version| self.heading.versions.contains(&version.name);
        if !crd.spec.versions.iter().all(is_left) {
            crd.to_mut().spec.versions.retain(is_left);
        }
        crd
    }
}

/// All definitions.
struct All {
    crds: Vec<Crd>,
    kept: Vec<Kept>,
}

impl All {
    fn get(&self, index: usize) -> Cow<'_, Crd> {
        match self.crds.get(index) {
            Some(crd) => Cow::Borrowed(crd),
            None => self.kept[index - self.crds.len()].get(),
        }
    }

    fn heading(&self, index: usize) -> Heading {
        match self.crds.get(index) {
            Some(crd) => Heading::of(crd),
            None => self.kept[index - self.crds.len()].heading.clone(),
        }
    }

    /// Picks one of each group of equal CRDs. Also returns the kinds that several different CRDs define.
    fn resolve(&self) -> (Vec<usize>, Vec<String>) {
        let count = self.crds.len() + self.kept.len();
        let mut of_kind: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
        for index in 0..count {
            let Heading { group, kind, .. } = self.heading(index);
            of_kind.entry((group, kind)).or_default().push(index);
        }
        let mut again: BTreeSet<usize> = BTreeSet::new();
        let mut contested = Vec::new();
        for ((group, kind), all) in of_kind.iter().filter(|(_, all)| all.len() > 1) {
            let mut texts = BTreeSet::new();
            let mut is_new = |index: usize| texts.insert(json::to_string(&encode::crd(&self.get(index))));
            again.extend(all.iter().copied().filter(|index| !is_new(*index)));
            if texts.len() > 1 {
                contested.push(format!("{kind} of {group}"));
            }
        }
        ((0..count).filter(|index| !again.contains(index)).collect(), contested)
    }
}

/// Returns the first lines of the code, which list its sources. If there are many, they only give the number.
fn header(sources: &[(String, u64)]) -> String {
    let mut out = format!("// @generated by crdgen import {}\n", env!("CARGO_PKG_VERSION"));
    if sources.len() > 8 {
        let all = sources.iter().fold(0_u64, |all, (_, digest)| all.rotate_left(1) ^ digest);
        out.push_str(&format!("// from {} files ({all:016x})\n", sources.len()));
        return out;
    }
    for (name, digest) in sources {
        let name = inert::line(name);
        out.push_str(&format!("// from {name} ({digest:016x})\n"));
    }
    out
}

/// FNV-1a over words of eight bytes: detects whether a source has changed. It is not for secrets.
fn digest(bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash = (hash ^ u64::from_le_bytes(word)).wrapping_mul(0x0100_0000_01b3);
        // Multiplication only carries from low bits to high ones, so mix the high bits back in.
        hash ^= hash >> 32;
    }
    hash ^ bytes.len() as u64
}
