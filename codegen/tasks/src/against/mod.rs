//! New CRDs and the old ones that they are compared with, and which of both have no counterpart.
//!
//! **Unstable**: any release may change what is in this module.

mod old;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crdgen_core::compare::changes::Change;
use crdgen_core::documents::Finding;
use crdgen_core::ir::Crd;
use crdgen_core::listed;

use crate::inputs::pairs::{Form, Spot};
use crate::inputs::{AtPath, Findings, Rules, Source, cluster};
use crate::rust_types::{InSchemars, RustTypes, by_file};
use crdgen_files::Error;

use old::{Before, OldCrds, form_of};

pub use old::NoOldTypes;

/// What is known when all new CRDs were compared.
#[derive(Default)]
pub struct Rest<'a> {
    /// Which CRDs have no counterpart, and which were not compared, and why: lines for people.
    pub notes: Vec<String>,
    /// Why cargo could not find other crates, so that types with mistakes may have none.
    pub cargo: Vec<&'a Error>,
    /// The errors of the old CRDs that cannot be read, and the CRDs that were removed.
    pub findings: Vec<Findings>,
}

/// The old CRDs. There are none if all CRDs are new.
pub struct Against {
    old: Option<OldCrds>,
    /// Whether the new CRDs are all that there are, so that a CRD that is not among them was removed.
    is_whole: bool,
    /// Whether the old CRDs are also those of other projects.
    holds_others: bool,
    /// Which old CRDs were looked up, and which CRDs are new.
    met: Mutex<Met>,
}

#[derive(Default)]
struct Met {
    known: BTreeSet<String>,
    new: BTreeSet<String>,
    /// The new CRDs whose old ones cannot be read, or may be in a text that cannot be read.
    not_compared: BTreeSet<String>,
    /// The new CRDs that cannot be determined.
    unread: BTreeSet<String>,
    /// Whether there may be new CRDs without a known name, in files and texts that cannot be read.
    has_unknown: bool,
    /// The new CRDs in all files and in templates of Helm, if some of these were not rendered.
    in_templates: BTreeSet<String>,
}

impl Against {
    /// Reads the argument of `--against`. `files` are the paths of the new CRDs in YAML, if there may be some: none is the current
    /// folder.
    pub fn new(arg: Option<&str>, files: Option<&[String]>, rules: &Rules) -> Result<Against, Error> {
        let mut against = Against { old: None, is_whole: true, holds_others: false, met: Mutex::default() };
        let Some(arg) = arg else { return Ok(against) };
        against.old = Some(match AtPath::named(arg)? {
            Some(at) => OldCrds::at_revision(at, files, rules)?,
            None => {
                let files = files.unwrap_or_default();
                // Some files are compared with a folder that has more CRDs.
                let is_file = |path: &String| Path::new(path).is_file();
                against.is_whole = !Path::new(arg).is_dir() || files.is_empty() || !files.iter().all(is_file);
                OldCrds::of_files(arg, files, rules)?
            }
        });
        Ok(against)
    }

    /// Reads the CRDs of a cluster.
    pub fn of_cluster(context: Option<&str>) -> Result<Against, Error> {
        let bytes = cluster::definitions(&[], context)?;
        let old = OldCrds::of_source(&Source::new("<cluster>".to_owned(), bytes.into()))?;
        // A cluster has the CRDs of many projects.
        Ok(Against { old: Some(old), is_whole: true, holds_others: true, met: Mutex::default() })
    }

    /// Reads the old types of Rust sources, if the old CRDs are those of a revision: it has them in the same path. If it has none, or
    /// they cannot be read, the types are compared with its YAML.
    ///
    /// # Errors
    /// Fails if the revision has neither. An answer without findings would look like one about types that have not changed.
    pub fn add_types_of(&mut self, new: &str) -> Result<Option<NoOldTypes>, Error> {
        self.old.as_mut().map_or(Ok(None), |old| old.add_types_of(new))
    }

    /// Some new CRDs cannot be read: those that are known, and perhaps others, so an old one that is not among the new ones need not have
    /// been removed.
    pub fn expect_unread(&mut self, unread: impl IntoIterator<Item = String>) {
        let met = self.met.get_mut().unwrap_or_else(PoisonError::into_inner);
        met.has_unknown = true;
        met.unread.extend(unread);
    }

    /// What is missing among the new CRDs, because it cannot be read, was not removed.
    pub fn add_missing(&self, missing: &[Finding]) {
        let mut met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        met.has_unknown |= missing.iter().any(|it| it.object.is_empty());
        met.unread.extend(missing.iter().map(|it| it.object.clone()));
    }

