//! Finds the CRDs of Rust sources, without compiling anything, or with [`read_exact`] by compiling them.

// This module finds and reads files; `crdgen_rust` reads the types.

mod alone;
mod cargo;
mod compare;
mod conversions;
mod derives;
mod environment;
mod exact;
mod files;
mod fixes;
mod inside;
mod links;
mod manifest;
mod manifests;
mod merges;
mod metadata;
mod places;
mod settings;

pub use crate::error::render;
#[doc(hidden)]
pub use cargo::folders_up;
pub use compare::{Compared, Kinds, against};
#[doc(hidden)]
pub use conversions::{Conversions, Detail, conversions};
#[doc(hidden)]
pub use exact::{Compiled, Refused};
pub use exact::{read_exact, read_exact_where_needed};
pub use fixes::{Fixed, Left, WhyLeft, fixed};
#[doc(hidden)]
pub use places::places;

use crate::Error;
use crate::input::{self, Shown};
use crdgen_core::check::attributes;
use crdgen_core::check::lints::{self, InVain};
use crdgen_core::diag::{Code, Diag, Diags, Level, codes};
use crdgen_core::ir::Crd;
use crdgen_core::path::{Path as FieldPath, Step};
use crdgen_core::value::Value;
use crdgen_core::{encode, recipe};
use crdgen_rust::syntax::nesting;
use crdgen_source::{
    At, CrateSource, Found, FoundKind, FoundKinds, Located, Merge, MistakenKind, Program, Sources, once,
};
use merges::Stored;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

/// Options for reading sources.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// A folder with a `Cargo.toml`, or a single `.rs` file. By default the current folder.
    pub path: PathBuf,
    /// The packages of a workspace to read. By default all members.
    pub packages: Vec<String>,
    /// Cargo features to turn on.
    pub features: Vec<String>,
    /// Turn on all Cargo features.
    pub all_features: bool,
    /// Turn off the default Cargo features.
    pub no_default_features: bool,
    /// The kinds to return. By default all.
    pub kinds: Vec<String>,
    /// The modules whose kinds to return, with those below them: paths such as `api::v1`. By default all.
    pub modules: Vec<String>,
    /// Do not check the CRDs.
    pub unchecked: bool,
    /// Return CRDs even if the sources have mistakes. What the mistakes are about is left out. A CRD with a type, default
    /// or schema that cannot be determined is never returned.
    pub force: bool,
    /// Return CRDs that the server would reject.
    pub refused: bool,
    /// Return no CRDs if one cannot be determined.
    pub all_or_nothing: bool,
    /// The minor version of the oldest Kubernetes to support. By default the newest.
    pub kube: Option<u32>,
    /// The lints that run on the CRDs.
    pub lints: Lints,
    /// Trust the package, as cargo does. By default, reading its sources runs no program that it chooses, and reads no file
    /// outside of it: cargo ignores `.cargo/config.toml` and `rust-toolchain.toml`, and `#[path]` and `include_str!` stay
    /// inside the workspace or git checkout. [`read_exact`] compiles the package, and always trusts it.
    pub trusted: bool,
    /// Do not use the network: of the packages from elsewhere, only those are known that cargo has downloaded before.
    pub offline: bool,
    /// Write the CRDs of kinds that use kube's derive in the way of schemars, as far as crdgen knows it, for comparisons with CRDs that
    /// kube wrote.
    pub in_schemars: bool,
}

/// The lints about types. By default those are on that are about likely mistakes.
#[derive(Clone, Debug)]
pub struct Lints(lints::Lints);

impl Default for Lints {
    fn default() -> Lints {
        Lints(attributes::lints())
    }
}

impl Lints {
    /// Turns on lints, and then turns off others: codes such as `LNT105`, `api` for those about the design of an API, or `all`.
    pub fn switch(&mut self, on: &[String], off: &[String]) -> Result<(), Error> {
        self.0.switch(on, off).map_err(|why| Error::Argument(why.to_string()))
    }
}

impl Options {
    /// The lints, with those for the oldest Kubernetes.
    fn lints(&self) -> lints::Lints {
        let mut lints = self.lints.0.clone();
        lints.kube = self.kube;
        lints
    }

