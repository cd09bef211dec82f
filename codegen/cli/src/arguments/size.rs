//! How big definitions may be: what `emit` and `fit` have in common.

use crdgen_core::descriptions;
use crdgen_core::ir::Crd;
use crdgen_core::size;

use crate::arguments::values;
use crate::outcome::Outcome;
use crate::terminal;
use crdgen_files::error::shortened;

/// How big definitions may be
#[derive(clap::Args)]
#[group(id = "size")]
pub(crate) struct Args {
    /// Cut descriptions to this many bytes, at the end of a sentence or word; 0 leaves them out
    #[arg(long, value_name = "N", value_parser = values::whole)]
    max_description: Option<usize>,
    /// Show how many bytes each part takes, and write no CRDs
    #[arg(long)]
    pub(crate) sizes: bool,
}

impl Args {
    /// Cuts descriptions to the length that the user wants. With `fit`, also removes descriptions until the CRDs are
    /// small enough.
    pub(crate) fn apply(&self, crds: &mut [Crd], fit: bool) -> Outcome {
        let mut outcome = Outcome::Fine;
        for crd in crds {
            if let Some(max) = self.max_description {
                descriptions::limit_all(crd, max);
            }
            if fit && !fit_one(crd) {
                outcome = Outcome::Findings;
            }
        }
        outcome
    }

    /// The report of the sizes.
    pub(crate) fn report(crds: &[Crd]) -> String {
        crds.iter().map(size::report).collect()
    }
}

fn fit_one(crd: &mut Crd) -> bool {
    let size::Fit { before, after, removed } = size::fit_annotation(crd);
    let name = shortened(&crd.metadata.name);
    if removed > 0 {
        terminal::say(format_args!(
            "{name}: {} bytes instead of {}, without {removed} descriptions",
            after.bytes, before.bytes
        ));
    }
    if !after.is_small_enough() {
        terminal::say(format_args!(
            "warning: {name} still has {} bytes, but `kubectl apply` has room for {}: use `kubectl apply --server-side`",
            after.bytes, after.room
        ));
    }
    after.is_small_enough()
}
