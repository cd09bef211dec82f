//! The CRDs of Rust types, as a server sees them: of the working tree, or of a revision of git. Findings about them get their places in
//! the sources.
//!
//! **Unstable**: any release may change what is in this module.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crdgen_core::compare::changes::Part;
use crdgen_core::diag::{Diag, Level};
use crdgen_core::documents::Finding;
use crdgen_core::ir::Crd;
use crdgen_core::path::Step;
use crdgen_core::server::Server;
use crdgen_core::span::{BYTE_ORDER_MARK, Place};
use crdgen_core::{decode, listed, migrate};
use crdgen_source::{At, Found};

use crate::inputs::{AtPath, AtRevision, Checkout, Findings, HERE, Notes, Source, no_such_kind};
use crate::servers;
use crdgen_files::Error;
use crdgen_files::input::{self, Shown};
use crdgen_files::source::{self, MANIFEST, Options};

/// Rust sources that the user names.
pub struct RustSources {
    /// As the user wrote it.
    named: String,
    path: PathBuf,
    /// Those of a revision are copied.
    checkout: Option<Checkout>,
    notes: Notes,
}

impl RustSources {
    /// Sources in the working tree.
    pub fn here(path: &str, notes: Notes) -> RustSources {
        RustSources { named: path.to_owned(), path: PathBuf::from(path), checkout: None, notes }
    }

    /// Sources at a revision. `None` if the path is none of Rust there.
    pub fn at(revision: &str, path: &str, notes: Notes) -> Result<Option<RustSources>, Error> {
        let there = AtRevision::new(revision, path)?;
        let is_rust = there.exists() && source::is_rust_with(Path::new(path), |name| there.has(name));
        is_rust.then(|| RustSources::copied(format!("git:{revision}:{path}"), &there, notes)).transpose()
    }

    fn copied(named: String, there: &AtRevision<'_>, notes: Notes) -> Result<RustSources, Error> {
        let checkout = there.copy(notes)?;
        Ok(RustSources { named, path: checkout.path().to_owned(), checkout: Some(checkout), notes })
    }

    /// The Rust sources that an argument names. `None` if it names something else, or the folder of a package, which may also have
    /// the CRDs in its YAML.
    pub fn named(arg: &str, notes: Notes) -> Result<Option<RustSources>, Error> {
        let Some(AtPath { revision, path }) = AtPath::named(arg)? else {
            return Ok(is_rust(arg).then(|| RustSources::here(arg, notes)));
        };
        let path = path.as_deref().unwrap_or(HERE);
        let there = AtRevision::new(&revision, path)?;
        let is_rust = source::is_rust_with(Path::new(path), |name| there.has(name));
        let is_package = there.has(MANIFEST);
        (is_rust && !is_package && there.exists())
            .then(|| RustSources::copied(arg.to_owned(), &there, notes))
            .transpose()
    }

    /// The sources of a package, if an argument names the folder of one that may have types for CRDs.
    pub fn of_package(arg: &str, notes: Notes) -> Result<Option<RustSources>, Error> {
        let found = match AtPath::named(arg)? {
            None => Some(RustSources::here(arg, notes)),
            Some(AtPath { revision, path }) => {
                let there = AtRevision::new(&revision, path.as_deref().unwrap_or(HERE))?;
                there.has(MANIFEST).then(|| RustSources::copied(arg.to_owned(), &there, notes)).transpose()?
            }
        };
        Ok(found.filter(|it| source::may_have_kinds(&it.path)))
    }

    /// A source without a text, for findings about all of them.
    fn source(&self) -> Source {
        let mut source = Source::new(self.path.shown().to_string(), Arc::default());
        source.origin.original = input::original(&self.path).map(Arc::from);
        source
    }

    /// The options to read them with.
    #[must_use]
    pub fn options(&self, options: Options) -> Options {
        // Of each revision, cargo would download other packages.
        let offline = options.offline || self.checkout.is_some();
        Options { path: package(&self.path), offline, ..options }
    }
}

/// The CRDs of Rust types.
pub struct RustTypes {
    /// The CRDs, sorted by name, with the defaults that a server sets.
    pub crds: Vec<Crd>,
    /// The names of the CRDs that cannot be determined.
    pub unknown: Vec<String>,
    /// What is found in the sources.
    pub found: Vec<Found>,
    /// The same for newer servers, newest first, if the CRDs must support several.
    pub on_newer: Vec<(Server, Vec<Found>)>,
    /// How many files were read.
    pub files: usize,
    /// The error of cargo, if it could not find other crates. Their types are then unknown.
    pub cargo: Option<Error>,
    /// What the user named.
    pub named: String,
    /// Where they are, for findings without a place.
    pub source: Source,
    /// How the sources were read.
    pub options: Options,
    /// The same CRDs as schemars and kube write them, if the kinds use kube's derive.
    pub in_schemars: InSchemars,
    /// Places are read from the sources again.
    _sources: RustSources,
}

