//! The CRDs before an update: in files, or in the same paths at a git revision.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crdgen_core::compare::changes::Change;
use crdgen_core::diag::Level;
use crdgen_core::ir::Crd;
use crdgen_core::span::Place;
use crdgen_core::{decode, json, listed};

use crate::crds::kinds::may_define;
use crate::input::definitions::{Group, Named};
use crate::input::skipped::Broken;
use crate::input::{self, Build, Inventory, Options, Rules, Source, cluster, stream};
use crate::outcome::no_definition;
use crate::output::report::{Finding, Findings};
use crate::terminal;
use crdgen::Error;

/// Old CRDs by name. A repository may have several with one name: those of releases, of tests, and what kustomizations build.
type Old = HashMap<String, Vec<Before>>;

/// An old CRD.
struct Before {
    /// The CRD as JSON. It is decoded when needed, because models take many times as much memory.
    text: String,
    file: String,
    /// Whether a kustomization builds it.
    is_built: bool,
    /// The place, if finding it does not take as long as reading a list.
    place: Option<Place>,
}

/// The old CRDs. There are none if all CRDs are new.
pub(crate) struct Against {
    old: Option<Old>,
    /// Whether they are from the same paths at a revision, where a CRD may have been in another file.
    is_revision: bool,
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
}

impl Against {
    /// Reads the argument of `--against`; `paths` are those of the new definitions.
    pub(crate) fn new(arg: Option<&str>, paths: &[String], rules: &Rules) -> Result<Against, Error> {
        let mut against = Against {
            old: None,
            is_revision: false,
            is_whole: true,
            holds_others: false,
            rejected: None,
            met: Mutex::default(),
        };
        let Some(arg) = arg else { return Ok(against) };
        let mut old = Old::new();
        match arg.strip_prefix("git:") {
            Some(revision) => {
                against.is_revision = true;
                against.read_revision(revision, paths, rules, &mut old)?;
            }
            None => {
                // Some files are compared with a folder that has more CRDs.
                let is_file = |path: &String| Path::new(path).is_file();
                against.is_whole = !Path::new(arg).is_dir() || paths.is_empty() || !paths.iter().all(is_file);
                against.read_files(arg, paths, rules, &mut old)?;
            }
        }
        against.old = Some(old);
        Ok(against)
    }

    /// Reads the CRDs of a cluster.
    pub(crate) fn of_cluster(context: Option<&str>) -> Result<Against, Error> {
        let mut against = Against::new(None, &[], &Rules::default())?;
        let mut old = Old::new();
        let bytes = cluster::definitions(&[], context)?;
        against.read(&Source::new("<cluster>".to_owned(), bytes.into()), &mut old)?;
        against.old = Some(old);
        // A cluster has the CRDs of many projects.
        against.holds_others = true;
        Ok(against)
    }

    /// Returns an error if Rust types cannot be compared, because a revision has no CRD in the paths. An answer without findings would
    /// look like one about types that have not changed.
    pub(crate) fn expect_old_of_types(&self, path: &str) -> Result<(), Error> {
        if !self.is_revision || !self.old.as_ref().is_some_and(Old::is_empty) {
            return Ok(());
        }
        Err(Error::Nothing(format!(
            "no CustomResourceDefinition to compare the types in {path} with: crdgen reads YAML at a revision, and no Rust. Write the \
             old CRDs with `crdgen emit` in a checkout of the revision, and name their folder"
        )))
    }

    /// Returns the server's errors for the old CRDs, if there are some.
    pub(crate) fn take_rejected(&mut self) -> Option<Findings> {
        self.rejected.take()
    }

    /// Reads the same paths at a revision.
    fn read_revision(
        &mut self,
        revision: &str,
        paths: &[String],
        rules: &Rules,
        old: &mut Old,
    ) -> Result<(), Error> {
        self.read_inputs(&input::at_revision(revision, paths, &options(rules))?, old)
    }

