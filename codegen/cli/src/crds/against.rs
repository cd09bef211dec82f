//! The CRDs before an update: in files, in Rust types, or in the same paths at a git revision.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crdgen_core::compare::changes::Change;
use crdgen_core::diag::Level;
use crdgen_core::ir::Crd;
use crdgen_core::span::Place;
use crdgen_core::{decode, encode, json, listed};

use crate::input::definitions::{Group, Named};
use crate::input::may_define;
use crate::input::{self, AtPath, Build, HERE, Inventory, Options, Rules, Source, cluster, stream};
use crate::outcome::no_definition;
use crate::output::report::{Finding, Findings};
use crate::terminal;
use crdgen::Error;
use crdgen::inputs::pairs::{Form, Likeness, Roots, Spot};
use crdgen::inputs::{NotYaml, Renames, gone_since};
use crdgen::rust_types::{InSchemars, RustSources, RustTypes, by_file};

/// Old CRDs by name. A repository may have several with one name: those of releases, of tests, and what kustomizations build.
type Old = HashMap<String, Vec<Before>>;

/// An old CRD.
struct Before {
    /// The CRD as JSON. It is decoded when needed, because models take many times as much memory.
    text: String,
    /// The file as it is shown.
    file: String,
    /// The path of the file in the work tree.
    path: PathBuf,
    form: Form,
    /// The place, if finding it does not take as long as reading a list.
    place: Option<Place>,
    /// Whether it is from a file that is gone, and was not in the paths of the new CRDs. Without a new CRD of its name, it has nothing to
    /// do with them.
    may_be_other: bool,
}

impl Before {
    fn crd(&self) -> Option<Crd> {
        decode::crd(json::read(self.text.as_bytes()).ok()?).0
    }
}

/// The old CRDs. There are none if all CRDs are new.
pub(crate) struct Against {
    old: Option<Old>,
    /// The revision, if they are from one, and their path there, if it is not that of the new CRDs. There, a CRD may have been in another
    /// file.
    revision: Option<AtPath>,
    rules: Rules,
    /// The folder of the old CRDs, and the paths of the new ones, if the former are not those of a revision.
    roots: (Option<String>, Vec<String>),
    /// The files that were renamed since the revision.
    renames: Renames,
    /// The old Rust types.
    types: Vec<RustTypes>,
    /// Whether the new CRDs are all that there are, so that a CRD that is not among them was removed.
    is_whole: bool,
    /// Whether the old CRDs are also those of other projects.
    holds_others: bool,
    /// The errors of the first file with a CRD that a server rejects.
    rejected: Option<Findings>,
    /// Which old CRDs were looked up, and which CRDs are new.
    met: Mutex<Met>,
}

#[derive(Default)]
struct Met {
    known: BTreeSet<String>,
    new: BTreeSet<String>,
    /// The new CRDs that cannot be determined.
    unread: BTreeSet<String>,
    /// Whether there are new CRDs without a known name that cannot be read.
    has_unknown: bool,
    /// The new CRDs in all files and in templates of Helm, if some of these were not rendered.
    in_templates: BTreeSet<String>,
}

impl Against {
    /// Reads the argument of `--against`. `files` are the paths of the new CRDs in YAML, if there may be some: none is the current
    /// folder.
    pub(crate) fn new(arg: Option<&str>, files: Option<&[String]>, rules: &Rules) -> Result<Against, Error> {
        let (has_files, files) = (files.is_some(), files.unwrap_or_default());
        let mut against = Against {
            old: None,
            revision: None,
            rules: rules.clone(),
            roots: (None, Vec::new()),
            renames: Renames::default(),
            types: Vec::new(),
            is_whole: true,
            holds_others: false,
            rejected: None,
            met: Mutex::default(),
        };
        let Some(arg) = arg else { return Ok(against) };
        let mut old = Old::new();
        match AtPath::named(arg)? {
            Some(at) => {
                against.revision = Some(at);
                if has_files {
                    against.read_revision(files, &mut old)?;
                }
            }
            None => {
                against.roots = (Some(arg.to_owned()), files.to_vec());
                // Some files are compared with a folder that has more CRDs.
                let is_file = |path: &String| Path::new(path).is_file();
                against.is_whole = !Path::new(arg).is_dir() || files.is_empty() || !files.iter().all(is_file);
                against.read_files(arg, files, &mut old)?;
            }
        }
        against.old = Some(old);
        Ok(against)
    }