impl RustTypes {
    /// Reads Rust sources. There may be no CRD in them.
    pub fn read(sources: RustSources, options: Options) -> Result<RustTypes, Error> {
        let options = sources.options(options);
        let read = source::read(&options)?;
        Ok(RustTypes {
            in_schemars: InSchemars::new(&options, read.by_kube),
            crds: read.crds.into_iter().map(as_sent).collect(),
            unknown: read.withheld.into_iter().map(|it| it.name).collect(),
            found: read.found,
            on_newer: Vec::new(),
            files: read.files.len(),
            cargo: read.cargo,
            // The text is not kept, so no line of it is shown.
            source: sources.source(),
            named: sources.named.clone(),
            options,
            _sources: sources,
        })
    }

    /// Reads Rust sources for a comparison of their CRDs: only their errors count.
    pub fn compared(sources: RustSources) -> Result<RustTypes, Error> {
        let notes = sources.notes;
        let mut types = RustTypes::read(sources, Options::default())?;
        types.found.retain(|found| found.diag.level == Level::Error);
        if !types.unknown.is_empty() {
            notes.say(format_args!(
                "not compared, because crdgen cannot determine the CRD of the types in {}: {}",
                types.named,
                listed::first(types.unknown.iter(), listed::NAMED)
            ));
        }
        Ok(types)
    }

    /// Whether there are mistakes in the sources.
    pub fn has_errors(&self) -> bool {
        let newer = self.on_newer.iter().flat_map(|(_, found)| found);
        self.found.iter().chain(newer).any(|found| found.diag.level == Level::Error)
    }

    /// Reads the sources again for each of the newer servers.
    pub fn checked_on(self, newer: &[Server]) -> Result<RustTypes, Error> {
        let read = |server: &Server| {
            let options = Options { kube: Some(server.minor()), ..self.options.clone() };
            Ok((*server, source::read(&options)?.found))
        };
        let on_newer = newer.iter().map(read).collect::<Result<_, Error>>()?;
        Ok(RustTypes { on_newer, ..self })
    }

    /// The errors, warnings and notes, file by file.
    pub(crate) fn found_in_files(&self) -> Vec<Findings> {
        let newer = self.on_newer.iter().map(|(server, found)| (*server, by_file(found.clone())));
        let oldest = self.options.kube.map_or(Server::NEWEST, Server::of);
        servers::checked_files(newer.chain([(oldest, by_file(self.found.clone()))]).collect())
    }

    /// Whether there are no kinds, not even such that have mistakes.
    pub fn is_empty(&self) -> bool {
        self.crds.is_empty() && self.unknown.is_empty()
    }

    /// Gives findings their places in the sources. Each list has the findings about one of the CRDs.
    pub fn in_files(&self, found: Vec<Vec<Finding>>) -> Result<Vec<Findings>, Error> {
        located(&self.options, &self.crds, found, &self.source.name)
    }
}

/// A CRD with the defaults that a server sets.
fn as_sent(mut crd: Crd) -> Crd {
    decode::set_defaults(&mut crd);
    crd
}

/// The CRDs of types that use kube's derive, as schemars and kube write them. They are read when they are needed.
pub struct InSchemars {
    options: Options,
    by_kube: bool,
    crds: OnceLock<Vec<Crd>>,
}

impl InSchemars {
    /// Those of the types that were read with these options.
    pub fn new(options: &Options, by_kube: bool) -> InSchemars {
        let options = Options { in_schemars: true, unchecked: true, ..options.clone() };
        InSchemars { options, by_kube, crds: OnceLock::new() }
    }

    /// Returns a CRD of the types for a comparison with one that is not crdgen's: without what only crdgen writes in another way.
    #[must_use]
    pub fn like_old(&self, old: &Crd, new: &Crd) -> Crd {
        if !self.by_kube {
            return new.clone();
        }
        // Mistakes in the types were reported when they were read first.
        let read = || source::read(&self.options).map(|it| it.crds.into_iter().map(as_sent).collect());
        let crds = self.crds.get_or_init(|| read().unwrap_or_default());
        let same = crds.iter().find(|it| it.metadata.name == new.metadata.name);
        same.map_or_else(|| new.clone(), |it| migrate::like_old(old, new, it))
    }
}

/// Whether a path is that of Rust types: a file, a manifest or a folder of sources, such as `src`. The folder of a package
/// may also have the CRDs in its YAML, which are what is applied.
fn is_rust(path: &str) -> bool {
    source::is_rust(Path::new(path)) && !Path::new(path).join(MANIFEST).exists()
}

/// Returns the package that a folder such as `src` belongs to. The path starts as the user wrote it, so reported places
/// do too.
pub fn package(types: &Path) -> PathBuf {
    let up = if types.is_dir() { source::folders_up(types).unwrap_or(0) } else { 0 };
    (0..up).fold(types.to_path_buf(), |path, _| input::above(&path))
}

/// The findings in sources, file by file.
pub fn by_file(found: Vec<Found>) -> Vec<Findings> {
    let finding = |Found { diag, at }| (Finding::new(String::new(), None, diag), at);
    in_files(found.into_iter().map(finding).collect(), "")
}