    /// Whether only some kinds are chosen, so that the sources may have others.
    #[doc(hidden)]
    pub fn is_choice(&self) -> bool {
        !(self.kinds.is_empty() && self.modules.is_empty())
    }

    /// Whether to return a kind. `item` is its Rust item with the modules.
    fn wants(&self, kind: &str, item: &str) -> bool {
        let (krate, inside) = item.split_once("::").unwrap_or(("", item));
        let is_below =
            |path: &str, module: &str| path.strip_prefix(module).is_some_and(|rest| rest.starts_with("::"));
        let is_in = |module: &String| match module.split_once("::") {
            Some((first, rest)) if first == "crate" || first == krate => is_below(inside, rest),
            _ => is_below(inside, module),
        };
        (self.kinds.is_empty() || self.kinds.iter().any(|wanted| wanted == kind))
            && (self.modules.is_empty() || self.modules.iter().any(is_in))
    }
}

/// The CRDs of sources, and the diagnostics.
#[derive(Debug, Default)]
pub struct Definitions {
    /// The CRDs, with merged versions, sorted by name.
    pub crds: Vec<Crd>,
    /// The errors, warnings and notes.
    pub found: Vec<Found>,
    /// The files that were read.
    pub files: Vec<PathBuf>,
    /// The crates that were read, with the names of their CRDs.
    pub crates: BTreeMap<String, Vec<String>>,
    /// Kinds without a CRD here, because their types have mistakes or cannot be determined.
    pub withheld: Vec<Withheld>,
    /// Lines that a `use` line does not change, and their replacements in crdgen: derives and impls with paths to traits of
    /// kube or schemars, and fields whose types are of other crates.
    pub by_path: Vec<(At, String, String)>,
    /// The error of cargo, if it could not find other crates. Their types are then unknown.
    pub cargo: Option<Error>,
    /// Whether kinds use kube's derive, and not crdgen's.
    pub by_kube: bool,
    /// Whether a crate includes files that only a build script writes, which may have more kinds.
    pub is_built: bool,
}

/// A kind whose CRD cannot be determined.
#[derive(Clone, Debug)]
pub struct Withheld {
    /// The name of its CRD.
    pub name: String,
    /// The kind.
    pub kind: String,
    /// One of the errors that cause this.
    pub why: Found,
}

impl Definitions {
    /// Whether there are errors.
    pub fn has_errors(&self) -> bool {
        self.found.iter().any(|f| f.diag.level == Level::Error)
    }
}

/// The file that describes a package.
pub const MANIFEST: &str = "Cargo.toml";

/// Whether a path is that of Rust sources: a package or its manifest, a file, or a folder with the root of a crate.
#[doc(hidden)]
pub fn is_rust(path: &Path) -> bool {
    is_rust_with(path, |name| path.join(name).symlink_metadata().is_ok())
}

/// The same for a path elsewhere, if `has` says whether it is a folder with a file of a name.
#[doc(hidden)]
pub fn is_rust_with(path: &Path, has: impl Fn(&str) -> bool) -> bool {
    path.extension().is_some_and(|e| e == "rs")
        || path.file_name().is_some_and(|name| name == MANIFEST)
        || [MANIFEST, "lib.rs", "main.rs"].into_iter().any(has)
}

/// Whether a folder is that of a package or a workspace that may have types for CRDs: by the crates that it needs, or by its sources if
/// another crate exports the derive.
#[doc(hidden)]
pub fn may_have_kinds(folder: &Path) -> bool {
    let needs = |path: &Path| {
        let Ok(text) = input::read_to_string(path) else { return false };
        // Cargo says best what is wrong with a manifest.
        manifest::Manifest::parse(&text).is_none_or(|manifest| manifest.needs(&["crdgen", "kube"]))
    };
    let all = manifests_of(folder);
    all.iter().any(|manifest| needs(manifest)) || all.iter().any(|manifest| derives::has_kinds(manifest))
}

