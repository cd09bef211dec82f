//! What counts as a change, and how long crdgen looks for proofs.

use crdgen_diff::Options;

/// The search for objects that a change breaks
#[derive(Clone, clap::Args)]
#[group(id = "search")]
pub(crate) struct Args {
    /// How many objects to try for each change, if CRDs are compared
    #[arg(long, value_name = "N", default_value_t = Options::default().budget)]
    budget: usize,
    /// By how many percent of the server's limit the costs of the rules of a value may grow, if CRDs are compared
    #[arg(long, value_name = "PERCENT", default_value_t = Options::default().cost_growth)]
    cost_growth: u64,
}

impl Args {
    pub(crate) fn options(&self) -> Options {
        let Args { budget, cost_growth } = *self;
        Options { budget, cost_growth, ..Options::default() }
    }
}
