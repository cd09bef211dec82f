//! Compares the CRDs of files and of Rust types with the old ones.

use crdgen_core::check::lints;
use crdgen_core::compare::proof::Reported;
use crdgen_core::diag::Diag;
use crdgen_core::ir::Crd;
use crdgen_diff::Options;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::results::{Found, Results};
use super::{Args, types};
use crate::crds::against;
use crate::crds::partly::PartlyChecked;
use crate::input::definitions::Definitions;
use crate::input::skipped::Skipped;
use crate::input::{Inventory, Source, stream};
use crate::output::report::{Finding, Findings};
use crate::terminal;
use crdgen_files::Error;
use crdgen_files::source;
use crdgen_tasks::against::Against;
use crdgen_tasks::inputs::open;
use crdgen_tasks::rust_types::{RustSources, by_file};

/// What CRDs are compared with, and how.
pub(super) struct Comparison<'a> {
    pub(super) args: &'a Args,
    pub(super) against: &'a mut Against,
    pub(super) partly: PartlyChecked,
    pub(super) compared: Compared,
}

/// The updates that were compared. A repository may have copies of a CRD, such as in a chart, which are compared once.
#[derive(Default)]
pub(super) struct Compared(Mutex<Vec<Arc<Update>>>);

struct Update {
    old: Crd,
    new: Crd,
    /// What changes, and whether some errors were left out.
    found: OnceLock<(Vec<crdgen_diff::Finding>, bool)>,
}

impl Compared {
    /// What changes in a CRD, and whether errors about values that another program replaces were left out.
    fn of(&self, old: &Crd, new: &Crd, options: &Options) -> (Vec<crdgen_diff::Finding>, bool) {
        if old.spec == new.spec && old.metadata == new.metadata {
            return (Vec::new(), false);
        }
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = all.iter().find(|it| it.old == *old && it.new == *new).cloned();
        let update = known.unwrap_or_else(|| {
            let update = Update { old: old.clone(), new: new.clone(), found: OnceLock::new() };
            let update = Arc::new(update);
            all.push(Arc::clone(&update));
            update
        });
        drop(all);
        let compare = || {
            let mut is_partly_checked = false;
            let mut counts = |error: &Diag| {
                let is_open = open::is_open_in_crd(error);
                is_partly_checked |= is_open;
                !is_open
            };
            let report = crdgen_diff::diff_with(old, new, options, &mut counts);
            (report.findings, is_partly_checked)
        };
        update.found.get_or_init(compare).clone()
    }
}