/// The manifests of a package and of the members of its workspace whose sources have types for CRDs, without asking cargo.
#[doc(hidden)]
pub fn manifests_with_kinds(folder: &Path) -> Vec<PathBuf> {
    manifests_of(folder).into_iter().filter(|manifest| derives::has_kinds(manifest)).collect()
}

/// The manifest in a folder, which need not exist, and those of the members of its workspace.
fn manifests_of(folder: &Path) -> Vec<PathBuf> {
    let own = folder.join(MANIFEST);
    let members = alone::members(&own).into_iter().map(|member| member.join(MANIFEST));
    let members: Vec<PathBuf> = members.collect();
    std::iter::once(own).chain(members).collect()
}

/// Reads sources on a stack that is large enough for the deepest sources.
#[doc(hidden)]
pub fn on_its_stack<T: Send>(read: impl FnOnce() -> Result<T, Error> + Send) -> Result<T, Error> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(nesting::STACK).spawn_scoped(scope, read);
        thread.map_err(Error::Thread)?.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Reads sources, and checks their CRDs.
pub fn read(options: &Options) -> Result<Definitions, Error> {
    on_its_stack(|| read_all(options, cargo::Workspace::new(options)))
}

fn read_all(options: &Options, mut workspace: cargo::Workspace) -> Result<Definitions, Error> {
    let roots = workspace.roots()?;
    let mut out = with_merges(|stored| {
        let mut reading = Reading { stored, ..Reading::default() };
        for root in &roots {
            let mut sources = files::Files::new(&mut workspace);
            reading.read_crate(&mut sources, root.clone(), options);
            reading.out.files.append(&mut sources.read);
        }
        reading
    });
    out.found.extend(workspace.outdated_lock());
    out.cargo = workspace.take_failure();
    if options.all_or_nothing && out.has_errors() && !options.force {
        out.crds.clear();
    }
    out.found.iter_mut().filter_map(|f| f.at.as_mut()).for_each(shorten);
    out.by_path.iter_mut().for_each(|(at, ..)| shorten(at));
    out.withheld.iter_mut().filter_map(|w| w.why.at.as_mut()).for_each(shorten);
    out.crds.sort_by(|a, b| a.metadata.name.cmp(&b.metadata.name));
    out.files.sort();
    out.files.dedup();
    Ok(out)
}

/// Reads a text as if it were the only file of a crate, and checks its CRDs. Types of other crates are known only if
/// crdgen knows them by name.
pub fn read_text(name: &str, text: &str, options: &Options) -> Definitions {
    let mut out = with_merges(|stored| {
        let mut reading = Reading { stored, ..Reading::default() };
        reading.read_crate(&mut files::Text { name, text }, files::only(name), options);
        reading
    });
    out.crds.sort_by(|a, b| a.metadata.name.cmp(&b.metadata.name));
    out
}

/// Reads crates. A program may choose the storage version of its library's kinds. So if there are calls of
/// `merge_crds`, all crates are read once more with these choices.
fn with_merges(mut read: impl FnMut(Stored) -> Reading) -> Definitions {
    let mut first = read(Stored::default());
    let merges = std::mem::take(&mut first.merges);
    if merges.is_empty() {
        return first.finished();
    }
    let mut found = Vec::new();
    let mut out = read(Stored::new(merges, &mut found)).finished();
    // If each kind has only one version, there is nothing to choose.
    let may_choose = out.crds.iter().any(|crd| crd.spec.versions.len() > 1) || !out.withheld.is_empty();
    out.found.extend(found.into_iter().filter(|it| may_choose || it.diag.level == Level::Error));
    out
}

/// The crates read so far.
#[derive(Default)]
struct Reading {
    stored: Stored,
    out: Definitions,
    /// All CRDs, and the places of their kinds.
    seen: Vec<(Crd, Option<At>)>,
    merges: Vec<Merge>,
    /// The CRDs that several crates define differently.
    contested: BTreeSet<String>,
    /// What the lints about the design of APIs have reported.
    designs: HashSet<About>,
    /// The CRDs that cannot be determined in a crate. Another crate may define them, but perhaps differently.
    unknown: BTreeSet<String>,
}

