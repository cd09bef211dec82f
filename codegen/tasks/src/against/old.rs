//! Reads the CRDs before an update: in files, in Rust types, or in the same paths at a git revision.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

use crdgen_core::diag::Level;
use crdgen_core::documents::{Finding, Group, Named};
use crdgen_core::ir::Crd;
use crdgen_core::span::Place;
use crdgen_core::{decode, encode, json};

use crate::inputs::pairs::{Form, Likeness, Roots, Spot};
use crate::inputs::{
    self, AtPath, Build, Findings, HERE, Inventory, NotYaml, Options, Renames, Rules, Source, gone_since,
    may_define, no_definition, stream,
};
use crate::rust_types::{RustSources, RustTypes};
use crdgen_files::Error;

/// Why new types are compared with YAML: the revision has types in their path, and crdgen cannot read them.
pub struct NoOldTypes {
    /// The path at the revision.
    pub place: String,
    /// The error about them.
    pub why: Error,
}

/// CRDs by name. A repository may have several with one name: those of releases, of tests, and what kustomizations build.
type ByName = HashMap<String, Vec<Before>>;

/// An old CRD.
pub(super) struct Before {
    /// The CRD as JSON. It is decoded when needed, because models take many times as much memory.
    text: String,
    /// The file as it is shown.
    pub(super) file: String,
    /// The path of the file in the work tree.
    path: PathBuf,
    pub(super) form: Form,
    /// The place, if finding it does not take as long as reading a list.
    pub(super) place: Option<Place>,
    /// Whether it is from a file that is gone, and was not in the paths of the new CRDs. Without a new CRD of its name, it has nothing to
    /// do with them.
    may_be_other: bool,
}

impl Before {
    fn crd(&self) -> Option<Crd> {
        decode::crd(json::read(self.text.as_bytes()).ok()?).0
    }
}

/// The old CRDs.
pub(super) struct OldCrds {
    by_name: ByName,
    /// The errors of those that cannot be read.
    unread: Vec<Findings>,
    /// Whether there may be others in files that cannot be read.
    has_unread_files: bool,
    /// The old Rust types.
    pub(super) types: Vec<RustTypes>,
    /// The revision, if they are from one, and their path there, if it is not that of the new CRDs. There, a CRD may have been in another
    /// file.
    revision: Option<AtPath>,
    rules: Rules,
    /// The folder of the old CRDs, and the paths of the new ones, if the former are not those of a revision.
    roots: (Option<String>, Vec<String>),
    /// The files that were renamed since the revision.
    renames: Renames,
}

impl OldCrds {
    fn new(rules: &Rules) -> OldCrds {
        OldCrds {
            by_name: ByName::new(),
            unread: Vec::new(),
            has_unread_files: false,
            types: Vec::new(),
            revision: None,
            rules: rules.clone(),
            roots: (None, Vec::new()),
            renames: Renames::default(),
        }
    }

    /// Those of a revision, in the paths of the new CRDs, if these may be in YAML.
    pub(super) fn at_revision(at: AtPath, files: Option<&[String]>, rules: &Rules) -> Result<OldCrds, Error> {
        let mut old = OldCrds { revision: Some(at), ..OldCrds::new(rules) };
        files.map_or(Ok(()), |files| old.read_revision(files))?;
        Ok(old)
    }

    /// Those of a file or a folder. `new` are the paths of the new CRDs.
    pub(super) fn of_files(arg: &str, new: &[String], rules: &Rules) -> Result<OldCrds, Error> {
        let mut old = OldCrds { roots: (Some(arg.to_owned()), new.to_vec()), ..OldCrds::new(rules) };
        old.read_files(arg, new)?;
        Ok(old)
    }

    /// Those of one source.
    pub(super) fn of_source(source: &Source) -> Result<OldCrds, Error> {
        let mut old = OldCrds::new(&Rules::default());
        old.read(source)?;
        Ok(old)
    }