    /// Reads the CRDs of a cluster.
    pub(crate) fn of_cluster(context: Option<&str>) -> Result<Against, Error> {
        let mut against = Against::new(None, None, &Rules::default())?;
        let mut old = Old::new();
        let bytes = cluster::definitions(&[], context)?;
        against.read(&Source::new("<cluster>".to_owned(), bytes.into()), &mut old)?;
        against.old = Some(old);
        // A cluster has the CRDs of many projects.
        against.holds_others = true;
        Ok(against)
    }

    /// Reads the old types of Rust sources, if the old CRDs are those of a revision: it has them in the same path. If it has none, the
    /// types are compared with its YAML.
    ///
    /// # Errors
    /// Fails if the revision has neither. An answer without findings would look like one about types that have not changed.
    pub(crate) fn add_types_of(&mut self, new: &str) -> Result<(), Error> {
        let Some(revision) = self.revision.clone() else { return Ok(()) };
        let mut old = self.old.take().unwrap_or_default();
        let AtPath { revision, path } = revision;
        let path = path.unwrap_or_else(|| path_of(new));
        let read = RustSources::at(&revision, &path, input::NOTES)
            .and_then(|it| it.map(RustTypes::read).transpose());
        let place = format!("{revision}:{path}");
        if !matches!(read, Ok(Some(_))) && old.is_empty() {
            self.read_revision(&[], &mut old)?;
        }
        let result = match read {
            Ok(Some(types)) => {
                self.add_types(types, &mut old);
                Ok(())
            }
            Ok(None) if old.is_empty() => Err(Error::Nothing(format!(
                "no CustomResourceDefinition to compare the types in {new} with: there is no Rust in {place}. If the types were in another \
                 path, name it: git:{revision}:PATH"
            ))),
            Ok(None) => Ok(()),
            Err(why) if old.is_empty() => Err(why),
            Err(why) => {
                terminal::say_error(&why);
                terminal::say(format_args!(
                    "compared with the YAML, because crdgen cannot read the types in {place}"
                ));
                Ok(())
            }
        };
        self.old = Some(old);
        result
    }

    /// Adds the CRDs of old types.
    fn add_types(&mut self, types: RustTypes, old: &mut Old) {
        for crd in &types.crds {
            let text = json::to_string(&encode::crd(crd));
            let (file, path) = (types.source.name.clone(), types.source.path().to_owned());
            let before = Before { text, file, path, form: Form::Types, place: None, may_be_other: false };
            old.entry(crd.metadata.name.clone()).or_default().push(before);
        }
        self.types.push(types);
    }

    /// Some new CRDs cannot be read: those that are known, and perhaps others, so an old one that is not among the new ones need not have
    /// been removed.
    pub(crate) fn expect_unread(&mut self, unread: impl IntoIterator<Item = String>) {
        self.is_whole = false;
        self.met.get_mut().unwrap_or_else(PoisonError::into_inner).unread.extend(unread);
    }

    /// What is missing among the new CRDs, because it cannot be read, was not removed.
    pub(crate) fn add_missing(&self, missing: &[Finding]) {
        let mut met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        met.has_unknown |= missing.iter().any(|it| it.object.is_empty());
        met.unread.extend(missing.iter().map(|it| it.object.clone()));
    }

