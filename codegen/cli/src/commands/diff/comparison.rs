//! Compares the CRDs of files and of Rust types with the old ones.

use crdgen_core::check::lints;
use crdgen_core::compare::proof::Reported;
use crdgen_core::ir::Crd;

use super::results::{Found, Results};
use super::{Args, types};
use crate::crds::against::Against;
use crate::input::definitions::Definitions;
use crate::input::skipped::Skipped;
use crate::input::{Inventory, Source, stream};
use crate::output::report::{Finding, Findings};
use crate::terminal;
use crdgen::Error;
use crdgen::source;

/// What CRDs are compared with, and how.
pub(super) struct Comparison<'a> {
    pub(super) args: &'a Args,
    pub(super) against: &'a Against,
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
            let names = read.named().iter().map(|named| named.name.clone()).collect();
            let mut found = Found { names, ..Found::default() };
            read.check(|crd| self.changes(crd, source, None, &mut found));
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

    /// Compares the CRDs of Rust types. The user named the first paths, and the others happen to be there.
    pub(super) fn packages(
        &self,
        paths: &[String],
        asked: usize,
        results: &mut Results<'_>,
    ) -> Result<(), Error> {
        for (number, path) in paths.iter().enumerate() {
            self.against.expect_old_of_types(path)?;
            match types::read(path) {
                Ok(types) => self.types(types, results)?,
                // A package that happens to be there need not have types for CRDs.
                Err(why) if number >= asked => {
                    terminal::say(format_args!("not compared: the Rust types of this package: {why}"));
                }
                Err(why) => return Err(why),
            }
        }
        Ok(())
    }

    fn types(&self, types: types::Types, results: &mut Results<'_>) -> Result<(), Error> {
        let (mut of_path, mut findings) = (Found::default(), Vec::new());
        for crd in &types.crds {
            let name = crd.metadata.name.clone();
            if let Some(old) = self.against.get(&name, &types.source) {
                results.skews.add(&old, crd);
            }
            let reported = self.changes(crd, &types.source, Some(&types), &mut of_path);
            let finding =
                |Reported { diag, change }| Finding { change, ..Finding::new(name.clone(), None, diag) };
            findings.push(reported.into_iter().map(finding).collect::<Vec<_>>());
            of_path.names.push(name);
        }
        for Findings { source, findings } in types.in_files(findings)? {
            // Each CRD is counted once, where its first finding is.
            let is_here = |name: &mut String| findings.iter().any(|finding| finding.object == *name);
            let names = of_path.names.extract_if(.., is_here).collect();
            results.add(source, Found { names, findings, ..Found::default() })?;
        }
        results.add(types.source, of_path)
    }

    /// What changes in a CRD. Adds the new versions that this requires, and the update, to what was found.
    fn changes(
        &self,
        crd: &Crd,
        source: &Source,
        types: Option<&types::Types>,
        found: &mut Found,
    ) -> Vec<Reported> {
        let args = self.args;
        let Some(old) = self.against.get(&crd.metadata.name, source) else { return Vec::new() };
        let mut changes = crdgen_diff::diff(&old, crd, &args.options()).findings;
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
