//! What was found in a part of a source, until it is reported.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::human::Excerpts;
use crate::{Finding, Findings};

/// A source or a part of it, with its findings. The texts of all files would need more memory than everything else together, so
/// only the lines of the findings are kept.
pub struct Checked {
    /// The findings. Their source has no text any more.
    pub found: Findings,
    pub(crate) excerpts: Excerpts,
    /// The CRDs in it.
    pub objects: Vec<String>,
    /// Those of which the findings that fail the run are reported in another file.
    pub elsewhere: BTreeSet<String>,
}

impl Checked {
    pub(crate) fn new(mut found: Findings, objects: Vec<String>, elsewhere: BTreeSet<String>) -> Checked {
        let excerpts = Excerpts::of(&found);
        found.source.bytes = Arc::default();
        Checked { found, excerpts, objects, elsewhere }
    }

    /// How many bytes it has, about.
    pub(crate) fn size(&self) -> usize {
        let of_finding = |finding: &Finding| size_of::<Finding>() + finding.diag.shown().to_string().len();
        self.excerpts.size() + self.found.findings.iter().map(of_finding).sum::<usize>()
    }
}