    /// Looks for the new CRDs in templates of Helm that were not rendered, if an old one was not found elsewhere: it was not removed if it
    /// is there.
    pub fn expect_in_templates(&mut self, paths: &[String]) -> Result<(), Error> {
        let Some(old) = &self.old else { return Ok(()) };
        let met = self.met.get_mut().unwrap_or_else(PoisonError::into_inner);
        if old.firsts().any(|(name, _)| !met.known.contains(name) && !met.unread.contains(name)) {
            met.in_templates.extend(old.names_in(paths)?);
        }
        Ok(())
    }

    /// Returns the old CRD with the name of one in a file. If there are several, returns the one that is most alike.
    pub fn get(&self, new: &Crd, source: &Source) -> Option<Crd> {
        let (old, form) = self.get_like(new, Spot { form: form_of(source), file: source.path() })?;
        Some(match form {
            // The file is not crdgen's, so its differences are the same in this direction.
            Form::Types => self.types().fold(old, |old, types| types.in_schemars.like_old(new, &old)),
            Form::AsIs | Form::Built => old,
        })
    }

    /// Returns the old CRD with the name of that of a Rust type, which is that of the old type if there is one. If it is not one of Rust
    /// types, the new one comes with it, without what only crdgen writes in another way than schemars.
    pub fn get_of_types<'c>(
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
        let mut met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        let names = if old.is_unread(name, spot.form) {
            // The report has the reason.
            met.known.insert(name.to_owned());
            return None;
        } else if old.has(name) {
            &mut met.known
        } else if old.has_unknown() {
            &mut met.not_compared
        } else {
            &mut met.new
        };
        names.insert(name.to_owned());
        drop(met);
        old.like(new, spot)
    }

    fn types(&self) -> impl Iterator<Item = &RustTypes> {
        self.old.iter().flat_map(|old| &old.types)
    }

    /// Says which CRDs are new, which were not compared, and which were removed. A removed one is a finding if the caller wants it: those
    /// of YAML, and those of types.
    pub fn rest(&self, of_files: bool, of_types: bool) -> Result<Rest<'_>, Error> {
        let Some(old) = &self.old else { return Ok(Rest::default()) };
        let met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        let gone = old.firsts().filter(|(name, _)| !met.known.contains(*name) && !met.unread.contains(*name));
        let (in_templates, gone): (BTreeMap<_, _>, BTreeMap<_, _>) =
            gone.partition(|(name, _)| met.in_templates.contains(*name));
        let mut rest = Rest::default();
        let new = match old.are_at_revision() {
            true => {
                "checked as new, because the old revision does not have them in these paths (if a file was moved, pass a folder that contains both places)"
            }
            false => "checked as new, because there is no old CRD",
        };
        rest.note(new, &met.new.iter().collect());
        rest.note(
            "not compared, because the old CRD may be in a file that crdgen cannot read",
            &met.not_compared.iter().collect(),
        );
        rest.note(
            "not compared, because they are in Helm templates now, and helm is not installed or cannot render them (`crdgen diff` reads templates)",
            &in_templates.keys().copied().collect(),
        );
        rest.findings.extend_from_slice(old.unread());
        for types in &old.types {
            rest.findings.extend(by_file(types.found.clone()));
            rest.cargo.extend(types.cargo.iter().filter(|_| types.has_errors()));
        }
        if self.holds_others {
            return Ok(rest);
        }
        if met.has_unknown {
            rest.note(
                "not compared, because the new CRD may be in a file that crdgen cannot read",
                &gone.keys().copied().collect(),
            );
            return Ok(rest);
        }
        let is_reported =
            |before: &Before| self.is_whole && if before.form == Form::Types { of_types } else { of_files };
        let (gone, silent): (BTreeMap<&String, &Before>, BTreeMap<_, _>) =
            gone.into_iter().partition(|(_, before)| is_reported(before));
        rest.note("only in the old CRDs", &silent.keys().copied().collect());
        let removed =
            |name: &str, place| Some(Finding::new(name.to_owned(), place, Change::removed_crd(name).diag()?));
        for (name, before) in &gone {
            // The text is not kept, so no line of it is shown.
            let source = Source::new(before.file.clone(), Arc::default());
            if before.form != Form::Types {
                let findings = removed(name, before.place).into_iter().collect();
                rest.findings.push(Findings { source, findings });
            }
        }
        for types in &old.types {
            let of_crd = |crd: &Crd| {
                let name = &crd.metadata.name;
                let is_gone = gone.get(name).is_some_and(|before| before.form == Form::Types);
                is_gone.then(|| removed(name, None)).flatten().into_iter().collect()
            };
            rest.findings.extend(types.in_files(types.crds.iter().map(of_crd).collect())?);
        }
        Ok(rest)
    }
}

impl Rest<'_> {
    /// Adds a line about some CRDs, if there are any.
    fn note(&mut self, what: &str, names: &BTreeSet<&String>) {
        if !names.is_empty() {
            self.notes.push(format!("{what}: {}", listed::first(names.iter(), listed::NAMED)));
        }
    }
}