    /// Reads the old types of Rust sources, if the old CRDs are those of a revision: it has them in the same path. If it has none, the
    /// types are compared with its YAML.
    ///
    /// # Errors
    /// Fails if the revision has neither. An answer without findings would look like one about types that have not changed.
    pub(super) fn add_types_of(&mut self, new: &str) -> Result<Option<NoOldTypes>, Error> {
        let Some(AtPath { revision, path }) = self.revision.clone() else { return Ok(None) };
        let path = path.unwrap_or_else(|| path_of(new));
        let read = RustSources::at(&revision, &path, self.rules.notes())
            .and_then(|it| it.map(old_types).transpose());
        let place = format!("{revision}:{path}");
        if !matches!(read, Ok(Some(_))) && self.are_none() {
            self.read_revision(&[])?;
        }
        match read {
            Ok(Some(types)) => {
                self.add_types(types);
                Ok(None)
            }
            Ok(None) if self.are_none() => Err(Error::Nothing(format!(
                "no CustomResourceDefinition to compare the types in {new} with: there is no Rust in {place}. If the types were in another \
                 path, name it: git:{revision}:PATH"
            ))),
            Ok(None) => Ok(None),
            Err(why) if self.are_none() => Err(why),
            Err(why) => Ok(Some(NoOldTypes { place, why })),
        }
    }

    /// Adds the CRDs of old types.
    fn add_types(&mut self, types: RustTypes) {
        for crd in &types.crds {
            let text = json::to_string(&encode::crd(crd));
            let (file, path) = (types.source.name.clone(), types.source.path().to_owned());
            let before = Before { text, file, path, form: Form::Types, place: None, may_be_other: false };
            self.by_name.entry(crd.metadata.name.clone()).or_default().push(before);
        }
        self.types.push(types);
    }

    /// Reads the same paths at the revision.
    fn read_revision(&mut self, paths: &[String]) -> Result<(), Error> {
        let Some(at) = self.revision.clone() else { return Ok(()) };
        let here = [HERE.to_owned()];
        let paths = if paths.is_empty() { &here } else { paths };
        self.find_renames(&at.revision, paths);
        let mut same: Vec<String> = paths.iter().map(|path| path_of(path)).collect();
        let moved: Vec<String> =
            self.renames.moved_into(&same).map(|path| path.to_string_lossy().into_owned()).collect();
        same.extend(moved);
        self.read_inputs(&inputs::at_revision(&at, &same, &options(&self.rules))?)?;
        match at.path {
            Some(_) => Ok(()),
            None => self.read_gone(&at.revision, paths, &same),
        }
    }