    /// Looks for the new CRDs in templates of Helm that were not rendered, if an old one was not found elsewhere: it was not removed if it
    /// is there.
    pub(crate) fn expect_in_templates(&mut self, paths: &[String]) -> Result<(), Error> {
        let met = self.met.get_mut().unwrap_or_else(PoisonError::into_inner);
        let is_found = |(name, all): (&String, &Vec<Before>)| {
            met.known.contains(name)
                || met.unread.contains(name)
                || all.iter().all(|before| before.may_be_other)
        };
        if self.old.as_ref().is_none_or(|old| old.iter().all(is_found)) {
            return Ok(());
        }
        let mut found = Old::new();
        self.read_inputs(&input::find(paths, &Options::crds(&self.rules))?, &mut found)?;
        self.met.get_mut().unwrap_or_else(PoisonError::into_inner).in_templates.extend(found.into_keys());
        Ok(())
    }

    /// Returns the server's errors for the old CRDs, if there are some.
    pub(crate) fn take_rejected(&mut self) -> Option<Findings> {
        self.rejected.take()
    }

    /// Reads the same paths at the revision.
    fn read_revision(&mut self, paths: &[String], old: &mut Old) -> Result<(), Error> {
        let Some(at) = self.revision.clone() else { return Ok(()) };
        let here = [HERE.to_owned()];
        let paths = if paths.is_empty() { &here } else { paths };
        self.find_renames(&at.revision, paths);
        let mut same: Vec<String> = paths.iter().map(|path| path_of(path)).collect();
        let moved: Vec<String> =
            self.renames.moved_into(&same).map(|path| path.to_string_lossy().into_owned()).collect();
        same.extend(moved);
        self.read_inputs(&input::at_revision(&at, &same, &options(&self.rules))?, old)?;
        match at.path {
            Some(_) => Ok(()),
            None => self.read_gone(&at.revision, paths, &same, old),
        }
    }

    /// Reads the CRDs of files that are gone since the revision, and were in none of the paths: a file may have moved there, even if git
    /// does not know yet. Such a CRD counts only if a new one has its name.
    fn read_gone(
        &self,
        revision: &str,
        paths: &[String],
        known: &[String],
        old: &mut Old,
    ) -> Result<(), Error> {
        let mut gone = Vec::new();
        for path in paths {
            let new = AtPath::named(path)?;
            gone.extend(gone_since(revision, new.as_ref(), &path_of(path), known).unwrap_or_default());
        }
        let mut found = Old::new();
        for source in &gone {
            // What is wrong with files that may have nothing to do with the new ones is not reported.
            let one = |group: Group| Ok(before(source, group).0);
            stream::groups(source, one, |read| {
                for (name, before) in read {
                    found.entry(name).or_default().push(Before { may_be_other: true, ..before });
                }
                Ok(())
            })?;
        }
        found.into_iter().for_each(|(name, all)| _ = old.entry(name).or_insert(all));
        Ok(())
    }

    /// Finds the files that were renamed since the revision.
    fn find_renames(&mut self, old: &str, paths: &[String]) {
        for path in paths {
            let new = AtPath::named(path).ok().flatten();
            let new = new.as_ref().map(|at| at.revision.as_str());
            // Without git, files have the same names, and whoever reads the revision says what is wrong.
            self.renames.extend(Renames::find(old, new, &path_of(path)).unwrap_or_default());
        }
    }

    /// Reads what may be a CRD: a folder may contain anything besides CRDs.
    fn read_inputs(&mut self, inputs: &Inventory, old: &mut Old) -> Result<(), Error> {
        let mut skipped = NotYaml::default();
        for input in inputs.iter() {
            let Some(source) = inputs.source(input)? else { continue };
            match inputs.read(input)? {
                Some(source) => self.read(&source, old)?,
                None if may_define(&source) => {}
                None => skipped.add(&source),
            }
        }
        skipped.say(input::NOTES);
        Ok(())
    }

