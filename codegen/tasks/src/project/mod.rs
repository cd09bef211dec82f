//! What `check` and `diff` are about: the CRDs in files and those of Rust types, each with the old one that it replaces.
//!
//! **Unstable**: any release may change what is in this module.

mod skipped;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crdgen_core::documents::{Definitions, Finding};
use crdgen_core::ir::Crd;
use crdgen_core::listed;

use crate::against::{Against, NoOldTypes, Rest};
use crate::inputs::open::is_open_in_crd;
use crate::inputs::{self, Class, Findings, HERE, Inventory, Notes, Options, Source};
use crate::rust_types::{RustSources, RustTypes};
use crdgen_files::Error;
use crdgen_files::input::Shown;
use crdgen_files::source::manifests_with_kinds;

pub use skipped::Skipped;

/// What a project consists of.
pub struct Request<'a> {
    /// Files, folders, glob patterns, revisions and Rust sources. Without any: what is piped in, or the current folder.
    pub paths: &'a [String],
    /// How files are read.
    pub options: Options,
    /// Where the old CRDs are.
    pub old: Old<'a>,
    /// Whether the CRDs may be those of Rust types.
    pub has_types: bool,
    /// What is done with the CRDs.
    pub words: Words,
}

/// What is done with CRDs, in words.
#[derive(Clone, Copy)]
pub struct Words {
    /// Such as "checked".
    pub done: &'static str,
    /// Such as "check".
    pub to_do: &'static str,
}