impl Comparison<'_> {
    /// Compares the CRDs of all inputs. Returns whether there are some.
    pub(super) fn files(
        &self,
        inputs: &Inventory,
        skipped: &Skipped,
        results: &mut Results<'_>,
    ) -> Result<bool, Error> {
        let work = |source: &Source, mut read: Definitions| {
            if !source.origin.is_found {
                skipped.add(&source.name, std::mem::take(&mut read.skipped));
            }
            self.against.add_missing(&read.missing);
            let names = read.named().iter().map(|named| named.name.clone()).collect();
            let mut found = Found { names, ..Found::default() };
            let old = |crd: &Crd| self.against.get(crd, source);
            read.check(|crd| self.changes(crd, old(crd), None, &mut found));
            found.partly.drain(..).for_each(|crd| self.partly.add(&crd, &source.name));
            read.findings.sort_by_key(|finding| finding.place.map(|place| place.start.offset));
            Ok((source.clone(), Found { findings: read.findings, ..found }))
        };
        let mut has_definitions = false;
        stream::each(inputs, work, |(source, found)| {
            has_definitions |= !found.names.is_empty();
            results.add(source, found)
        })?;
        Ok(has_definitions)
    }

    /// Compares the CRDs of Rust types that the user names.
    pub(super) fn sources(
        &mut self,
        asked: Vec<RustSources>,
        results: &mut Results<'_>,
    ) -> Result<(), Error> {
        asked.into_iter().try_for_each(|sources| self.types(types::Types::read(sources)?, results))
    }

    /// Compares the CRDs of packages that happen to be there, and need not have types for CRDs.
    pub(super) fn packages(
        &mut self,
        found: Vec<RustSources>,
        results: &mut Results<'_>,
    ) -> Result<(), Error> {
        for sources in found {
            match types::Types::read(sources) {
                Ok(types) => self.types(types, results)?,
                Err(Error::Mistakes { found, cargo }) => {
                    cargo.iter().for_each(|why| terminal::say_error(why));
                    self.mistakes(found, [], results)?;
                }
                Err(why) => {
                    let what = format_args!("not compared: the Rust types of this package");
                    terminal::say_because(what, &why);
                }
            }
        }
        Ok(())
    }

    /// Reports the mistakes in the new types, because of which some CRDs are not compared.
    fn mistakes(
        &mut self,
        found: Vec<crdgen_source::Found>,
        unread: impl IntoIterator<Item = String>,
        results: &mut Results<'_>,
    ) -> Result<(), Error> {
        self.against.expect_unread(unread);
        by_file(found).into_iter().try_for_each(|Findings { source, findings }| {
            results.add(source, Found { findings, ..Found::default() })
        })
    }

    fn types(&mut self, mut types: types::Types, results: &mut Results<'_>) -> Result<(), Error> {
        against::add_types_of(self.against, &types.read.named)?;
        if !types.read.mistakes.is_empty() {
            types.read.cargo.iter().for_each(terminal::say_error);
            let (mistakes, unread) =
                (std::mem::take(&mut types.read.mistakes), std::mem::take(&mut types.read.unknown));
            self.mistakes(mistakes, unread, results)?;
        }
        let (mut of_path, mut findings) = (Found::default(), Vec::new());
        for crd in &types.read.crds {
            let name = crd.metadata.name.clone();
            let compared = self.against.get_of_types(crd, types.read.source.path(), &types.read.in_schemars);
            let reported = compared.map_or_else(Vec::new, |(old, crd)| {
                results.skews.add(&old, &crd);
                self.changes(&crd, Some(old), Some(&types), &mut of_path)
            });
            let finding =
                |Reported { diag, change }| Finding { change, ..Finding::new(name.clone(), None, diag) };
            findings.push(reported.into_iter().map(finding).collect::<Vec<_>>());
            of_path.names.push(name);
        }
        for Findings { source, findings } in types.read.in_files(findings)? {
            // Each CRD is counted once, where its first finding is.
            let is_here = |name: &mut String| findings.iter().any(|finding| finding.object == *name);
            let names = of_path.names.extract_if(.., is_here).collect();
            results.add(source, Found { names, findings, ..Found::default() })?;
        }
        results.add(types.read.source.clone(), of_path)
    }

    /// What changes in a CRD. Adds the new versions that this requires, and the update, to what was found.
    fn changes(
        &self,
        crd: &Crd,
        old: Option<Crd>,
        types: Option<&types::Types>,
        found: &mut Found,
    ) -> Vec<Reported> {
        let args = self.args;
        let Some(old) = old else { return Vec::new() };
        let (mut changes, is_partly_checked) = self.compared.of(&old, crd, &args.options());
        found.partly.extend(is_partly_checked.then(|| crd.metadata.name.clone()));
        if let Some(converted) = types.and_then(|types| types.converted(&old, crd, &args.options())) {
            // The types convert objects, whatever their CRD says until the webhook is added to it.
            changes.retain(|finding| finding.stored.is_none());
            changes.extend(converted);
        }
        found.steps.extend(crdgen_diff::steps(crd, &changes));
        let (mut reported, in_vain) = lints::without_allowed(crd, args.reported(&changes));
        reported.extend(in_vain.into_iter().map(|it| Reported::from(source::allows_nothing(it))));
        found.updates.extend(args.needs_updates().then(|| (old, crd.clone())));
        reported
    }
}