    fn read_files(&mut self, arg: &str, paths: &[String], old: &mut Old) -> Result<(), Error> {
        if arg == "-" && paths.iter().any(|path| path == "-") {
            let why = "--against -: standard input has the new CRDs already. Write the old ones to a file";
            return Err(Error::Argument(why.to_owned()));
        }
        let mut sources = RustSources::named(arg, input::NOTES)?;
        if sources.is_none() {
            self.read_inputs(&input::find(&[arg.to_owned()], &options(&self.rules))?, old)?;
        }
        if old.is_empty() && self.rejected.is_none() && sources.is_none() {
            // Without YAML, the types of a package are all that there is.
            sources = RustSources::of_package(arg, input::NOTES)?;
        }
        if let Some(sources) = sources {
            self.add_types(RustTypes::read(sources)?, old);
        }
        // At a revision, all CRDs may be new. But a file that the user names should contain CRDs.
        let has_types = self.types.iter().any(|types| !types.is_empty());
        match old.is_empty() && !has_types && self.rejected.is_none() {
            true => Err(no_definition(&[arg.to_owned()])),
            false => Ok(()),
        }
    }

    /// Adds the CRDs of a source. A server has accepted them before, so anything that is wrong with them is an error.
    fn read(&mut self, source: &Source, old: &mut Old) -> Result<(), Error> {
        let one = |group: Group| Ok(before(source, group));
        stream::groups(source, one, |(read, findings): (Vec<(String, Before)>, Vec<Finding>)| {
            for (name, before) in read {
                old.entry(name).or_default().push(before);
            }
            if self.rejected.is_none() && !findings.is_empty() {
                self.rejected = Some(Findings { source: source.clone(), findings });
            }
            Ok(())
        })
    }

    /// Returns the old CRD with the name of one in a file. If there are several, returns the one that is most alike.
    pub(crate) fn get(&self, new: &Crd, source: &Source) -> Option<Crd> {
        let (old, form) = self.get_like(new, Spot { form: form_of(source), file: source.path() })?;
        Some(match form {
            // The file is not crdgen's, so its differences are the same in this direction.
            Form::Types => self.types.iter().fold(old, |old, types| types.in_schemars.like_old(new, &old)),
            Form::AsIs | Form::Built => old,
        })
    }