/// Gives findings their places in sources. Returns them file by file; those without a place are in the file `otherwise`.
fn in_files(found: Vec<(Finding, Option<At>)>, otherwise: &str) -> Vec<Findings> {
    let mut files: BTreeMap<String, Vec<Finding>> = BTreeMap::new();
    for (finding, at) in found {
        let (file, place) = match at {
            Some(At { file, start, end }) => (file, Some(Place { start, end })),
            None => (otherwise.to_owned(), None),
        };
        files.entry(file).or_default().push(Finding { place, ..finding });
    }
    let files = files.into_iter().map(|(name, mut findings)| {
        findings.sort_by_key(|f| f.place.map(|p| p.start.offset));
        let bytes = Arc::new(input::read(&input::of_name(&name)).unwrap_or_default());
        // The parser does not count the mark.
        if bytes.starts_with(BYTE_ORDER_MARK.as_bytes()) {
            for Place { start, end } in findings.iter_mut().filter_map(|finding| finding.place.as_mut()) {
                start.offset += BYTE_ORDER_MARK.len();
                end.offset += BYTE_ORDER_MARK.len();
            }
        }
        Findings { source: Source::new(name, bytes), findings }
    });
    files.collect()
}

/// Gives findings about CRDs their places in the sources, of which [`source::read`] made the CRDs. Each list has the findings about
/// one of the CRDs.
fn located(
    options: &Options,
    crds: &[Crd],
    found: Vec<Vec<Finding>>,
    otherwise: &str,
) -> Result<Vec<Findings>, Error> {
    let diags = |(crd, findings): (&Crd, &Vec<Finding>)| findings.iter().map(|it| about(crd, it)).collect();
    let diags: Vec<Vec<Diag>> = crds.iter().zip(&found).map(diags).collect();
    let wanted: Vec<(&Crd, Vec<&Diag>)> =
        crds.iter().zip(&diags).map(|(crd, diags)| (crd, diags.iter().collect())).collect();
    let places = match diags.iter().all(Vec::is_empty) {
        true => Vec::new(),
        false => source::places(options, &wanted)?,
    };
    let mut located: Vec<(Finding, Option<At>)> =
        found.into_iter().flatten().zip(places.into_iter().flatten()).collect();
    name_kinds(&mut located);
    Ok(in_files(located, otherwise))
}

/// Adds the name of the CRD to changes that are the same at the same place: several kinds use the type.
fn name_kinds(located: &mut [(Finding, Option<At>)]) {
    let mut kinds: HashMap<(String, usize, &'static str, String), HashSet<String>> = HashMap::new();
    let key = |(finding, at): &(Finding, Option<At>)| {
        let at = at.as_ref().filter(|_| finding.change.is_some())?;
        Some((at.file.clone(), at.start.offset, finding.diag.code.id, finding.diag.detail.clone()))
    };
    for (one, key) in located.iter().filter_map(|one| Some((one, key(one)?))) {
        kinds.entry(key).or_default().insert(one.0.object.clone());
    }
    for one in located {
        if key(one).and_then(|key| kinds.get(&key)).is_some_and(|kinds| kinds.len() > 1) {
            let Finding { diag, object, .. } = &mut one.0;
            diag.detail = format!("{} (in {object})", diag.detail);
        }
    }
}

/// The diagnostic of a finding, with the steps to its version if it is about the versions as a whole, and to its field if it is about
/// one: the field or its type is in the sources once, although many fields may have the type.
fn about(crd: &Crd, finding: &Finding) -> Diag {
    let mut diag = finding.diag.clone();
    if let Some(Part::Field(name) | Part::Required(name) | Part::RequiredNew(name)) =
        finding.change.as_ref().and_then(|change| change.part.as_ref())
    {
        let key = |name: &str| Step::Key(name.to_owned());
        diag.steps.pop_if(|last| *last == key("required"));
        if !diag.steps.ends_with(&[key("properties"), key(name)]) {
            diag.steps.extend([key("properties"), key(name)]);
        }
    }
    let version = finding.change.as_ref().and_then(|change| change.version.as_deref());
    let at = crd.spec.versions.iter().position(|it| Some(it.name.as_str()) == version);
    if matches!(diag.steps.as_slice(), [Step::Key(_), Step::Key(last)] if last == "versions") {
        diag.steps.extend(at.map(Step::Index));
    }
    diag
}

/// Returns the error for sources without a kind, or without the wanted kinds.
pub fn nothing(options: &Options) -> Error {
    if !options.is_choice() {
        return no_kind(&options.path);
    }
    let all = Options { kinds: Vec::new(), modules: Vec::new(), unchecked: true, ..options.clone() };
    let crds = source::read(&all).map(|d| d.crds).unwrap_or_default();
    let known: Vec<String> = crds.iter().map(|crd| crd.spec.names.kind.clone()).collect();
    let wanted = match options.modules.as_slice() {
        [] => options.kinds.join(", "),
        modules => format!("{} in the module {}", options.kinds.join(", "), modules.join(" or ")),
    };
    no_such_kind(wanted.trim_start(), &options.path.shown().to_string(), &known)
}

/// The error for sources without a kind.
pub fn no_kind(sources: &Path) -> Error {
    Error::Nothing(format!("no kind in {}: no type derives CustomResource", sources.shown()))
}