impl Reading {
    /// Returns the result for all crates.
    fn finished(mut self) -> Definitions {
        let missing: BTreeSet<&String> = self.contested.iter().chain(&self.unknown).collect();
        self.out.crds.retain(|crd| !missing.contains(&crd.metadata.name));
        for names in self.out.crates.values_mut() {
            names.retain(|name| !missing.contains(name));
        }
        self.out
    }

    /// Reads a crate, and checks its CRDs.
    fn read_crate(&mut self, sources: &mut dyn Sources, root: CrateSource, options: &Options) {
        let name = root.name.clone();
        let program = Program::new(sources, root);
        let program = if options.in_schemars { program.in_schemars() } else { program };
        let found = program.kinds(&|kind, item| options.wants(kind, item));
        self.out.by_kube |= program.is_by_kube();
        self.out.is_built |= program.is_built();
        self.merges.extend(program.merges());
        add(program.found(), &mut self.out.found);
        let out = &mut self.out;
        let place = |at: &At, text: &str| (at.file.clone(), at.start.offset, text.to_owned());
        let known: HashSet<_> = out.by_path.iter().map(|(at, text, _)| place(at, text)).collect();
        let lines = program.by_path().into_iter();
        out.by_path.extend(lines.filter(|(at, text, _)| !known.contains(&place(at, text))));
        let before = out.crds.len();
        let known = self.withhold(found, options);
        self.finish(&program, &known, options);
        let out = &mut self.out;
        let names = out.crds[before..].iter().map(|crd| crd.metadata.name.clone());
        out.crates.entry(name).or_default().extend(names);
    }

    /// Returns the kinds for which the CRDs of all versions are known, and remembers the others.
    fn withhold(&mut self, kinds: FoundKinds, options: &Options) -> Vec<FoundKind> {
        let FoundKinds { mut known, mistaken } = kinds;
        for MistakenKind { name, kind, why, rest } in mistaken {
            match rest.filter(|_| options.force) {
                Some(rest) => known.push(rest),
                None => {
                    if !self.out.withheld.iter().any(|it| it.name == name) {
                        self.out.withheld.push(Withheld { name: name.clone(), kind, why });
                    }
                    self.unknown.insert(name);
                }
            }
        }
        known.retain(|kind| !self.unknown.contains(&kind.crd.metadata.name));
        known
    }

