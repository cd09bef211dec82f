//! Finds the places in sources for diagnostics that were made elsewhere, such as those about what an update changes.

use super::{Options, cargo, files, locate, on_its_stack};
use crate::Error;
use crdgen_core::diag::Diag;
use crdgen_core::encode;
use crdgen_core::ir::Crd;
use crdgen_source::{At, Program};

/// Returns the place of each diagnostic about the CRDs that [`super::read`] returns for the same sources.
pub fn places(options: &Options, wanted: &[(&Crd, Vec<&Diag>)]) -> Result<Vec<Vec<Option<At>>>, Error> {
    on_its_stack(|| find(options, wanted))
}

/// Finds the places in sources that are read now.
pub(super) fn find(options: &Options, wanted: &[(&Crd, Vec<&Diag>)]) -> Result<Vec<Vec<Option<At>>>, Error> {
    let mut workspace = cargo::Workspace::new(options);
    let roots = workspace.roots()?;
    let mut out: Vec<Vec<Option<At>>> = wanted.iter().map(|(_, diags)| vec![None; diags.len()]).collect();
    for root in roots {
        let mut sources = files::Files::new(&mut workspace);
        let program = Program::new(&mut sources, root);
        let kinds = program.all_kinds(&|kind, item| options.wants(kind, item));
        for ((crd, diags), places) in wanted.iter().zip(&mut out) {
            if !kinds.iter().any(|kind| kind.crd.metadata.name == crd.metadata.name) {
                continue;
            }
            let document = encode::crd(crd);
            for (diag, place) in diags.iter().zip(places) {
                // The versions of a kind may be in several crates.
                *place = place.take().or_else(|| locate(&program, &kinds, crd, &document, diag));
            }
        }
    }
    out.iter_mut().flatten().flatten().for_each(super::shorten);
    Ok(out)
}
