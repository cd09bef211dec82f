//! The CRDs that a server would accept, for commands that only work with these.

use std::collections::HashSet;

use crdgen_core::ir::Crd;

use crate::input::{self, Inventory, Options, Source, stream};
use crate::outcome::Outcome;
use crate::output::report::{self, Counts, Findings};
use crate::terminal::{self, Ready};
use crdgen_core::documents::Named;
use crdgen_files::Error;
use crdgen_report::copies::Copies;

/// How many CRDs to process at once. The documents for one CRD may have many times its size, and all of them are in
/// memory.
pub(crate) const CHUNK: usize = 64;

/// What is passed on, besides the CRDs that every server accepts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Also {
    /// Keeps `unions`, which servers do not know.
    pub(crate) unions: bool,
    /// Keeps CRDs that the server rejects.
    pub(crate) refused: bool,
    /// Keeps all CRDs with one name. Without it, the first one counts, as for objects that are checked.
    pub(crate) twins: bool,
}

impl Also {
    /// Nothing else.
    pub(crate) const NOTHING: Also = Also { unions: false, refused: false, twins: true };
    /// For what describes CRDs.
    pub(crate) const UNIONS: Also = Also { unions: true, refused: false, twins: false };
}

/// Passes on all accepted CRDs in their order, some at a time. Prints the findings of `crdgen check` about the others
/// to standard error, because standard output is for documents.
pub(crate) fn each(
    paths: &[String],
    options: &Options,
    also: Also,
    mut take: impl FnMut(Vec<Crd>) -> Result<(), Error>,
) -> Result<Outcome, Error> {
    let inputs = input::find(paths, options)?;
    let take = |crds: Vec<Crd>, _| if crds.is_empty() { Ok(()) } else { take(crds) };
    let outcome = read(&inputs, also, |_| true, take)?;
    inputs.say_skipped(false);
    Ok(outcome)
}

/// The result of reading some documents.
struct Read {
    source: Source,
    /// The names of the accepted CRDs.
    named: Vec<Named>,
    accepted: Vec<Crd>,
    /// The kinds of the CRDs that are not wanted.
    others: Vec<String>,
    counts: Counts,
    /// The findings about CRDs that are not accepted, for people.
    messages: Ready<'static>,
}

/// Like [`each`], but only for the CRDs that the caller wants. Reports nothing about the others, and passes on their
/// kinds.
pub(crate) fn each_of(
    paths: &[String],
    options: &Options,
    also: Also,
    wanted: impl Fn(&Crd) -> bool + Sync,
    take: impl FnMut(Vec<Crd>, Vec<String>) -> Result<(), Error>,
) -> Result<Outcome, Error> {
    read(&input::find(paths, options)?, also, wanted, take)
}

fn read(
    inputs: &Inventory,
    also: Also,
    wanted: impl Fn(&Crd) -> bool + Sync,
    mut take: impl FnMut(Vec<Crd>, Vec<String>) -> Result<(), Error>,
) -> Result<Outcome, Error> {
    let Also { unions, refused, twins } = also;
    let mut counts = Counts::default();
    let (mut copies, mut known) = (Copies::default(), HashSet::new());
    stream::each(
        inputs,
        |source, mut read| {
            if unions {
                read.allow_unions();
            }
            let others = read.keep(&wanted);
            let judged = read.judged().into_iter().filter(|(_, _, is_accepted)| *is_accepted || refused);
            let (named, mut accepted): (Vec<Named>, Vec<Crd>) =
                judged.map(|(named, crd, _)| (named, crd)).unzip();
            if !unions {
                accepted.iter_mut().for_each(Crd::drop_unions);
            }
            let mut findings = read.findings;
            findings.sort_by_key(|f| f.place.map(|p| p.start.offset));
            let mut counts = Counts::default();
            counts.add(&findings);
            let messages = report::human(&[Findings { source: source.clone(), findings }]);
            Ok(Read { source: source.clone(), named, accepted, others, counts, messages })
        },
        |Read { source, named, mut accepted, others, counts: some, messages }| {
            counts += some;
            terminal::say_ready(&messages);
            let findings = copies.notes(&source.name, named);
            terminal::say_ready(&report::human(&[Findings { source, findings }]));
            accepted.retain(|crd| twins || known.insert(crd.metadata.name.clone()));
            take(accepted, others)
        },
    )?;
    Ok(if counts.errors > 0 { Outcome::Findings } else { Outcome::Fine })
}