    /// Reads the CRDs of files that are gone since the revision, and were in none of the paths: a file may have moved there, even if git
    /// does not know yet. Such a CRD counts only if a new one has its name.
    fn read_gone(&mut self, revision: &str, paths: &[String], known: &[String]) -> Result<(), Error> {
        let mut gone = Vec::new();
        for path in paths {
            let new = AtPath::named(path)?;
            gone.extend(gone_since(revision, new.as_ref(), &path_of(path), known).unwrap_or_default());
        }
        let mut found = ByName::new();
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
        found.into_iter().for_each(|(name, all)| _ = self.by_name.entry(name).or_insert(all));
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
    fn read_inputs(&mut self, inputs: &Inventory) -> Result<(), Error> {
        let mut skipped = NotYaml::default();
        for input in inputs.iter() {
            let Some(source) = inputs.source(input)? else { continue };
            match inputs.read(input)? {
                Some(source) => self.read(&source)?,
                None if may_define(&source) => {}
                None => skipped.add(&source),
            }
        }
        self.has_unread_files |= inputs.has_unread();
        skipped.say(self.rules.notes());
        Ok(())
    }

    fn read_files(&mut self, arg: &str, paths: &[String]) -> Result<(), Error> {
        if arg == "-" && paths.iter().any(|path| path == "-") {
            let why = "--against -: standard input has the new CRDs already. Write the old ones to a file";
            return Err(Error::Argument(why.to_owned()));
        }
        let notes = self.rules.notes();
        let mut sources = RustSources::named(arg, notes)?;
        if sources.is_none() {
            self.read_inputs(&inputs::find(&[arg.to_owned()], &options(&self.rules))?)?;
        }
        if self.are_none() && sources.is_none() {
            // Without YAML, the types of a package are all that there is.
            sources = RustSources::of_package(arg, notes)?;
        }
        if let Some(sources) = sources {
            self.add_types(old_types(sources)?);
        }
        // At a revision, all CRDs may be new. But a file that the user names should contain CRDs.
        let has_types = self.types.iter().any(|types| !types.is_empty());
        match self.are_none() && !has_types {
            true => Err(no_definition(&[arg.to_owned()])),
            false => Ok(()),
        }
    }

    /// Adds the CRDs of a source. A server has accepted them before, so anything that is wrong with them is an error.
    fn read(&mut self, source: &Source) -> Result<(), Error> {
        let one = |group: Group| Ok(before(source, group));
        stream::groups(source, one, |(read, findings): (Vec<(String, Before)>, Vec<Finding>)| {
            for (name, before) in read {
                self.by_name.entry(name).or_default().push(before);
            }
            if !findings.is_empty() {
                self.unread.push(Findings { source: source.clone(), findings });
            }
            Ok(())
        })
    }

    /// The names of the CRDs in some paths.
    pub(super) fn names_in(&self, paths: &[String]) -> Result<impl Iterator<Item = String> + use<>, Error> {
        let mut found = OldCrds::new(&self.rules);
        found.read_inputs(&inputs::find(paths, &Options::crds(&self.rules))?)?;
        Ok(found.by_name.into_keys())
    }

    /// Whether there are none, not even such that cannot be read.
    fn are_none(&self) -> bool {
        self.by_name.is_empty() && self.unread.is_empty()
    }

    pub(super) fn are_at_revision(&self) -> bool {
        self.revision.is_some()
    }

    /// The errors of those that cannot be read.
    pub(super) fn unread(&self) -> &[Findings] {
        &self.unread
    }

    /// Whether there is one with a name that cannot be determined: in types, or in a text that cannot be read.
    pub(super) fn is_unread(&self, name: &str, form: Form) -> bool {
        let mut errors = self.unread.iter().flat_map(|it| &it.findings);
        form == Form::Types && self.types.iter().any(|it| it.unknown.iter().any(|it| it == name))
            || errors.any(|it| it.object == name)
    }

    /// Whether there may be others than those that are known, because a file or a text cannot be read at all.
    pub(super) fn has_unknown(&self) -> bool {
        self.has_unread_files || self.unread.iter().flat_map(|it| &it.findings).any(|it| it.object.is_empty())
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// Those that belong to the new ones: one for each name.
    pub(super) fn firsts(&self) -> impl Iterator<Item = (&String, &Before)> {
        let own = self.by_name.iter().filter(|(_, all)| !all.iter().all(|before| before.may_be_other));
        own.filter_map(|(name, all)| Some((name, all.first()?)))
    }

    /// Returns the one with the name of a new CRD that is most like it.
    pub(super) fn like(&self, new: &Crd, spot: Spot<'_>) -> Option<(Crd, Form)> {
        let all = self.by_name.get(&new.metadata.name)?;
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
}

/// The CRDs in a part of a source by name, and the errors of the others: of those that a server rejects.
fn before(source: &Source, group: Group) -> (Vec<(String, Before)>, Vec<Finding>) {
    let mut texts = group.named_texts();
    let mut read = group.read();
    read.findings.retain(|finding| finding.diag.level == Level::Error);
    let rejected: BTreeSet<&str> = read.findings.iter().map(|finding| finding.object.as_str()).collect();
    let mut named = read.named();
    texts.retain(|(name, _)| !rejected.contains(name.as_str()));
    named.retain(|named| !rejected.contains(named.name.as_str()));
    let before = |(named, (_, text)): (Named, (String, String))| {
        let place = named.item().is_none().then(|| named.place()).flatten();
        let (file, path) = (source.name.clone(), source.path().to_owned());
        (named.name, Before { text, file, path, form: form_of(source), place, may_be_other: false })
    };
    (named.into_iter().zip(texts).map(before).collect(), read.findings)
}

pub(super) fn form_of(source: &Source) -> Form {
    if source.is_built() { Form::Built } else { Form::AsIs }
}

/// Reads old types. Mistakes in one kind do not concern the others, even if there are none.
fn old_types(sources: RustSources) -> Result<RustTypes, Error> {
    let types = RustTypes::compared(sources)?;
    match types.is_empty() && types.has_errors() {
        true => Err(Error::Mistakes { found: types.found, cargo: types.cargo.map(Box::new) }),
        false => Ok(types),
    }
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