    /// Reads what may be a CRD: a folder may contain anything besides CRDs.
    fn read_inputs(&mut self, inputs: &Inventory, old: &mut Old) -> Result<(), Error> {
        let mut skipped = Broken::default();
        for input in inputs.iter() {
            let Some(source) = inputs.source(input)? else { continue };
            match inputs.read(input)? {
                Some(source) => self.read(&source, old)?,
                None if may_define(&source) => {}
                None => skipped.add(&source),
            }
        }
        skipped.say();
        Ok(())
    }

    fn read_files(&mut self, arg: &str, paths: &[String], rules: &Rules, old: &mut Old) -> Result<(), Error> {
        if arg == "-" && paths.iter().any(|path| path == "-") {
            let why = "--against -: standard input has the new CRDs already. Write the old ones to a file";
            return Err(Error::Argument(why.to_owned()));
        }
        self.read_inputs(&input::find(&[arg.to_owned()], &options(rules))?, old)?;
        // At a revision, all CRDs may be new. But a file that the user names should contain CRDs.
        match old.is_empty() && self.rejected.is_none() {
            true => Err(no_definition(&[arg.to_owned()])),
            false => Ok(()),
        }
    }

    /// Adds the CRDs of a source. A server has accepted them before, so anything that is wrong with them is an error.
    fn read(&mut self, source: &Source, old: &mut Old) -> Result<(), Error> {
        let one = |group: Group| {
            let texts = group.texts();
            let mut read = group.read();
            read.findings.retain(|finding| finding.diag.level == Level::Error);
            let before = |(named, text): (Named, String)| {
                let place = named.item().is_none().then(|| named.place()).flatten();
                let is_built = source.is_built();
                (named.name, Before { text, file: source.name.clone(), is_built, place })
            };
            Ok((read.named().into_iter().zip(texts).map(before).collect(), read.findings))
        };
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

    /// Returns the old CRD with this name. If there are several, returns the one whose file is most similar to that of the
    /// new one. If this file has the same name, it is taken as it is or as it is built, like the new one. Otherwise what a
    /// kustomization builds counts, because that is applied.
    pub(crate) fn get(&self, name: &str, source: &Source) -> Option<Crd> {
        let old = self.old.as_ref()?;
        let likeness = |before: &&Before| {
            let common = input::common_end(&before.file, &source.name);
            (common, before.is_built == (source.is_built() || common == 0))
        };
        let before = old.get(name).and_then(|all| all.iter().max_by_key(likeness));
        let mut met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        if before.is_some() { &mut met.known } else { &mut met.new }.insert(name.to_owned());
        drop(met);
        let (crd, _) = decode::crd(json::read(before?.text.as_bytes()).ok()?);
        crd.map(crdgen_diff::established)
    }

    /// Prints which CRDs were created. Returns a finding for each CRD that was removed, if the caller wants them.
    pub(crate) fn finish(&self, report_removed: bool) -> Vec<Findings> {
        let Some(old) = &self.old else { return Vec::new() };
        let met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        let gone = old.iter().filter(|(name, _)| !met.known.contains(*name));
        let gone: BTreeMap<&String, &Before> =
            gone.filter_map(|(name, all)| Some((name, all.first()?))).collect();
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
        if self.holds_others {
            return Vec::new();
        }
        if !self.is_whole || !report_removed {
            say("only in the old CRDs", &gone.keys().copied().collect());
            return Vec::new();
        }
        let removed = |(name, before): (&String, &Before)| {
            let place = before.place;
            let diag = Change::removed_crd(name).diag()?;
            // The text is not kept, so no line of it is shown.
            let source = Source::new(before.file.clone(), Arc::default());
            Some(Findings { source, findings: vec![Finding::new(name.clone(), place, diag)] })
        };
        gone.into_iter().filter_map(removed).collect()
    }
}

/// How old CRDs are read: in the same way as new ones.
fn options(rules: &Rules) -> Options {
    Options { build: Build::Each, ..Options::crds(rules) }
}