    /// Merges the versions of the kinds of one crate and checks them as a server would.
    fn finish(&mut self, program: &Program<'_>, kinds: &[FoundKind], options: &Options) {
        let Reading { stored, out, seen, contested, designs, .. } = self;
        // A kind that is only used may be declared anywhere.
        let mut crds: Vec<Crd> = Vec::new();
        for kind in kinds {
            if !crds.contains(&kind.crd) {
                crds.push(kind.crd.clone());
            }
        }
        stored.apply(&mut crds);
        let (crds, diags) = recipe::merge(crds);
        let place = |kind: &str| {
            kinds
                .iter()
                .find(|k| k.crd.spec.names.kind == kind)
                .and_then(|k| Located::new(program, k).at(&[]))
        };
        // If versions cannot be merged, there is no CRD for which a server could report more.
        let unmerged: Vec<String> = diags.iter().map(|diag| diag.field.clone()).collect();
        let may_be_refused = options.force || options.refused;
        let others = seen.len();
        let mut why_unmerged = Vec::new();
        for diag in diags {
            let at = place(&diag.field);
            why_unmerged.push(Found { diag: diag.clone(), at: at.clone() });
            out.found.push(Found { diag, at });
        }
        for crd in crds {
            let at = place(&crd.spec.names.kind);
            let same_name = seen[..others].iter().find(|(other, _)| other.metadata.name == crd.metadata.name);
            if let Some((other, there)) = same_name {
                // A binary may declare the same modules as its library.
                if *other == crd {
                    continue;
                }
                let why = Found { diag: defined_twice(&crd, there.as_ref()), at };
                out.found.push(why.clone());
                let (name, kind) = (crd.metadata.name, crd.spec.names.kind);
                if contested.insert(name.clone()) {
                    out.withheld.retain(|it| it.name != name);
                    out.withheld.push(Withheld { name, kind, why });
                }
                continue;
            }
            seen.push((crd.clone(), at));
            let kind = &crd.spec.names.kind;
            let mut in_vain = Vec::new();
            let mut why = why_unmerged.iter().find(|found| found.diag.field == *kind).cloned();
            if !options.unchecked && !unmerged.contains(&crd.spec.names.kind) {
                let document = encode::crd(&crd);
                let diags;
                (diags, in_vain) = attributes::findings(&crd, &options.lints());
                for mut diag in once(diags) {
                    let is_of_others = || {
                        let kind = kind_of(kinds, &crd, &diag.steps);
                        kind.is_some_and(|it| Located::new(program, it).is_in_kubernetes(&diag.steps))
                    };
                    if is_about_design(diag.code) && is_of_others() {
                        continue;
                    }
                    let at = locate(program, kinds, &crd, &document, &diag);
                    if at.as_ref().is_some_and(|at| program.is_of_schemars(at)) {
                        attributes::in_schemars(&mut diag);
                    }
                    let found = Found { diag, at };
                    if found.diag.level == Level::Error {
                        why.get_or_insert_with(|| found.clone());
                    }
                    let is_known = match is_about_design(found.diag.code) {
                        // Attributes do not report these. There may be thousands.
                        true => !designs.insert(About::of(&found)),
                        false => program.is_reported(&found.diag, found.at.as_ref(), &out.found),
                    };
                    if !is_known {
                        out.found.push(found);
                    }
                }
            }
            out.found.extend(in_vain.into_iter().filter_map(|it| allowed_nothing(program, kinds, &crd, it)));
            match why.filter(|_| !may_be_refused) {
                Some(why) => {
                    let (name, kind) = (crd.metadata.name, crd.spec.names.kind);
                    out.withheld.push(Withheld { name, kind, why });
                }
                None => out.crds.push(crd),
            }
        }
    }
}

fn is_about_design(code: &Code) -> bool {
    lints::nodes::profile().any(|own| own == code)
}

/// What a diagnostic is about. A CRD contains a type as often as it is used, and lints report the same at each of these places.
#[derive(PartialEq, Eq, Hash)]
struct About {
    code: &'static str,
    at: Spot,
    /// The steps behind the last field: to the items of a list, or to a rule.
    part: Vec<String>,
    detail: String,
}

/// Where a diagnostic is.
#[derive(PartialEq, Eq, Hash)]
enum Spot {
    /// In the sources: the file and the byte.
    Source(String, usize),
    /// In the CRD, because the place in the sources is not known.
    Field(String),
}

impl About {
    fn of(Found { diag, at }: &Found) -> About {
        let (mut steps, mut part) = (diag.steps.iter(), Vec::new());
        while let Some(step) = steps.next() {
            match step {
                Step::Key(key) if key == "properties" => {
                    steps.next();
                    part.clear();
                }
                Step::Key(key) => part.push(key.clone()),
                // Where a type is used twice, the same name may have two numbers in the lists of required fields.
                Step::Index(_) => {}
            }
        }
        let at = match at {
            Some(at) => Spot::Source(shortened(&at.file), at.start.offset),
            None => Spot::Field(diag.field.clone()),
        };
        About { code: diag.code.id, at, part, detail: diag.detail.clone() }
    }
}