/// Where old CRDs are.
#[derive(Clone, Copy)]
pub enum Old<'a> {
    /// All CRDs are new.
    Nowhere,
    /// In a file, a folder, Rust sources or a revision of git.
    At(&'a str),
    /// In a cluster: the context of the kubeconfig, if it is not the current one.
    Cluster(Option<&'a str>),
}

/// The CRDs in files and those of Rust types, each with the old one that it replaces.
pub struct Project {
    /// The paths other than those of Rust sources.
    files: Vec<String>,
    options: Options,
    inputs: Option<Inventory>,
    sources: Vec<RustSources>,
    has_types: bool,
    words: Words,
    against: Against,
    /// The documents other than CRDs in files that the user names.
    pub skipped: Skipped,
    /// The CRDs of which some errors are about values that another program replaces.
    partly: Mutex<BTreeSet<String>>,
}

/// What was found in a file, and the CRDs that are counted there: each is counted once.
pub struct InFile {
    /// The findings.
    pub found: Findings,
    /// The names of the CRDs.
    pub names: Vec<String>,
}

impl Project {
    /// Finds the files and the old CRDs. The types are read later.
    pub fn open(request: Request<'_>) -> Result<Project, Error> {
        let Request { paths, options, old, has_types, words } = request;
        let (mut sources, mut files) = (Vec::new(), Vec::new());
        for path in paths {
            let named = has_types.then(|| RustSources::named(path, options.rules.notes()));
            match named.transpose()?.flatten() {
                Some(named) => sources.push(named),
                None => files.push(path.clone()),
            }
        }
        let has_files = sources.is_empty() || !files.is_empty();
        let named_files = has_files.then_some(files.as_slice());
        let against = match old {
            Old::Nowhere => Against::new(None, named_files, &options.rules)?,
            Old::At(old) => Against::new(Some(old), named_files, &options.rules)?,
            Old::Cluster(context) => Against::of_cluster(context)?,
        };
        let inputs = has_files.then(|| inputs::find(&files, &options)).transpose()?;
        let (skipped, partly) = (Skipped::default(), Mutex::default());
        Ok(Project { files, options, inputs, sources, has_types, words, against, skipped, partly })
    }

    /// A project of texts without files.
    pub fn of_texts(options: Options, against: Against) -> Project {
        let words = Words { done: "checked", to_do: "check" };
        let (skipped, partly) = (Skipped::default(), Mutex::default());
        let (files, sources) = (Vec::new(), Vec::new());
        let (inputs, has_types) = (None, false);
        Project { files, options, inputs, sources, has_types, words, against, skipped, partly }
    }

    /// The files, unless the user names only Rust sources.
    pub fn inputs(&self) -> Option<&Inventory> {
        self.inputs.as_ref()
    }

    /// The paths other than those of Rust sources. `None` if the user names only Rust sources.
    pub fn files(&self) -> Option<&[String]> {
        self.inputs.as_ref().map(|_| &*self.files)
    }

    /// Finds the files again, because some were changed.
    pub fn find_again(&mut self) -> Result<(), Error> {
        if self.inputs.is_some() {
            self.inputs = Some(inputs::find(&self.files, &self.options)?);
        }
        Ok(())
    }

    /// The Rust sources that the user names.
    pub fn sources(&self) -> &[RustSources] {
        &self.sources
    }

    /// The packages among the paths that may have types for CRDs.
    pub fn packages(&self) -> Result<Vec<RustSources>, Error> {
        let package = |path: String| RustSources::of_package(&path, self.notes()).transpose();
        self.possible_packages()?.into_iter().filter_map(package).collect()
    }

    fn possible_packages(&self) -> Result<Vec<String>, Error> {
        if self.inputs.is_none() || !self.has_types {
            return Ok(Vec::new());
        }
        let is_here = self.files.is_empty() && inputs::piped(self.notes())?.is_none();
        Ok(if is_here { vec![HERE.to_owned()] } else { self.files.clone() })
    }

    /// Passes on the types that the user names, and those of the packages among the paths: without CRDs in files, these are all that
    /// there is. Such a package need not have types for CRDs. Returns the number of sources.
    pub fn each_types<T>(
        &mut self,
        has_definitions: bool,
        read: impl Fn(RustSources) -> Result<T, Error>,
        mut take: impl FnMut(&mut Project, T) -> Result<(), Error>,
    ) -> Result<usize, Error> {
        let named = std::mem::take(&mut self.sources);
        let mut count = named.len();
        named.into_iter().try_for_each(|sources| take(self, read(sources)?))?;
        if has_definitions {
            self.possible_packages()?.iter().for_each(|path| self.say_not_read(path));
            return Ok(count);
        }
        for sources in self.packages()? {
            count += 1;
            match read(sources) {
                Ok(types) => take(self, types)?,
                Err(why) => {
                    let done = self.words.done;
                    self.notes().fail(Some(format_args!("not {done}: the Rust types of this package")), &why);
                }
            }
        }
        Ok(count)
    }

    /// Says how to read the types of a package or of the members of its workspace, of which only the YAML was read.
    fn say_not_read(&self, path: &str) {
        let Words { done, to_do } = self.words;
        let manifests = manifests_with_kinds(Path::new(path));
        let names: Vec<String> = manifests.iter().map(|it| it.shown().to_string()).collect();
        let packages = match names.len() {
            0 => return,
            1 => "this package",
            _ => "these packages",
        };
        self.notes().say(format_args!(
            "not {done}: the Rust types of {packages}. To {to_do} them instead of the YAML, pass {}",
            listed::first(names.iter(), listed::NAMED)
        ));
    }

    /// What is found in a text, in its order: the errors of the text itself, and what `judge` says of each CRD and the old one.
    pub fn of_text(
        &self,
        source: &Source,
        mut read: Definitions,
        mut judge: impl FnMut(&Crd, Option<Crd>) -> Vec<Finding>,
    ) -> Vec<Finding> {
        self.against.add_missing(&read.missing);
        read.check(|crd| judge(crd, self.against.get(crd, source)));
        for finding in read.findings.extract_if(.., |finding| is_open_in_crd(&finding.diag)) {
            self.add_partly_checked(&finding.object, source);
        }
        read.findings.sort_by_key(start);
        read.findings
    }

    /// What is found in types, file by file: the mistakes in the sources, and what `judge` says of each CRD and the old one, if there is
    /// an old one.
    pub fn of_types(
        &mut self,
        types: &RustTypes,
        mut judge: impl FnMut(&Crd, Crd) -> Vec<Finding>,
    ) -> Result<Vec<InFile>, Error> {
        if let Some(NoOldTypes { place, why }) = self.against.add_types_of(&types.named)? {
            self.notes().fail(None, &why);
            self.notes()
                .say(format_args!("compared with the YAML, because crdgen cannot read the types in {place}"));
        }
        if types.has_errors() {
            self.against.expect_unread(types.unknown.iter().cloned());
            types.cargo.iter().for_each(|why| self.notes().fail(None, why));
        }
        let judge_both = |crd: &Crd| {
            let old = self.against.get_of_types(crd, types.source.path(), &types.in_schemars);
            old.map(|(old, crd)| judge(&crd, old)).unwrap_or_default()
        };
        Project::in_files(types, judge_both)
    }

    /// What is found in types, file by file: the mistakes in the sources, and what `judge` says of each CRD.
    pub fn each_of_types(
        &mut self,
        types: &RustTypes,
        judge: impl FnMut(&Crd) -> Vec<Finding>,
    ) -> Result<Vec<InFile>, Error> {
        types.cargo.iter().for_each(|why| self.notes().fail(None, why));
        Project::in_files(types, judge)
    }

    fn in_files(
        types: &RustTypes,
        mut judge: impl FnMut(&Crd) -> Vec<Finding>,
    ) -> Result<Vec<InFile>, Error> {
        let judged = |crd: &Crd| {
            let name = &crd.metadata.name;
            judge(crd).into_iter().map(|found| Finding { object: name.clone(), ..found }).collect()
        };
        let judged: Vec<Vec<Finding>> = types.crds.iter().map(judged).collect();
        let mut files = types.found_in_files();
        files.extend(types.in_files(judged)?);
        let mut names: Vec<String> = types.crds.iter().map(|crd| crd.metadata.name.clone()).collect();
        let mut in_file = |found: Findings| {
            let is_here = |name: &mut String| found.findings.iter().any(|it| it.object == *name);
            let names = names.extract_if(.., is_here).collect();
            InFile { found, names }
        };
        let mut out: Vec<InFile> = files.into_iter().map(&mut in_file).collect();
        let found = Findings { source: types.source.clone(), findings: Vec::new() };
        out.push(InFile { found, names });
        Ok(out)
    }

    /// What concerns all CRDs: the old ones that cannot be read or were removed, if the caller wants those of files and those of types.
    /// Says which CRDs have no counterpart.
    pub fn rest(&mut self, of_files: bool, of_types: bool) -> Result<Vec<Findings>, Error> {
        let inputs = self.inputs.as_ref();
        if inputs.is_some_and(Inventory::has_unread) {
            self.against.expect_unread([]);
        }
        if inputs.is_some_and(|inputs| inputs.skipped().has(Class::HelmTemplate)) {
            self.against.expect_in_templates(&self.files)?;
        }
        let Rest { notes, cargo, findings } = self.against.rest(of_files, of_types)?;
        notes.iter().for_each(|note| self.notes().say(format_args!("{note}")));
        cargo.into_iter().for_each(|why| self.notes().fail(None, why));
        Ok(findings)
    }

    /// Adds the documents that are not CRDs to what was skipped, if the user names the file.
    pub fn skip(&self, source: &Source, read: &mut Definitions) {
        if !source.origin.is_found {
            self.skipped.add(&source.name, std::mem::take(&mut read.skipped));
        }
    }

    /// Errors about a CRD were left out, because they are about values that another program replaces: the server would only see what it
    /// puts there.
    pub(crate) fn add_partly_checked(&self, crd: &str, source: &Source) {
        let mut partly = self.partly.lock().unwrap_or_else(PoisonError::into_inner);
        partly.insert(format!("{crd} in {}", source.name));
    }

    /// Says which CRDs were only partly checked.
    pub fn say_partly_checked(&self) {
        let partly = self.partly.lock().unwrap_or_else(PoisonError::into_inner);
        if !partly.is_empty() {
            let named = listed::first(partly.iter(), listed::NAMED);
            self.notes().say(format_args!(
                "only partly checked (variables or templates outside of the schemas): {named}"
            ));
        }
    }

    pub(crate) fn notes(&self) -> Notes {
        self.options.rules.notes()
    }
}

/// The order of findings in a text.
pub(crate) fn start(finding: &Finding) -> Option<usize> {
    finding.place.map(|place| place.start.offset)
}
