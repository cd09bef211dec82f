//! The definitions an update starts from: in files, or in the same paths at a git revision.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};

use crdgen_core::diag::Level;
use crdgen_core::ir::{Condition, Crd};
use crdgen_core::{decode, json, listed};

use super::definitions::Group;
use super::inputs::Source;
use super::kinds::{EXTENSIONS, may_define};
use super::report::{Finding, Findings};
use super::skipped::Broken;
use super::{git, kustomize, stream, terminal};
use crate::Error;

/// Old definitions by name, as JSON: read again when they are asked for, because models take many times as much memory.
type Old = HashMap<String, String>;

/// The old definitions; none if everything is created.
pub(crate) struct Against {
    old: Option<Old>,
    /// Whether they are those of the same paths at a revision, where a file may have been somewhere else.
    is_revision: bool,
    /// What a server rejects in the first file that has such a thing.
    rejected: Option<Findings>,
    /// Which of them are asked for, and which others.
    met: Mutex<Met>,
}

#[derive(Default)]
struct Met {
    known: BTreeSet<String>,
    new: BTreeSet<String>,
}

impl Against {
    /// Reads the argument of `--against`; `paths` are those of the new definitions.
    pub(crate) fn new(arg: Option<&str>, paths: &[String]) -> Result<Against, Error> {
        let mut against = Against { old: None, is_revision: false, rejected: None, met: Mutex::default() };
        let Some(arg) = arg else { return Ok(against) };
        let mut old = Old::new();
        match arg.strip_prefix("git:") {
            Some(revision) => {
                against.is_revision = true;
                against.read_revision(revision, paths, &mut old)?;
            }
            None => against.read_files(arg, paths, &mut old)?,
        }
        against.old = Some(old);
        Ok(against)
    }

    /// What a server rejects in the old definitions, if there is something.
    pub(crate) fn take_rejected(&mut self) -> Option<Findings> {
        self.rejected.take()
    }

    /// Reads the same paths at a revision. Next to definitions there may be anything.
    fn read_revision(&mut self, revision: &str, paths: &[String], old: &mut Old) -> Result<(), Error> {
        let mut skipped = Broken::default();
        for source in git::files(revision, paths, EXTENSIONS)? {
            match may_define(&source) {
                true => self.read(&source, old)?,
                false => skipped.add(&source),
            }
        }
        skipped.say();
        Ok(())
    }

    fn read_files(&mut self, arg: &str, paths: &[String], old: &mut Old) -> Result<(), Error> {
        if arg == "-" && paths.iter().any(|path| path == "-") {
            let why = "--against -: standard input has the new CRDs already. Write the old ones to a file";
            return Err(Error::Argument(why.to_owned()));
        }
        for input in kustomize::find(&[arg.to_owned()], EXTENSIONS)? {
            self.read(&input.read()?, old)?;
        }
        // At a revision, all CRDs can be new. Whoever names a file means CRDs in it.
        match old.is_empty() && self.rejected.is_none() {
            true => Err(super::no_definition(&[arg.to_owned()])),
            false => Ok(()),
        }
    }

    /// Adds the definitions in a source that a server has accepted before, so that anything wrong is a failure.
    fn read(&mut self, source: &Source, old: &mut Old) -> Result<(), Error> {
        let one = |group: Group| {
            let texts = group.texts();
            let mut read = group.read();
            read.findings.retain(|finding| finding.diag.level == Level::Error);
            let names = read.definitions.into_iter().map(|d| d.crd.metadata.name);
            Ok((names.zip(texts).collect(), read.findings))
        };
        stream::groups(source, one, |(read, findings): (Vec<(String, String)>, Vec<Finding>)| {
            old.extend(read);
            if self.rejected.is_none() && !findings.is_empty() {
                self.rejected = Some(Findings { source: source.clone(), findings });
            }
            Ok(())
        })
    }

    /// The old definition of a name.
    pub(crate) fn get(&self, name: &str) -> Option<Crd> {
        let old = self.old.as_ref()?;
        let text = old.get(name);
        let mut met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        if text.is_some() { &mut met.known } else { &mut met.new }.insert(name.to_owned());
        drop(met);
        let (crd, _) = decode::crd(json::read(text?.as_bytes()).ok()?);
        crd.map(established)
    }

    /// Says which definitions were created, and which old ones are gone.
    pub(crate) fn finish(&self) {
        let Some(old) = &self.old else { return };
        let met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        let gone: BTreeSet<&String> = old.keys().filter(|name| !met.known.contains(*name)).collect();
        let say = |what: &str, names: &BTreeSet<&String>| {
            if !names.is_empty() {
                terminal::say(format_args!("{what}: {}", listed::first(names.iter(), listed::NAMED)));
            }
        };
        let new = match self.is_revision {
            true => {
                "checked as new, because the old revision does not have them in these paths (if a file was moved, pass a folder that contains both places)"
            }
            false => "checked as new, because there is no old CRD",
        };
        say(new, &met.new.iter().collect());
        say("only in the old CRDs", &gone);
    }
}

/// An old definition as a cluster has it: established, so that scope and kind are immutable. A file does not say so,
/// unless it was read from a cluster.
pub(super) fn established(mut crd: Crd) -> Crd {
    let conditions = crd.status.conditions.get_or_insert_default();
    if !conditions.iter().any(|c| c.ty == "Established") {
        let (ty, status) = ("Established".to_owned(), "True".to_owned());
        conditions.push(Condition { ty, status, ..Condition::default() });
    }
    crd
}
