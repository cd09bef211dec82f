//! The definitions that a server would take, for commands that work with these.

use crdgen_core::ir::Crd;
use rayon::prelude::*;

use super::report::{self, Counts, Findings};
use super::{Outcome, definitions, inputs, terminal};
use crate::Error;

/// Reads them all, and says what `crdgen check` says of the others on standard error, standard output
/// being for documents. `unions` are kept, which no server knows; so are `refused` definitions, if wanted.
pub(crate) fn read(paths: &[String], unions: bool, refused: bool) -> Result<(Vec<Crd>, Outcome), Error> {
    let inputs = inputs::find(paths, &["yaml", "yml", "json"])?;
    let one = |input: &inputs::Input| {
        let source = input.read()?;
        let (mut accepted, mut findings) = (Vec::new(), Vec::new());
        for group in definitions::groups(&source) {
            let mut read = group.read();
            if unions {
                read.allow_unions();
            }
            accepted.extend(read.accepted(unions, refused));
            findings.extend(read.findings);
        }
        findings.sort_by_key(|f| f.place.map(|p| p.start.offset));
        Ok((accepted, Findings { source, findings }))
    };
    let read: Vec<Result<(Vec<Crd>, Findings), Error>> = inputs.par_iter().map(one).collect();
    let (mut crds, mut found, mut counts) = (Vec::new(), Vec::new(), Counts::default());
    for read in read {
        let (accepted, findings) = read?;
        crds.extend(accepted);
        counts.add(&findings.findings);
        found.push(findings);
    }
    terminal::say_ready(&report::human(&found));
    Ok((crds, if counts.errors > 0 { Outcome::Findings } else { Outcome::Fine }))
}