/// Adds the diagnostics of a crate. Several crates may contain the same modules, such as a program and its library. A
/// mistake in them is reported once: its message may name the crate.
fn add(more: Vec<Found>, found: &mut Vec<Found>) {
    type Key = (String, usize, &'static str, String);
    let key = |found: &Found| -> Option<Key> {
        let At { file, start, .. } = found.at.as_ref()?;
        Some((file.clone(), start.offset, found.diag.code.id, found.diag.field.clone()))
    };
    let known: HashSet<Key> = found.iter().filter_map(key).collect();
    let is_new = |found: &Found| key(found).is_none_or(|key| !known.contains(&key));
    found.extend(more.into_iter().filter(is_new));
}

/// The warning about an allowed warning that there is not. None if an attribute hid one while the types were read.
fn allowed_nothing(program: &Program<'_>, kinds: &[FoundKind], crd: &Crd, in_vain: InVain) -> Option<Found> {
    let version = crd.spec.versions.get(in_vain.version)?;
    let is_it = |k: &&FoundKind| {
        k.crd.spec.names.kind == crd.spec.names.kind
            && k.crd.spec.versions.iter().any(|v| v.name == version.name)
    };
    let kind = kinds.iter().find(is_it)?;
    let code = in_vain.allowed.code.clone();
    // The kind has only its own version.
    let diag = allows_nothing(InVain { version: 0, ..in_vain });
    if program.is_hidden(kind, &diag.steps, &code) {
        return None;
    }
    let at = Located::new(program, kind).at(&diag.steps);
    Some(Found { diag: Diag { steps: Vec::new(), ..diag }, at })
}

/// The warning about an exception in an attribute that allows nothing, with the steps to its place in a version of the CRD.
#[doc(hidden)]
pub fn allows_nothing(InVain { version, allowed }: InVain) -> Diag {
    let in_schema = ["spec", "versions", "", "schema", "openAPIV3Schema"].map(|name| match name {
        "" => Step::Index(version),
        name => Step::Key(name.to_owned()),
    });
    let steps: Vec<Step> = in_schema.into_iter().chain(allowed.steps).collect();
    let detail = format!("`allow({})` has no effect: there is no such warning here", allowed.code);
    let diag = Diag::own(&codes::exception::UNUSED, Level::Warning, &FieldPath::ROOT, detail);
    Diag { steps, ..diag.help(format!("remove `allow({})`", allowed.code)) }
}

/// The error for two crates that define the same kind differently.
fn defined_twice(crd: &Crd, there: Option<&At>) -> Diag {
    let there = there.map_or_else(String::new, |At { file, start, .. }| {
        let file = shortened(file);
        format!(" at {file}:{}:{}", start.line, start.column)
    });
    let detail = format!("another crate defines {} differently{there}", crd.metadata.name);
    Diag::own(&codes::rust::VERSIONS_DIFFER, Level::Error, &FieldPath::ROOT, detail).help(
        "a cluster has only one CRD with this name. Define the kind, with all its versions, in one crate, or choose with --package or \
         --module",
    )
}

/// Shortens a path: cargo returns absolute paths, but users write paths relative to the current folder.
#[doc(hidden)]
pub fn shorten(at: &mut At) {
    at.file = shortened(&at.file);
}

fn shortened(file: &str) -> String {
    Path::new(&environment::relative(file)).shown().to_string()
}

/// Finds where a place of a merged CRD comes from: the type of the version that contains it.
fn locate(
    program: &Program<'_>,
    kinds: &[FoundKind],
    crd: &Crd,
    document: &Value,
    diag: &Diag,
) -> Option<At> {
    Located::new(program, kind_of(kinds, crd, &diag.steps)?).at_in(document, diag)
}

/// The kind from which a place of a merged CRD comes: that of the version that contains it.
fn kind_of<'k>(kinds: &'k [FoundKind], crd: &Crd, steps: &[Step]) -> Option<&'k FoundKind> {
    let version = match steps {
        [Step::Key(spec), Step::Key(versions), Step::Index(i), ..]
            if spec == "spec" && versions == "versions" =>
        {
            crd.spec.versions.get(*i).map(|v| v.name.as_str())
        }
        _ => None,
    };
    let same =
        |k: &&FoundKind| k.crd.spec.names.kind == crd.spec.names.kind && k.crd.spec.group == crd.spec.group;
    let mut candidates = kinds.iter().filter(same);
    match version {
        Some(version) => candidates.find(|k| k.crd.spec.versions.iter().any(|v| v.name == version)),
        None => candidates.next(),
    }
}

/// Returns only the diagnostics.
pub fn diags(found: Vec<Found>) -> Diags {
    found.into_iter().map(|f| f.diag).collect()
}