    /// Returns the old CRD with the name of that of a Rust type, which is that of the old type if there is one. If it is not one of Rust
    /// types, the new one comes with it, without what only crdgen writes in another way than schemars.
    pub(crate) fn get_of_types<'c>(
        &self,
        new: &'c Crd,
        file: &Path,
        in_schemars: &InSchemars,
    ) -> Option<(Crd, Cow<'c, Crd>)> {
        let (old, form) = self.get_like(new, Spot { form: Form::Types, file })?;
        let new = match form {
            Form::Types => Cow::Borrowed(new),
            Form::AsIs | Form::Built => Cow::Owned(in_schemars.like_old(&old, new)),
        };
        Some((old, new))
    }

    fn get_like(&self, new: &Crd, spot: Spot<'_>) -> Option<(Crd, Form)> {
        let old = self.old.as_ref()?;
        let name = &new.metadata.name;
        let all = old.get(name).map(Vec::as_slice).unwrap_or_default();
        let mut met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        let is_unknown = spot.form == Form::Types && self.types.iter().any(|it| it.unknown.contains(name));
        let is_new = all.is_empty() && !is_unknown;
        if is_new { &mut met.new } else { &mut met.known }.insert(name.to_owned());
        drop(met);
        if is_unknown {
            return None;
        }
        let renames = &self.renames;
        let roots = Roots { old: self.roots.0.as_deref(), new: &self.roots.1, renames };
        // If there is only one, nothing has to be compared with it.
        let is_equal = |before: &Before| all.len() > 1 && before.crd().is_some_and(|it| it.spec == new.spec);
        let likeness = |before: &&Before| {
            let old = Spot { form: before.form, file: &before.path };
            Likeness::new(old, spot, roots, is_equal(before))
        };
        let before = all.iter().max_by_key(likeness)?;
        Some((crdgen_diff::established(before.crd()?), before.form))
    }

    /// Prints which CRDs were created. Returns the mistakes in the old types, and a finding for each CRD that was removed, if the caller
    /// wants them: those of YAML, and those of types.
    pub(crate) fn finish(&self, of_files: bool, of_types: bool) -> Result<Vec<Findings>, Error> {
        let Some(old) = &self.old else { return Ok(Vec::new()) };
        let met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        let is_gone = |name: &String, all: &[Before]| {
            let is_found = met.known.contains(name) || met.unread.contains(name);
            !is_found && !all.iter().all(|before| before.may_be_other)
        };
        let gone = old.iter().filter(|(name, all)| is_gone(name, all));
        let (in_templates, gone): (BTreeMap<_, _>, BTreeMap<_, _>) = gone
            .filter_map(|(name, all)| Some((name, all.first()?)))
            .partition(|(name, _)| met.in_templates.contains(*name));
        let say = |what: &str, names: &BTreeSet<&String>| {
            if !names.is_empty() {
                terminal::say(format_args!("{what}: {}", listed::first(names.iter(), listed::NAMED)));
            }
        };
        let new = match self.revision {
            Some(_) => {
                "checked as new, because the old revision does not have them in these paths (if a file was moved, pass a folder that contains both places)"
            }
            None => "checked as new, because there is no old CRD",
        };
        say(new, &met.new.iter().collect());
        say(
            "not compared, because they are in Helm templates now, and helm is not installed or cannot render them (`crdgen diff` reads templates)",
            &in_templates.keys().copied().collect(),
        );
        let mut out = Vec::new();
        for types in &self.types {
            out.extend(by_file(types.mistakes.clone()));
            types.cargo.iter().filter(|_| !types.mistakes.is_empty()).for_each(terminal::say_error);
        }
        if self.holds_others {
            return Ok(out);
        }
        let is_whole = self.is_whole && !met.has_unknown;
        let is_reported =
            |before: &Before| is_whole && if before.form == Form::Types { of_types } else { of_files };
        let (gone, silent): (BTreeMap<&String, &Before>, BTreeMap<_, _>) =
            gone.into_iter().partition(|(_, before)| is_reported(before));
        say("only in the old CRDs", &silent.keys().copied().collect());
        let removed =
            |name: &str, place| Some(Finding::new(name.to_owned(), place, Change::removed_crd(name).diag()?));
        for (name, before) in &gone {
            // The text is not kept, so no line of it is shown.
            let source = Source::new(before.file.clone(), Arc::default());
            if before.form != Form::Types {
                let findings = removed(name, before.place).into_iter().collect();
                out.push(Findings { source, findings });
            }
        }
        for types in &self.types {
            let of_crd = |crd: &Crd| {
                let name = &crd.metadata.name;
                let is_gone = gone.get(name).is_some_and(|before| before.form == Form::Types);
                is_gone.then(|| removed(name, None)).flatten().into_iter().collect()
            };
            out.extend(types.in_files(types.crds.iter().map(of_crd).collect())?);
        }
        Ok(out)
    }
}

/// The CRDs in a part of a source by name, and the errors of those that a server rejects.
fn before(source: &Source, group: Group) -> (Vec<(String, Before)>, Vec<Finding>) {
    let texts = group.texts();
    let mut read = group.read();
    read.findings.retain(|finding| finding.diag.level == Level::Error);
    let before = |(named, text): (Named, String)| {
        let place = named.item().is_none().then(|| named.place()).flatten();
        let (file, path) = (source.name.clone(), source.path().to_owned());
        (named.name, Before { text, file, path, form: form_of(source), place, may_be_other: false })
    };
    (read.named().into_iter().zip(texts).map(before).collect(), read.findings)
}

fn form_of(source: &Source) -> Form {
    if source.is_built() { Form::Built } else { Form::AsIs }
}

/// The path of an argument, without the revision that it may name.
fn path_of(arg: &str) -> String {
    match AtPath::named(arg) {
        Ok(Some(at)) => at.path().to_owned(),
        Ok(None) | Err(_) => arg.to_owned(),
    }
}

/// How old CRDs are read: in the same way as new ones.
fn options(rules: &Rules) -> Options {
    Options { build: Build::Each, ..Options::crds(rules) }
}
