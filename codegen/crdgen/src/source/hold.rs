//! Definitions that somebody wrote, held against the types in the sources.

use super::{Options, cargo, files};
use crate::Error;
use crdgen_core::diag::Diag;
use crdgen_core::hold::{Difference, hold, without_definition};
use crdgen_core::ir::Crd;
use crdgen_core::read::rust::resolve::{At, Found, FoundKind, Located, Program};

/// How definitions and types differ.
#[derive(Debug, Default)]
pub struct Held {
    /// What differs: the number of the definition, what it is, and where it is in the sources.
    pub differences: Vec<(usize, Diag, Option<At>)>,
    /// What is wrong with the sources themselves, and kinds without a definition.
    pub found: Vec<Found>,
    /// How many kinds the sources have.
    pub kinds: usize,
    /// Why cargo could not say where other crates are, if it was asked: types of theirs are not found then.
    pub cargo: Option<Error>,
}

/// Holds definitions against the kinds in the sources.
pub fn against(options: &Options, definitions: &[&Crd]) -> Result<Held, Error> {
    super::on_its_stack(|| compare(options, definitions))
}

fn compare(options: &Options, definitions: &[&Crd]) -> Result<Held, Error> {
    let mut out = Held::default();
    let mut workspace = cargo::Workspace::new(options);
    let mut unmatched: Vec<Vec<(usize, Difference)>> = Vec::new();
    for root in workspace.roots()? {
        let mut sources = files::Files::new(&mut workspace);
        let program = Program::new(&mut sources, root);
        let kinds: Vec<FoundKind> = program.kinds(&|_| true);
        out.found.extend(program.found());
        if program.has_errors() {
            continue;
        }
        let crds: Vec<Crd> = kinds.iter().map(|k| k.crd.clone()).collect();
        out.kinds += crds.len();
        for (number, diag) in without_definition(&crds, definitions) {
            let at = Located::new(&program, &kinds[number]).at(&[]);
            out.found.push(Found { diag, at });
        }
        let mut of_none = Vec::new();
        for (number, crd) in definitions.iter().enumerate() {
            for difference in hold(crd, &crds) {
                match difference.kind.and_then(|k| kinds.get(k)) {
                    Some(kind) => {
                        let at = Located::new(&program, kind).at(&difference.rust);
                        out.differences.push((number, difference.diag, at));
                    }
                    None => of_none.push((number, difference)),
                }
            }
        }
        unmatched.push(of_none);
    }
    out.cargo = workspace.into_failure();
    // A version has no type only if none of the crates has one.
    let everywhere = |it: &Difference, number: usize| {
        unmatched.iter().all(|of| of.iter().any(|(n, d)| *n == number && d.diag == it.diag))
    };
    for (number, difference) in unmatched.first().into_iter().flatten() {
        if everywhere(difference, *number) {
            out.differences.push((*number, difference.diag.clone(), None));
        }
    }
    let places = out.found.iter_mut().map(|f| &mut f.at).chain(out.differences.iter_mut().map(|(.., at)| at));
    places.flatten().for_each(super::shorten);
    Ok(out)
}
