//! The definitions that a server would take, for commands that work with these.

use crdgen_core::ir::Crd;

use super::report::{self, Counts, Findings};
use super::{Outcome, inputs, stream, terminal};
use crate::Error;

/// Of how many definitions the documents are in memory at once: those of one may have many times its size.
pub(crate) const CHUNK: usize = 64;

/// Passes all of them on, some at a time and in their order, and prints the findings of `crdgen check` about the
/// others to standard error, because standard output is for documents. Keeps `unions`, which servers do not know,
/// and `refused` CRDs, if the caller wants them.
pub(crate) fn each(
    paths: &[String],
    unions: bool,
    refused: bool,
    mut take: impl FnMut(Vec<Crd>) -> Result<(), Error>,
) -> Result<Outcome, Error> {
    let inputs = inputs::find(paths, &["yaml", "yml", "json"])?;
    let mut counts = Counts::default();
    stream::each(
        &inputs,
        |source, mut read| {
            if unions {
                read.allow_unions();
            }
            let accepted = read.accepted(unions, refused);
            let mut findings = read.findings;
            findings.sort_by_key(|f| f.place.map(|p| p.start.offset));
            let mut counts = Counts::default();
            counts.add(&findings);
            Ok((accepted, counts, report::human(&[Findings { source: source.clone(), findings }])))
        },
        |(accepted, some, messages)| {
            counts += some;
            terminal::say_ready(&messages);
            if accepted.is_empty() { Ok(()) } else { take(accepted) }
        },
    )?;
    Ok(if counts.errors > 0 { Outcome::Findings } else { Outcome::Fine })
}
